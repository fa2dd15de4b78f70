"""The desk's databases by name: which there are, what they hold, and one reading query at a time.

The operator's are there from the start (SMOLDESK_SQL_URLS); `connections.Sources` adds and removes those of people. Addresses
hold passwords: nothing that leaves this room repeats them or a driver's words about connecting. What
a database holds is asked in a thread of its own and kept, so that a database that hangs holds up neither a page nor a run.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from pydantic import SecretStr

from smoldesk.errors import BadInput, DeskError, NotFound
from smoldesk.logs import hide_from_now_on
from smoldesk.stopping import StopFlag
from smoldesk.tables.inside.sqlite_reading import SECONDS, Result
from smoldesk.tables.results import Rows
from smoldesk.tools.databases.addresses import open_database, read_address
from smoldesk.tools.databases.inspected import Database
from smoldesk.tools.databases.outline import Outline
from smoldesk.tools.databases.pages import select_all
from smoldesk.tools.databases.values import QueryFailed, Unreachable

if TYPE_CHECKING:
    from smoldesk.tools.databases.spark.spark_connection import SparkConnection

T = TypeVar("T")
OUTLINE_SECONDS = 2.0
MAX_CHARACTERS = 6_000
# Running queries; one may hang in a driver that cannot be interrupted, so callers wait for a slot for a limited time.
AT_ONCE = 8
WAIT_SECONDS = 20.0


class ConnectedDatabases:
    """Implements tools.Databases; shared by all runs. Connects to nothing before it is asked."""

    def __init__(
        self, urls: Mapping[str, SecretStr], read_only_accounts: Sequence[str] = (), seconds: float = SECONDS
    ) -> None:
        """Open the databases. Raises BadInput for an invalid address, or a kind of database that cannot be kept from
        writing.
        """
        self._seconds = seconds
        self._databases: Mapping[str, Database] = {}
        self._outlines: Mapping[str, Outline] = {}
        for name, url in urls.items():
            self.add(name, self.opened(name, url.get_secret_value(), name in read_only_accounts))
        self._places = threading.BoundedSemaphore(AT_ONCE)
        self.check: Callable[[], object] = lambda: None
        """Called before each use, so that a database that another server removed is not asked."""

    def opened(self, name: str, address: str, read_only_account: bool) -> Database:
        """Return a database that is not listed yet. Raises BadInput."""
        hide_from_now_on(SecretStr(address))
        return open_database(name, read_address(name, address), read_only_account, self._seconds)

    def add(self, name: str, database: Database) -> None:
        """List a database. A concurrent reader gets the old list or the new one."""
        self._databases = {**self._databases, name: database}
        self._outlines = {**self._outlines, name: Outline(name, database)}

    def remove(self, name: str) -> None:
        """Remove it from the list; a running query continues."""
        self._databases = {key: value for key, value in self._databases.items() if key != name}
        self._outlines = {key: value for key, value in self._outlines.items() if key != name}

    def names(self) -> list[str]:
        return list(self._databases)

    def outline(self) -> str:
        """Return one line for each database; waits two seconds at most for those that were not asked yet."""
        give_up = time.monotonic() + OUTLINE_SECONDS
        return "\n".join(outline.line(give_up) for outline in self._outlines.values())[:MAX_CHARACTERS]

    def cached_tables(self) -> list[tuple[str, list[tuple[str, list[str]]]]]:
        """Return each database with what is known of its tables and columns; those not asked yet are asked meanwhile."""
        return [(name, outline.tables()) for name, outline in self._outlines.items()]

    def select_all(self, name: str, table: str) -> str:
        """Return the SELECT of a listed table's rows, in the database's dialect. Raises NotFound."""
        return select_all(table, self._database(name).dialect())

    def query(
        self,
        name: str,
        query: str,
        stop: StopFlag | None = None,
        on_progress: Callable[[float], None] = lambda _share: None,
    ) -> Rows:
        """Run a query. Raises NotFound with the databases' names, BadInput with the tables' names.

        `on_progress` receives the finished share, where the database reports one.
        """
        from smoldesk.tools.databases.spark.source import SparkConnect

        def ask(database: Database) -> Result:
            if isinstance(database, SparkConnect):
                return database.query(query, stop, on_progress)
            return database.query(query, stop)

        try:
            return Rows(*self._ask(name, ask))
        except QueryFailed as fault:
            outline = self._outlines.get(name)  # removed meanwhile, perhaps
            # After a stop, the list of tables is not worth a wait.
            patience = 0.0 if stop is not None and stop.is_set else OUTLINE_SECONDS
            outline_text = outline.line(time.monotonic() + patience) if outline else name
            raise BadInput(f"The query failed: {fault}.", hint=f"Tables: {outline_text}") from None

    def inspect(self, name: str, function: Callable[[Database], T]) -> T:
        """Ask a database what it holds; waits for it. Raises NotFound, Unavailable, BadInput in the database's words."""
        try:
            return self._ask(name, function)
        except QueryFailed as fault:
            raise BadInput(f"The database {name!r} refused: {fault}.", code="query_failed") from None

    def spark_names(self) -> list[str]:
        """Return the names of the Spark sources."""
        from smoldesk.tools.databases.spark.source import SparkConnect

        return [name for name, database in self._databases.items() if isinstance(database, SparkConnect)]

    def ask_spark(self, name: str, function: "Callable[[SparkConnection], T]") -> T:
        """Call a function with a Spark source's connection. Raises NotFound, BadInput, Unavailable."""
        from smoldesk.tools.databases.spark.source import SparkConnect

        def ask(database: Database) -> T:
            if not isinstance(database, SparkConnect):
                raise BadInput(f"The database {name!r} is not a Spark source.", "Use sql_engine for it.")
            return function(database.connection)

        return self.inspect(name, ask)

    def _ask(self, name: str, ask: Callable[[Database], T]) -> T:
        database = self._database(name)
        try:
            with self._place():
                return ask(database)
        except Unreachable as fault:
            raise Unavailable(
                f"The database {name!r} cannot be reached now ({fault}).", hint="Those who run it know why."
            ) from None
        except (DeskError, QueryFailed):
            raise
        except Exception as fault:  # drivers raise any class; the message may contain the address
            raise QueryFailed(f"its driver failed ({type(fault).__name__})") from None

    def _database(self, name: str) -> Database:
        self.check()
        database = self._databases.get(name)
        if database is None:
            raise NotFound(
                f"There is no database {name[:60]!r}.",
                hint=f"Databases: {', '.join(self._databases)}; leave it out for the datasets and files.",
            )
        return database

    @contextlib.contextmanager
    def _place(self) -> Generator[None]:
        if not self._places.acquire(timeout=WAIT_SECONDS):
            raise Unavailable(
                "The databases are busy: too many queries are under way.", hint="Try again later."
            )
        try:
            yield
        finally:
            self._places.release()


class Unavailable(DeskError):
    """A database does not answer."""

    code = "database_unavailable"
