"""Columns of a stored table for the grid: their kinds, and conversions of their values to JSON and text.

Names come from an untrusted file, so SQL refers to a column by its number only: c0, c1, ...
"""

import datetime
import math
import zoneinfo
from dataclasses import dataclass
from typing import Any

from . import duck_reading as duck

# Larger integers lose digits in JavaScript.
SAFE_INTEGER = 2**53
# Maximum characters of one cell.
MAX_TEXT = 10_000
_NUMBERS = (
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"),
    *("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"),
    *("FLOAT", "DOUBLE"),
)
ZONED = "TIMESTAMP WITH TIME ZONE"


@dataclass(frozen=True)
class GridColumn:
    """Column with its number and `name` in the file, DuckDB's `type`, the page's `kind`, and its time zone if any."""

    place: int
    name: str
    type: str
    kind: str
    zone: str | None = None

    @property
    def sql(self) -> str:
        """Expression of the column over `named_by_place`."""
        return f"c{self.place}"

    @property
    def value(self) -> str:
        """Expression of the value that `plain` takes."""
        if self.type == ZONED:
            return f"epoch_us({self.sql})"
        if self.kind == "text":
            return f"left({self.as_text}, {MAX_TEXT + 1})"
        return self.sql

    @property
    def as_text(self) -> str:
        """Expression of the value as text, for searches and filters."""
        return self.sql if self.type == "VARCHAR" else f"CAST({self.sql} AS VARCHAR)"

    def plain(self, value: Any) -> Any:
        """Return a value for JSON, in the form that a message's first rows have."""
        if value is None:
            return None
        if self.type == ZONED:
            return _zoned(value, self.zone)
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) > SAFE_INTEGER:
            return str(value)
        if isinstance(value, float) and not math.isfinite(value):
            return None
        if isinstance(value, str) and len(value) > MAX_TEXT:
            return value[:MAX_TEXT] + "…"
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
    """Return the columns of a Parquet file. Raises duckdb.Error."""
    rows = connection.execute(f"DESCRIBE SELECT * FROM read_parquet({duck.text(path)})").fetchall()
    zones = _zones(path) if any(row[1] == ZONED for row in rows) else {}
    return [
        GridColumn(place, str(row[0]), str(row[1]), kind_of(str(row[1])), zones.get(str(row[0])))
        for place, row in enumerate(rows)
    ]


def named_by_place(path: str, columns: list[GridColumn], *more: str) -> str:
    """Return a FROM expression of a Parquet file with columns c0, c1, ... and the expressions in `more`."""
    reads = f"read_parquet({duck.text(path)}{', file_row_number = true' if more else ''})"
    names = [*(f"{duck.name(column.name)} AS {column.sql}" for column in columns), *more]
    return f"(SELECT {', '.join(names)} FROM {reads})"


def kind_of(type_: str) -> str:
    """Return the page's kind of a DuckDB type."""
    if type_ == "BOOLEAN":
        return "bool"
    if type_ in _NUMBERS or type_.startswith("DECIMAL("):
        return "number"
    return "date" if type_ == "DATE" or type_.startswith("TIMESTAMP") else "text"


def _zones(path: str) -> dict[str, str]:
    """Return the time zones that Arrow wrote into the file; DuckDB drops them."""
    from pyarrow import parquet as pyarrow_parquet

    parquet: Any = pyarrow_parquet
    fields: list[Any] = list(parquet.read_schema(path))
    return {str(field.name): str(field.type.tz) for field in fields if getattr(field.type, "tz", None)}
