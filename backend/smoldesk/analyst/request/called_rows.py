"""Where a row is named by its number or code, and whether the noun before it is what those are called."""

import re
from dataclasses import dataclass

from smoldesk.analyst.meanings import (
    ROW_NAMED,
    ColumnRef,
    Mention,
    RowNoun,
    ValueRef,
)
from smoldesk.analyst.reading.row_ids import id_columns, nouns_of_id, row_id
from smoldesk.analyst.request.mentions import Request
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.value_index import ValueIndex
from smoldesk.analyst.words.text import key

MARK = r"(?:(?<![a-z])(?:ids?|nos?\.?|nr\.?|num(?:ber)?s?)(?![a-z])|番号|ID|№|#|:)"
_BETWEEN = re.compile(rf"(?: ?(?:{MARK}|の(?=\d|[A-Za-z]{{1,5}}-?\d)))* ?", re.IGNORECASE)
"""What may stand between a noun and the number: `ticket no. 5`, 注文番号の5."""


Columns = list[tuple[TableInfo, ColumnInfo]]


@dataclass(frozen=True)
class Named:
    """Where a row is named, by which values of which columns."""

    start: int
    end: int
    refs: tuple[ValueRef, ...]


def noun_before(request: Request, start: int) -> Mention | None:
    """The mention right before a number, with nothing but a mark between."""
    return next(
        (
            one
            for one in reversed(request.mentions)
            if one.end <= start and _BETWEEN.fullmatch(request.text[one.end : start])
        ),
        None,
    )


def is_called(request: Request, start: int, end: int, table: TableInfo, column: ColumnInfo) -> bool:
    """Whether the words there are what the numbers of the column, or the rows that it numbers, are called."""
    word = key(request.text[start:end])
    if word in nouns_of_id(column) or word == key(column.name):
        return True
    if any(word in nouns_of_id(other) for other in id_columns(table) if other != column):
        return False  # customer 12 is no order 12
    near = [one for one in request.mentions if one.start == start]
    own = column == row_id(table)
    return any(
        (own and any(noun.table == table.name for noun in one.all(RowNoun)))
        or any(
            ref.table == table.name and ref.column == column.name and ref.strength >= 2.5
            for ref in one.all(ColumnRef)
        )
        for one in near
        if one.end == end
    )


def refs_of(number: str, columns: Columns) -> tuple[ValueRef, ...]:
    return tuple(
        ValueRef(table.name, column.name, _written(number, table, column), ROW_NAMED)
        for table, column in columns
    )


def _written(number: str, table: TableInfo, column: ColumnInfo) -> str:
    """The number as the column has it: A-102 where codes end in it, and one alone does."""
    if column.kind == "number":
        return number
    ending = [
        value
        for value in known_codes(table, column)
        if (digits := re.search(r"\d+$", value)) and int(digits[0]) == int(number)
    ]
    return ending[0] if len(ending) == 1 else number


def known_codes(table: TableInfo, column: ColumnInfo) -> list[str]:
    """The codes of a column, as far as they are known."""
    index: ValueIndex | None = table.index() if table.index and not column.values else None
    return list(column.values) or (index.values_of(column.name) if index else [])
