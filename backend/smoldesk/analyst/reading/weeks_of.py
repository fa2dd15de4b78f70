"""Stretches of days by their ends: `the week of 7 October`, whole months and years.

A week is seven days, from its day where that begins one or the words say so, else the week that the day lies in.
"""

from datetime import date, timedelta

from smoldesk.analyst.reading.draft import Draft

_BEGINS = (" beginning ", " starting ", " commencing ", " from ", " of ")
_SUNDAY = 6


def week_of(draft: Draft, index: int, first: str) -> tuple[str, str] | None:
    """The first day of the week of the day at `index` and the first after it, in ISO; None where it is no week's."""
    at = next(
        (at for at in (index - 1, index - 2) if (near := draft.at(at)) and near.cue("grain") == "week"), -1
    )
    before = draft.at(at)
    if before is None or draft.language != "en":
        return None
    between = f" {draft.text[before.mention.end : draft.items[index].mention.start].strip()} "
    said = between.replace(" the ", " ")
    if said not in _BEGINS:
        return None
    draft.used.update(range(at, index))
    day = date.fromisoformat(first)
    if said == " of " and day.weekday() != _SUNDAY:
        day -= timedelta(days=day.weekday())
    return day.isoformat(), (day + timedelta(days=7)).isoformat()


def is_week(first: str, after: str) -> bool:
    """Whether two days are a Monday and the one after it."""
    days = date.fromisoformat(first[:10]), date.fromisoformat(after[:10])
    return days[0].weekday() == 0 and days[1] - days[0] == timedelta(days=7)


def stretch_name(first: str, after: str) -> str:
    """2024 or 2024-03 for a whole year or month, the day for one; empty for other stretches. Ends in ISO, the last excluded."""
    start, end = date.fromisoformat(first[:10]), date.fromisoformat(after[:10])
    if (start.month, start.day, end) == (1, 1, date(start.year + 1, 1, 1)):
        return f"{start.year}"
    if start.day == 1 and end == date(start.year + start.month // 12, start.month % 12 + 1, 1):
        return f"{start:%Y-%m}"
    return start.isoformat() if end - start == timedelta(days=1) else ""
