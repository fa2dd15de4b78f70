"""Running totals: figures that add up from one point in time to the next."""

from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Refusal
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.tables.adding_up import adds_up
from smoldesk.analyst.tables.catalogue import ColumnInfo


def running(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    """The intent with a running total when one is asked for: of sums, or of rows where no column is named."""
    if "running" not in draft.operations:
        if _rolls_sums(draft):
            draft.aggregates = ["sum"]
        return intent
    if not intent.date:
        dates = [column for column in draft.table.columns if column.kind == "date"]
        if not dates:
            return Refusal("no_date", table=draft.table.name)
        draft.used.update(index for index, column in draft.free() if column.kind == "date")
        named: list[ColumnInfo] = [column for _, column in draft.free() if column.kind == "date"]
        intent = replace(intent, date=(named or dates)[0].name)
    measured = any(column.kind == "number" for _, column in draft.free())
    draft.aggregates = ["sum" if measured else "count"]
    return replace(intent, running=True)


def _rolls_sums(draft: Draft) -> bool:
    """`3 day moving average of the daily fees`: what is averaged are the totals of each day."""
    if not draft.window or draft.aggregates != ["mean"]:
        return False
    return any(
        column.kind == "number"
        and (before := draft.at(index - 1)) is not None
        and before.is_cue("grain")
        and before.mention.text.endswith("ly")
        and adds_up(column, draft.items[index].mention.text)
        for index, column in draft.free()
    )
