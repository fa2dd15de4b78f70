"""A Spark Connect server as a database of the desk: queries, pages of tables, and what it holds.

Nothing is sent but queries in parentheses, listings of the catalog and requests for schemas. The LIMIT is part of the plan.
"""

import contextlib
import datetime
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from smoldesk.messages import Column
from smoldesk.stopping import StopFlag
from smoldesk.tables.inside.sqlite_reading import SECONDS, Result
from smoldesk.tools.databases.inspected import NO_SUCH_TABLE
from smoldesk.tools.databases.pages import Page, compiled, page_select
from smoldesk.tools.databases.spark.arrow_rows import rows_of
from smoldesk.tools.databases.spark.file_paths import check_sql_paths
from smoldesk.tools.databases.spark.spark_connection import (
    BATCH,
    CHUNK,
    CHUNK_INDEX,
    DATA,
    ConnectSession,
    SparkConnection,
)
from smoldesk.tools.databases.spark.sql_text import check_query, is_listing
from smoldesk.tools.databases.spark.types import spelled
from smoldesk.tools.databases.spark.wire import FIXED64, field, fields, first, text
from smoldesk.tools.databases.values import USUAL, AnswerBounds, QueryFailed

if TYPE_CHECKING:
    from sqlalchemy import URL, Dialect

MAX_TABLES = 200
OUTLINE_SECONDS = 4.0
# Bytes of Arrow data for one answer of at most 8 MB as JSON.
MAX_ANSWER = 64_000_000
# ExecutePlanRequest.request_options.result_chunking_options: parts too large for one message come in several.
_CHUNKS = field(5, field(2, field(1, True) + field(2, CHUNK)))
_NAMES = AnswerBounds(rows=20_000)


class SparkConnect:
    """One server; every call has a session of its own."""

    kind = "spark"

    def __init__(self, url: "URL", seconds: float = SECONDS) -> None:
        self.connection = SparkConnection(url)
        self._seconds = seconds

    def query(
        self,
        query: str,
        stop: StopFlag | None = None,
        on_progress: Callable[[float], None] = lambda _share: None,
    ) -> Result:
        """Run a query. Raises QueryFailed, Unreachable."""
        is_query = not is_listing(query)
        return self._read(self._sql(query), stop, USUAL, on_progress, is_query)

    def page(self, page: Page, stop: StopFlag | None = None, bounds: AnswerBounds = USUAL) -> Result:
        """Read a page of a table. Raises BadInput, QueryFailed, Unreachable."""
        columns = self.columns(page.schema, page.table) if page.has_conditions else []
        query, parameters = compiled(page_select(page, columns), self.dialect())
        return self._read(self._sql(query, parameters), stop, bounds)

    def tables(self) -> list[tuple[str, list[str]]]:
        """Tables of the usual schema; with their columns, as long as there is time. Raises QueryFailed, Unreachable."""
        enough = time.monotonic() + OUTLINE_SECONDS
        return [
            (name, self._column_names(name) if time.monotonic() < enough else [])
            for name in self.tables_in("")[:MAX_TABLES]
        ]

    def dialect(self) -> "Dialect":
        from smoldesk.tools.databases.spark.dialect import SparkDialect

        return SparkDialect()

    def schemas(self) -> list[str]:
        """Return the schemas, the session's own first."""
        usual = self._names(field(1, b""), "")  # Catalog.current_database
        return [*usual, *sorted(set(self._names(field(3, b""), "name")) - set(usual))]

    def tables_in(self, schema: str) -> list[str]:
        """Return the names of tables and views."""
        return sorted(self._names(field(4, field(1, schema) if schema else b""), "name"))

    def columns(self, schema: str, table: str) -> list[Column]:
        """Return the columns with Spark's own words for their types."""
        try:
            return list(self._schema(_place(schema, table)))
        except QueryFailed as fault:
            raise QueryFailed(NO_SUCH_TABLE) if _is_missing(fault) else fault from None

    def _column_names(self, table: str) -> list[str]:
        with contextlib.suppress(QueryFailed):  # a view of a dropped table must not hide the others
            return [column.name for column in self._schema(_quoted(table))]
        return []

    def _schema(self, place: str) -> Iterator[Column]:
        self._check_paths(place)
        relation = field(2, field(1, field(1, place)))  # Relation.read.named_table
        answer = self.connection.ask("AnalyzePlan", field(4, field(1, field(1, relation))), self._session())
        struct = first(answer, 2, 1, 21)  # schema.schema.struct
        for number, _, item in fields(struct if isinstance(struct, bytes) else b""):
            if number == 1 and isinstance(item, bytes):
                kind, type_ = spelled(first(item, 2))
                yield Column(name=text(first(item, 1)), kind=kind, type=type_[:80])

    def _names(self, catalog: bytes, column: str) -> list[str]:
        """Return one column of a listing of the catalog, or the first."""
        columns, rows, _ = self._read(field(200, catalog), None, _NAMES, is_query=False)
        at = columns.index(column) if column in columns else 0
        return [str(row[at]) for row in rows]

    def _read(
        self,
        relation: bytes,
        stop: StopFlag | None,
        bounds: AnswerBounds,
        on_progress: Callable[[float], None] = lambda _share: None,
        is_query: bool = True,
    ) -> Result:
        """Return the rows of a relation. Raises QueryFailed, Unreachable."""
        # The limit, so that Spark computes no more. A listing has none: Spark's commands stand alone.
        limited = field(8, field(1, relation) + field(2, bounds.rows + 1)) if is_query else relation
        request = field(3, field(1, limited)) + _CHUNKS
        seconds = bounds.seconds or self._seconds
        batches: list[bytes] = []
        size = 0
        is_cut = False
        messages = self.connection.execute(request, self._session(), seconds, stop, on_progress)
        with contextlib.closing(messages):  # pyright: ignore[reportArgumentType]  (a generator)
            for data, is_more in filter(None, map(_part, messages)):
                is_cut = size + len(data) > MAX_ANSWER
                if is_cut:
                    break
                if is_more and batches:
                    batches[-1] += data
                else:
                    batches.append(data)
                size += len(data)
        if is_cut and len(batches) < 2:
            raise QueryFailed(
                f"its first {MAX_ANSWER:,} bytes hold no complete part: select fewer or shorter columns"
            )
        batches = batches[:-1] if is_cut else batches  # the last one may be incomplete
        columns, rows, is_truncated = rows_of(batches, bounds, stop)
        return columns, rows, is_truncated or is_cut

    def _session(self) -> ConnectSession:
        return ConnectSession(ConnectSession.new().id, self.connection.user)

    def _sql(self, query: str, parameters: Mapping[str, Any] | None = None) -> bytes:
        """Return a Relation of a query; parameters are literals, never part of the SQL."""
        self._check_paths(query)
        named = [
            field(4, field(1, name) + field(2, field(1, _literal(value))))
            for name, value in (parameters or {}).items()
        ]
        return field(10, field(1, check_query(query)) + b"".join(named))

    def _check_paths(self, text: str) -> None:
        if not self.connection.file_paths:
            check_sql_paths(text)


def _literal(value: Any) -> bytes:
    import struct

    match value:
        case bool():
            return field(3, value)
        case int():
            # A LIMIT and an OFFSET have to be INT.
            return field(6 if abs(value) < 1 << 31 else 7, value)
        case float():
            return field(11, struct.pack("<d", value), FIXED64)
        case datetime.datetime():
            moment = value if value.tzinfo else value.replace(tzinfo=datetime.UTC)
            return field(18, round(moment.timestamp() * 1_000_000))
        case datetime.date():
            return field(16, (value - datetime.date(1970, 1, 1)).days)
        case _:
            return field(13, str(value))


def _part(message: bytes) -> tuple[bytes, bool] | None:
    """Return Arrow data of a message, and whether they continue the data before them; None without any."""
    data = first(message, BATCH, DATA)
    return (data, bool(first(message, BATCH, CHUNK_INDEX))) if isinstance(data, bytes) else None


def _is_missing(fault: Exception) -> bool:
    return any(sign in str(fault).casefold() for sign in ("not_found", "not found", "does not exist"))


def _place(schema: str, table: str) -> str:
    return f"{_quoted(schema)}.{_quoted(table)}" if schema else _quoted(table)


def _quoted(name: str) -> str:
    doubled = name.replace("`", "``")
    return f"`{doubled}`"
