"""Read-only queries with DuckDB in a jailed child: a locked connection, one statement, rows as JSON.

`opened` makes a connection that cannot load extensions; `bound` limits its memory, disk and threads. `lock` closes
the file system except for table files, and freezes the settings. A statement that is not SELECT by DuckDB's own
parser is refused before it runs.
"""

import json
import math
import re
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .sqlite_reading import MAX_BYTES, NoRows, Result, once

# ISO days and times, as patterns of DuckDB.
DAY = r"\d{4}-\d{2}-\d{2}"
TIME = rf"{DAY}[ T]\d{{2}}:\d{{2}}(:\d{{2}}(\.\d+)?)?"
THREADS = 2
MAX_COLUMNS = 2_000
MAX_DETAIL_CHARACTERS = 600


class NoSelect(Exception):
    """The statement is not a SELECT; the message says why."""


def opened() -> Any:
    """Return a connection to an empty in-memory database that loads no extension and reads none of our variables.

    Call it before the jail: DuckDB inspects the machine when it opens. The connection has no second thread, so that
    the process may still fork.
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
    """Limit memory and spilled bytes of a connection; it spills into `spill`."""
    connection.execute(f"SET memory_limit = '{memory}B'")
    connection.execute(f"SET temp_directory = {text(str(spill))}")
    connection.execute(f"SET max_temp_directory_size = '{most_spilled}B'")
    connection.execute(f"SET threads = {THREADS}")
    # Without them a distinct count over more values than fit into memory fails instead of being spilled.
    connection.execute(f"SET async_threads = {THREADS}")


def lock(connection: Any, files: Iterable[str], folders: Iterable[str] = ()) -> None:
    """Restrict the connection to these files, these folders and its spill, and freeze its settings."""
    connection.execute(f"SET allowed_paths = [{', '.join(map(text, files))}]")
    connection.execute(f"SET allowed_directories = [{', '.join(map(text, folders))}]")
    # The allowed paths come first: DuckDB refuses to change them once external access is off.
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def reading(connection: Any, query: str) -> Any:
    """Return the single statement of a query. Raises NoSelect, NoRows or duckdb.Error."""
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
    """Run one SELECT and return at most `most_rows` rows. Raises NoSelect, NoRows, duckdb.Error, MemoryError or
    UnicodeError.
    """
    cursor = connection.execute(reading(connection, query))
    columns = [str(column[0]) for column in cursor.description]
    singles = {at for at, column in enumerate(cursor.description) if str(column[1]) == "FLOAT"}
    if len(columns) > MAX_COLUMNS:
        raise NoSelect(f"it returns {len(columns):,} columns; at most {MAX_COLUMNS:,} are allowed")
    rows: list[list[Any]] = []
    size = 0
    while batch := cursor.fetchmany(500):
        for row in batch:
            cells = [cell(single(value) if at in singles else value) for at, value in enumerate(row)]
            size += len(json.dumps(cells))
            if len(rows) == most_rows or size > MAX_BYTES:
                return once(columns), rows, True
            rows.append(cells)
    return once(columns), rows, False


def cell(value: Any) -> Any:
    """Return a value for JSON: days and times in ISO, a blob as its size, infinity as text, nested values as JSON
    text.
    """
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


def single(value: float | None) -> float | None:
    """Return a number of single precision as it is written, as PostgreSQL does: 3.7, not 3.700000047683716."""
    if value is None or not math.isfinite(value):
        return value
    short = (float(f"{value:.{digits}g}") for digits in range(6, 10))
    return next(
        (number for number in short if struct.unpack("f", struct.pack("f", number))[0] == value), value
    )


def plain(fault: BaseException, reason: str) -> str:
    """Return a fault as one line without a final point; `reason` is the reason of a Watch and comes first."""
    if reason:
        return reason
    if isinstance(fault, NoRows):
        return "it gives no rows: only SELECT is allowed"
    message = str(fault).strip()
    if message.startswith("Traceback"):  # of the file system of objects in buckets
        message = message.splitlines()[-1]
    if isinstance(fault, MemoryError) or message.startswith("Out of Memory Error"):
        return "it needed too much memory"
    if "file system operations are disabled" in message:
        return "only the tables named here can be read, no other file"
    detail = message.split("\n\nPossible solutions")[0].split("\n\nLINE ")[0]
    return " ".join(detail.split()).rstrip(".")[:MAX_DETAIL_CHARACTERS] or type(fault).__name__


def is_of_text(fault: Exception) -> bool:
    """Check whether a fault comes from reading a text file, not from the query."""
    message = str(fault)
    return "CSV Error" in message or "CSV Parsing" in message or "when parsing" in message.lower()


def missing_table(fault: Exception) -> str:
    """Return the name of the table that a query named and that does not exist; empty for any other fault."""
    match = re.match(r"Catalog Error: Table with name (.+?) does not exist", str(fault))
    return match[1] if match else ""


def described(connection: Any, reads: str) -> list[list[str]]:
    """Return names and types of the columns of an expression. Raises duckdb.Error."""
    rows = connection.execute(f"DESCRIBE SELECT * FROM {reads}").fetchall()
    return [[str(row[0]), str(row[1])] for row in rows]


def name(word: str) -> str:
    """Quote an identifier."""
    cleaned = word.replace("\0", " ").encode("utf-8", "replace").decode()
    return '"' + cleaned.replace('"', '""') + '"'


def text(value: str) -> str:
    """Quote a string."""
    return "'" + value.replace("'", "''") + "'"
