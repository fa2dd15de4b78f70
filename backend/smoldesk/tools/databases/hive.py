"""Servers of HiveServer2's protocol, by PyHive: Spark's Thrift server, and Hive.

The server has no read-only transaction, so each statement is one SELECT around the query: the grammar allows no
writing statement there. The SELECT takes one row more than the limit, since Spark collects a whole answer before the
first row. The client polls for progress, so a stopped query is cancelled at the server, which also ends a query whose
client is gone.
"""

import contextlib
import logging
import re
import time
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any, Literal

from smoldesk.messages import Column
from smoldesk.stopping import StopFlag
from smoldesk.tables.inside.sqlite_reading import SECONDS, Result
from smoldesk.tools.databases.inspected import NO_SUCH_TABLE
from smoldesk.tools.databases.pages import Page, compiled, page_select
from smoldesk.tools.databases.reasons import why_unreachable
from smoldesk.tools.databases.values import USUAL, AnswerBounds, QueryFailed, Unreachable, bounded_result

if TYPE_CHECKING:
    from sqlalchemy import URL

CONNECT_SECONDS = 5.0
# Time limit of one request to the server, each of which is short.
ANSWER_SECONDS = 30.0
# Rows fetched at once, increasing: large batches end before many of them are in memory.
BATCHES = (1, 10, 100, 500)
PAUSE = 0.02
# By default the server holds a status request for five seconds, in which it accepts no cancel.
SESSION = {"hive.server2.long.polling.timeout": "100ms"}
MAX_TABLES = 200
OUTLINE_SECONDS = 4.0
_KINDS: dict[str, Literal["number", "text", "date", "bool"]] = {
    **dict.fromkeys(("tinyint", "smallint", "int", "bigint", "float", "double", "decimal"), "number"),
    **dict.fromkeys(("date", "timestamp", "timestamp_ntz"), "date"),
    "boolean": "bool",
}
_BEGINNINGS = {"select", "with", "values", "table", "from", "("}
# Functions that call any Java, names built during parsing (of such a function, too), and TRANSFORM ... USING 'program'.
_RUNS_CODE = re.compile(r"\b(?:java_method|try_reflect|reflect|identifier)\b|\busing\b(?!\s*\()")


class Hive:
    """One server; every call has a session of its own."""

    def __init__(self, url: "URL", seconds: float = SECONDS) -> None:
        self._url = url
        self._seconds = seconds

    def query(self, query: str, stop: StopFlag | None = None) -> Result:
        """Run a query. Raises QueryFailed, Unreachable."""
        bare = query.strip().rstrip(";").rstrip()
        check_is_query(bare)
        with self._session() as session:
            # On lines of its own: the last line of the query may be a comment, which would swallow the parenthesis.
            return self._read(session, f"SELECT * FROM (\n{bare}\n) AS q LIMIT {USUAL.rows + 1}", None, stop)

    def page(self, page: Page, stop: StopFlag | None = None, bounds: AnswerBounds = USUAL) -> Result:
        """Read a page of a table. Raises BadInput, QueryFailed, Unreachable."""
        columns = self.columns(page.schema, page.table) if page.has_conditions else []
        dialect: Any = self._url.get_dialect()
        with self._session() as session:
            return self._read(
                session, *compiled(page_select(page, columns), dialect(paramstyle="pyformat")), stop, bounds
            )

    def tables(self) -> list[tuple[str, list[str]]]:
        """Tables of the address's database; with their columns, as long as there is time. Raises QueryFailed, Unreachable."""
        with self._session() as session:
            enough = time.monotonic() + OUTLINE_SECONDS
            return [
                (name, self._described(session, name) if time.monotonic() < enough else [])
                for name in self._names(session, "SHOW TABLES", "tableName", "tab_name")[:MAX_TABLES]
            ]

    def schemas(self) -> list[str]:
        """Return the schemas, the one of the address first."""
        usual = self._url.database or "default"
        with self._session() as session:
            return [usual, *sorted(set(self._names(session, "SHOW DATABASES")) - {usual})]

    def tables_in(self, schema: str) -> list[str]:
        """Return the names of tables and views."""
        with self._session() as session:
            # Spark's answer has the names in `tableName`, Hive's in `tab_name`.
            within = f" IN {_quoted(schema)}" if schema else ""
            return sorted(self._names(session, f"SHOW TABLES{within}", "tableName", "tab_name"))

    def columns(self, schema: str, table: str) -> list[Column]:
        """With the server's own words for their types."""
        with self._session() as session:
            try:
                return self._columns(session, _place(schema, table))
            except QueryFailed as fault:
                raise QueryFailed(NO_SUCH_TABLE) if "NOT_FOUND" in str(fault) else fault from None

    def _described(self, session: Any, table: str) -> list[str]:
        with contextlib.suppress(QueryFailed):  # a view of a dropped table must not hide the others
            return [column.name for column in self._columns(session, _quoted(table))]
        return []

    def _columns(self, session: Any, place: str) -> list[Column]:
        columns: list[Column] = []
        for name, type_, *_ in self._read(session, f"DESCRIBE {place}", None, None)[1]:
            if not name or str(name).startswith("#"):
                break  # the rest describes partitions
            columns.append(Column(name=str(name), kind=_kind(str(type_)), type=str(type_)[:80]))
        return columns

    def _names(self, session: Any, query: str, *columns: str) -> list[str]:
        """Return one column of an answer, by one of its names, or the first."""
        rows_, rows, _ = self._read(session, query, None, None)
        at = next((rows_.index(column) for column in columns if column in rows_), 0)
        return [str(row[at]) for row in rows]

    def _read(
        self,
        session: Any,
        query: str,
        parameters: dict[str, Any] | None,
        stop: StopFlag | None,
        bounds: AnswerBounds = USUAL,
    ) -> Result:
        """Return the rows of one statement. Raises QueryFailed, Unreachable."""
        seconds = bounds.seconds or self._seconds
        cursor = session.cursor()
        with _translate_errors(), contextlib.closing(cursor):
            cursor.execute(query, parameters, async_=True)
            _wait(cursor, seconds, stop)
            description: list[Any] = cursor.description or []
            # Hive puts the subquery's name before each column (hive.resultset.use.unique.column.names).
            names = [str(column[0]).removeprefix("q.") for column in description]
            return bounded_result(names, _batches(cursor), bounds)

    @contextlib.contextmanager
    def _session(self) -> "Generator[Any]":
        try:
            try:
                session = self._opened(SESSION)
            except Exception as fault:
                if "cannot modify" not in str(fault).casefold():
                    raise
                session = self._opened({})  # a server that does not allow this setting
        except Exception as fault:  # thrift's, SASL's, PyHive's, the socket's: they have no class in common
            raise Unreachable(why_unreachable(fault)) from None
        try:
            yield session
        finally:
            with contextlib.suppress(Exception):  # it is gone already
                session.close()

    def _opened(self, settings: dict[str, str]) -> Any:
        from pyhive import hive

        arguments: dict[str, Any] = dict(self._url.get_dialect()().create_connect_args(self._url)[1])
        arguments["username"] = arguments["username"] or "smoldesk"  # never the user that the desk runs as
        if self._url.drivername not in ("hive", "hive+thrift"):  # over HTTP
            return hive.Connection(**arguments, configuration=settings)
        auth = arguments.pop("auth", "") or ("LDAP" if arguments["password"] else "NONE")
        transport, socket = _transport(arguments, auth)
        session = hive.Connection(
            username=arguments["username"],
            database=arguments["database"],
            configuration=settings,
            thrift_transport=transport,
        )
        # Thrift's timeouts are in milliseconds.
        socket.setTimeout(ANSWER_SECONDS * 1000)
        return session


def check_is_query(query: str) -> None:
    """Raise QueryFailed for a statement that is not a query, and for one that would run code at the server."""
    bare = re.sub(r"\A(?:\s+|--[^\n]*(?:\n|\Z)|/\*.*?\*/)*", "", query, flags=re.DOTALL)
    first = re.match(r"\w+|\(|", bare)
    word = first.group().casefold() if first else ""
    if word not in _BEGINNINGS:
        raise QueryFailed(f"only reading is allowed, by a SELECT; this begins with {word[:40]!r}")
    # as the server folds letters: its keywords are looked up in capitals
    if match := _RUNS_CODE.search(query.upper().casefold()):
        raise QueryFailed(f"{match.group()!r} is not allowed: it may run code at the server")


def _transport(options: dict[str, Any], auth: str) -> tuple[Any, Any]:
    """PyHive's own way to the server, but one that does not wait for ever; and the socket below it."""
    from pyhive.sasl_compat import PureSASLClient
    from thrift.transport.TSocket import TSocket
    from thrift.transport.TTransport import TBufferedTransport

    host, password = options["host"], options["password"] or "x"  # where none is asked, SASL still wants one
    logging.getLogger(TSocket.__module__).setLevel(logging.CRITICAL)  # it logs what it also raises
    socket: Any = TSocket(host, options["port"])
    socket.setTimeout(CONNECT_SECONDS * 1000)
    if auth == "NOSASL":
        return TBufferedTransport(socket), socket
    from thrift_sasl import TSaslClientTransport

    def client() -> Any:
        return PureSASLClient(host=host, username=options["username"], password=password)

    return TSaslClientTransport(client, "PLAIN", socket), socket


def _wait(cursor: Any, seconds: float, stop: StopFlag | None) -> None:
    """Until the server has the answer. Raises QueryFailed; what takes too long or is stopped is cancelled at the server."""
    from TCLIService.ttypes import TOperationState as State

    until = time.monotonic() + seconds
    while True:
        status = cursor.poll(get_progress_update=False)
        if status.operationState == State.FINISHED_STATE:
            return
        if status.operationState not in (State.INITIALIZED_STATE, State.PENDING_STATE, State.RUNNING_STATE):
            if status.operationState == State.TIMEDOUT_STATE:
                raise QueryFailed(f"it took more than {seconds:g} seconds")
            raise QueryFailed(_first_line(status.errorMessage or "the server broke it off"))
        stopped = stop.wait(PAUSE) if stop is not None else time.sleep(PAUSE)
        if stopped or time.monotonic() > until:
            cursor.cancel()
            raise QueryFailed("it was stopped" if stopped else f"it took more than {seconds:g} seconds")


def _batches(cursor: Any) -> Iterator[Any]:
    batches = iter(BATCHES)
    # PyHive fetches as many rows with each request as arraysize says.
    cursor.arraysize = next(batches)
    while (row := cursor.fetchone()) is not None:
        yield row
        cursor.arraysize = next(batches, BATCHES[-1])


@contextlib.contextmanager
def _translate_errors() -> Generator[None]:
    """Translate errors: QueryFailed with the server's message, Unreachable if it is gone."""
    from pyhive.exc import Error
    from thrift.Thrift import TException

    try:
        yield
    except Error as fault:
        status = getattr(fault.args[0] if fault.args else None, "status", None)
        raise QueryFailed(_first_line(getattr(status, "errorMessage", None) or str(fault))) from None
    except (TException, OSError) as fault:
        raise Unreachable(why_unreachable(fault)) from None


def _first_line(message: str) -> str:
    """Return the server's first line, without the Java around it."""
    line = re.sub(
        r"^(?:Error running query: |\s*\[[A-Z_.0-9]+\] (?=[a-z])|[\w.]+(?:Exception|Error):\s*)+", "", message
    )
    return (line.strip() or "the server did not say why").splitlines()[0][:500]


def _kind(type_: str) -> Literal["number", "text", "date", "bool"]:
    word = re.match(r"\w*", type_.casefold())
    return _KINDS.get(word.group() if word else "", "text")


def _place(schema: str, table: str) -> str:
    return f"{_quoted(schema)}.{_quoted(table)}" if schema else _quoted(table)


def _quoted(name: str) -> str:
    doubled = name.replace("`", "``")
    return f"`{doubled}`"
