"""The columns of a stored table as a grid has them: what kind each is, and how its values become plain ones, and text.

Names come from a file that nobody trusts: in SQL a column goes by its place, c0, c1, ..., which can mean nothing else.
"""

import datetime
import math
import zoneinfo
from dataclasses import dataclass
from typing import Any

from . import duck_reading as duck

SAFE_INTEGER = 2**53
# Characters of one cell.
MOST_TEXT = 10_000
_NUMBERS = (
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"),
    *("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"),
    *("FLOAT", "DOUBLE"),
)
ZONED = "TIMESTAMP WITH TIME ZONE"


@dataclass(frozen=True)
class GridColumn:
    """A column: its place and `name` in the file, DuckDB's `type`, the `kind` that the page knows, its time zone if any."""

    place: int
    name: str
    type: str
    kind: str
    zone: str | None = None

    @property
    def sql(self) -> str:
        """The column as an expression, over what `named_by_place` reads."""
        return f"c{self.place}"

    @property
    def value(self) -> str:
        """Its value, as `plain` takes it."""
        if self.type == ZONED:
            return f"epoch_us({self.sql})"
        if self.kind == "text":
            return f"left({self.as_text}, {MOST_TEXT + 1})"
        return self.sql

    @property
    def as_text(self) -> str:
        """Its value as text, as a search or a filter looks at it."""
        return self.sql if self.type == "VARCHAR" else f"CAST({self.sql} AS VARCHAR)"

    def plain(self, value: Any) -> Any:
        """A value as JSON says it, and as the first rows of a message have it."""
        if value is None:
            return None
        if self.type == ZONED:
            return _zoned(value, self.zone)
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) > SAFE_INTEGER:
            return str(value)
        if isinstance(value, float) and not math.isfinite(value):
            return None
        if isinstance(value, str) and len(value) > MOST_TEXT:
            return value[:MOST_TEXT] + "…"
        if isinstance(value, datetime.datetime):
            return value.isoformat().removesuffix("T00:00:00")
        return duck.cell(value)


def _zoned(microseconds: int, zone: str | None) -> str | None:
    try:
        at = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC) + datetime.timedelta(
            microseconds=microseconds
        )
        return at.astimezone(zoneinfo.ZoneInfo(zone or "UTC")).isoformat()
    except (OverflowError, ValueError, zoneinfo.ZoneInfoNotFoundError, OSError):
        return None


def columns_of(connection: Any, path: str) -> list[GridColumn]:
    """The columns of a Parquet file; raises duckdb.Error."""
    rows = connection.execute(f"DESCRIBE SELECT * FROM read_parquet({duck.text(path)})").fetchall()
    zones = _zones(path) if any(row[1] == ZONED for row in rows) else {}
    return [
        GridColumn(place, str(row[0]), str(row[1]), kind_of(str(row[1])), zones.get(str(row[0])))
        for place, row in enumerate(rows)
    ]


def named_by_place(path: str, columns: list[GridColumn], *more: str) -> str:
    """A Parquet file as a table whose columns go by their places; `more` are expressions beside them."""
    reads = f"read_parquet({duck.text(path)}{', file_row_number = true' if more else ''})"
    names = [*(f"{duck.name(column.name)} AS {column.sql}" for column in columns), *more]
    return f"(SELECT {', '.join(names)} FROM {reads})"


def kind_of(type_: str) -> str:
    """What the page calls a type of DuckDB."""
    if type_ == "BOOLEAN":
        return "bool"
    if type_ in _NUMBERS or type_.startswith("DECIMAL("):
        return "number"
    return "date" if type_ == "DATE" or type_.startswith("TIMESTAMP") else "text"


def _zones(path: str) -> dict[str, str]:
    """The time zones that Arrow wrote into the file; DuckDB knows moments only."""
    from pyarrow import parquet as pyarrow_parquet

    parquet: Any = pyarrow_parquet
    fields: list[Any] = list(parquet.read_schema(path))
    return {str(field.name): str(field.type.tz) for field in fields if getattr(field.type, "tz", None)}
