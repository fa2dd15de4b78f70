"""SQLite databases: the ordinary tables, read-only. Views, triggers and virtual tables never run."""

import contextlib
import io
import re
import sqlite3
from collections.abc import Generator
from pathlib import Path
from urllib.parse import quote

from .file_notes import reason_code
from .opening import open_plain, refuse_other_kinds
from .shapes import MAX_PARTS, FileContents, Problem, ProgressCallback, Table, Unreadable, quoted

MARK = b"SQLite format 3\x00"
# Maximum bytes of one value; a hostile schema can produce larger ones.
LONGEST_VALUE = 50_000_000
# Ordinary tables: no views, virtual tables, or shadow tables of virtual ones.
TABLES = (
    "SELECT here.name FROM sqlite_schema AS here JOIN pragma_table_list AS listing ON listing.name = here.name"
    " WHERE here.type = 'table' AND listing.schema = 'main' AND listing.type = 'table'"
    " AND here.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY here.rowid"
)


def read_sqlite(file: io.BufferedReader, path: Path, on_progress: ProgressCallback) -> FileContents:
    """Return all tables under their names; one that cannot be read becomes a problem. Raises Unreadable."""
    import pandas as pd

    refuse_other_kinds(file, "sqlite", MARK)
    contents = FileContents()
    with _opened(path) as database:
        names = _names(database)
        if not names:
            raise _without_tables(database)
        for place, name in enumerate(names[:MAX_PARTS]):
            on_progress(place / len(names))
            query = f"SELECT * FROM {_named(name)}"
            try:
                frame = pd.read_sql_query(query, database)
            except (sqlite3.Error, pd.errors.DatabaseError, OverflowError) as fault:
                contents.problems.append(
                    Problem("cannot_read", {"reason": reason_code(_reason(fault))}, {"table": name})
                )
                continue
            load = f"pd.read_sql_query({quoted(query)}, sqlite3.connect({quoted(path.name)}))"
            contents.tables.append(Table(name, frame, load))
    if len(names) > MAX_PARTS:
        contents.problems.append(Problem("some_tables", {"n": len(names), "most": MAX_PARTS}))
    return contents


def table_names(path: Path) -> list[str]:
    """Return the names of the tables that `read_sqlite` reads. Raises Unreadable, OSError."""
    with open_plain(path, lambda _share: None) as file:
        refuse_other_kinds(file, "sqlite", MARK)
        with _opened(path) as database:
            return _names(database)[:MAX_PARTS]


def _names(database: sqlite3.Connection) -> list[str]:
    try:
        return [str(name) for (name,) in database.execute(TABLES)]
    except sqlite3.Error as fault:
        raise Unreadable("cut_off", {"reason": str(fault)}) from None


def _without_tables(database: sqlite3.Connection) -> Unreadable:
    # The schema is only listed: a view may run without end.
    views = database.execute("SELECT name FROM sqlite_schema WHERE type = 'view' LIMIT 9").fetchall()
    return (
        Unreadable("only_views", {"names": [str(name) for (name,) in views]})
        if views
        else Unreadable("no_tables")
    )


# SQL keywords, which are names only in quotes.
RESERVED = re.compile(
    "add|all|alter|and|as|autoincrement|between|case|check|collate|commit|constraint|create|default|deferrable|delete"
    "|distinct|drop|else|escape|except|exists|foreign|from|group|having|in|index|insert|intersect|into|is|isnull|join"
    "|limit|not|nothing|notnull|null|on|or|order|primary|references|returning|select|set|table|then|to|transaction"
    "|union|unique|update|using|values|when|where",
    re.IGNORECASE,
)


@contextlib.contextmanager
def _opened(path: Path) -> Generator[sqlite3.Connection]:
    """Open a database read-only, without trust in its schema."""
    # `immutable`: SQLite takes no locks and ignores journal files beside the database (sqlite.org/uri.html).
    address = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
    with contextlib.closing(sqlite3.connect(address, uri=True)) as database:
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
        with contextlib.suppress(sqlite3.Error):
            for setting in ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON"):
                database.execute(f"PRAGMA {setting}")
        yield database


def _named(name: str) -> str:
    plain = name.isidentifier() and name.isascii() and not RESERVED.fullmatch(name)
    return name if plain else '"' + name.replace('"', '""') + '"'


def _reason(fault: Exception) -> str:
    """Return SQLite's message without the query that pandas adds."""
    return str(fault).split("': ")[-1].strip().rstrip(".")[:200]
