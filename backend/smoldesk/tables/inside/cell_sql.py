"""`sql(query)` in cells: SQL over the chat's files, the bundled tables and tables in the cell's variables.

`explain_change` (explained_change.py) asks through it. It runs in the chat's own process with the rights and limits of its
code: the connection is not locked and results are complete. A name stands for a variable first, then a file, then a
bundled table.
"""

import builtins
import contextlib
import os
import re
import sys
import threading
from collections.abc import Generator
from pathlib import Path
from types import FrameType
from typing import Any, BinaryIO

from smoldesk.sandbox.inside.cells import Cells
from smoldesk.sandbox.inside.other_tables import frame_of, is_a
from smoldesk.sandbox.inside.tables import distinct, plain_index
from smoldesk.sandbox.inside.work import Work, WorkOf

from . import query_progress
from .bucket_files import listing
from .explained_change import explain_change
from .folder_files import Stamp, excess_file_notes, shared_files, table_stamps, visible_shared_files
from .rows_behind import rows_behind

# DuckDB's message after a signal handler raised an exception during a query.
INTERRUPTED = "Query interrupted"


class SqlFailed(Exception):
    """A query failed; the message has the fault and the available tables."""


def begin(folder: Path, config: dict[str, Any], cells: Cells) -> None:
    """Define `sql`, `explain_change` for cells, `_rows_behind` for the host.

    `config` has the `bundled` tables (name, path, columns), the `shared` folders and `room`, the most bytes of the
    folder. `cells.work` reports long queries to the host.
    """
    tables = CellTables(folder, config["bundled"], config.get("shared", []), config["room"], cells.work)
    builtins.sql = tables.sql  # type: ignore[attr-defined]
    builtins.explain_change = explain_change  # type: ignore[attr-defined]
    builtins._rows_behind = rows_behind  # type: ignore[attr-defined]


class CellTables:
    """Tables that the cells of one chat can query. The first query opens the connection."""

    def __init__(
        self, folder: Path, bundled: list[dict[str, Any]], shared: list[str], room: int, work: WorkOf
    ) -> None:
        self._folder = folder
        self._bundled = bundled
        self._shared = [Path(folder) for folder in shared]
        self._room = room
        self._work = work
        self._files: list[Stamp] = []
        self._turn = threading.Lock()
        self._hidden: list[str] = []
        self._connection: Any = None
        self._views: Any = None

    def sql(self, query: str) -> Any:
        """Return the rows of one SELECT (DuckDB's dialect) as a DataFrame.

        The query may name the chat's files, the bundled tables, and tables in variables. Raises SqlFailed.
        """
        tables = _tables_of(query, sys._getframe(1))  # pyright: ignore[reportPrivateUsage]
        with self._turn, self._in_folder():
            try:
                self._refresh_views(query)
                with self._work("sql", query) as work:
                    frame = self._answer(query, tables, work)
                    work.result = f"{len(frame):,} rows"
                return frame
            except BaseException as fault:
                self._connection = None  # it may hold an unfetched result
                if str(fault) == INTERRUPTED:
                    raise KeyboardInterrupt from None
                raise

    def _refresh_views(self, query: str) -> None:
        """Create the views again if the files changed, or if the query names one that is not read yet."""
        import duckdb

        from .folder_size import size_of
        from .folder_views import FolderViews

        paths = [Path(table["path"]) for table in self._bundled]
        files = table_stamps(self._folder, paths, self._opened)
        in_buckets = listing()
        shared = shared_files(self._shared, [tuple(stamp) for stamp in in_buckets["tables"]])
        visible, hidden = visible_shared_files(shared, [name for name, _, _ in files])
        files += visible
        if self._connection is not None and files == self._files and not self._views.wants(query):
            return
        config: dict[str, Any] = {"python_enable_replacements": "false", "autoload_known_extensions": "false"}
        self._connection = duckdb.connect(config=config)
        query_progress.count(self._connection)
        room = self._room - size_of(self._folder)
        entries = [list(file) for file in files]
        self._views = FolderViews(self._connection, self._folder, room, entries, self._bundled)
        self._views.make(query)
        self._hidden = [f"{path}: the chat has a file of this name" for path in hidden]
        self._hidden += in_buckets["problems"]
        self._files = files

    def _answer(self, query: str, tables: dict[str, Any], work: Work) -> Any:
        import duckdb

        from . import duck_reading as duck
        from .sqlite_reading import NoRows

        try:
            for name, table in tables.items():
                self._connection.register(name, table)
            with query_progress.report_progress(self._connection, work.report):
                return self._fetched(query)
        except duckdb.InterruptException:
            raise KeyboardInterrupt from None
        except (duckdb.Error, duck.NoSelect, NoRows, MemoryError, UnicodeError) as fault:
            if self._views.may_read_more(fault):
                self._views.read_more(fault)
                return self._answer(query, tables, work)
            raise SqlFailed(f"{duck.plain(fault, '')}. {self._describe_tables(tables)}") from None
        finally:
            for name in tables:
                with contextlib.suppress(duckdb.Error):
                    self._connection.unregister(name)

    def _fetched(self, query: str) -> Any:
        from . import duck_reading as duck

        self._connection.execute(duck.reading(self._connection, query))
        heads = [str(about[0]) for about in self._connection.description]
        frame = frame_of(self._connection)
        frame.columns = distinct(heads)
        return frame

    def _describe_tables(self, tables: dict[str, Any]) -> str:
        listing = [f"{name}({', '.join(columns)})" for name, columns in self._views.outline]
        message = f"Tables: {'; '.join([*tables, *listing])}."
        not_read = ""
        if unread := [*excess_file_notes(self._folder, self._shared), *self._views.unread, *self._hidden]:
            not_read = f" Not read: {'; '.join(unread)}."[:1_000]
        return message[: 3_000 - len(not_read)] + not_read

    @contextlib.contextmanager
    def _in_folder(self) -> Generator[None]:
        """Work in the chat's folder: views name their files relative to it, and the cell's code may have changed
        directory.
        """
        here = Path.cwd()
        os.chdir(self._folder)
        try:
            yield
        finally:
            os.chdir(here)

    def _opened(self, name: str) -> BinaryIO:
        # O_NONBLOCK: opening a pipe for reading would wait for a writer.
        return os.fdopen(os.open(self._folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")


def _tables_of(query: str, caller: FrameType) -> dict[str, Any]:
    """Return the tables among the caller's variables that the query names."""
    identifiers = set(re.findall(r"[^\W\d]\w*", query))
    tables: dict[str, Any] = {}
    for names in (caller.f_globals, caller.f_locals):
        for name in identifiers.intersection(names):  # f_locals.keys() is a list since Python 3.13 (PEP 667)
            table = _as_table(names[name])
            if table is not None:
                tables[name] = table
    return tables


def _as_table(value: Any) -> Any:
    """Return what DuckDB can register for a value; None if it is not a table."""
    if is_a(value, "pandas", "DataFrame"):
        named = any(name is not None for name in value.index.names)
        return plain_index(value) if named else value
    if is_a(value, "duckdb", "DuckDBPyRelation"):
        return value.to_arrow_table()
    other_types = (("polars", "DataFrame"), ("polars", "LazyFrame"), ("pyarrow", "Table"))
    return value if any(is_a(value, *other) for other in other_types) else None
