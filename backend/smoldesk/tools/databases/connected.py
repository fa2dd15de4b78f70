"""The operator's databases by name: which there are, what they hold, and one reading query at a time.

Addresses hold passwords: they come as SecretStr, and nothing that leaves this room repeats them or a driver's words
about connecting. What a database holds is asked in a thread of its own and kept, so that a database that hangs holds
up neither a page nor a run.
"""

import contextlib
import importlib.util
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from pydantic import SecretStr

from smoldesk.errors import BadInput, DeskError, NotFound
from smoldesk.stopping import StopFlag
from smoldesk.tables.inside.sqlite_reading import SECONDS, Result
from smoldesk.tables.results import Rows
from smoldesk.tools.databases.values import QueryFailed, Unreachable

if TYPE_CHECKING:
    from sqlalchemy import URL

OUTLINE_SECONDS = 2.0
KEPT_SECONDS = 600.0
MOST_TABLES = 60
MOST_COLUMNS = 40
MOST_CHARACTERS = 6_000
AT_ONCE = 8
"""Queries under way; one may hang where a driver cannot be cut off, so nobody waits for its place for ever."""
WAIT_SECONDS = 20.0


class Database(Protocol):
    """What every kind of database can do; both raise QueryFailed and Unreachable."""

    def query(self, query: str, stop: StopFlag | None = None) -> Result: ...

    def tables(self) -> list[tuple[str, list[str]]]: ...


class ConnectedDatabases:
    """Implements tools.Databases; shared by all runs. Connects to nothing before it is asked."""

    def __init__(
        self, urls: Mapping[str, SecretStr], read_only_accounts: Sequence[str] = (), seconds: float = SECONDS
    ) -> None:
        """Raises BadInput for an address that is none, or a kind of database that cannot be kept from writing."""
        self._databases = {
            name: _database(name, url.get_secret_value(), name in read_only_accounts, seconds)
            for name, url in urls.items()
        }
        self._outlines = {name: _Outline(name, database) for name, database in self._databases.items()}
        self._places = threading.BoundedSemaphore(AT_ONCE)

    def names(self) -> list[str]:
        return list(self._databases)

    def outline(self) -> str:
        """One line for each database; waits two seconds at most for those that were not asked yet."""
        give_up = time.monotonic() + OUTLINE_SECONDS
        return "\n".join(outline.line(give_up) for outline in self._outlines.values())[:MOST_CHARACTERS]

    def query(self, name: str, query: str, stop: StopFlag | None = None) -> Rows:
        """Raises NotFound naming the databases, BadInput naming the tables."""
        database = self._databases.get(name)
        if database is None:
            raise NotFound(
                f"There is no database {name[:60]!r}.",
                hint=f"Databases: {', '.join(self._databases)}; leave it out for the datasets and files.",
            )
        try:
            with self._place():
                return Rows(*database.query(query, stop))
        except Unreachable as fault:
            raise Unavailable(
                f"The database {name!r} cannot be reached now ({fault}).", hint="Its operator knows why."
            ) from None
        except QueryFailed as fault:
            told = self._outlines[name].line(time.monotonic() + OUTLINE_SECONDS)
            raise BadInput(f"The query failed: {fault}.", hint=f"Tables: {told}") from None

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
    """A database of the operator's does not answer."""

    code = "database_unavailable"


class _Outline:
    """What one database holds, asked in the background and kept for ten minutes."""

    def __init__(self, name: str, database: Database) -> None:
        self._name = name
        self._database = database
        self._known = ""
        self._asked = -KEPT_SECONDS
        self._done = threading.Event()
        self._lock = threading.Lock()

    def line(self, give_up: float) -> str:
        """`name: table(column, column); ...`, or why that is not known."""
        with self._lock:
            if time.monotonic() - self._asked >= KEPT_SECONDS:
                self._asked = time.monotonic()
                self._done.clear()
                threading.Thread(target=self._ask, name="sql-outline", daemon=True).start()
        if not self._known:
            self._done.wait(max(0.0, give_up - time.monotonic()))
        return self._known or f"{self._name}: (its tables are not known yet)"

    def _ask(self) -> None:
        try:
            tables = self._database.tables()
        except (QueryFailed, Unreachable) as fault:
            self._known = self._known or f"{self._name}: (cannot be reached now: {fault})"
            self._asked = time.monotonic() - KEPT_SECONDS + 10  # ask again soon
        else:
            self._known = f"{self._name}: {_listed(tables)}"
        finally:
            self._done.set()


def _listed(tables: list[tuple[str, list[str]]]) -> str:
    shown = [f"{name}({', '.join(columns[:MOST_COLUMNS])})" for name, columns in tables[:MOST_TABLES]]
    more = [f"and {len(tables) - MOST_TABLES} more tables"] if len(tables) > MOST_TABLES else []
    return "; ".join([*shown, *more]) or "(no tables)"


def _database(name: str, address: str, read_only_account: bool, seconds: float) -> Database:
    url = _url(name, address)
    kind = url.get_backend_name()
    if kind == "sqlite":
        from smoldesk.tools.databases.sqlite import Sqlite

        if not url.database or url.database == ":memory:":
            raise BadInput(f"The database {name!r} of SMOLDESK_SQL_URLS names no file.")
        return Sqlite(url.database, seconds)
    if kind == "postgresql":
        if importlib.util.find_spec("psycopg") is None:
            raise BadInput(
                f"The database {name!r} needs psycopg, which is not here.",
                hint="Install smoldesk with its extra: smoldesk[postgres].",
            )
        from smoldesk.tools.databases.postgres import Postgres

        return Postgres(url, seconds)
    if not read_only_account:
        raise BadInput(
            f"The desk cannot keep {kind} from writing, so it does not connect to {name!r}.",
            hint="Give it an account that may only read, and name it in SMOLDESK_SQL_READ_ONLY_ACCOUNTS.",
        )
    from smoldesk.tools.databases.other import Other

    return Other(url, seconds)


def _url(name: str, address: str) -> "URL":
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    with contextlib.suppress(ArgumentError, ValueError):
        return make_url(address)
    raise BadInput(
        f"The address of the database {name!r} in SMOLDESK_SQL_URLS is no SQLAlchemy URL.",
        hint='It looks like "postgresql+psycopg://user:password@host/database" or "sqlite:////path/file.db".',
    )
