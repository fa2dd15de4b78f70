"""Terms of the tables and the building: what columns, values, tables and rooms are called, each with how sure it is."""

import re
from collections import defaultdict
from dataclasses import dataclass, field

from smoldesk.analyst.catalogue import ColumnInfo, TableInfo

BRACKETS = re.compile(r"[(\[（【].*?[)\]）】]|[#?*]")
MOST_INDEXED = 20_000
Key = tuple[str, ...]
_NOT_OF_TABLES = frozenset(
    ["dir", "colour", "icon", "draw", "people", "help", "greet", "unit", "beyond", "way", "errand"]
)


@dataclass(frozen=True)
class Column:
    """A column of a table, as mentions and queries name it."""

    table: str
    info: ColumnInfo = field(compare=False, hash=False)
    name: str
    unit: str = ""

    @property
    def is_number(self) -> bool:
        return self.info.kind == "number"

    @property
    def is_date(self) -> bool:
        return self.info.kind == "date"

    @property
    def is_category(self) -> bool:
        return self.info.kind in ("text", "bool") or bool(self.info.yes_no)

    @property
    def is_id(self) -> bool:
        return self.info.is_id


@dataclass(frozen=True)
class Term:
    """What a phrase stands for: `kind` column, value, table, row or room; how strong: 1.0 for its whole name."""

    kind: str
    strength: float
    column: Column | None = None
    value: str = ""


@dataclass
class TableSchema:
    """One table and its terms."""

    info: TableInfo
    columns: list[Column]
    terms: dict[Key, list[Term]] = field(default_factory=lambda: defaultdict(list))
    floor: str = ""
    """The floor whose rooms a column names; empty without such a column."""
    room_column: str = ""
    selected: tuple[tuple[str, str], ...] = ()
    """Rooms that the person chose on the map, each by its floor and name."""

    def speaks(self, kind: str, value: str) -> bool:
        """Whether a meaning of the lexicon can belong to a question about this table."""
        if kind == "map":
            return bool(self.room_column) and value in ("highlight", "map", "play")
        if kind == "noun":
            return value == "data"
        return kind not in _NOT_OF_TABLES

    def column(self, name: str) -> Column:
        """The column of a name. Raises KeyError."""
        return next(column for column in self.columns if column.name == name)

    @property
    def numbers(self) -> list[Column]:
        return [one for one in self.columns if one.is_number and not one.is_id and not one.info.yes_no]

    @property
    def dates(self) -> list[Column]:
        return [one for one in self.columns if one.is_date]


def indexed_values(table: TableInfo, column: str) -> list[str]:
    """The known values of a column of text, the most frequent first; none where the table has no index."""
    if table.index is None:
        return []
    for one in table.index().columns:
        if one.name == column:
            return [] if one.whole else list(one.values[:MOST_INDEXED])
    return []
