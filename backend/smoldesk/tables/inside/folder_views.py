"""Tables in a chat's folder as DuckDB views: Parquet and plain text read directly, all else through our readers.

Files that DuckDB would read differently (other encodings, workbooks, JSON, SQLite, numbers with commas) are read
completely when a query names them, and cached (`cached_tables`).
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import duck_reading as duck
from . import plain_text
from .bucket_files import file_path, is_object
from .cached_tables import TableCache, stamp_of, sweep
from .large_files import LARGE
from .parquet_files import footer_length, refuse_wide_file
from .read_options import read_options
from .shapes import Unreadable
from .view_names import free_name, identifier, may_name

MAX_TABLES = 200
MAX_OUTLINE_COLUMNS = 40
# Footer size, in bytes, from which listing a Parquet file's columns is slow: only queries that name the file wait for it.
LONG_FOOTER = 500_000
_INDEX = re.compile(r"__index_level_\d+__")


@dataclass
class ViewSource:
    """View to create: its name, the expression it selects from, and its columns."""

    name: str
    reads: str
    columns: list[str]


class FolderViews:
    """Views of the tables of some files, in a connection with a database of its own.

    `paths` are the files that the views read, `outline` the views' names and columns, `unread` notes on files that
    could not be read, `pending` the files that no query has named yet.
    """

    def __init__(
        self,
        connection: Any,
        folder: Path,
        room: int,
        files: list[list[Any]],
        bundled: list[dict[str, Any]],
    ) -> None:
        """`files` are [name, bytes, time of change].

        `bundled` are the desk's tables (`name`, `path`, `columns` with names and types); a file of the same name
        hides one. `room` is the most bytes of cached tables.
        """
        self.paths = [table["path"] for table in bundled]
        self.outline: list[list[Any]] = []
        self.unread: list[str] = []
        self.pending: list[str] = []
        self._connection = connection
        self._folder = folder
        self._bundled = bundled
        self._stamps = {name: stamp_of(name, size, changed) for name, size, changed in files}
        self._cache = TableCache(connection, folder, room)
        self._as_they_lie: dict[str, str] = {}
        """Text files that DuckDB reads directly, and their views."""

    def make(self, query: str | None = None) -> None:
        """Create the views: of files for our readers, those cached and those that `query` may name, or all without a
        query.

        Notes files that cannot be read in `unread`. A second call creates the same names.
        """
        for view, _ in self.outline:
            self._connection.execute(f"DROP VIEW {duck.name(view)}")
        self.outline, self.unread, self.pending, self._as_they_lie = [], [], [], {}
        sweep(self._folder, set(self._stamps.values()))
        for name in self._stamps:
            is_pending = query is not None and (is_object(name) or self._is_slow(name))
            if query is not None and is_pending and not may_name(query, self._path(name)):
                self._wait(name)
                continue
            direct_view = self._as_it_lies(name)
            for source in [direct_view] if direct_view is not None else self._by_our_reader(name, query):
                if len(self.outline) >= MAX_TABLES:
                    self.unread.append(f"{name}: there are more than {MAX_TABLES} tables")
                    break
                view = self._view(source)
                if direct_view is not None and plain_text.is_text(name):
                    self._as_they_lie[name] = view
        self._bundle()

    def wants(self, query: str) -> bool:
        """Check whether a query may name a pending file."""
        return any(may_name(query, self._path(name)) for name in self.pending)

    def may_read_more(self, fault: Exception) -> bool:
        """Check whether a failed query may succeed after `read_more`."""
        missing = self._missing(fault)
        return missing or (bool(self._as_they_lie) and duck.is_of_text(fault))

    def _missing(self, fault: Exception) -> bool:
        """Check whether the missing table may be in a pending file, and in no other."""
        name = duck.missing_table(fault)
        tried = [self._path(stamp) for stamp in self._stamps if stamp not in self.pending]
        return bool(self.pending and name) and not any(may_name(name, path) for path in tried)

    def read_more(self, fault: Exception) -> None:
        """Read the pending files, or read with our readers the text files that DuckDB failed on.

        Works after the connection is locked, too.
        """
        if self._missing(fault):
            self.make()
            return
        while self._as_they_lie:
            name, view = self._as_they_lie.popitem()
            if self._path(name).lstat().st_size >= LARGE:
                continue  # our readers would load all of it; the query's own error must do
            self._connection.execute(f"DROP VIEW {duck.name(view)}")
            self.outline = [entry for entry in self.outline if entry[0] != view]
            for source in self._by_our_reader(name, None):
                self._view(source)

    def _bundle(self) -> None:
        used_names = {str(name).casefold() for name, _ in self.outline}
        for table in self._bundled:
            if table["name"].casefold() not in used_names:
                heads = [head for head, _ in table["columns"]]
                reads = plain_text.typed(table["path"], ",", table["columns"])
                self._view(ViewSource(table["name"], reads, heads))

    def _view(self, source: ViewSource) -> str:
        view_name = free_name(source.name, [str(name) for name, _ in self.outline])
        self._connection.execute(f"CREATE VIEW {duck.name(view_name)} AS SELECT * FROM {source.reads}")
        self.outline.append([view_name, source.columns[:MAX_OUTLINE_COLUMNS]])
        return view_name

    # --- read by DuckDB -------------------------------------------------------------------------------------

    def _as_it_lies(self, name: str) -> ViewSource | None:
        """Return a view of a file that DuckDB reads as our readers would; None for any other file."""
        import duckdb

        stamp = self._stamps[name]
        if self._cache.has(stamp) or self._cache.fault(stamp) or read_options(self._path(name)):
            return None  # only our readers apply a person's options
        try:
            view = self._parquet(name) if _is_parquet(name) else self._text(name)
        except (duckdb.Error, Unreadable, OSError, TypeError, ValueError):
            return None  # our reader reads it or explains the fault; or the chat's code wrote into the cache
        if view is not None:
            self._allow(name)
        return view

    def _allow(self, name: str) -> None:
        if name not in self.paths:
            self.paths.append(name)

    def _is_slow(self, name: str) -> bool:
        return _is_parquet(name) and not is_object(name) and footer_length(self._path(name)) > LONG_FOOTER

    def _parquet(self, name: str) -> ViewSource:
        reads = f"read_parquet({duck.text(name)})"
        if self._is_slow(name):
            refuse_wide_file(self._path(name))
        columns = [head for head, _ in duck.described(self._connection, reads)]
        index = [head for head in columns if _INDEX.fullmatch(head)]
        if index:  # pandas stores a frame's index in such columns
            reads = f"(SELECT * EXCLUDE ({', '.join(map(duck.name, index))}) FROM {reads})"
        return ViewSource(identifier(Path(name).stem), reads, [head for head in columns if head not in index])

    def _text(self, name: str) -> ViewSource | None:
        if not plain_text.is_text(name):
            return None
        stamp = self._stamps[name]
        is_plain, layout = self._cache.plain(stamp)
        if not is_plain:
            path = self._path(name)
            separator = plain_text.plain_separator(path)
            if separator is not None:
                guess = plain_text.guessed(name, separator)
                columns = duck.described(self._connection, guess)
                columns = plain_text.with_times(self._connection, name, separator, columns)
                is_large = path.stat().st_size >= LARGE
                if is_large or not plain_text.texts_hold_words(self._connection, name, separator, columns):
                    layout = (separator, columns)
            if path.stat().st_size > plain_text.HEAD:  # a small file is inspected again as fast
                self._cache.note_plain(stamp, layout)
        if layout is None:
            return None
        separator, columns = layout
        reads = plain_text.typed(name, separator, columns)
        return ViewSource(identifier(Path(name).stem), reads, [head for head, _ in columns])

    # --- read by our readers --------------------------------------------------------------------------------

    def _by_our_reader(self, name: str, query: str | None) -> list[ViewSource]:
        """Return the tables of a file, cached or read now; none if the query cannot name it."""
        stamp = self._stamps[name]
        if not self._cache.has(stamp):
            fault = self._cache.fault(stamp)
            if fault is None and query is not None and not may_name(query, self._path(name)):
                self._wait(name)
                return []
            fault = fault or self._cache.read(name, stamp)
            if fault is not None:
                self.unread.append(f"{name}: {fault}"[:300])
                return []
        tables = self._cache.read_tables(stamp)
        if cut := max((int(table.get("cut", 0)) for table in tables), default=0):
            self.unread.append(f"{name}: the last {cut:,} of its columns")
        return [_cached_source(table) for table in tables]

    def _wait(self, name: str) -> None:
        self.pending.append(name)
        self.unread.append(f"{name}: the query does not name it")
        if _is_parquet(name) or is_object(name):
            self._allow(name)

    def _path(self, name: str) -> Path:
        return file_path(self._folder, name)


def _is_parquet(name: str) -> bool:
    return name.lower().endswith(".parquet")


def _cached_source(table: dict[str, Any]) -> ViewSource:
    reads = f"read_parquet({duck.text(table['file'])})"
    if table["casts"]:
        casts = ", ".join(
            f"CAST({duck.name(head)} AS {kind}) AS {duck.name(head)}" for head, kind in table["casts"]
        )
        reads = f"(SELECT * REPLACE ({casts}) FROM {reads})"
    return ViewSource(identifier(table["name"]), reads, table["columns"])
