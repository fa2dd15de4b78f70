"""Sources: the desk's databases as people see them; added and removed with the permission to, read page by page.

A password is in the sealed address and in the server's memory only: no error, event, log or answer contains it.
Queries run in a thread of their own, so that a database that hangs delays only its own callers, for at most
`seconds`.
"""

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import SecretStr

from smoldesk.connections.synced_rows import SyncedRows
from smoldesk.errors import BadInput, Conflict, NotFound, Refused
from smoldesk.messages import Column
from smoldesk.sandbox.inside.tables import SAFE_INTEGER
from smoldesk.stopping import StopFlag, start_thread
from smoldesk.store import sources
from smoldesk.store.sealing import CannotUnseal, Seal
from smoldesk.store.sources import StoredSource
from smoldesk.store.store import Store
from smoldesk.tables.results import Rows
from smoldesk.tools.databases import ConnectedDatabases, Database, Page, QueryFailed, Unavailable, Unreachable
from smoldesk.tools.databases.addresses import check_driver, check_of_a_person, read_address, without_password

T = TypeVar("T")
SECONDS = 10.0
# Maximum schemas, tables or columns in one answer.
MAX_LISTED = 2_000
_NAME = re.compile(r"[^\W\d_][\w-]{0,39}")
# Tables of a desk's own database: reading them would read all chats.
_DESK_TABLES = {"chat", "event", "run", "push_config", "source"}


@dataclass(frozen=True)
class SourceStatus:
    """One database. `address` is without its password, and empty for one that the operator named; `problem` says why it cannot
    be read at all, if so."""

    name: str
    kind: str = ""
    address: str = ""
    removable: bool = False
    problem: str = ""


@dataclass(frozen=True)
class SomeNames:
    """Some of a list, and how long all of it is."""

    names: list[str]
    count: int


class Sources:
    """All databases of a desk. `from_page`: the operator lets people add them (SMOLDESK_SOURCES)."""

    def __init__(
        self,
        store: Store,
        databases: ConnectedDatabases,
        seal: Seal,
        from_page: bool,
        seconds: float = SECONDS,
    ) -> None:
        self.from_page = from_page
        self._store = store
        self.databases = databases
        self._seal = seal
        self._seconds = seconds
        self._operators = databases.names()
        self._problems: dict[str, str] = {}
        self._rows = SyncedRows(store, sources.all_sources, self._apply)
        databases.check = self._rows.check

    def open(self) -> None:
        """Have those that were added before listed; connects to none. Reads the store, so not on the event loop."""
        self._rows.open()

    async def list_sources(self) -> list[SourceStatus]:
        """Return the state of all sources, the operator's first."""
        stored = await self._store.aread(sources.all_sources)
        problems = self._problems | self._rows.problems
        mine = [
            SourceStatus(
                source.name, _kind(source.address), source.address, True, problems.get(source.name, "")
            )
            for source in stored
        ]
        return [*(SourceStatus(name) for name in self._operators), *mine]

    async def add(
        self, name: str, address: str, password: SecretStr | None, read_only_account: bool
    ) -> SourceStatus:
        """Test a database, keep and list it. Raises Refused, BadInput and Conflict in words, Unavailable in time."""
        if not self.from_page:
            raise Refused(
                "Only the operator of this desk can add databases.",
                "Ask the operator to add it to SMOLDESK_SQL_URLS.",
            )
        self._check_name(name)
        url = read_address(name, address)
        if password is not None and password.get_secret_value():
            url = url.set(password=password.get_secret_value())
        check_of_a_person(name, url)
        full_url = url.render_as_string(hide_password=False)

        def test() -> None:
            check_driver(name, url)
            _test(name, self.databases.opened(name, full_url, read_only_account))

        await self._in_time(name, test)
        public_url = without_password(url)
        sealed = await asyncio.to_thread(self._seal.seal, full_url)
        stored = StoredSource(name, public_url, sealed, read_only_account)
        await self._store.do(lambda tx: sources.add_source(tx, stored))
        await asyncio.to_thread(self._rows.refresh)
        self.databases.cached_tables()  # asked for in the background, so that the first `@` has them
        return SourceStatus(name, _kind(public_url), public_url, True)

    async def test(self, name: str) -> None:
        """Whether it answers now. Raises NotFound, BadInput, Unavailable."""
        await self._inspect(name, lambda database: _test(name, database, of_operator=name in self._operators))

    async def remove(self, name: str) -> None:
        """Forget a database that a person added. Raises Refused, NotFound."""
        if not self.from_page:
            raise Refused("Only the operator of this desk can add databases.")
        if name in self._operators:
            raise Refused(
                f"The database {name!r} is managed by the operator.", "It is defined in SMOLDESK_SQL_URLS."
            )
        if not await self._store.do(lambda tx: sources.remove_source(tx, name)):
            raise NotFound(f"There is no database {name[:60]!r}.")
        await asyncio.to_thread(self._rows.refresh)

    async def schemas(self, name: str) -> SomeNames:
        """Return the schemas of a source. Raises NotFound, BadInput, Unavailable, as the next methods do."""
        return _some(await self._inspect(name, lambda database: database.schemas()))

    async def tables(self, name: str, schema: str) -> SomeNames:
        """Return the tables and views of a schema."""
        return _some(await self._inspect(name, lambda database: database.tables_in(schema)))

    async def columns(self, name: str, schema: str, table: str) -> list[Column]:
        """Return the columns of a table with their types."""
        columns = await self._inspect(name, lambda database: database.columns(schema, table))
        return columns[:MAX_LISTED]

    def rows(self, name: str, page: Page, stop: StopFlag) -> "Future[tuple[Rows, bool]]":
        """Read the rows of a page, as the database sorts them, and whether more follow."""

        def read(database: Database) -> tuple[Rows, bool]:
            rows = Rows(*database.page(page, stop))
            more = rows.truncated or len(rows.rows) > page.limit
            cells = [[_exact(cell) for cell in row] for row in rows.rows[: page.limit]]
            return Rows(rows.columns, cells), more

        return start_thread(lambda: self.databases.inspect(name, read))

    async def _inspect(self, name: str, function: Callable[[Database], T]) -> T:
        return await self._in_time(name, lambda: self.databases.inspect(name, function))

    async def _in_time(self, name: str, work: Callable[[], T]) -> T:
        try:
            return await asyncio.wait_for(asyncio.wrap_future(start_thread(work)), self._seconds)
        except TimeoutError:
            raise Unavailable(
                f"The database {name!r} did not answer within {self._seconds:g} seconds.",
                "Check its host and port, and whether this machine may reach it.",
            ) from None

    def _check_name(self, name: str) -> None:
        if not _NAME.fullmatch(name):
            raise BadInput(
                f"{name[:60]!r} is not a valid database name.",
                "Expected a letter, then letters, digits, _ or -, at most 40 in all.",
                code="bad_name",
            )
        if name.casefold() in (other.casefold() for other in self.databases.names()):
            raise sources.name_conflict(name)

    def _apply(self, old: StoredSource | None, source: StoredSource | None) -> None:
        """List, change or remove a source, as its row is now."""
        if old is not None and old.name not in self._operators:
            self._problems.pop(old.name, None)
            self.databases.remove(old.name)
        if source is None:
            return
        if source.name in self._operators:  # of this server's settings, not of the one where it was added
            self._problems[source.name] = "The operator of this server has a database with this name."
            return
        try:
            full_url = self._seal.unseal(source.sealed)
            self.databases.add(
                source.name, self.databases.opened(source.name, full_url, source.read_only_account)
            )
        except CannotUnseal:
            self._problems[source.name] = (
                "Its password was kept with another key: remove it, and add it again."
            )
        except BadInput as fault:  # a driver that is gone
            self._problems[source.name] = fault.message


def _test(name: str, database: Database, of_operator: bool = False) -> None:
    """Raise BadInput for a database that cannot be read, and for the desk's own."""
    try:
        tables = {table.rpartition(".")[2] for table, _ in database.tables()}
    except Unreachable as fault:
        raise BadInput(
            f"The database {name!r} cannot be reached: {fault}.",
            "Check host, port, user, password and the database's name.",
            code="source_unreachable",
        ) from None
    except QueryFailed as fault:
        raise BadInput(f"The database {name!r} cannot be read: {fault}.", code="source_unreadable") from None
    except Exception as fault:  # drivers raise any class; the message may contain the address
        raise BadInput(
            f"The database {name!r} cannot be read ({type(fault).__name__}).", code="source_unreadable"
        ) from None
    if tables >= _DESK_TABLES and not of_operator:
        raise Conflict(
            "This database stores the chats of a desk.", "Choose another one.", code="own_database"
        )


def _some(names: list[str]) -> SomeNames:
    return SomeNames(names[:MAX_LISTED], len(names))


def _kind(address: str) -> str:
    return address.partition(":")[0].partition("+")[0]


def _exact(cell: Any) -> Any:
    """Whole numbers that a page cannot hold as such are text, as in shown tables."""
    return str(cell) if isinstance(cell, int) and abs(cell) > SAFE_INTEGER else cell
