"""Interface of databases, and the contents that SQLAlchemy's inspector can list."""

import contextlib
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Literal, Protocol

from smoldesk.messages import Column
from smoldesk.stopping import StopFlag
from smoldesk.tables.inside.sqlite_reading import Result
from smoldesk.tools.databases.pages import Page, page_select
from smoldesk.tools.databases.values import USUAL, AnswerBounds, QueryFailed

if TYPE_CHECKING:
    from sqlalchemy import Connection, Dialect, Select
    from sqlalchemy.types import TypeEngine

NO_SUCH_TABLE = "there is no such table, or none that may be read"


class Database(Protocol):
    """Interface of all kinds of databases; all methods raise QueryFailed and Unreachable. `kind` is its SQL dialect."""

    kind: str

    def query(self, query: str, stop: StopFlag | None = None) -> Result: ...

    def tables(self) -> list[tuple[str, list[str]]]:
        """Return the tables with their columns, for a prompt."""
        ...

    def dialect(self) -> "Dialect":
        """Return SQLAlchemy's description of its SQL."""
        ...

    def schemas(self) -> list[str]:
        """Names; one empty name where there are none. The usual one comes first."""
        ...

    def tables_in(self, schema: str) -> list[str]:
        """Return the names of tables and views."""
        ...

    def columns(self, schema: str, table: str) -> list[Column]: ...

    def page(self, page: Page, stop: StopFlag | None = None, bounds: AnswerBounds = USUAL) -> Result:
        """Rows of a table, filtered and sorted by the database, one more than the page has. Raises BadInput, too."""
        ...


class InspectedDatabase(ABC):
    """A database that SQLAlchemy knows how to look at."""

    @abstractmethod
    def dialect(self) -> "Dialect": ...

    @abstractmethod
    def looking(self) -> "contextlib.AbstractContextManager[Connection]":
        """Return a connection that only reads and has a time limit. Raises Unreachable; its queries raise QueryFailed."""

    def schemas(self) -> list[str]:
        from sqlalchemy import inspect

        with self.looking() as connection:
            inspector = inspect(connection)
            usual = inspector.default_schema_name or ""
            names = sorted(set(inspector.get_schema_names()) - {"information_schema", usual})
            return [usual, *names] if usual or not names else names

    def tables_in(self, schema: str) -> list[str]:
        from sqlalchemy import inspect

        with self.looking() as connection:
            inspector = inspect(connection)
            names = set(inspector.get_table_names(schema or None))
            for more in (inspector.get_view_names, inspector.get_materialized_view_names):
                # SQLAlchemy's dialects raise this where a database has no views of that kind.
                with contextlib.suppress(NotImplementedError):
                    names |= set(more(schema or None))
            return sorted(names)

    def columns(self, schema: str, table: str) -> list[Column]:
        from sqlalchemy import inspect
        from sqlalchemy.exc import NoSuchTableError

        with self.looking() as connection:
            try:
                columns_ = inspect(connection).get_columns(table, schema or None)
            except NoSuchTableError:
                raise QueryFailed(NO_SUCH_TABLE) from None
            dialect = self.dialect()
            return [
                Column(
                    name=str(column["name"]),
                    kind=_kind(column["type"]),
                    type=_spelled(column["type"], dialect),
                )
                for column in columns_
            ]

    def page_select(self, page: Page) -> "Select[Any]":
        """Return the SELECT of a page; the columns are read only if their kinds matter."""
        return page_select(page, self.columns(page.schema, page.table) if page.has_conditions else [])


def _kind(of: "TypeEngine[Any]") -> Literal["number", "text", "date", "bool"]:
    from sqlalchemy import types

    if isinstance(of, types.Boolean):
        return "bool"
    if isinstance(of, types.Integer | types.Numeric):
        return "number"
    return "date" if isinstance(of, types.Date | types.DateTime) else "text"


def _spelled(of: "TypeEngine[Any]", dialect: "Dialect") -> str:
    from sqlalchemy.exc import SQLAlchemyError

    try:
        return of.compile(dialect)[:80]
    except (SQLAlchemyError, AttributeError):  # a type that SQLAlchemy has no name for
        return type(of).__name__
