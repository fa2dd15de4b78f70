"""How long something took, where a table says when it began and when it ended and holds no such figure itself.

The days between the two dates are a column of their own to the reader; the code computes it where it is asked for.
"""

from dataclasses import replace

from smoldesk.analyst.tables.catalogue import (
    YEARLESS,
    Catalogue,
    ColumnInfo,
    TableInfo,
)
from smoldesk.analyst.tables.column_names import concepts, units
from smoldesk.analyst.words.text import is_japanese

FORM = "duration"
"""The form of a column that no file holds; its span names the columns of the beginning and the end."""
_TIMES = frozenset(("second", "minute", "hour", "day"))
_LIVES = (
    "birth",
    "born",
    "dob",
    "生年",
    "生まれ",
    "誕生",
    "updated",
    "更新",
    "expir",
    "期限",
    "due",
    "deadline",
)
_TERMS = """
duration, turnaround, turnaround time, time taken, days taken, number of days, length of stay, time, how long it took,
期間, 日数, 所要日数, かかった日数, 何日かかった, 所要期間, 在籍期間, 在籍日数, 勤続期間, 滞在日数, 入院日数, 入院期間
"""


def with_durations(catalogue: Catalogue) -> Catalogue:
    """The same catalogue, each table of two dates with the days between them beside its columns."""
    tables = [with_duration(table) for table in catalogue.tables]
    return replace(catalogue, tables=tables)


def with_duration(table: TableInfo) -> TableInfo:
    """The table with the days between its two dates; the same where it has others, or says itself how long things took."""
    column = _between(table)
    return replace(table, columns=[*table.columns, column]) if column else table


def is_duration(column: ColumnInfo) -> bool:
    return column.form == FORM and len(column.span) == 2


def duration_terms(column: ColumnInfo) -> list[str]:
    """What the days between two dates are called."""
    start, end = (name.lower() for name in column.span)
    said = [word.strip() for word in _TERMS.replace("\n", " ").split(",") if word.strip()]
    return [*said, f"between {start} and {end}", f"from {start} to {end}", f"{start}から{end}まで"]


def _between(table: TableInfo) -> ColumnInfo | None:
    dates = [column for column in table.columns if column.kind == "date"]
    if len(dates) != 2 or any(one.form == YEARLESS or not one.span for one in dates):
        return None
    if any(word in one.name.lower() for one in dates for word in _LIVES):
        return None
    if any(
        column.kind == "number" and (units(column.name) & _TIMES or "duration" in concepts(column.name))
        for column in table.columns
    ):
        return None
    start, end = dates if dates[0].span[0] <= dates[1].span[0] else dates[::-1]
    japanese = is_japanese(start.name)
    name = (
        f"{start.name}から{end.name}までの期間(日)"
        if japanese
        else f"duration from {start.name} to {end.name} (days)"
    )
    return ColumnInfo(name, "number", form=FORM, span=(start.name, end.name))
