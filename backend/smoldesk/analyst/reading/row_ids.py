"""Which columns number the rows of a table, by what nouns their numbers are called, and how a code may be written."""

import re

from smoldesk.analyst.intents import Scalar
from smoldesk.analyst.reading.asked_rows import names_each, numbers_rows
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.row_names import row_synonyms
from smoldesk.analyst.words.text import is_japanese, key, name_words

_ENDING = re.compile(r"(?:番号|コード|ナンバー|no\.?|id|#|№|記号)$")
_ENDINGS = frozenset(
    ("id", "no", "no.", "nr", "number", "num", "code", "ref", "key", "uuid", "#", "reference")
)
_CODE = re.compile(r"(?=.*\d)[a-z]{0,6}\d+(?:[a-z]{0,4}\d*)?")


def id_columns(table: TableInfo) -> list[ColumnInfo]:
    """The columns that hold ids: called so, or a first column of running numbers or of codes, none twice."""
    return [column for column in table.columns if column.is_id or is_row_id(column, table)]


def is_row_id(column: ColumnInfo, table: TableInfo) -> bool:
    """Whether each of its values numbers one row."""
    if column.kind not in ("number", "text"):
        return False
    if numbers_rows(column, table):
        return True
    if column.is_id:
        first = next(one for one in table.columns if one.is_id)
        return names_each(column, table) and bool(column.values or column == first)
    return (
        column == table.columns[0]
        and column.kind == "text"
        and 2 < len(column.values) >= table.rows
        and all(_CODE.fullmatch(plain_code(value)) for value in column.values)
    )


def row_id(table: TableInfo) -> ColumnInfo | None:
    """The first column that numbers the rows themselves."""
    return next((column for column in table.columns if is_row_id(column, table)), None)


def nouns_of_id(column: ColumnInfo) -> set[str]:
    """Ticket and tickets of `ticket_id`, 注文 of 注文番号: what one says before a number of it."""
    words = [word for word in name_words(column.name) if word not in _ENDINGS]
    if not words:
        return set()
    if is_japanese(words[0]):
        words = [_ENDING.sub("", "".join(words))]
    return row_synonyms(words[-1]) | {" ".join(words)} if words[-1] else set()


def plain_code(said: str) -> str:
    """A code without case and marks: a102 of `A-102`."""
    return re.sub(r"[^0-9a-z]", "", said.lower())


def same_shape(said: str, known: list[str]) -> bool:
    """Whether a plain code looks like those: the same letters before digits, about as many of them."""
    shape = re.match(r"([a-z]+)(\d+)$", said)
    if shape is None:
        return False
    shapes = [found for one in known[:200] if (found := re.match(r"([a-z]+)(\d+)$", one))]
    alike = [one for one in shapes if one[1] == shape[1]]
    return (
        bool(alike)
        and min(len(one[2]) for one in alike) <= len(shape[2]) <= max(len(one[2]) for one in alike) + 1
    )


def pins_rows(column: ColumnInfo, values: tuple[Scalar, ...], table: TableInfo) -> bool:
    """Whether each of those cells stands in one row, as far as is known: ids, and names that do not come again."""
    if is_row_id(column, table):
        return True
    if column.kind != "text" or not names_each(column, table):
        return False
    if column.values:
        return True
    index = table.index() if table.index else None
    counts = [found.count for value in values for found in (index.exactly(key(str(value))) if index else [])
              if found.column == column.name]  # fmt: skip
    return len(counts) == len(values) and set(counts) == {1}
