"""Rows of a driver as rows that JSON can say, until there are enough of them. Pure."""

import datetime
import decimal
import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, cast

from smoldesk.tables.inside.sqlite_reading import (
    MOST_BYTES,
    MOST_ROWS,
    Result,
    once,
)

LONGEST = 100_000
"""Characters of one value."""


def taken(columns: list[str], rows: Iterable[Any], most_rows: int = MOST_ROWS) -> Result:
    """At most `most_rows` rows and 8 MB of JSON; stops reading there."""
    kept: list[list[Any]] = []
    size = 0
    for row in rows:
        cells = [plain(value) for value in row]
        size += len(json.dumps(cells))
        if len(kept) == most_rows or size > MOST_BYTES:
            return once(columns), kept, True
        kept.append(cells)
    return once(columns), kept, False


def plain(value: Any, depth: int = 0) -> Any:
    """A value as JSON can say it: dates as ISO, decimals as numbers, bytes by their size, all else as text."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float | decimal.Decimal):
        return float(value) if math.isfinite(value) else str(value)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return f"<{len(cast(bytes, value))} bytes>"
    if depth < 10 and isinstance(value, Mapping):
        pairs = cast("Mapping[Any, Any]", value)
        return {str(key): plain(inner, depth + 1) for key, inner in pairs.items()}
    if depth < 10 and isinstance(value, list | tuple):
        return [plain(inner, depth + 1) for inner in cast("list[Any]", value)]
    return str(value)[:LONGEST].encode("utf-8", "replace").decode()
