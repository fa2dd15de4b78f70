"""What a database holds, asked through SQLAlchemy's inspector, and the queries of its pages in its own dialect."""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from smoldesk.messages import Column
from smoldesk.stopping import StopFlag
from smoldesk.tables.inside.sqlite_reading import Result
from smoldesk.tools.databases.values import QueryFailed

if TYPE_CHECKING:
    from sqlalchemy import Connection, Dialect
    from sqlalchemy.types import TypeEngine

NO_SUCH_TABLE = "there is no such table, or none that may be read"


@dataclass(frozen=True)
class Page:
    """Rows of one table that are wanted: `sort` has names of columns, and whether each descends."""

    schema: str
    table: str
    sort: Sequence[tuple[str, bool]] = ()
    offset: int = 0
    limit: int = 100


class Database(Protocol):
    """What every kind of database can do; all raise QueryFailed and Unreachable."""

    def query(self, query: str, stop: StopFlag | None = None) -> Result: ...

    def tables(self) -> list[tuple[str, list[str]]]:
        """Tables with their columns, for a prompt."""
        ...

    def schemas(self) -> list[str]:
        """Names; one empty name where there are none. The usual one comes first."""
        ...

    def tables_in(self, schema: str) -> list[str]:
        """Names of tables and views."""
        ...

    def columns(self, schema: str, table: str) -> list[Column]: ...

    def page_query(self, page: Page) -> str:
        """A SELECT in the database's own dialect."""
        ...


class Inspected(ABC):
    """A database that SQLAlchemy knows how to look at."""

    @abstractmethod
    def dialect(self) -> "Dialect": ...

    @abstractmethod
    def looking(self) -> "contextlib.AbstractContextManager[Connection]":
        """A connection that only reads and ends in time. Raises Unreachable, and QueryFailed for what is asked through it."""

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
                with contextlib.suppress(NotImplementedError):
                    names |= set(more(schema or None))
            return sorted(names)

    def columns(self, schema: str, table: str) -> list[Column]:
        from sqlalchemy import inspect
        from sqlalchemy.exc import NoSuchTableError

        with self.looking() as connection:
            try:
                found = inspect(connection).get_columns(table, schema or None)
            except NoSuchTableError:
                raise QueryFailed(NO_SUCH_TABLE) from None
            dialect = self.dialect()
            return [
                Column(name=str(one["name"]), kind=_kind(one["type"]), type=_spelled(one["type"], dialect))
                for one in found
            ]

    def page_query(self, page: Page) -> str:
        return page_query(page, self.dialect())


def page_query(page: Page, dialect: "Dialect") -> str:
    """A SELECT of a page, one row more than it has so that its end is seen."""
    from sqlalchemy import ColumnClause, TableClause, column, literal_column, select

    source = TableClause(page.table, schema=page.schema or None)
    named: list[tuple[ColumnClause[Any], bool]] = [(column(name), descends) for name, descends in page.sort]
    everything: ColumnClause[Any] = literal_column("*")
    query = select(everything).select_from(source)
    query = query.order_by(*(one.desc() if descends else one.asc() for one, descends in named))
    query = query.limit(page.limit + 1).offset(page.offset or None)
    return str(query.compile(dialect=dialect, compile_kwargs={"literal_binds": True}))


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
