"""Columns that tell time without dates: years, numbered weeks, months without a year, `FY2023 Q1`, 2021/22.

They are steps in their order like dates are, but no calendar days are known of them.
"""

from itertools import pairwise

from smoldesk.analyst.reading.read_dates import is_year
from smoldesk.analyst.tables.catalogue import IN_ORDER, ColumnInfo, TableInfo
from smoldesk.analyst.words.text import name_words

_COUNTED = ("week", "month", "quarter", "day")
_NUMBER_OF = frozenset(("no", "number", "num", "nr"))


def periods(table: TableInfo, grain: str = "") -> list[str]:
    """The names of the columns that are steps of time of this length, of any length for ""; none where there are dates.

    Several columns of time beside each other (a year and its months) are no single line of time, so then there are none.
    """
    if any(column.kind == "date" for column in table.columns):
        return []
    known = [(column, span) for column in table.columns if (span := span_of(column))]
    years = [column.name for column, span in known if span == "year"]
    if grain == "year":
        return years
    if len(known) > 1:
        return years if not grain and len(years) == len(known) else []
    return [column.name for column, span in known if grain in ("", span)]


def called_by(table: TableInfo, grain: str) -> str:
    """`by year`, of a table of students with a column `Year of study`: the one column that is called so and cuts the rows."""
    found = [
        column.name
        for column in table.columns
        if grain
        and grain in name_words(column.name)
        and 0 < len(column.values) < table.rows
        and not column.is_id
    ]
    return found[0] if len(found) == 1 else ""


def span_of(column: ColumnInfo) -> str:
    """How long one step of a column is: year, quarter, month, week, day; "" for one that is no time."""
    if is_year(column):
        return "year"
    if column.kind == "text":
        return column.form.removesuffix(IN_ORDER) if column.form.endswith(IN_ORDER) else ""
    if column.kind != "number" or column.form:
        return ""
    words = set(name_words(column.name)) - _NUMBER_OF
    span = next((one for one in _COUNTED if words == {one}), "")
    return span if span and _counts_up(column.values) else ""


def _counts_up(values: list[str]) -> bool:
    if len(values) < 2 or not all(value.isdigit() for value in values):
        return False
    numbers = [int(value) for value in values]
    return all(one < other for one, other in pairwise(numbers))
