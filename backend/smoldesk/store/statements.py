"""Statements of the writer's hot path: written with SQLAlchemy, compiled once, executed by the driver itself.

A run executes a dozen statements and its writer does little else. Building one each time costs far more than SQLite
needs to execute it, and so does SQLAlchemy's execution of a ready one. What is given up is what these
statements do not use: column defaults, type conversion, rows with names. So every value is given, as plain text or number.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from sqlalchemy import BindParameter, ClauseElement, Connection, Insert, bindparam, insert
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import DeclarativeBase

# Rows of one INSERT on PostgreSQL: psycopg caches what it parsed of statements with up to 50 values.
ROWS = 8

T = TypeVar("T")
Values = Mapping[str, str | bytes | int | float | None]


class CompiledStatement:
    """One statement. Values go by the names of its `bindparam`s; for an insert, by those of its columns."""

    def __init__(self, statement: ClauseElement, columns: Sequence[str] | None = None) -> None:
        """`columns`: those an insert fills, all of them."""
        self._statement = statement
        self._columns = columns
        self._compiled: dict[str, tuple[str, dict[str, Any]]] = {}
        self._by_rows: dict[int, CompiledStatement] = {}

    def run(self, connection: Connection, values: Values) -> None:
        """Execute. Raises SQLAlchemy's DBAPIError, as do the others."""
        sql, constants = self._for(connection.dialect)
        _with_cursor(connection, sql, lambda cursor: cursor.execute(sql, {**constants, **values}))

    def rows(self, connection: Connection, values: Values) -> list[tuple[Any, ...]]:
        """Execute; the rows it returns."""
        sql, constants = self._for(connection.dialect)

        def fetch(cursor: Any) -> list[tuple[Any, ...]]:
            cursor.execute(sql, {**constants, **values})
            return cursor.fetchall()

        return _with_cursor(connection, sql, fetch)

    def value(self, connection: Connection, values: Values) -> Any:
        """Return the first value of the first row, or None."""
        rows = self.rows(connection, values)
        return rows[0][0] if rows else None

    def run_many(self, connection: Connection, values: Sequence[Values]) -> None:
        """Execute once for each; for statements without constants of their own."""
        if connection.dialect.name == "postgresql" and isinstance(self._statement, Insert):
            for start in range(0, len(values), ROWS):
                self._insert(connection, values[start : start + ROWS])
            return
        sql, _ = self._for(connection.dialect)
        if len(values) == 1:
            _with_cursor(connection, sql, lambda cursor: cursor.execute(sql, values[0]))
        else:
            _with_cursor(connection, sql, lambda cursor: cursor.executemany(sql, values))

    def _insert(self, connection: Connection, values: Sequence[Values]) -> None:
        """Insert up to ROWS rows by one statement: psycopg's executemany takes twice the processor time."""
        count = len(values)
        if count not in self._by_rows:
            assert isinstance(self._statement, Insert)
            names: list[dict[str, BindParameter[Any]]] = [
                {name: bindparam(f"{name}_{row}") for name in values[0]} for row in range(count)
            ]
            self._by_rows[count] = CompiledStatement(insert(self._statement.table).values(names))
        numbered = {
            f"{name}_{row}": value for row, given in enumerate(values) for name, value in given.items()
        }
        self._by_rows[count].run(connection, numbered)

    def _for(self, dialect: Dialect) -> tuple[str, dict[str, Any]]:
        """Return the SQL for a dialect, and the values that are part of the statement."""
        found = self._compiled.get(dialect.name)
        if found is None:
            # SQLite's own style is positional; by name, values need no putting in order
            by_name = cast(Any, type(dialect))(paramstyle="named") if dialect.positional else dialect
            compiled = self._statement.compile(dialect=by_name, column_keys=self._columns)
            found = self._compiled[dialect.name] = (str(compiled), {**(compiled.params or {})})
        return found


def insert_or_leave(connection: Connection, table: type[DeclarativeBase], values: Mapping[str, Any]) -> Any:
    """INSERT of a row unless one is in its way, in the dialect of the connection."""
    if connection.dialect.name == "postgresql":  # 30 ms to import, which no desk on SQLite needs
        from sqlalchemy.dialects.postgresql import insert as dialect_insert
    else:
        from sqlalchemy.dialects.sqlite import insert as dialect_insert
    return dialect_insert(table).values(values).on_conflict_do_nothing()


def run_together(connection: Connection, statements: str) -> Any:
    """Execute statements without values, by one round trip to a PostgreSQL; return the first value of the last one."""

    def execute(cursor: Any) -> Any:
        cursor.execute(statements, prepare=False)
        while cursor.nextset():
            pass
        return cursor.fetchone()[0] if cursor.description else None

    return _with_cursor(connection, statements, execute)


def _with_cursor(connection: Connection, sql: str, work: Callable[[Any], T]) -> T:
    """Do something with a cursor of the driver; what that raises becomes SQLAlchemy's."""
    cursor = connection.connection.cursor()
    try:
        return work(cursor)
    except connection.dialect.loaded_dbapi.Error as fault:
        error = connection.dialect.loaded_dbapi.Error
        lost = connection.dialect.is_disconnect(fault, connection.connection.driver_connection, cursor)
        if lost:
            connection.invalidate(fault)
        raise DBAPIError.instance(
            sql, None, fault, error, connection_invalidated=lost, dialect=connection.dialect
        ) from fault
    finally:
        cursor.close()
