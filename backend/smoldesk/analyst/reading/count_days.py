"""雨の日は何日, `how many days were over 30 degrees`: the different days of the rows that are meant are counted."""

import re
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.tables.catalogue import MIXED, MIXED_ERAS, ColumnInfo

_ASKED = frozenset(("何日", "何日間", "何日分", "何日くらい", "日数"))
_MONTHS = re.compile("何[かヶカケヵ箇]月(?:間|分)?")
_CLOCK = ("時", "time", "stamp", "start", "opened", "began", "_at", " at", "check")
"""Names of columns whose days may have a time of day, which the form of ISO dates does not tell."""


def counted_days(draft: Draft, intent: DataIntent) -> DataIntent | None:
    """The days that meet the conditions, where the table has one column of days and nothing else is asked for."""
    asked = [index for index in range(len(draft.items)) if _asks(draft, index)]
    day = _only_day(draft)
    months = [index for index, item in enumerate(draft.items) if _MONTHS.fullmatch(item.mention.text)]
    if months and not asked:
        asked, day = months, _only_month(draft)
    if not asked or day is None or not intent.filters or intent.groups or draft.order or draft.change:
        return None
    grain = "month" if months else "day"
    if set(draft.aggregates) - {"count"} or draft.plot or draft.operations or draft.grain not in ("", grain):
        return None
    free = [(index, column) for index, column in draft.free() if column != day]
    if free or draft.over_time:
        return None
    grains = [index for index, item in enumerate(draft.items) if item.cue("grain") == grain]
    draft.used.update(asked, grains, (index for index, _ in draft.free()))
    draft.grain = ""
    return replace(intent, measures=(day.name,), aggregates=("nunique",), grain="", date="")


def _asks(draft: Draft, index: int) -> bool:
    item, before = draft.items[index], draft.at(index - 1)
    if item.mention.text in _ASKED and not item.is_column:
        return True
    return (
        item.mention.text.lower() == "days"
        and before is not None
        and before.cue("agg") == "count"
        and item.cue("grain") == "day"
    )


def _only_day(draft: Draft) -> ColumnInfo | None:
    """The only column of dates, if it holds days and no times."""
    dates = [column for column in draft.table.columns if column.kind == "date"]
    if len(dates) != 1 or not _of_days(dates[0].form):
        return None
    return None if any(word in dates[0].name.lower() for word in _CLOCK) else dates[0]


def _only_month(draft: Draft) -> ColumnInfo | None:
    """The only column of dates, if it holds months: then each row is of one."""
    dates = [column for column in draft.table.columns if column.kind == "date"]
    form = dates[0].form if len(dates) == 1 else ""
    return dates[0] if "%m" in form and "%d" not in form else None


def _of_days(form: str) -> bool:
    """False for months, 2024年5月, and for days with a time."""
    return form in ("", "wareki", MIXED, MIXED_ERAS) or ("%d" in form and "%H" not in form)
