"""Database engines: one that writes, one that reads, and the schema brought up to date.

SQLite runs in WAL mode, so readers never wait for the writer; the writer takes its lock at once (BEGIN IMMEDIATE),
so it never has to give up half-way. What PostgreSQL needs is in postgres.py; there is no third kind. `Connector` hands out
connections, also while a PostgreSQL restarts.
"""

import logging
import secrets
import sys
import threading
import time
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    create_engine,
    event,
    insert,
    inspect,
    select,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from smoldesk.errors import DeskError
from smoldesk.store import postgres
from smoldesk.store.conversation_tables import Base  # imports all tables
from smoldesk.store.postgres import is_postgres
from smoldesk.store.tables import SessionSecretRow

log = logging.getLogger(__name__)

# Seconds of retries after the first refused connection; later callers get an error at once, until the database is back.
WAIT_SECONDS = 10.0
PAUSE_SECONDS = 0.2
# Milliseconds to wait for readers of SQLite's write-ahead log; the writer is blocked meanwhile.
WAIT_MS = 100
USUAL_WAIT_MS = 10_000
# Pages of SQLite's write-ahead log (64 MB) after which a commit moves them itself, because checkpoints.py did not keep up.
LOG_PAGES = 16_000

# The newest migration; a test compares it with migrations/versions.
HEAD = "0032"

MIGRATIONS = Path(__file__).parent / "migrations"

# File of the default database in the data directory.
DATABASE = "smoldesk.db"

# Alembic's table with the version of a database.
_VERSION = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32)),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


def sqlite_url(data_dir: Path) -> str:
    """Return the default database: one file in the data directory."""
    return f"sqlite:///{data_dir / DATABASE}"


def open_engines(url: str, synchronous: str = "NORMAL") -> tuple[Engine, Engine]:
    """Return (writer, reader) engines for a database URL.

    Raises DeskError for an unsupported kind of database, SQLAlchemy's ArgumentError for an invalid URL, ImportError
    for a missing driver.
    """
    parsed = postgres.with_driver(make_url(url))
    if parsed.drivername == postgres.DRIVER:
        return postgres.open_engines(parsed)
    if parsed.get_backend_name() != "sqlite":
        raise DeskError(
            "The desk does not know this kind of database.",
            "Expected SMOLDESK_DATABASE_URL to begin with sqlite:/// or postgresql://.",
            code="database_unknown_kind",
        )
    # SQLite has one writer at a time: a second connection would only wait for the lock of the first.
    writer = _sqlite(url, "BEGIN IMMEDIATE", synchronous, pool_size=1)
    return writer, _sqlite(url, "BEGIN", synchronous, pool_size=8)


def _sqlite(url: str, begin: str, synchronous: str, pool_size: int) -> Engine:
    engine = create_engine(url, pool_size=pool_size, max_overflow=8 if pool_size > 1 else 0)

    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, _: object) -> None:  # pyright: ignore[reportUnusedFunction]
        # sqlite3 itself begins a deferred transaction, and only before the first statement that writes.
        connection.isolation_level = None  # we say BEGIN ourselves, below
        for pragma in (
            "journal_mode=WAL",
            # In WAL mode, NORMAL may lose the last commits when the power fails, but does not damage the file.
            f"synchronous={synchronous}",
            # SQLite's default is off, separately for each connection.
            "foreign_keys=ON",
            f"busy_timeout={USUAL_WAIT_MS}",
            f"wal_autocheckpoint={LOG_PAGES}",
            f"journal_size_limit={LOG_PAGES * 4096}",  # what an import made larger is given back
            "secure_delete=ON",  # a password that was entered is overwritten, not just forgotten
        ):
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.connection.cursor().execute(begin).close()

    return engine


def migrate(engine: Engine) -> None:
    """Bring the schema to HEAD.

    A new database gets the tables of today at once, stamped as migrated: a test holds them to what the migrations
    end with. So Alembic, which takes longer to import than all the rest of a start, is for older databases only.

    Desks that share a PostgreSQL may start at once: one migrates, the others wait and find it done. Raises DeskError
    for a schema that this version does not know, or a server that cannot hold one.
    """
    with engine.begin() as connection:
        _prepare(connection)
        names = inspect(connection).get_table_names()
        if not names:
            Base.metadata.create_all(connection)
            _VERSION.create(connection)
            connection.execute(_VERSION.insert(), {"version_num": HEAD})
            connection.execute(insert(SessionSecretRow), {"id": 1, "value": secrets.token_hex(32)})
            return
        if "alembic_version" in names and schema_version(connection) == HEAD:
            return
    from alembic import command
    from alembic.util import CommandError

    try:
        with engine.begin() as connection:
            _prepare(connection)
            command.upgrade(alembic_config(connection), "head")
    except CommandError as fault:
        raise DeskError(
            "The database was written by another version of smoldesk.",
            "Use that version, or start with another --data-dir.",
            code="database_unknown_version",
        ) from fault


def check_migrated(engine: Engine) -> None:
    """Raise DeskError unless the schema is at HEAD, and change nothing."""
    with engine.connect() as connection:
        has_version = inspect(connection).has_table(_VERSION.name)
        if not has_version or schema_version(connection) != HEAD:
            raise DeskError(
                "The database is not one of this version of smoldesk.",
                "Start a server of this version once: it brings the database up to date.",
                code="database_unknown_version",
            )


def schema_version(connection: Connection) -> str | None:
    """Return the migration that a database is at, from a row that every database has."""
    return connection.scalar(select(_VERSION.c.version_num))


def _prepare(connection: Connection) -> None:
    if is_postgres(connection.engine):
        postgres.check_server(connection)
        postgres.lock_migrations(connection)


def alembic_config(connection: Connection) -> Any:
    """Alembic's configuration for a connection that is already open (no ini file needed)."""
    from alembic.config import Config

    config = Config(stdout=sys.stdout)  # its default is what stdout was when Alembic was imported
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config


def empty_log(connection: Connection) -> bool:
    """Empty SQLite's write-ahead log, which still contains erased data. Return False while a reader uses it.

    Outside a transaction: moves it into the database and truncates it.
    """
    cursor = connection.connection.cursor()
    try:
        cursor.execute(f"PRAGMA busy_timeout={WAIT_MS}")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        # The row is: whether it was blocked, pages in the log, pages moved.
        busy, *_ = cursor.fetchone() or (1,)
        return not busy
    finally:
        cursor.execute(f"PRAGMA busy_timeout={USUAL_WAIT_MS}")
        cursor.close()


class Connector:
    """Hands out connections of one engine, from any thread; `closing` ends every wait."""

    def __init__(self, engine: Engine, closing: threading.Event) -> None:
        self.engine = engine
        self._closing = closing
        # Only a server comes back by itself; an error of a SQLite file stays.
        self._patient = is_postgres(engine)
        self._away_since: float | None = None

    def connect(self) -> Connection:
        """Return a connection. Raises SQLAlchemy's DBAPIError."""
        while True:
            try:
                connection = self.engine.connect()
            except DBAPIError:
                if not self._patient or not self._may_wait():
                    raise
                continue
            if self._away_since is not None:
                self._away_since = None
                log.warning("the database is back")
            return connection

    def _may_wait(self) -> bool:
        """Wait a moment; False when that was done for long enough."""
        now = time.monotonic()
        if self._away_since is None:
            self._away_since = now
            log.error("the database cannot be reached")
        if now - self._away_since > WAIT_SECONDS:
            return False
        return not self._closing.wait(PAUSE_SECONDS)
