"""One stored table, open for pages of its rows in any order: the backend of the scrolling grid.

Pages in file order come straight from the Parquet file. For any other view the table is loaded into a database, in
memory or, if it is large, in a file; loading starts with the first page. The rows and order of a view are stored as a
table of row numbers until another view is requested. Of a large view in a new order, the first rows are found before
the others; the complete order is computed when they do not suffice, or in a pause.
"""

import contextlib
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from . import duck_reading as duck
from .table_schema import columns_of, named_by_place
from .table_view import GridView, read_view

# Maximum cells of a table that is loaded into memory; a larger one goes into a file.
IN_MEMORY = 2_000_000
# Maximum rows of a view whose complete order is computed before its first page.
AT_ONCE = 300_000
# First rows of a larger view, found before its complete order.
FIRST_ROWS = 2_000
# One row in SAMPLED serves to guess where an order begins.
SAMPLED = 97
MAX_CELLS = 200_000
MAX_BYTES = 8_000_000
TICK_SECONDS = 0.05
# DuckDB's name for the row number in a Parquet file.
ROW_NUMBER = "file_row_number"


class Cancelled(Exception):
    """The request was cancelled."""


class Task:
    """Background work on a thread and cursor of its own; `end` interrupts it."""

    def __init__(self, connection: Any, work: Callable[[Any], None]) -> None:
        self.cursor = connection.cursor()
        self._work = work
        self._done = threading.Event()
        self._fault: Exception | None = None
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="table-task", daemon=True)
        self._thread.start()

    @property
    def is_done(self) -> bool:
        return self._done.is_set()

    def wait(self, cancelled: Callable[[], bool]) -> None:
        """Return when it is done; raise its exception, or Cancelled."""
        while not self._done.wait(TICK_SECONDS):
            if cancelled():
                raise Cancelled
        if self._fault is not None:
            raise self._fault

    def end(self) -> None:
        """Interrupt it and return when it has ended."""
        self._ended = True
        while not self._done.wait(TICK_SECONDS):
            self.cursor.interrupt()

    def _run(self) -> None:
        try:
            if not self._ended:
                self._work(self.cursor)
        except Exception as fault:  # `wait` raises it
            self._fault = fault
        finally:
            self._done.set()


class ViewRows:
    """Rows of one view: their number, and a table of row numbers in order, or of the `first` of them."""

    def __init__(self, view: GridView, count: int, table: str) -> None:
        self.view = view
        self.count = count
        self.table = table
        self.first = ""
        self.task: Task | None = None


class Grid:
    """Stored table in a locked connection. Handles one question at a time; `cancelled` tells whether it was
    cancelled.
    """

    def __init__(self, connection: Any, path: str, place: Path) -> None:
        """`place` is a writable folder for its files. Raises duckdb.Error for a broken table."""
        self.columns = columns_of(connection, path)
        self.connection = connection
        self.reads = named_by_place(path, self.columns)
        self._numbered = ""
        """`reads` with the number of each row; empty if the file itself has a column of that name."""
        if all(column.name.casefold() != ROW_NUMBER for column in self.columns):
            self._numbered = named_by_place(path, self.columns, f"{ROW_NUMBER} AS row_place")
        counted = connection.execute(f"SELECT count(*) FROM read_parquet({duck.text(path)})").fetchone()
        self.rows: int = counted[0]
        where = ":memory:" if self.rows * len(self.columns) <= IN_MEMORY else str(place / "rows.db")
        connection.execute(f"ATTACH {duck.text(where)} AS grid")
        self._load: Task | None = None
        self._view_rows: ViewRows | None = None
        self._view_count = 0

    def page(self, request: dict[str, Any], cancelled: Callable[[], bool]) -> dict[str, Any]:
        """Return at most `limit` `rows` of a view from `offset` on, and the view's number of rows.

        Raises BadView, Cancelled, duckdb.Error.
        """
        view = read_view(request, self.columns)
        offset, limit = int(request["offset"]), int(request["limit"])
        limit = max(1, min(limit, MAX_CELLS // max(1, len(view.columns))))
        if view.is_unfiltered:
            if not self._numbered:
                self._loading().wait(cancelled)
            rows = self._as_they_lie(view, offset, limit)
            self._loading()
            return self._answer(view, rows, self.rows)
        self._loading().wait(cancelled)
        view_rows = self._rows_of(view)
        table, end = view_rows.table, min(offset + limit, view_rows.count)
        if view_rows.first and end <= FIRST_ROWS:
            table = view_rows.first
        else:
            self._wait_for_all(view_rows, cancelled)
        query = self.selection(table, _values(view), (offset, end))
        return self._answer(view, self.connection.execute(query).fetchall(), view_rows.count)

    def pause(self) -> None:
        """Compute the complete order of the view in the background, if only its first rows are known."""
        if self._view_rows is not None and self._view_rows.first and self._view_rows.task is None:
            self._order(self._view_rows)

    def source_of(self, request: dict[str, Any], cancelled: Callable[[], bool]) -> tuple[GridView, str, int]:
        """Return a view, its table of row numbers ("" for file order), and its number of rows."""
        view = read_view(request, self.columns)
        if view.is_unfiltered:
            if not self._numbered:
                self._loading().wait(cancelled)
            return view, "", self.rows
        self._loading().wait(cancelled)
        view_rows = self._rows_of(view)
        self._wait_for_all(view_rows, cancelled)
        return view, view_rows.table, view_rows.count

    def selection(self, table: str, expressions: str, *ranges: tuple[int, int]) -> str:
        """Return a SELECT of the rows of a view in `ranges`, each from a begin to before an end, in its order."""
        if not table and self._numbered:  # in the order of the file
            return f"SELECT {expressions} FROM {self._numbered} WHERE {_within('row_place', ranges)}"
        if not table:
            return f"SELECT {expressions} FROM grid.loaded WHERE {_within('rowid', ranges)}"
        part = f"SELECT r, rowid AS n FROM {table} WHERE {_within('rowid', ranges)}"
        return f"SELECT {expressions} FROM grid.loaded JOIN ({part}) AS part ON grid.loaded.rowid = part.r ORDER BY part.n"

    # --- rows -----------------------------------------------------------------------------------------------

    def _as_they_lie(self, view: GridView, offset: int, limit: int) -> list[Any]:
        query = self.selection("", _values(view), (offset, offset + limit))
        return self.connection.execute(query).fetchall()

    def _answer(self, view: GridView, rows: list[Any], count: int) -> dict[str, Any]:
        """Return the rows, or fewer than requested if they are very long."""
        plain: list[list[Any]] = []
        size = 0
        for row in rows:
            cells = [column.plain(value) for column, value in zip(view.columns, row, strict=True)]
            size += sum(len(cell) if isinstance(cell, str) else 8 for cell in cells)
            if size > MAX_BYTES and plain:
                break
            plain.append(cells)
        return {"rows": plain, "row_count": count}

    # --- stored rows and orders -----------------------------------------------------------------------------

    def _loading(self) -> Task:
        if self._load is None or (self._load.is_done and not self._is_loaded()):
            query = f"CREATE OR REPLACE TABLE grid.loaded AS SELECT * FROM {self.reads}"
            self._load = Task(
                self.connection, lambda cursor: cursor.execute(query).execute("CHECKPOINT grid")
            )
        return self._load

    def _is_loaded(self) -> bool:
        import duckdb

        try:
            self.connection.execute("SELECT 1 FROM grid.loaded LIMIT 0")
        except duckdb.Error:
            return False
        return True

    def _rows_of(self, view: GridView) -> ViewRows:
        """Return the rows of a view; they replace those of the view before."""
        view_rows = self._view_rows
        if view_rows is not None and (view_rows.view.where, view_rows.view.order) == (view.where, view.order):
            return view_rows
        self._forget()
        where = f" WHERE {view.where}" if view.where else ""
        count = self.rows
        if where:
            count = self.connection.execute(f"SELECT count(*) FROM grid.loaded{where}").fetchone()[0]
        self._view_count += 1
        view_rows = ViewRows(view, count, f"grid.view_{self._view_count}")
        if count > AT_ONCE:
            view_rows.first = f"grid.first_{self._view_count}"
            self._find_first(view_rows.first, view)
        else:
            self.connection.execute(f"CREATE TABLE {view_rows.table} AS {_row_numbers(view)}")
        self._view_rows = view_rows
        return view_rows

    def _find_first(self, table: str, view: GridView) -> None:
        """Create a table of the numbers of the first rows of a large view.

        A sample gives a value that enough rows come before: to sort only those is faster than to sort all. If they
        are too few, all rows are sorted.
        """
        for within in filter(None, (self._within(view), " ")):
            query = f"{_row_numbers(view, within.strip())} LIMIT {FIRST_ROWS}"
            self.connection.execute(f"CREATE OR REPLACE TABLE {table} AS {query}")
            if self.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == FIRST_ROWS:
                return

    def _within(self, view: GridView) -> str:
        """Return a condition that about three times the needed rows meet; "" if unknown."""
        if view.first_by is None:
            return ""
        column, descending = view.first_by
        if column.kind == "bool" or (column.kind == "text" and column.type != "VARCHAR"):
            return ""
        where = f"rowid % {SAMPLED} = 0 AND {column.sql} IS NOT NULL" + (
            f" AND {view.where}" if view.where else ""
        )
        order = f"{column.sql} {'DESC' if descending else 'ASC'} LIMIT 1 OFFSET {3 * FIRST_ROWS // SAMPLED}"
        row = self.connection.execute(
            f"SELECT CAST({column.sql} AS VARCHAR) FROM grid.loaded WHERE {where} ORDER BY {order}"
        ).fetchone()
        if row is None or "\0" in row[0]:
            return ""
        return f"{column.sql} {'>=' if descending else '<='} CAST({duck.text(row[0])} AS {column.type})"

    def _order(self, view_rows: ViewRows) -> Task:
        query = f"CREATE OR REPLACE TABLE {view_rows.table} AS {_row_numbers(view_rows.view)}"
        view_rows.task = Task(self.connection, lambda cursor: cursor.execute(query))
        return view_rows.task

    def _wait_for_all(self, view_rows: ViewRows, cancelled: Callable[[], bool]) -> None:
        if view_rows.first:
            (view_rows.task or self._order(view_rows)).wait(cancelled)

    def _forget(self) -> None:
        """Drop the stored rows. Running work takes a moment to end, so a thread waits for it."""
        view_rows, self._view_rows = self._view_rows, None
        if view_rows is None:
            return
        if view_rows.task is None:
            _drop(self.connection, view_rows)
        else:
            threading.Thread(
                target=_end, args=(view_rows.task, view_rows), name="table-forget", daemon=True
            ).start()


def _end(task: Task, view_rows: ViewRows) -> None:
    task.end()
    _drop(task.cursor, view_rows)


def _drop(connection: Any, view_rows: ViewRows) -> None:
    import duckdb

    for table in filter(None, (view_rows.table, view_rows.first)):
        with contextlib.suppress(duckdb.Error):
            connection.execute(f"DROP TABLE IF EXISTS {table}")


def _row_numbers(view: GridView, within: str = "") -> str:
    """Return a SELECT of a view's row numbers in its order, limited to those `within` a condition."""
    conditions = " AND ".join(filter(None, (view.where, within)))
    where = f" WHERE {conditions}" if conditions else ""
    order = f" ORDER BY {view.order}, rowid" if view.order else ""
    return f"SELECT rowid AS r FROM grid.loaded{where}{order}"


def _within(place: str, ranges: Sequence[tuple[int, int]]) -> str:
    parts = (f"({place} >= {int(begin)} AND {place} < {int(end)})" for begin, end in ranges)
    return f"({' OR '.join(parts)})"


def _values(view: GridView) -> str:
    return ", ".join(column.value for column in view.columns)
