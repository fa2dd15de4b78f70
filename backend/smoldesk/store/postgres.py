"""PostgreSQL's part of the store: its engines, the requirements of a server, and the writer's additional statements.

Several desks may share one database. A commit notifies the others of the chats it changed (NOTIFY), and has the
number of its transaction: if the connection breaks during the commit, the number tells the result.
"""

import contextlib
import functools
import math
import os
import re
import socket
import threading
import time
import weakref
from collections.abc import Collection
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, text

from smoldesk.errors import DeskError
from smoldesk.store.statements import run_together
from smoldesk.store.transaction import plain

# First version with pg_xact_status and its kin.
OLDEST = (13,)
CHANNEL = "smoldesk"
# Bytes of a notification: PostgreSQL accepts less than 8,000.
PAYLOAD_LIMIT = 7_900
# Content of a notification about more chats than it can name.
EVERYTHING = "*"
# Content of a notification about the lists of the desk: sources, models, MCP servers. Ids of chats have no "#".
LISTS = "#lists"
# As LISTS, about open asks: servers that show them need not read them again at every piece that a run streams.
ASKS = "#asks"
# Key of the advisory lock that allows one migration at a time.
MIGRATION_LOCK = 0x736D6F6C
DRIVER = "postgresql+psycopg"
CONNECT: dict[str, Any] = {
    "application_name": "smoldesk",
    "connect_timeout": 5,
    # A server that vanished without closing its connections is noticed within half a minute.
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    # Milliseconds, unlike the others. Keepalives do not cover data that was sent and not acknowledged (tcp(7)).
    "tcp_user_timeout": 30_000,
}

_BEGIN = "BEGIN; SELECT CAST(pg_current_xact_id() AS text)"
# What a payload of our own is made of: it stands in the text of a statement.
_PLAIN = re.compile(r"[\w #*.:-]+", re.ASCII)


def is_postgres(engine: Engine) -> bool:
    """Return whether an engine speaks to PostgreSQL."""
    return engine.dialect.name == "postgresql"


def with_driver(url: URL) -> URL:
    """`url` with the one driver we use: people have postgres:// and postgresql://, and URLs of other programs."""
    return (
        url.set(drivername=DRIVER) if url.drivername.partition("+")[0] in ("postgres", "postgresql") else url
    )


def open_engines(url: URL) -> tuple[Engine, Engine]:
    """(writer, reader) engines. A reader sees one moment for as long as it looks, as SQLite's do."""
    # REPEATABLE READ, since READ COMMITTED takes a new snapshot for each statement.
    reader = _engine(url, pool_size=6, max_overflow=2, isolation_level="REPEATABLE READ")
    return _engine(url, pool_size=1, max_overflow=0), reader


def open_without_snapshots(url: URL) -> Engine:
    """Return a reader for single statements, which need no transaction around them.

    Its connections are its own: to switch one of another reader costs more than the statement, and the end of a
    transaction would drop what the connection has prepared.
    """
    return _engine(
        url,
        pool_size=8,
        max_overflow=0,
        isolation_level="AUTOCOMMIT",
        skip_autocommit_rollback=True,
        pool_reset_on_return=None,
    )


def _engine(url: URL, **options: Any) -> Engine:
    engine = create_engine(
        url,
        hide_parameters=True,  # they are what people wrote, and errors go to the log
        # SQLAlchemy otherwise asks for the hstore extension on each new connection.
        use_native_hstore=False,
        # The connection that was used last: its process of the server, and what that has cached, is warm.
        pool_use_lifo=True,
        connect_args={name: value for name, value in CONNECT.items() if name not in url.query},
        # No pool_pre_ping, a round trip for each read: Store.read repeats what a broken connection has ended.
        **options,
    )
    event.listen(engine, "connect", _repair_texts)
    return engine


def _repair_texts(connection: Any, _: object) -> None:
    # On this connection only: the databases of people are read with psycopg's own behaviour.
    connection.adapters.register_dumper(str, _repairing_dumper())


@functools.cache
def _repairing_dumper() -> type[Any]:
    """PostgreSQL's text holds neither NUL nor half a surrogate pair: a text with one is repaired before it is sent."""
    # Imported late: psycopg is an optional extra. This is its usual dumper of str: the server infers the type.
    from psycopg.types.string import StrDumperUnknown

    class Mending(StrDumperUnknown):
        def dump(self, obj: str) -> Any:
            try:
                return super().dump(obj if "\0" not in obj else plain(obj))
            except UnicodeEncodeError:
                return super().dump(plain(obj))

    return Mending


class UsedConnections:
    """Connections of these engines, to be cut when the server does not answer any more."""

    def __init__(self, *engines: Engine) -> None:
        self._lock = threading.Lock()
        self._is_cut = False
        self.used_at = -math.inf
        """When a transaction last came to its end (monotonic): the server answered its statements."""
        self._drivers: weakref.WeakSet[Any] = weakref.WeakSet()
        for engine in engines:
            event.listen(engine, "do_connect", self._connect)
            event.listen(engine, "checkout", self._note)
            event.listen(engine, "commit", self._note_end)
            event.listen(engine, "rollback", self._note_end)

    def _connect(self, dialect: Any, _: object, arguments: Any, options: Any) -> Any:
        if self._is_cut:
            raise dialect.loaded_dbapi.OperationalError("the server did not answer, and the desk stops")
        # SQLAlchemy asks a new connection several things before it lends it
        driver = dialect.connect(*arguments, **options)
        self._note(driver)
        return driver

    def _note(self, driver: Any, *_: object) -> None:
        with self._lock:
            self._drivers.add(driver)

    def _note_end(self, _connection: Connection) -> None:
        self.used_at = time.monotonic()

    def cut(self) -> None:
        """Break all connections, from any thread, and refuse new ones: who waits for an answer gets an error instead."""
        self._is_cut = True
        with self._lock:
            drivers = list(self._drivers)
        for driver in drivers:
            # a closed one has no socket
            with contextlib.suppress(Exception), socket.socket(fileno=os.dup(driver.fileno())) as connected:
                connected.shutdown(socket.SHUT_RDWR)


def check_server(connection: Connection) -> None:
    """Raise DeskError for a server or a database that cannot store a desk."""
    version: tuple[int, ...] = connection.dialect.server_version_info or ()  # pyright: ignore
    if version < OLDEST:
        raise DeskError(
            f"The database server is PostgreSQL {'.'.join(map(str, version))}.",
            f"Expected PostgreSQL {OLDEST[0]} or newer.",
            code="database_too_old",
        )
    encoding = connection.exec_driver_sql("SHOW server_encoding").scalar()
    if encoding != "UTF8":
        raise DeskError(
            f"The database keeps its text as {encoding}.",
            "Expected one made with ENCODING 'UTF8'.",
            code="database_encoding",
        )


def lock_migrations(connection: Connection) -> None:
    """Wait until no other desk brings the schema up to date; held to the end of the transaction."""
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})


def outside_transactions(engine: Engine) -> Engine:
    """Return an engine whose connections begin and end transactions by `begin` and `commit` alone."""
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def begin(connection: Connection) -> str:
    """Begin a transaction and return its number: one round trip for both, where the driver would take two."""
    return run_together(connection, _BEGIN)


def commit(connection: Connection, origin: str, chats: Collection[str]) -> None:
    """Notify the other desks and commit; without chats, only commit. PostgreSQL delivers what was committed."""
    if not chats:
        run_together(connection, "COMMIT")
        return
    payload = " ".join([origin, *sorted(chats)])
    if len(payload) > PAYLOAD_LIMIT or not _PLAIN.fullmatch(payload):
        payload = f"{origin} {EVERYTHING}"
    run_together(connection, f"SELECT pg_notify('{CHANNEL}', '{payload}'); COMMIT")


def hint(payload: str) -> tuple[str, set[str] | None]:
    """(origin, chats) of a hint; None for chats means any of them."""
    origin, *chats = payload.split(" ")
    return origin, None if EVERYTHING in chats else set(chats)


def how_it_ended(connection: Connection, number: str) -> str | None:
    """Return committed, aborted or in progress; None for a transaction that the server no longer remembers."""
    return connection.execute(
        text("SELECT pg_xact_status(CAST(CAST(:number AS text) AS xid8))"), {"number": number}
    ).scalar()
