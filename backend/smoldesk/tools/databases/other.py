"""Any other database SQLAlchemy speaks to, for an account that cannot write: the operator has said so.

The desk has no means here to make the database refuse, so it takes nothing on trust but the account. A query that takes
too long is cut off with its connection; rows are streamed where the driver can.
"""

import contextlib
import threading
from typing import TYPE_CHECKING, Any

from smoldesk.stopping import StopFlag, ended_by
from smoldesk.tables.inside.sqlite_reading import SECONDS, Result
from smoldesk.tools.databases.errors import QueryFailed, Unreachable
from smoldesk.tools.databases.values import taken

if TYPE_CHECKING:
    from sqlalchemy import URL

MOST_TABLES = 200


class Other:
    """One database; every call connects anew and rolls back."""

    def __init__(self, url: "URL", seconds: float = SECONDS) -> None:
        self._url = url
        self._seconds = seconds

    def query(self, query: str, stop: StopFlag | None = None) -> Result:
        """Raises QueryFailed, Unreachable."""
        from sqlalchemy.exc import SQLAlchemyError

        with (
            self._connected() as connection,
            _CutOff(connection, self._seconds) as cut_off,
            ended_by(stop, cut_off.stop),
        ):
            try:
                result = connection.execution_options(stream_results=True).exec_driver_sql(query)
                if not result.returns_rows:
                    raise QueryFailed("it gives no rows: only SELECT is allowed")
                return taken([str(name) for name in result.keys()], result)  # noqa: SIM118  (not a dict)
            except SQLAlchemyError as fault:
                raise QueryFailed(cut_off.reason or _words(fault)) from None

    def tables(self) -> list[tuple[str, list[str]]]:
        """Tables with their columns. Raises QueryFailed, Unreachable."""
        from sqlalchemy import inspect
        from sqlalchemy.exc import SQLAlchemyError

        with self._connected() as connection:
            try:
                inspector = inspect(connection)
                names = sorted(inspector.get_table_names())[:MOST_TABLES]
                return [
                    (name, [str(column["name"]) for column in inspector.get_columns(name)]) for name in names
                ]
            except SQLAlchemyError as fault:
                raise QueryFailed(_words(fault)) from None

    @contextlib.contextmanager
    def _connected(self) -> Any:
        from sqlalchemy import NullPool, create_engine
        from sqlalchemy.exc import SQLAlchemyError

        try:
            connection = create_engine(self._url, poolclass=NullPool).connect()
        except (SQLAlchemyError, ImportError) as fault:
            raise Unreachable(type(fault).__name__) from None
        with contextlib.closing(connection):
            try:
                yield connection
            finally:
                with contextlib.suppress(SQLAlchemyError):
                    connection.rollback()


class _CutOff:
    """Closes the driver's connection under a query that takes too long or is stopped."""

    def __init__(self, connection: Any, seconds: float) -> None:
        self.reason = ""
        self._connection = connection
        self._timer = threading.Timer(seconds, self._cut, [f"it took more than {seconds:g} seconds"])
        self._timer.daemon = True

    def __enter__(self) -> "_CutOff":
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def stop(self) -> None:
        """Cut it off now; from any thread, which need not wait for a driver."""
        threading.Thread(target=self._cut, args=["it was stopped"], daemon=True).start()

    def _cut(self, reason: str) -> None:
        self.reason = reason
        with contextlib.suppress(Exception):  # whatever a driver thinks of being closed from another thread
            driver = self._connection.connection.driver_connection
            (getattr(driver, "interrupt", None) or driver.close)()


def _words(fault: Exception) -> str:
    """The driver's first line, or at least what kind of fault it was."""
    orig = getattr(fault, "orig", None) or fault
    return (str(orig).strip() or type(orig).__name__).splitlines()[0][:500]
