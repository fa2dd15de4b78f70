"""Database engines: one that writes, one that reads, and the schema brought up to date.

SQLite runs in WAL mode, so readers never wait for the writer; the writer takes its lock at once (BEGIN IMMEDIATE),
so it never has to give up half-way. What PostgreSQL needs is in postgres.py; there is no third kind.
"""

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
    inspect,
    select,
)
from sqlalchemy.engine import make_url

from smoldesk.errors import DeskError
from smoldesk.store import postgres
from smoldesk.store.conversation_tables import Base  # with it come all tables
from smoldesk.store.vacuum import USUAL_WAIT_MS

HEAD = "0013"
"""The newest migration; a test holds it to migrations/versions."""

MIGRATIONS = Path(__file__).parent / "migrations"

_VERSION = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32)),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""Where Alembic keeps what a database is migrated to."""


def sqlite_url(data_dir: Path) -> str:
    """The default database: one file in the data directory."""
    return f"sqlite:///{data_dir / 'smoldesk.db'}"


def open_engines(url: str, synchronous: str = "NORMAL") -> tuple[Engine, Engine]:
    """(writer, reader) engines for a database URL.

    Raises DeskError for a kind of database we do not know, SQLAlchemy's ArgumentError for what is no URL, ImportError
    for a driver that is not installed.
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
    writer = _sqlite(url, "BEGIN IMMEDIATE", synchronous, pool_size=1)
    return writer, _sqlite(url, "BEGIN", synchronous, pool_size=8)


def _sqlite(url: str, begin: str, synchronous: str, pool_size: int) -> Engine:
    engine = create_engine(url, pool_size=pool_size, max_overflow=8 if pool_size > 1 else 0)

    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, _: object) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.isolation_level = None  # we say BEGIN ourselves, below
        for pragma in (
            "journal_mode=WAL",
            f"synchronous={synchronous}",
            "foreign_keys=ON",
            f"busy_timeout={USUAL_WAIT_MS}",
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
            return
        if "alembic_version" in names and connection.scalar(select(_VERSION.c.version_num)) == HEAD:
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
            "Use that version, or begin anew with another --data-dir.",
            code="database_unknown_version",
        ) from fault


def _prepare(connection: Connection) -> None:
    if postgres.is_postgres(connection.engine):
        postgres.check_server(connection)
        postgres.lock_migrations(connection)


def alembic_config(connection: Connection) -> Any:
    """Alembic's configuration for a connection that is already open (no ini file needed)."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config
