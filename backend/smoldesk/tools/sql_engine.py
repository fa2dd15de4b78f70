"""The `sql_engine` tool: one SELECT over the bundled datasets and the tables in the chat's folder, or over a database.

Three places answer, and none of them believes the text of a query: SQLite in this process for the bundled datasets,
a child of the sandbox for files that somebody uploaded or code wrote (`FolderTables`), and the operator's databases
(`Databases`). The last two are handed in.

The datasets are loaded once into a SQLite image in memory. Every query gets a connection of its own on a private copy of that
image, locked by `tables/inside/sqlite_reading.py`.
"""

import functools
import sqlite3
from collections.abc import Callable
from typing import Any, ClassVar, Protocol

from smoldesk.errors import BadInput, DeskError, NotFound
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
from smoldesk.tools.policy import DeskTool


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


class FolderTables(Protocol):
    """The tables in the files of one chat's folder, read where nobody trusts anybody."""

    def files(self) -> list[str]:
        """Names of the files that may hold tables, but for copies of bundled ones; nothing is opened."""
        ...

    def query(self, query: str, bundled: bytes, *, stop: StopFlag | None = None) -> Rows:
        """Run one reading statement over these tables and a SQLite image beside them; raises BadInput."""
        ...


class Databases(Protocol):
    """The operator's databases, by name."""

    def names(self) -> list[str]: ...

    def outline(self) -> str:
        """A few lines for a prompt: every database with its tables and columns; empty when there is none."""
        ...

    def query(self, name: str, query: str, stop: StopFlag | None = None) -> Rows:
        """Run one reading statement; raises BadInput, NotFound naming the databases."""
        ...


class SqlEngine(DeskTool):
    """`sql_engine`: what the seed knows as sql_engine(query), with an optional database."""

    name = "sql_engine"
    about = (
        "Runs one SQL query (SQLite dialect, reading only) over the bundled datasets and the table files in the "
        f"folder, and returns the result as a pandas DataFrame of at most {MOST_ROWS:,} rows.\n"
        "Tables:\n{tables}\n"
        "A file is a table named after it: `sales 2024.csv` is sales_2024; one of several sheets or tables adds its "
        "name. Names that are no plain words need double quotes.\n"
        "{more}"
        'Example: df = sql_engine(query="SELECT roomname, AVG(Temperature) AS mean FROM measurement '
        'GROUP BY roomname")'
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "query": {"type": "string", "description": "One SELECT statement."},
        "database": {
            "type": "string",
            "description": "Optional: the name of a connected database, whose own SQL dialect is then spoken. "
            "Left out: the datasets and files.",
            "nullable": True,
        },
    }
    output_type = "object"

    def __init__(
        self,
        datasets: Datasets,
        files: FolderTables | None = None,
        databases: Databases | None = None,
        stop: StopFlag | None = None,
    ) -> None:
        """`stop` ends a query that is under way."""
        self.datasets = datasets
        self.files = files
        self.databases = databases
        self.stop = stop
        self.description = self.about.format(
            tables=_tables(datasets), more=_connected(databases) if databases else ""
        )
        super().__init__()

    def forward(self, query: str, database: str | None = None) -> Rows:
        """Raises BadInput naming tables and columns, NotFound naming the databases, Stopped."""
        try:
            return self._connected(str(database), str(query)) if database else self._here(str(query))
        except DeskError:
            if self.stop is not None:
                self.stop.check()
            raise

    def _here(self, query: str) -> Rows:
        if self.files is not None and self.files.files() and query.strip():
            return self.files.query(query, bundled_image(self.datasets), stop=self.stop)
        return run_query(self.datasets, query, stop=self.stop)

    def _connected(self, name: str, query: str) -> Rows:
        if self.databases is None or not self.databases.names():
            raise NotFound(
                f"There is no database {name[:60]!r}.",
                hint="None is connected; leave `database` out for the datasets and files.",
            )
        if not query.strip():
            raise BadInput("The query is empty.", hint="Write one SELECT statement.")
        return self.databases.query(name, query, self.stop)


def _tables(datasets: Datasets) -> str:
    """One line per table, for the prompt: its columns, quoted where SQL wants it."""
    return "\n".join(f"{name}: {', '.join(datasets.columns(name))}" for name in datasets.names())


def _connected(databases: Databases) -> str:
    outline = databases.outline()
    return f"Databases, reached with database=NAME:\n{outline}\n" if outline else ""
