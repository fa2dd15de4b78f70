"""The tables in a chat's folder as views of DuckDB: Parquet and plain text as they lie there, the rest by way of our readers.

What DuckDB does not read as we do (other encodings and workbooks, JSON, SQLite, numbers written with commas) is read whole,
when a query names it, and kept (`cached_tables`).
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import duck_reading as duck
from . import plain_text
from .cached_tables import TableCache, stamp_of, sweep
from .large_files import LARGE
from .parquet_files import footer_length, refuse_wide
from .read_options import read_options
from .shapes import Unreadable
from .view_names import free_name, identifier, may_name

MOST_TABLES = 200
TOLD_COLUMNS = 40
# Bytes in which a Parquet file tells of its columns, from which these take so long that only who names it waits for them.
LONG_FOOTER = 500_000
_INDEX = re.compile(r"__index_level_\d+__")


@dataclass
class ViewSource:
    """A view to be: the expression it selects from, and the names of its columns."""

    name: str
    reads: str
    columns: list[str]


class FolderViews:
    """A view for every table of some files, in a connection with a database of its own.

    `paths` are the files that these views read, `outline` their names and columns, `unread` what could not be read,
    `pending` the files that nobody has named yet.
    """

    def __init__(
        self,
        connection: Any,
        folder: Path,
        room: int,
        files: list[list[Any]],
        bundled: list[dict[str, Any]],
    ) -> None:
        """`files` are [name, bytes, time changed]; `bundled` the desk's own tables (`name`, `path`, `columns`: name and
        type), before which a file of the same name comes; `room` how many bytes may be kept of what is read.
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
        """Text files that DuckDB reads by itself, and their views."""

    def make(self, query: str | None = None) -> None:
        """The views; of files that our readers have to read, those that are kept and those that a query may name, or all.

        What cannot be read is said in `unread`. Made once more they have the same names.
        """
        for view, _ in self.outline:
            self._connection.execute(f"DROP VIEW {duck.name(view)}")
        self.outline, self.unread, self.pending, self._as_they_lie = [], [], [], {}
        sweep(self._folder, set(self._stamps.values()))
        for name in self._stamps:
            if query is not None and self._is_slow(name) and not may_name(query, self._folder / name):
                self._wait(name)
                continue
            found = self._as_it_lies(name)
            for source in [found] if found is not None else self._by_our_reader(name, query):
                if len(self.outline) >= MOST_TABLES:
                    self.unread.append(f"{name}: more than {MOST_TABLES} tables are not taken")
                    break
                view = self._view(source)
                if found is not None and plain_text.is_text(name):
                    self._as_they_lie[name] = view
        self._bundle()

    def wants(self, query: str) -> bool:
        """Whether a query may name a file that was not read yet."""
        return any(may_name(query, self._folder / name) for name in self.pending)

    def may_read_more(self, fault: Exception) -> bool:
        """Whether a query that failed so may be answered after `read_more`."""
        missing = self._missing(fault)
        return missing or (bool(self._as_they_lie) and duck.is_of_text(fault))

    def _missing(self, fault: Exception) -> bool:
        """Whether a table is missing that may be in a pending file, and in no other."""
        name = duck.missing_table(fault)
        tried = [self._folder / stamp for stamp in self._stamps if stamp not in self.pending]
        return bool(self.pending and name) and not any(may_name(name, path) for path in tried)

    def read_more(self, fault: Exception) -> None:
        """Read what is pending, or by our readers the text files that turned out not to be as they began; also when nothing
        else may be opened any more."""
        if self._missing(fault):
            self.make()
            return
        while self._as_they_lie:
            name, view = self._as_they_lie.popitem()
            if (self._folder / name).lstat().st_size >= LARGE:
                continue  # our readers read whole files: what is wrong with this one, the query says
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
        named = free_name(source.name, [str(name) for name, _ in self.outline])
        self._connection.execute(f"CREATE VIEW {duck.name(named)} AS SELECT * FROM {source.reads}")
        self.outline.append([named, source.columns[:TOLD_COLUMNS]])
        return named

    # --- as they lie ----------------------------------------------------------------------------------------

    def _as_it_lies(self, name: str) -> ViewSource | None:
        """What DuckDB reads by itself, as we would; None when it would not."""
        import duckdb

        stamp = self._stamps[name]
        if self._cache.has(stamp) or self._cache.fault(stamp) or read_options(self._folder / name):
            return None  # what a person told of it, our readers go by
        try:
            view = self._parquet(name) if _is_parquet(name) else self._text(name)
        except (duckdb.Error, Unreadable, TypeError, ValueError):
            return None  # our reader has better words, or understands it; or code of the chat wrote into what is noted
        if view is not None:
            self._allow(name)
        return view

    def _allow(self, name: str) -> None:
        if name not in self.paths:
            self.paths.append(name)

    def _is_slow(self, name: str) -> bool:
        """Whether it is a Parquet file that takes long to tell of its columns."""
        return _is_parquet(name) and footer_length(self._folder / name) > LONG_FOOTER

    def _parquet(self, name: str) -> ViewSource:
        reads = f"read_parquet({duck.text(name)})"
        if self._is_slow(name):
            refuse_wide(self._folder / name)
        columns = [head for head, _ in duck.described(self._connection, reads)]
        index = [head for head in columns if _INDEX.fullmatch(head)]
        if index:  # pandas' own, which counts rows
            reads = f"(SELECT * EXCLUDE ({', '.join(map(duck.name, index))}) FROM {reads})"
        return ViewSource(identifier(Path(name).stem), reads, [head for head in columns if head not in index])

    def _text(self, name: str) -> ViewSource | None:
        if not plain_text.is_text(name):
            return None
        stamp = self._stamps[name]
        is_plain, how = self._cache.plain(stamp)
        if not is_plain:
            path = self._folder / name
            separator = plain_text.plain_separator(path)
            if separator is not None:
                guess = plain_text.guessed(name, separator)
                how = (separator, duck.described(self._connection, guess))
            if path.stat().st_size > plain_text.HEAD:  # small ones are looked at again as fast
                self._cache.note_plain(stamp, how)
        if how is None:
            return None
        separator, columns = how
        reads = plain_text.typed(name, separator, columns)
        return ViewSource(identifier(Path(name).stem), reads, [head for head, _ in columns])

    # --- by way of our readers ------------------------------------------------------------------------------

    def _by_our_reader(self, name: str, query: str | None) -> list[ViewSource]:
        """The tables of a file that is kept, or read now; none of one that the query cannot name."""
        stamp = self._stamps[name]
        if not self._cache.has(stamp):
            fault = self._cache.fault(stamp)
            if fault is None and query is not None and not may_name(query, self._folder / name):
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
        if _is_parquet(name):
            self._allow(name)


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
