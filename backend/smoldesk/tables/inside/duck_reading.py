"""Reading from DuckDB and nothing else, in a jailed child: the locked connection, one statement, its rows as JSON says them.

`opened` makes a connection that cannot load extensions, `bound` says what it takes of memory, disk and processors.
`lock` closes the file system but for the files that are tables, and the settings for good. What would write is refused
before it runs, by the kind DuckDB's own parser gives the statement.
"""

import json
import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .sqlite_reading import MOST_BYTES, NoRows, Result, once

THREADS = 2
MOST_COLUMNS = 2_000
MOST_WORDS = 600


class NoSelect(Exception):
    """The statement is not one that reads; the message says why."""


def opened() -> Any:
    """A connection to an empty database in memory that loads no extension and looks at no variable of ours.

    It has no thread beside the caller's, so that a process may still fork and go to jail afterwards; opening it there
    fails, since it looks at the machine.
    """
    import duckdb

    return duckdb.connect(
        ":memory:",
        config={
            "threads": "1",
            "async_threads": "0",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_community_extensions": "false",
            "allow_extension_repositories": "forbidden",
            "allow_persistent_secrets": "false",
            "python_enable_replacements": "false",
        },
    )


def bound(connection: Any, memory: int, spill: Path, most_spilled: int) -> None:
    """How much it may hold in memory, and write into `spill` when that is not enough, in bytes."""
    connection.execute(f"SET memory_limit = '{memory}B'")
    connection.execute(f"SET temp_directory = {text(str(spill))}")
    connection.execute(f"SET max_temp_directory_size = '{most_spilled}B'")
    connection.execute(f"SET threads = {THREADS}")


def lock(connection: Any, files: Iterable[str], folders: Iterable[str] = ()) -> None:
    """After this the connection reaches these files, folders and its spill, and no setting changes any more."""
    connection.execute(f"SET allowed_paths = [{', '.join(map(text, files))}]")
    connection.execute(f"SET allowed_directories = [{', '.join(map(text, folders))}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def reading(connection: Any, query: str) -> Any:
    """The one statement of a query, which reads; raises NoSelect, NoRows or duckdb.Error."""
    import duckdb

    statements = connection.extract_statements(query)
    if len(statements) > 1:
        raise NoSelect("only one statement at a time is allowed")
    if not statements:
        raise NoRows
    kind = statements[0].type
    if kind != duckdb.StatementType.SELECT:
        raise NoSelect(f"only reading is allowed (this is {kind.name}, not SELECT)")
    return statements[0]


def fetch(connection: Any, query: str, most_rows: int) -> Result:
    """Run one reading statement; raises NoSelect, NoRows, duckdb.Error, MemoryError or UnicodeError."""
    cursor = connection.execute(reading(connection, query))
    columns = [str(column[0]) for column in cursor.description]
    if len(columns) > MOST_COLUMNS:
        raise NoSelect(f"it gives {len(columns):,} columns; at most {MOST_COLUMNS:,} are taken")
    rows: list[list[Any]] = []
    size = 0
    while batch := cursor.fetchmany(500):
        for row in batch:
            cells = [cell(value) for value in row]
            size += len(json.dumps(cells))
            if len(rows) == most_rows or size > MOST_BYTES:
                return once(columns), rows, True
            rows.append(cells)
    return once(columns), rows, False


def cell(value: Any) -> Any:
    """A value as JSON can say it: days and times in ISO, a blob by its size, infinity as text, what is nested as JSON."""
    import datetime
    import decimal

    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None if math.isnan(value) else str(value)
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, bytes):
        return f"<{len(value)} bytes>"
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def plain(fault: BaseException, reason: str) -> str:
    """What went wrong, in one line; `reason` is a watch's."""
    if reason:
        return reason
    if isinstance(fault, NoRows):
        return "it gives no rows: only SELECT is allowed"
    said = str(fault)
    if isinstance(fault, MemoryError) or said.startswith("Out of Memory Error"):
        return "it needed too much memory"
    if "file system operations are disabled" in said:
        return "only the tables named here can be read, no other file"
    kept = said.split("\n\nPossible solutions")[0].split("\n\nLINE ")[0]
    return " ".join(kept.split()).rstrip(".")[:MOST_WORDS] or type(fault).__name__


def is_of_text(fault: Exception) -> bool:
    """Whether it was the reading of a text file that failed, not the query."""
    said = str(fault)
    return "CSV Error" in said or "CSV Parsing" in said or "when parsing" in said.lower()


def missing_table(fault: Exception) -> str:
    """The name of the table that a query named and that is not there; empty for any other fault."""
    found = re.match(r"Catalog Error: Table with name (.+?) does not exist", str(fault))
    return found[1] if found else ""


def described(connection: Any, reads: str) -> list[list[str]]:
    """Names and types of the columns of an expression; raises duckdb.Error."""
    rows = connection.execute(f"DESCRIBE SELECT * FROM {reads}").fetchall()
    return [[str(row[0]), str(row[1])] for row in rows]


def name(word: str) -> str:
    """A name in double quotes."""
    kept = word.replace("\0", " ").encode("utf-8", "replace").decode()
    return '"' + kept.replace('"', '""') + '"'


def text(value: str) -> str:
    """A text in single quotes."""
    return "'" + value.replace("'", "''") + "'"
