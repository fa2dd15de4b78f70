"""What a column holds, in a few words: its kind, and its values when they are few."""

from collections.abc import Iterator
from typing import Any

MOST_COLUMNS = 200
MOST_VALUES = 50
LONGEST = 200
MOST_CHARACTERS = 200_000
"""Of all values that are named of one file; further columns come without values."""


class Describer:
    """Describes the columns of one file's tables, within one budget of characters."""

    def __init__(self) -> None:
        self._left = MOST_CHARACTERS

    def columns(self, frame: Any) -> list[dict[str, Any]]:
        """`name`, `kind` and `values` of the first columns."""
        return list(self._described(frame))

    def _described(self, frame: Any) -> Iterator[dict[str, Any]]:
        for place, name in enumerate(frame.columns[:MOST_COLUMNS]):
            column = frame.iloc[:, place].dropna()
            kind = kind_of(column)
            values = [] if kind == "date" else _few(column)
            size = sum(map(len, values))
            if size > self._left:
                values = []
            else:
                self._left -= size
            yield {"name": str(name)[:LONGEST], "kind": kind, "values": values}


def kind_of(column: Any) -> str:
    """number, text, date or bool; texts that all begin like 2024-01-31 are dates."""
    from pandas.api import types

    if types.is_bool_dtype(column):
        return "bool"
    if types.is_numeric_dtype(column) and not types.is_complex_dtype(column):
        return "number"
    if types.is_datetime64_any_dtype(column):
        return "date"
    if (
        len(column)
        and types.is_string_dtype(column)
        and column.astype(str).str.match(r"\d{4}-\d{1,2}-\d{1,2}").all()
    ):
        return "date"
    return "text"


def _few(column: Any) -> list[str]:
    try:
        distinct = column.unique()
    except TypeError:  # lists in the cells cannot be compared
        return []
    return [str(value)[:LONGEST] for value in distinct] if len(distinct) <= MOST_VALUES else []
