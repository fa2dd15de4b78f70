"""Databases in a backup: SQLite by its online backup, PostgreSQL by pg_dump, each as of one moment while the desk writes."""

import json
import sqlite3
from collections.abc import Generator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Protocol
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, func, inspect, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from smoldesk.backup.manifest import damaged, newer
from smoldesk.backup.postgres_programs import call_program, identity_of
from smoldesk.errors import DeskError
from smoldesk.store.conversation_tables import Base  # imports all tables
from smoldesk.store.data_dir import RESTORING
from smoldesk.store.engines import HEAD, MIGRATIONS, migrate, open_engines, schema_version
from smoldesk.store.errors import cannot_open
from smoldesk.store.tables import BuildingRow, ChatRow, FileRow

# Tables whose rows a manifest counts.
COUNTED = ("chat", "run", "event", "ask", "file")
# Heartbeats: a restored desk has none.
NOT_DUMPED = "server"


@dataclass(frozen=True)
class Contents:
    """Facts about a database: its migration, the ids of its stored files and chats, and rows per table of COUNTED.

    `identity` tells databases of PostgreSQL apart, which several data directories may share; `schema_name` is its schema.
    """

    schema_revision: str
    file_ids: list[str]
    chat_ids: list[str]
    counts: dict[str, int]
    identity: str = ""
    schema_name: str = ""


class DeskDatabase(Protocol):
    """Database of a desk. Methods raise DeskError."""

    kind: Literal["sqlite", "postgresql"]

    def dump(self, target: Path) -> Contents:
        """Write a dump of one moment to a new file; return what is in it."""
        ...

    def is_empty(self) -> bool:
        """Return whether the database has no tables yet."""
        ...

    def scratch(self, folder: Path) -> Path:
        """Return where the dump to be loaded is to be written: in `folder`, or beside the database."""
        ...

    def check_schema(self, name: str) -> None:
        """Raise DeskError if a dump of the schema would be loaded into one that connections do not use."""
        ...

    def load(self, dump: Path) -> None:
        """Load a dump into the empty database, completely or not at all."""
        ...

    def migrate(self) -> None:
        """Bring what was loaded up to date."""
        ...

    def reading(self) -> AbstractContextManager[Connection]:
        """Return a connection that sees one moment, for the block."""
        ...


def database_at(url: str) -> DeskDatabase:
    """Return the database at a URL. Raises DeskError for a URL of another kind."""
    try:
        parsed = make_url(url)
    except (SQLAlchemyError, ValueError) as fault:
        raise cannot_open(url, fault) from None
    if parsed.get_backend_name() == "sqlite" and parsed.database and parsed.database != ":memory:":
        return SqliteDatabase(Path(parsed.database))
    if parsed.drivername.startswith("postgres"):
        return PostgresDatabase(parsed)
    raise DeskError(
        "This kind of database cannot be backed up.",
        "Expected SMOLDESK_DATABASE_URL to begin with sqlite:/// or postgresql://.",
        code="database_unknown_kind",
    )


def known_revisions() -> set[str]:
    """Return the migrations that this version knows."""
    return {path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("0*.py")}


def check_revision(revision: str | None, version: str = "another version") -> str:
    """Return a database's migration. Raises DeskError for one that only a newer version knows."""
    if revision is None or revision not in known_revisions():
        raise newer(version, f"schema {str(revision)[:20]!r}; this version knows up to {HEAD!r}")
    return revision


def read_contents(connection: Connection) -> Contents:
    """Read what a database of this version or an older one holds. Raises DeskError."""
    tables = inspect(connection).get_table_names()
    if "alembic_version" not in tables:
        raise DeskError(
            "This database has no desk in it.", "Check --data-dir and SMOLDESK_DATABASE_URL.", code="no_desk"
        )
    revision = check_revision(schema_version(connection))
    file_ids = list(connection.execute(select(FileRow.id)).scalars())
    if BuildingRow.__tablename__ in tables:
        for images in connection.execute(select(BuildingRow.images)).scalars():
            file_ids += [image["file_id"] for image in json.loads(images).values()]
    counted = [Base.metadata.tables[name] for name in COUNTED]
    counts = {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in counted
    }
    return Contents(revision, file_ids, list(connection.execute(select(ChatRow.id)).scalars()), counts)


def check_sqlite(file: Path) -> Contents:
    """Check a dump of SQLite; return what is in it. Raises DeskError if it is damaged."""
    engine = create_engine(f"sqlite:///file:{quote(str(file))}?mode=ro&immutable=1&uri=true")
    try:
        with engine.connect() as connection:
            result = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
            if result != "ok":
                raise damaged(f"SQLite finds faults in its database ({str(result)[:80]})")
            return read_contents(connection)
    except (SQLAlchemyError, ValueError, KeyError) as fault:
        raise damaged(f"its database cannot be read ({type(fault).__name__})") from None
    finally:
        engine.dispose()


class SqliteDatabase:
    """SQLite in a file."""

    kind: Literal["sqlite", "postgresql"] = "sqlite"

    def __init__(self, file: Path) -> None:
        self.file = file.absolute()

    def dump(self, target: Path) -> Contents:
        if not self.file.is_file():
            raise DeskError(
                f"There is no database {self.file.name!r} to back up.", "Check --data-dir.", code="no_desk"
            )
        try:
            with (
                closing(sqlite3.connect(f"file:{quote(str(self.file))}?mode=ro", uri=True)) as source,
                closing(sqlite3.connect(target)) as copy,
            ):
                # All pages in one step: the copy is of one moment, and in WAL mode the desk does not wait for it. In
                # smaller steps, each commit of the desk would start it anew.
                source.backup(copy, pages=-1)
                copy.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.Error as fault:
            raise DeskError(
                f"The database cannot be read ({fault}).",
                "`smoldesk doctor --deep` checks it; earlier backups are as they were.",
                code="database_damaged",
            ) from None
        return check_sqlite(target)

    def is_empty(self) -> bool:
        return not any(self.file.with_name(self.file.name + end).exists() for end in ("", "-wal", "-journal"))

    def scratch(self, folder: Path) -> Path:
        # On the same disk, so that it is renamed.
        self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return self.file.with_name(f"{RESTORING}.{self.file.name}")

    def check_schema(self, name: str) -> None:
        pass

    def load(self, dump: Path) -> None:
        check_sqlite(dump)
        dump.replace(self.file)

    def migrate(self) -> None:
        _migrate(f"sqlite:///{self.file}")

    def reading(self) -> AbstractContextManager[Connection]:
        return _reading(f"sqlite:///{self.file}")


class PostgresDatabase:
    """PostgreSQL, through its own programs."""

    kind: Literal["sqlite", "postgresql"] = "postgresql"

    def __init__(self, url: URL) -> None:
        self._url = url

    def dump(self, target: Path) -> Contents:
        with self.reading() as connection:
            contents = read_contents(connection)
            version = int(connection.exec_driver_sql("SHOW server_version_num").scalar_one()) // 10_000
            # pg_dump sees what this transaction sees, so these are the ids of its rows.
            snapshot = connection.scalar(text("SELECT pg_export_snapshot()"))
            schema = connection.scalar(text("SELECT current_schema()"))
            names = {*Base.metadata.tables, "alembic_version"} & {*inspect(connection).get_table_names()}
            quoted = str(schema).replace('"', '""')
            tables = [f'--table="{quoted}"."{name}"' for name in sorted(names)]
            options = ("--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}")
            without = f'--exclude-table-data="{quoted}"."{NOT_DUMPED}"'
            call_program("pg_dump", self._url, version, [*options, *tables, without, f"--file={target}"])
            return replace(contents, identity=identity_of(connection), schema_name=str(schema))

    def is_empty(self) -> bool:
        with self.reading() as connection:
            return not inspect(connection).get_table_names()

    def scratch(self, folder: Path) -> Path:
        return folder / f"{RESTORING}.database"

    def check_schema(self, name: str) -> None:
        with self.reading() as connection:
            here = connection.scalar(text("SELECT current_schema()"))
        if name and here != name:
            raise DeskError(
                f"The backup is of the schema {name[:80]!r}, connections use {str(here)[:80]!r}.",
                "Create that schema in the empty database, and add ?options=-csearch_path%3DSCHEMA to "
                "SMOLDESK_DATABASE_URL.",
                code="other_schema",
            )

    def load(self, dump: Path) -> None:
        options = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges")
        call_program("pg_restore", self._url, 0, [*options, str(dump)])

    def migrate(self) -> None:
        _migrate(self._url.render_as_string(hide_password=False))

    def reading(self) -> AbstractContextManager[Connection]:
        return _reading(self._url.render_as_string(hide_password=False))


@contextmanager
def _reading(url: str) -> Generator[Connection]:
    """Yield a connection that sees one moment."""
    with _engines(url) as (_, reading), reading.connect() as connection:
        yield connection


def _migrate(url: str) -> None:
    with _engines(url) as (writing, _):
        migrate(writing)


@contextmanager
def _engines(url: str) -> Generator[tuple[Engine, Engine]]:
    """Yield a database's engines for writing and reading. Raises DeskError if it cannot be opened or fails."""
    try:
        engines = open_engines(url)
        try:
            yield engines
        finally:
            for engine in engines:
                engine.dispose()
    except (SQLAlchemyError, ImportError) as fault:
        raise cannot_open(url, fault) from None
