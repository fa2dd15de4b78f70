"""Profiles of the columns of a stored table: missing and distinct values, and their distribution."""

import datetime
import math
from typing import Any

from .table_schema import ZONED, GridColumn, named_by_place

BINS = 20
MAX_VALUES = 6
# Maximum distinct values that are counted one by one; a column with more is taken as names.
COUNTED = 100_000
LONGEST = 200


def profile_of(connection: Any, path: str, columns: list[GridColumn], rows: int) -> list[dict[str, Any]]:
    """Return one profile for each column, in order. Raises duckdb.Error.

    Each has `missing` and an approximate number of `distinct` values. A column of numbers or times has `least`,
    `most` and the `counts` of BINS equal steps between them; any other has its most frequent `values` with their
    counts.
    """
    reads = named_by_place(path, columns)
    return [_profile(connection, reads, column, rows) for column in columns]


def _profile(connection: Any, reads: str, column: GridColumn, rows: int) -> dict[str, Any]:
    present, distinct = connection.execute(
        f"SELECT count({column.sql}), approx_count_distinct({column.sql}) FROM {reads}"
    ).fetchone()
    profile: dict[str, Any] = {
        "missing": rows - present,
        "distinct": min(distinct, present),
        "least": None,
        "most": None,
        "counts": [],
        "values": [],
    }
    if not present:
        return profile
    spread = _spread(connection, reads, column) if column.kind in ("number", "date") else None
    if spread is not None:
        return {**profile, **spread}
    if distinct <= COUNTED:
        value = f"left({column.as_text}, {LONGEST})" if column.kind == "text" else column.sql
        query = (
            f"SELECT {value} AS v, count(*) AS n FROM {reads} WHERE {column.sql} IS NOT NULL "
            f"GROUP BY v ORDER BY n DESC, v LIMIT {MAX_VALUES}"
        )
        profile["values"] = [
            [column.plain(value), count] for value, count in connection.execute(query).fetchall()
        ]
    return profile


def _spread(connection: Any, reads: str, column: GridColumn) -> dict[str, Any] | None:
    """Return a histogram; None if no value is finite."""
    number = column.sql if column.kind == "number" else f"epoch_us(CAST({column.sql} AS {_moment(column)}))"
    number = f"CAST({number} AS DOUBLE)"
    finite = f"{number} BETWEEN -1e300 AND 1e300"
    least, most = connection.execute(
        f"SELECT min({number}), max({number}) FROM {reads} WHERE {finite}"
    ).fetchone()
    if least is None:
        return None
    width = (most - least) / BINS
    counts = [0] * BINS
    if width > 0 and math.isfinite(width):
        place = f"least({BINS - 1}, CAST(floor(({number} - {least!r}) / {width!r}) AS INTEGER))"
        query = f"SELECT {place} AS bin, count(*) FROM {reads} WHERE {finite} GROUP BY bin"
        for at, count in connection.execute(query).fetchall():
            counts[max(0, min(at, BINS - 1))] += count
    else:
        counts[0] = connection.execute(f"SELECT count(*) FROM {reads} WHERE {finite}").fetchone()[0]
    return {"least": _plain_value(least, column), "most": _plain_value(most, column), "counts": counts}


def _moment(column: GridColumn) -> str:
    return column.type if column.type == ZONED else "TIMESTAMP"


def _plain_value(value: float, column: GridColumn) -> Any:
    """Return a number as it is, and microseconds since 1970 as a day or time."""
    if column.kind == "number":
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    try:
        at = datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=value)
    except OverflowError:
        return None
    return at.isoformat(timespec="seconds").removesuffix("T00:00:00")
