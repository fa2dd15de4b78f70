"""The monthly of `average monthly bill`, where each row is a month: it says what a row is, and cuts nothing."""

from smoldesk.analyst.reading.draft import Draft


def is_row_of_one(draft: Draft, grain: str) -> bool:
    """True where one figure over all rows is asked for; those words are used up. `monthly average bill` is a series."""
    dates = [column for column in draft.table.columns if column.kind == "date"]
    if draft.language != "en" or len(dates) != 1 or dates[0].span_of_one != grain or grain == "day":
        return False
    if draft.plot or draft.over_time or draft.change or draft.window or draft.order or draft.save:
        return False
    asked = any(
        item.is_cue("which") and item.mention.text.lower().startswith("which") for item in draft.items
    )
    if asked or draft.says("vs", "change", "window") or (draft.says("per") and not draft.groups):
        return False
    at = next((at for at, item in enumerate(draft.items) if item.cue("grain") == grain), 0)
    before, after = draft.at(at - 1), draft.at(at + 1)
    if before is None or before.cue("agg") not in ("mean", "median") or after is None or not after.is_column:
        return False
    draft.used.add(at)
    return True
