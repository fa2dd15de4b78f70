"""Any other database that SQLAlchemy supports, for an account that the operator declares to be read-only.

The desk cannot make such a database refuse to write, so only the account prevents it. A query that takes
too long is cut off with its connection; rows are streamed where the driver can.
"""

import contextlib
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

from smoldesk.stopping import StopFlag, ended_by
from smoldesk.tables.inside.sqlite_reading import SECONDS, Result
from smoldesk.tools.databases.inspected import InspectedDatabase
from smoldesk.tools.databases.pages import Page, quote_safely
from smoldesk.tools.databases.reasons import why_unreachable, without_password
from smoldesk.tools.databases.values import (
    USUAL,
    AnswerBounds,
    CutOff,
    QueryFailed,
    Unreachable,
    bounded_result,
)

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Dialect

MAX_TABLES = 200


class GenericDatabase(InspectedDatabase):
    """One database; every call opens a connection and rolls back."""

    def __init__(self, url: "URL", seconds: float = SECONDS) -> None:
        self.kind = url.get_backend_name()
        self._url = url
        self._seconds = seconds

    def query(self, query: str, stop: StopFlag | None = None) -> Result:
        """Run a query. Raises QueryFailed, Unreachable."""
        return self._read(lambda connection: connection.exec_driver_sql(query), stop, USUAL)

    def page(self, page: Page, stop: StopFlag | None = None, bounds: AnswerBounds = USUAL) -> Result:
        """Read a page of a table. Raises BadInput, QueryFailed, Unreachable."""
        query = self.page_select(page)
        return self._read(lambda connection: connection.execute(query), stop, bounds)

    def _read(
        self, read: "Callable[[Connection], Any]", stop: StopFlag | None, bounds: AnswerBounds
    ) -> Result:
        from sqlalchemy.exc import SQLAlchemyError

        with (
            self._connected() as connection,
            CutOff(lambda: _cut(connection), bounds.seconds or self._seconds, is_sure=False) as cut_off,
            ended_by(stop, cut_off.stop),
        ):
            try:
                # Without parameters, or some drivers read a % in the query as a placeholder.
                result = read(connection.execution_options(stream_results=True, no_parameters=True))
                if not result.returns_rows:
                    raise QueryFailed("it gives no rows: only SELECT is allowed")
                return bounded_result([str(name) for name in result.keys()], result, bounds)  # noqa: SIM118  (not a dict)
            except SQLAlchemyError as fault:
                raise QueryFailed(cut_off.reason or self._fault_text(fault)) from None

    def tables(self) -> list[tuple[str, list[str]]]:
        """Return the tables with their columns. Raises QueryFailed, Unreachable."""
        from sqlalchemy import inspect

        with self.looking() as connection:
            inspector = inspect(connection)
            # Limited, since the inspector reads the columns of each table with requests of their own.
            names = sorted(inspector.get_table_names())[:MAX_TABLES]
            return [(name, [str(column["name"]) for column in inspector.get_columns(name)]) for name in names]

    def dialect(self) -> "Dialect":
        return self._url.get_dialect()()

    @contextlib.contextmanager
    def looking(self) -> "Generator[Connection]":
        from sqlalchemy.exc import SQLAlchemyError

        with (
            self._connected() as connection,
            CutOff(lambda: _cut(connection), self._seconds, is_sure=False) as cut_off,
        ):
            try:
                yield connection
            except SQLAlchemyError as fault:
                raise QueryFailed(cut_off.reason or self._fault_text(fault)) from None

    def _fault_text(self, fault: Exception) -> str:
        """Return the driver's message without the password: a driver that speaks HTTP repeats its complete address."""
        return without_password(_first_line(fault), self._url)

    @contextlib.contextmanager
    def _connected(self) -> Any:
        from sqlalchemy import NullPool, create_engine
        from sqlalchemy.exc import SQLAlchemyError

        try:
            engine = create_engine(self._url, poolclass=NullPool)
            quote_safely(engine.dialect)
            connection = engine.connect()
        except (SQLAlchemyError, ImportError) as fault:
            raise Unreachable(why_unreachable(fault)) from None
        with contextlib.closing(connection):
            try:
                yield connection
            finally:
                # The connection may be one that `_cut` has closed.
                with contextlib.suppress(SQLAlchemyError):
                    connection.rollback()


def _cut(connection: Any) -> None:
    """Close the driver's connection under its query."""
    with contextlib.suppress(Exception):  # a driver may not allow closing from another thread
        driver = connection.connection.driver_connection
        (getattr(driver, "interrupt", None) or driver.close)()


def _first_line(fault: Exception) -> str:
    """Return the driver's first line, or the class of the error."""
    orig = getattr(fault, "orig", None) or fault
    return (str(orig).strip() or type(orig).__name__).splitlines()[0][:500]
