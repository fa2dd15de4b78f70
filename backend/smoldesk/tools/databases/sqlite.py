"""A SQLite file of the operator's: opened read-only, then locked like every other SQLite connection of the desk."""

import contextlib
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from smoldesk.messages import Column
from smoldesk.stopping import StopFlag, ended_by
from smoldesk.tables.inside.sqlite_reading import (
    FAULTS,
    MEMORY,
    SECONDS,
    Result,
    Watch,
    fetch,
    lock,
    plain,
)
from smoldesk.tools.databases.inspected import NO_SUCH_TABLE
from smoldesk.tools.databases.pages import Page, compiled, find_column, page_select
from smoldesk.tools.databases.values import USUAL, AnswerBounds, QueryFailed, Unreachable

if TYPE_CHECKING:
    from sqlalchemy import Dialect

_WIDE = {sqlite3.SQLITE_LIMIT_LENGTH: 1_000_000, sqlite3.SQLITE_LIMIT_COLUMN: 2_000}
# SQLite reserves names with sqlite_ at the start. The underscore is escaped, since LIKE takes it as any character.
_TABLES = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"


class Sqlite:
    """One file; every query opens it."""

    kind = "sqlite"

    def __init__(self, file: str, seconds: float = SECONDS) -> None:
        self._file = Path(file)
        self._seconds = seconds

    def query(self, query: str, stop: StopFlag | None = None) -> Result:
        """Run a query. Raises QueryFailed, Unreachable."""
        return self._read(query, {}, stop, USUAL)

    def page(self, page: Page, stop: StopFlag | None = None, bounds: AnswerBounds = USUAL) -> Result:
        """Read a page of a table. Raises BadInput, QueryFailed, Unreachable."""
        columns = self.columns("", page.table)
        for name in [*page.columns, *(name for name, _ in page.sort)]:
            find_column(name, columns)  # SQLite reads an unknown quoted name as a string
        query = page_select(replace(page, schema=""), columns, is_loose=True)
        return self._read(*compiled(query, self.dialect()), stop, bounds)

    def dialect(self) -> "Dialect":
        from sqlalchemy.dialects.sqlite import dialect

        return dialect(paramstyle="named")

    def _read(
        self, query: str, parameters: dict[str, Any], stop: StopFlag | None, bounds: AnswerBounds
    ) -> Result:
        with (
            contextlib.closing(self._opened()) as connection,
            Watch(connection, bounds.seconds or self._seconds, MEMORY) as watch,
            ended_by(stop, watch.stop),
        ):
            try:
                return fetch(connection, query, bounds.rows, bounds.bytes, parameters)
            except FAULTS as fault:
                raise QueryFailed(plain(fault, watch.reason)) from None

    def tables(self) -> list[tuple[str, list[str]]]:
        """Return every table and view with its columns. Raises QueryFailed, Unreachable."""
        with contextlib.closing(self._opened()) as connection:
            try:
                names = [str(name) for (name,) in connection.execute(f"{_TABLES} ORDER BY name")]
                return [(name, self._columns(connection, name)) for name in names]
            except sqlite3.Error as fault:
                raise QueryFailed(plain(fault, "")) from None

    def schemas(self) -> list[str]:
        return [""]

    def tables_in(self, schema: str) -> list[str]:
        return [name for name, _ in self.tables()]

    def columns(self, schema: str, table: str) -> list[Column]:
        """Without types: SQLite's say little of what a column holds."""
        columns_ = dict(self.tables()).get(table)
        if columns_ is None:
            raise QueryFailed(NO_SUCH_TABLE)
        return [Column(name=name, kind="text") for name in columns_]

    def _columns(self, connection: sqlite3.Connection, table: str) -> list[str]:
        # A PRAGMA takes no bound parameters.
        named = table.replace('"', '""')
        return [str(row[1]) for row in connection.execute(f'PRAGMA table_info("{named}")')]

    def _opened(self) -> sqlite3.Connection:
        # In a URI, a ? in the file's name would begin the options.
        address = f"file:{quote(str(self._file.resolve()))}?mode=ro"
        try:
            # `Watch` and a stop interrupt the connection from other threads, which sqlite3 otherwise refuses.
            connection = sqlite3.connect(address, uri=True, check_same_thread=False, isolation_level=None)
            lock(connection, _WIDE)
        except sqlite3.Error as fault:
            raise Unreachable(type(fault).__name__) from None
        return connection
