"""Read-only queries with SQLite, safe against hostile queries. Standard library only.

`lock` makes a connection read-only: `query_only` is on, an authorizer allows reading only, and limits bound a value,
a query and a result. `Watch` interrupts a query that takes too much time or memory. The server uses both for the
operator's SQLite files; the limits and the watch also hold in the child that reads a chat's tables, so this module
imports nothing of ours.
"""

import json
import math
import mmap
import sqlite3
import threading
from typing import Any, Protocol

MAX_ROWS = 10_000
# Maximum bytes of one result as JSON.
MAX_BYTES = 8_000_000
SECONDS = 5.0
MEMORY = 256 * 1024 * 1024

_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 20_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 200,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 50,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 200,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE}
_PRAGMAS = {"table_info", "table_xinfo", "table_list"}
_FORBIDDEN = {"load_extension", "fts3_tokenizer", "randomblob", "zeroblob", "readfile", "writefile", "edit"}


class NoRows(Exception):
    """The statement was allowed and returned no rows: it is not a SELECT."""


# Columns, rows of JSON values, and whether there were more rows.
Result = tuple[list[str], list[list[Any]], bool]


# Errors that a query can raise; `plain` formats them.
FAULTS = (sqlite3.Error, sqlite3.Warning, MemoryError, UnicodeError, NoRows)


def fetch(
    connection: sqlite3.Connection,
    query: str,
    most_rows: int = MAX_ROWS,
    most_bytes: int = MAX_BYTES,
    parameters: dict[str, Any] | None = None,
) -> Result:
    """Run one statement on a locked connection. Raises one of FAULTS."""
    cursor = connection.execute(query, parameters or {})
    if cursor.description is None:
        raise NoRows
    columns = once([str(column[0]) for column in cursor.description])
    rows: list[list[Any]] = []
    size = 0
    for row in cursor:
        cells = [_cell(value) for value in row]
        size += len(json.dumps(cells))
        if len(rows) == most_rows or size > most_bytes:
            return columns, rows, True
        rows.append(cells)
    return columns, rows, False


def _cell(value: Any) -> Any:
    if isinstance(value, bytes):
        return f"<{len(value)} bytes>"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def once(columns: list[str]) -> list[str]:
    """Make column names distinct: a, a_2, a_3."""
    used_names: set[str] = set()
    for index, name in enumerate(columns):
        number, candidate = 1, name
        while candidate in used_names:
            number += 1
            candidate = f"{name}_{number}"
        used_names.add(candidate)
        columns[index] = candidate
    return columns


def lock(connection: sqlite3.Connection, limits: dict[int, int] | None = None) -> None:
    """Make a connection read-only; `limits` replaces some of the default limits."""
    connection.text_factory = _readable
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    for limit, value in (_LIMITS | (limits or {})).items():
        connection.setlimit(limit, value)
    connection.set_authorizer(_authorize)


def _readable(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _authorize(
    action: int, first: str | None, second: str | None, _database: str | None, _view: str | None
) -> int:
    allowed = (
        action in _READING
        or (action == sqlite3.SQLITE_FUNCTION and second not in _FORBIDDEN)
        or (action == sqlite3.SQLITE_PRAGMA and first in _PRAGMAS)
    )
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def plain(fault: Exception, reason: str) -> str:
    """Return a fault as one line; `reason` is the reason of a Watch and comes first."""
    if reason:
        return reason
    if isinstance(fault, NoRows):
        return "it gives no rows: only SELECT is allowed"
    text = str(fault)
    if "not authorized" in text or "prohibited" in text:
        return f"only reading is allowed ({text})"
    if "one statement at a time" in text:
        return "only one statement at a time is allowed"
    return text.rstrip(".") or type(fault).__name__


class Interruptible(Protocol):
    """Connection of SQLite or DuckDB."""

    def interrupt(self) -> None: ...


class Watch:
    """Interrupts a query from another thread, since the database does not return to Python while it works.

    It ends the query after `seconds`, when the process has grown by `memory` bytes (where that can be read), or after
    `stop`; `reason` then says why.
    """

    def __init__(self, connection: Interruptible, seconds: float, memory: int) -> None:
        self.reason = ""
        self._connection = connection
        self._seconds = seconds
        self._memory = memory
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._monitor, name="sql-watch", daemon=True)

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def stop(self) -> None:
        """End the query, started or not; from any thread."""
        self.reason = "it was stopped"

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _monitor(self) -> None:
        before, ticks = _resident(), 0
        while not self._done.wait(0.05):
            ticks += 1
            if self.reason:
                pass  # interrupt again: one before the query starts has no effect
            elif ticks * 0.05 >= self._seconds:
                self.reason = f"it took more than {self._seconds:g} seconds"
            elif _resident() - before > self._memory:
                self.reason = "it needed too much memory"
            if self.reason:
                self._connection.interrupt()


def _resident() -> int:
    """Return the process's resident memory in bytes; 0 if the system has no /proc."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123  (a Path per look is waste)
            return int(file.read().split()[1]) * mmap.PAGESIZE
    except OSError:
        return 0
