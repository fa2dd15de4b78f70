"""The money of a row: what `takings`, `cost more than 25` and `over 100 dollars` are about where no column is called so."""

import re

from backend.builtin.catalogue import ColumnInfo, TableInfo
from backend.builtin.column_names import units
from backend.builtin.durations import is_duration
from backend.builtin.words import name_words

_MONEY_UNITS = frozenset(("dollar", "yen", "euro", "pound"))
_TAKEN = frozenset(
    ["total", "paid", "amount", "takings", "revenue", "sales", "income", "bill",
     "charge", "charged", "turnover", "receipts", "gross", "fee", "fees", "fare"]
)  # fmt: skip
_PAID = _TAKEN | frozenset(["price", "cost", "fine", "rent", "spend", "spent", "premium", "toll"])
_COUNTED = re.compile(
    r"\b(?:qty|quantity|units?|nights?|hours?|days?|items?|score|points?|guests?|number|no|count|rate|per|tip|discount|tax|deposit|"
    r"minutes?|mins?|seats?|people|staff|weight|kg|time|distance|km|miles)\b"
)


def takings_column(table: TableInfo) -> ColumnInfo | None:
    """The one column whose figures are money taken for a row; None where there is none, or more than one."""
    return _only(table, _TAKEN)


def row_money(table: TableInfo) -> ColumnInfo | None:
    """The one column of what a row costs or brings."""
    return _only(table, _PAID)


def _only(table: TableInfo, words: frozenset[str]) -> ColumnInfo | None:
    named = [
        column
        for column in table.columns
        if column.kind == "number"
        and not column.is_flag
        and not column.is_id
        and not is_duration(column)
        and set(name_words(column.name)) & words
        and not _COUNTED.search(" ".join(name_words(column.name)))
    ]
    other = [column for column in table.columns if column not in named and units(column.name) & _MONEY_UNITS]
    return named[0] if len(named) == 1 and not other else None
