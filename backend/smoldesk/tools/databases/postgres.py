"""PostgreSQL, where the server keeps a query from writing, from running forever, and from being several statements.

- The connection is for one query: what a query sets in its session ends with it.
- The transaction is READ ONLY before the query is sent. The query is sent as `DECLARE ... CURSOR FOR <query>` through
  the extended protocol, which takes one statement only: no `;`, COMMIT, SET or CALL gets through, and the server
  refuses a WITH that writes.
- `statement_timeout` is set, and a timer cancels at the server, since a query may lift its own timeout.
"""

import contextlib
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any, cast

from smoldesk.stopping import StopFlag, ended_by
from smoldesk.tables.inside.sqlite_reading import SECONDS, Result
from smoldesk.tools.databases.inspected import InspectedDatabase
from smoldesk.tools.databases.pages import Page, compiled
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

CONNECT_SECONDS = 5
# Rows fetched at once, increasing: large batches end before many of them are in memory.
BATCHES = (1, 10, 100, 500)
_OUTLINE = """
SELECT CASE table_schema WHEN 'public' THEN table_name ELSE table_schema || '.' || table_name END, column_name
FROM information_schema.columns WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
ORDER BY table_schema <> 'public', table_schema, table_name, ordinal_position LIMIT 5000
"""


class Postgres(InspectedDatabase):
    """One database; every call opens a connection."""

    kind = "postgresql"

    def __init__(self, url: "URL", seconds: float = SECONDS) -> None:
        self._url = url
        self._seconds = seconds
        self._arguments: dict[str, Any] = {
            **url.translate_connect_args(database="dbname", username="user"),
            **url.query,
        }

    def query(self, query: str, stop: StopFlag | None = None) -> Result:
        """Run a query. Raises QueryFailed, Unreachable."""
        return self._read(query, None, stop, USUAL)

    def page(self, page: Page, stop: StopFlag | None = None, bounds: AnswerBounds = USUAL) -> Result:
        """Read a page of a table. Raises BadInput, QueryFailed, Unreachable."""
        return self._read(*compiled(self.page_select(page), self.dialect()), stop, bounds)

    def _read(
        self, query: str, parameters: dict[str, Any] | None, stop: StopFlag | None, bounds: AnswerBounds
    ) -> Result:
        import psycopg

        seconds = bounds.seconds or self._seconds
        connection = self._connected(seconds)
        try:
            with CutOff(connection.cancel, seconds, is_sure=True) as timer, ended_by(stop, timer.stop):
                try:
                    with connection.cursor("smoldesk") as cursor:
                        # With None for the parameters, psycopg leaves every % of the query alone.
                        cursor.execute(cast(Any, query), parameters)
                        columns = [str(column.name) for column in cast("list[Any]", cursor.description or [])]
                        return bounded_result(columns, _rows(cursor), bounds)
                except (psycopg.Error, UnicodeError, ValueError) as fault:
                    raise QueryFailed(
                        timer.reason or without_password(_first_line(fault), self._url)
                    ) from None
        finally:
            connection.close()

    def tables(self) -> list[tuple[str, list[str]]]:
        """Return every table with its columns, those of `public` first. Raises QueryFailed, Unreachable."""
        outline: dict[str, list[str]] = {}
        for table, column in self.query(_OUTLINE)[1]:
            outline.setdefault(str(table), []).append(str(column))
        return list(outline.items())

    def dialect(self) -> "Dialect":
        from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

        return PGDialect_psycopg()

    @contextlib.contextmanager
    def looking(self) -> "Generator[Connection]":
        from sqlalchemy import NullPool, create_engine
        from sqlalchemy.exc import SQLAlchemyError

        engine = create_engine(
            "postgresql+psycopg://", creator=lambda: self._connected(self._seconds), poolclass=NullPool
        )
        try:
            with engine.connect() as connection:
                yield connection
        except SQLAlchemyError as fault:
            raise QueryFailed(
                without_password(_first_line(getattr(fault, "orig", None) or fault), self._url)
            ) from None

    def _connected(self, seconds: float) -> Any:
        """Return a connection in a read-only transaction."""
        import psycopg

        usual: dict[str, Any] = {"connect_timeout": CONNECT_SECONDS, "application_name": "smoldesk"}
        arguments: dict[str, Any] = {**usual, **self._arguments, "autocommit": False}
        try:
            connection = psycopg.connect(**arguments)
        except (psycopg.Error, ValueError, TypeError) as fault:
            raise Unreachable(why_unreachable(fault)) from None
        try:
            # psycopg then begins each transaction of this connection as READ ONLY.
            connection.read_only = True
            connection.execute(
                # SET takes no parameters; set_config() does.
                "SELECT set_config('default_transaction_read_only', 'on', false), "
                "set_config('statement_timeout', %s, false)",
                [str(round(seconds * 1000))],
            )
            # A setting that is made in a transaction is undone if that is rolled back.
            connection.commit()
        except psycopg.Error as fault:
            connection.close()
            raise Unreachable(why_unreachable(fault)) from None
        return connection


def _rows(cursor: Any) -> Iterator[Any]:
    batches = iter(BATCHES)
    size = next(batches)
    while rows := cursor.fetchmany(size):
        yield from rows
        size = next(batches, size)


def _first_line(fault: Exception) -> str:
    """Return the server's first line, without the statement it was part of."""
    diag = getattr(fault, "diag", None)
    text = str(getattr(diag, "message_primary", None) or fault).strip()
    state = str(getattr(fault, "sqlstate", "") or "")
    # 25006 is read_only_sql_transaction, 57014 query_canceled (PostgreSQL, Appendix A).
    if state == "25006" or "data-modifying" in text:
        return f"only reading is allowed ({text})"
    if "multiple commands" in text:
        return "only one statement at a time is allowed"
    if state == "57014":
        return "it took too long"
    return text.splitlines()[0][:500] if text else type(fault).__name__
