"""SQL over the bundled datasets, as safe for the server as the query is hostile.

The datasets are loaded once into a SQLite image in memory. Every query gets a connection of its own on a
private copy of that image: `query_only` is on, an authorizer allows reading and nothing else, limits bound
what one value, one query and one result may hold, and a watch interrupts what takes too long or too much
memory. The `sql_engine` tool is in `data.py`.
"""

import functools
import math
import mmap
import sqlite3
import threading
from collections.abc import Callable
from typing import Any

from pydantic import JsonValue

from backend.errors import BadInput
from backend.tools.datasets import Datasets, Kind
from backend.tools.results import Rows

MOST_ROWS = 10_000
MOST_BYTES = 8_000_000
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


def run_query(
    datasets: Datasets,
    query: str,
    *,
    most_rows: int = MOST_ROWS,
    seconds: float = SECONDS,
    memory: int = MEMORY,
) -> Rows:
    """Run one reading statement; raises BadInput saying what is wrong, with the tables and columns."""
    tables = _tables(datasets)
    if not query.strip():
        raise BadInput("The query is empty.", hint=tables)
    image = _image(datasets)
    connection = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    try:
        connection.deserialize(image)
        _lock_down(connection)
        with _Watch(connection, seconds, memory) as watch:
            try:
                return _fetch(connection, query, most_rows)
            except (sqlite3.Error, sqlite3.Warning, MemoryError, UnicodeError) as fault:
                raise BadInput(f"The query failed: {_plain(fault, watch.reason)}.", hint=tables) from fault
    finally:
        connection.close()


def _fetch(connection: sqlite3.Connection, query: str, most_rows: int) -> Rows:
    cursor = connection.execute(query)
    if cursor.description is None:
        raise BadInput("The query gives no rows.", hint="Only SELECT is allowed.")
    columns = _once([str(column[0]) for column in cursor.description])
    rows: list[list[JsonValue]] = []
    size = 0
    for row in cursor:
        cells = [_cell(value) for value in row]
        size += sum(len(cell) if isinstance(cell, str) else 8 for cell in cells)
        if len(rows) == most_rows or size > MOST_BYTES:
            return Rows(columns, rows, truncated=True)
        rows.append(cells)
    return Rows(columns, rows)


def _cell(value: Any) -> JsonValue:
    """A cell as JSON can say it: a blob by its size, infinity as text."""
    if isinstance(value, bytes):
        return f"<{len(value)} bytes>"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def _once(columns: list[str]) -> list[str]:
    """Column names made distinct: a, a_2, a_3."""
    seen: set[str] = set()
    for index, name in enumerate(columns):
        number, wanted = 1, name
        while wanted in seen:
            number += 1
            wanted = f"{name}_{number}"
        seen.add(wanted)
        columns[index] = wanted
    return columns


def _lock_down(connection: sqlite3.Connection) -> None:
    """After this the connection reads and does nothing else."""
    connection.text_factory = _readable
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    for limit, value in _LIMITS.items():
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


def _plain(fault: Exception, reason: str) -> str:
    if reason:
        return reason
    text = str(fault)
    if "not authorized" in text or "prohibited" in text:
        return f"only reading is allowed ({text})"
    if "one statement at a time" in text:
        return "only one statement at a time is allowed"
    return text.rstrip(".") or type(fault).__name__


class _Watch:
    """Interrupts a query from outside, since SQLite is not in Python code while it works.

    It ends the query after `seconds`, or when the process has grown by `memory` bytes meanwhile (where that
    can be read); `reason` then says why.
    """

    def __init__(self, connection: sqlite3.Connection, seconds: float, memory: int) -> None:
        self.reason = ""
        self._connection = connection
        self._seconds = seconds
        self._memory = memory
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, name="sql-watch", daemon=True)

    def __enter__(self) -> "_Watch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        before, ticks = _resident(), 0
        while not self._done.wait(0.05):
            ticks += 1
            if ticks * 0.05 >= self._seconds:
                self.reason = f"it took more than {self._seconds:g} seconds"
            elif _resident() - before > self._memory:
                self.reason = "it needed too much memory"
            if self.reason:
                self._connection.interrupt()


def _resident() -> int:
    """Bytes of memory this process holds; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123  (a Path per look is waste)
            return int(file.read().split()[1]) * mmap.PAGESIZE
    except OSError:
        return 0


@functools.lru_cache(maxsize=4)
def _tables(datasets: Datasets) -> str:
    listed = "; ".join(f"{name}({', '.join(datasets.columns(name))})" for name in datasets.names())
    return f"Tables: {listed}."


@functools.lru_cache(maxsize=4)
def _image(datasets: Datasets) -> bytes:
    """The datasets as a SQLite database file in memory."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        for name in datasets.names():
            _load(connection, datasets, name)
        return connection.serialize()
    finally:
        connection.close()


def _load(connection: sqlite3.Connection, datasets: Datasets, name: str) -> None:
    schema, rows = datasets.schema(name), list(datasets.rows(name))
    types = [_type(kind, [row[index] for row in rows]) for index, (_, kind) in enumerate(schema)]
    read = [_READERS[declared] for declared in types]
    columns = ", ".join(f'"{column}" {declared}' for (column, _), declared in zip(schema, types, strict=True))
    connection.execute(f'CREATE TABLE "{name}" ({columns})')
    connection.execute("BEGIN")
    connection.executemany(
        f'INSERT INTO "{name}" VALUES ({", ".join("?" * len(schema))})',
        ([make(cell) if cell else None for make, cell in zip(read, row, strict=True)] for row in rows),
    )
    connection.execute("COMMIT")


def _type(kind: Kind, cells: list[str]) -> str:
    """SQLite's type for the column; whole numbers stay whole."""
    if kind == "number":
        return "INTEGER" if all(cell.lstrip("+-").isdecimal() for cell in cells) else "REAL"
    return "BOOLEAN" if kind == "bool" else "TEXT"


_READERS: dict[str, Callable[[str], Any]] = {
    "INTEGER": int,
    "REAL": float,
    "TEXT": str,
    "BOOLEAN": lambda cell: int(cell == "True"),
}
