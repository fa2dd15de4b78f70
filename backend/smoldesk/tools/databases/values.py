"""Answers of a database: rows as JSON values up to a limit, or one of two errors.

Neither error contains a password. `CutOff` ends a query in time.
"""

import datetime
import decimal
import json
import math
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from smoldesk.logs import hider
from smoldesk.tables.inside.sqlite_reading import (
    MAX_BYTES,
    MAX_ROWS,
    Result,
    once,
)


class QueryFailed(Exception):
    """The database answered, and refused or broke off the query; the message is its own words, without secrets."""

    def __init__(self, message: str) -> None:
        # A driver's message may repeat the address or another secret of the desk.
        super().__init__(hider(())(message))


class Unreachable(Exception):
    """There was no database to ask."""


class CutOff:
    """Ends a query that takes too long or is stopped, by `cut`; `reason` then says why.

    `is_sure`: `cut` comes back in any case, so that the end of the query waits for it.
    """

    def __init__(self, cut: Callable[[], object], seconds: float, is_sure: bool) -> None:
        self.reason = ""
        self._cut = cut
        self._is_sure = is_sure
        self._timer = threading.Timer(seconds, self._end, [f"it took more than {seconds:g} seconds"])
        self._stopper = threading.Thread(target=self._end, args=["it was stopped"], daemon=True)
        self._timer.daemon = True

    def __enter__(self) -> "CutOff":
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        if self._is_sure:
            self._timer.join()
            if self._stopper.ident is not None:
                self._stopper.join()

    def stop(self) -> None:
        """Cut it off now; once, from any thread, which need not wait for the network."""
        self._stopper.start()

    def _end(self, reason: str) -> None:
        self.reason = reason
        self._cut()


# Maximum characters of one value.
LONGEST = 100_000


@dataclass(frozen=True)
class AnswerBounds:
    """Limits of an answer: rows, bytes of JSON, and seconds if not the default."""

    rows: int = MAX_ROWS
    bytes: int = MAX_BYTES
    seconds: float | None = None


USUAL = AnswerBounds()


def bounded_result(columns: list[str], rows: Iterable[Any], bounds: AnswerBounds = USUAL) -> Result:
    """Read rows up to the limits."""
    kept: list[list[Any]] = []
    size = 0
    for row in rows:
        cells = [plain(value) for value in row]
        size += len(json.dumps(cells))
        if len(kept) == bounds.rows or size > bounds.bytes:
            return once(columns), kept, True
        kept.append(cells)
    return once(columns), kept, False


def plain(value: Any, depth: int = 0) -> Any:
    """Return a value as JSON can represent it: dates as ISO, decimals as numbers, bytes by their size, all else as text."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float | decimal.Decimal):
        # As DuckDB's answers about files: a sum of integers is one in every database, and no number is blank.
        if math.isnan(value):
            return None
        if not math.isfinite(
            value
        ):  # also a decimal beyond the range of float, whose digits Python does not write as int
            return str(value)[:LONGEST]
        is_whole = isinstance(value, decimal.Decimal) and value == value.to_integral_value()
        return int(value) if is_whole else float(value)
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
