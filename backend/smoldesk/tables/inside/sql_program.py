"""One SQL query over the tables of a chat's folder, in a process made for it: files in, one answer out.

The files are turned into one SQLite database, kept hidden in the folder until a file changes. It and the bundled
datasets are then read over a locked connection. Everything that could go wrong with a file or a query is an answer.
"""

import contextlib
import hashlib
import os
import re
import secrets
import socket
import sqlite3
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from smoldesk.sandbox.inside.channel import Channel
from smoldesk.sandbox.inside.interrupts import Interrupts
from smoldesk.sandbox.inside.tables import column, column_name

from . import sqlite_reading as reading

KEPT = ".tables-{stamp}.sqlite"
MAKING = ".tables-{stamp}.making"
MOST_TABLES = 200
MOST_COLUMNS = 1_000
TOLD_COLUMNS = 40
KINDS = {"number": "NUMERIC", "bool": "BOOLEAN", "date": "TEXT", "text": "TEXT"}


def main(sock: socket.socket, config: dict[str, Any]) -> None:
    """Take one `query` frame, go to jail, answer it, leave. Files and queries are anybody's.

    `config`: what the jail is made of: plan, uid, limits, packages.
    """
    channel = Channel(sock, Interrupts())
    channel.send({"type": "ready"})
    with contextlib.suppress(EOFError, OSError):
        frame = channel.receive()
        if config["plan"]:
            _go_to_jail(frame["folder"], config)
        channel.send(answer(frame))
    os._exit(0)


def _go_to_jail(folder: str, config: dict[str, Any]) -> None:
    """Return in a forked, jailed process; this one waits for that one's end. Raises OSError."""
    from smoldesk.sandbox.jail import namespaces
    from smoldesk.sandbox.jail.enter import Plan, enter
    from smoldesk.sandbox.jail.places import code_folders, places_for

    plan, uid = Plan(**config["plan"]), config["uid"]
    if plan.namespaces:
        namespaces.split_off(plan.user_namespace)
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        os._exit(0)
    os.umask(0o022)  # the child's user has to read the root that is built now
    enter(
        plan,
        places_for(folder, code_folders(config["packages"]), os.getuid() if uid is None else uid),
        uid,
        config["limits"],
    )


def answer(frame: dict[str, Any]) -> dict[str, Any]:
    """`{columns, rows, truncated}` or `{error}`, with the `tables` there are and the files that are `unread`."""
    folder = Path(frame["folder"])
    os.chdir(folder)
    unread: list[str] = []
    database = _database(folder, frame["files"], unread)
    with contextlib.closing(_opened(database)) as connection:
        _put_beside(connection, bytes.fromhex(frame["bundled"]))
        told: dict[str, Any] = {"type": "answer", "tables": _outline(connection), "unread": unread}
        reading.lock(connection, WIDE)
        with reading.Watch(connection, frame["seconds"], frame["memory"]) as watch:
            try:
                columns, rows, truncated = reading.fetch(connection, frame["query"], frame["most_rows"])
            except reading.FAULTS as fault:
                return {**told, "error": reading.plain(fault, watch.reason)}
    return {**told, "columns": columns, "rows": rows, "truncated": truncated}


WIDE = {
    sqlite3.SQLITE_LIMIT_LENGTH: 10_000_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 2_000,
}
"""People's tables are wider than the bundled ones, and this process is thrown away."""


# --- files -> one database -------------------------------------------------------------------------------------------


def _database(folder: Path, files: list[list[Any]], unread: list[str]) -> Path:
    """The database of these files ([name, bytes, time changed]), made unless it is there."""
    stamp = hashlib.sha256(repr(files).encode()).hexdigest()[:16]
    wanted = folder / KEPT.format(stamp=stamp)
    if wanted.is_file() and not wanted.is_symlink():
        return wanted
    for pattern in (KEPT.format(stamp="*"), MAKING.format(stamp="*")):  # older, or given up half-way
        for old in folder.glob(pattern):
            old.unlink(missing_ok=True)
    made = folder / MAKING.format(stamp=secrets.token_hex(8))
    with contextlib.closing(sqlite3.connect(made, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        for name, _bytes, _changed in files:
            _load(connection, folder / name, unread)
        connection.execute("COMMIT")
    if unread:  # keep the complaints: made again next time
        wanted = folder / KEPT.format(stamp=secrets.token_hex(8))
    made.replace(wanted)
    return wanted


def _load(connection: sqlite3.Connection, path: Path, unread: list[str]) -> None:
    from .reading import read_tables
    from .shapes import Unreadable

    try:
        tables = read_tables(path)
    except Unreadable as fault:
        where = f" ({fault.where})" if fault.where else ""
        unread.append(f"{path.name}: {fault}{where}"[:300])
        return
    for name, frame in tables.items():
        if len(_names(connection)) >= MOST_TABLES:
            unread.append(f"{path.name}: more than {MOST_TABLES} tables are not taken")
            return
        _store(connection, free_name(identifier(name), _names(connection)), frame)


def _store(connection: sqlite3.Connection, name: str, frame: Any) -> None:
    kept = frame.iloc[:, :MOST_COLUMNS]
    heads: list[str] = []
    kinds: list[str] = []
    values: list[list[Any]] = []
    for place, label in enumerate(kept.columns):
        kind, cells = column(kept.iloc[:, place])
        heads.append(free_name(column_name(label).strip() or f"column_{place + 1}", heads))
        kinds.append(KINDS[kind])
        values.append(cells)
    if not heads:
        return
    declared = ", ".join(f"{_quoted(head)} {kind}" for head, kind in zip(heads, kinds, strict=True))
    connection.execute(f"CREATE TABLE {_quoted(name)} ({declared})")
    marks = ", ".join("?" * len(heads))
    rows = (tuple(map(_storable, row)) for row in zip(*values, strict=True))
    connection.executemany(f"INSERT INTO {_quoted(name)} VALUES ({marks})", rows)


def identifier(name: str) -> str:
    """A file's or sheet's name as a plain word of SQL: `sales 2024` is sales_2024, `2024` is t_2024."""
    word = re.sub(r"\W+", "_", unicodedata.normalize("NFKC", name)).strip("_")[:100]
    return f"t_{word}" if not word or word[0].isdigit() else word


def free_name(name: str, taken: list[str]) -> str:
    """The name, or name_2, ... when another has it, in whatever case."""
    folded = {one.casefold() for one in taken}
    number, wanted = 1, name
    while wanted.casefold() in folded or wanted.casefold().startswith("sqlite_"):
        number += 1
        wanted = f"{name}_{number}" if not name.casefold().startswith("sqlite_") else f"t_{name}"
        if number > 2 and name.casefold().startswith("sqlite_"):
            wanted = f"t_{name}_{number}"
    return wanted


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return str(value)
    return value


def _quoted(name: str) -> str:
    plain = name.replace("\0", " ").encode("utf-8", "replace").decode()
    return '"' + plain.replace('"', '""') + '"'


# --- the connection --------------------------------------------------------------------------------------------------


def _opened(path: Path) -> sqlite3.Connection:
    from urllib.parse import quote

    address = f"file:{quote(str(path))}?mode=ro&immutable=1"
    return sqlite3.connect(address, uri=True, check_same_thread=False, isolation_level=None)


def _put_beside(connection: sqlite3.Connection, image: bytes) -> None:
    """The bundled datasets as a second schema: a file of the same name comes first."""
    if image:
        connection.execute("ATTACH ':memory:' AS bundled")
        connection.deserialize(image, name="bundled")


def _names(connection: sqlite3.Connection) -> list[str]:
    return [
        str(name) for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    ]


def _outline(connection: sqlite3.Connection) -> list[list[Any]]:
    return list(_tables(connection))


def _tables(connection: sqlite3.Connection) -> Iterator[list[Any]]:
    """[table, columns] of each, the files' first; a bundled one behind a file of its name is left out."""
    seen: set[str] = set()
    for schema in ("main", "bundled"):
        if schema == "bundled" and not any(
            row[1] == schema for row in connection.execute("PRAGMA database_list")
        ):
            return
        query = f"SELECT name FROM {schema}.sqlite_schema WHERE type = 'table' ORDER BY name"
        for (name,) in connection.execute(query).fetchall():
            if name.casefold() in seen:
                continue
            seen.add(name.casefold())
            heads = connection.execute(f"PRAGMA {schema}.table_info({_quoted(name)})").fetchall()
            yield [name, [str(head[1]) for head in heads[:TOLD_COLUMNS]]]
