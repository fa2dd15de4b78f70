"""SQL over the bundled datasets, as safe for the server as the query is hostile.

The datasets are loaded once into a SQLite image in memory. Every query gets a connection of its own on a
private copy of that image, locked by `tables/inside/sqlite_reading.py`. A chat's own tables are never read here: the sandbox
does that. The `sql_engine` tool is in `sql_engine.py`.
"""

import functools
import sqlite3
from collections.abc import Callable
from typing import Any

from smoldesk.errors import BadInput
from smoldesk.stopping import StopFlag, ended_by
from smoldesk.tables.inside.sqlite_reading import (
    FAULTS,
    MEMORY,
    MOST_ROWS,
    SECONDS,
    Watch,
    fetch,
    lock,
    plain,
)
from smoldesk.tables.results import Rows
from smoldesk.tools.datasets import Datasets, Kind


def run_query(
    datasets: Datasets,
    query: str,
    *,
    most_rows: int = MOST_ROWS,
    seconds: float = SECONDS,
    memory: int = MEMORY,
    stop: StopFlag | None = None,
) -> Rows:
    """Run one reading statement; raises BadInput saying what is wrong, with the tables and columns.

    `stop` ends it early, with BadInput as well.
    """
    tables = told(datasets)
    if not query.strip():
        raise BadInput("The query is empty.", hint=tables)
    image = bundled_image(datasets)
    connection = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    try:
        connection.deserialize(image)
        lock(connection)
        with Watch(connection, seconds, memory) as watch, ended_by(stop, watch.stop):
            try:
                return Rows(*fetch(connection, query, most_rows))
            except FAULTS as fault:
                raise BadInput(f"The query failed: {plain(fault, watch.reason)}.", hint=tables) from fault
    finally:
        connection.close()


@functools.lru_cache(maxsize=4)
def told(datasets: Datasets) -> str:
    """The words for a fault of a query."""
    listed = "; ".join(f"{name}({', '.join(datasets.columns(name))})" for name in datasets.names())
    return f"Tables: {listed}."


@functools.lru_cache(maxsize=4)
def bundled_image(datasets: Datasets) -> bytes:
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
