"""The `spark_request` tool: the way of a cell's PySpark session to a Spark source.

Code calls it through `spark`, never by itself. A request is checked and sent; its answer is collected in a file without a
name, of which the cell gets one piece with each call.
"""

import base64
import binascii
import contextlib
import importlib.util
import secrets
import struct
import tempfile
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, ClassVar, Protocol, TypeVar

from pydantic import JsonValue

from smoldesk.errors import BadInput
from smoldesk.tools.databases.spark.plan_check import checked_request
from smoldesk.tools.databases.spark.spark_connection import (
    BATCH,
    ROW_COUNT,
    SparkConnection,
    SparkFailed,
    chat_session,
    new_secret,
    with_session,
)
from smoldesk.tools.databases.spark.wire import BadEncoding, first, text
from smoldesk.tools.databases.values import QueryFailed
from smoldesk.tools.policy import DeskTool, LongTool
from smoldesk.tools.run_context import ToolContext

T = TypeVar("T")
ENGINE = "Spark"
SECONDS = 600.0
# Limits of one answer, and the bytes of it that one call returns.
MAX_BYTES, MAX_ROWS, PIECE = 64_000_000, 1_000_000, 6_000_000
# Unread answers of a run; further ones replace the oldest.
MAX_ANSWERS = 4
_SECRET = new_secret()


class SparkSources(Protocol):
    """The desk's databases, some of them Spark."""

    def spark_names(self) -> list[str]: ...

    def ask_spark(self, name: str, function: "Callable[[SparkConnection], T]") -> T:
        """Call a function with a source's connection, in one of the places for queries. Raises NotFound, BadInput,
        Unavailable.
        """
        ...


class _Reply(dict[str, Any]):
    """A result whose text, for the log, is short."""

    def __init__(self, value: dict[str, Any], summary: str) -> None:
        super().__init__(value)
        self._summary = summary

    def __str__(self) -> str:
        return self._summary


class SparkRequest(LongTool):
    """Requests of the PySpark sessions in one run's cells."""

    name = "spark_request"
    plays_live: ClassVar[bool] = True
    about = (
        "Carries the requests of `spark`; do not call it yourself. `spark` is a ready PySpark session (Spark Connect) over the "
        "database {first}{more}. It only reads: no writes, views, UDFs or RDDs. Group, filter and limit in Spark; answers have "
        "at most 1,000,000 rows and 64 MB.\n"
        'Example: df = spark.table("sales.orders").groupBy("kind").count().toPandas()'
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "method": {"type": "string", "description": ""},
        "request": {"type": "string", "description": ""},
        "database": {"type": "string", "description": "", "nullable": True},
    }
    output_type = "object"

    def __init__(self, sources: SparkSources) -> None:
        self._sources = sources
        self._answers: dict[str, BinaryIO] = {}
        first, *others = sources.spark_names()
        more = f"; spark_session(name) opens others: {', '.join(others)}" if others else ""
        self.description = self.about.format(first=first, more=more)
        super().__init__()

    def forward(self, method: str, request: str, database: str | None = None) -> Any:
        raise AssertionError("such a call is made by run_in_context")

    def run_in_context(self, context: ToolContext, arguments: dict[str, JsonValue]) -> Any:
        """Send one request, or return the next piece of an answer. Raises BadInput, Unavailable, Stopped."""
        method, data = str(arguments.get("method")), str(arguments.get("request"))
        name = str(arguments.get("database") or self._sources.spark_names()[0])
        if method == "Open":
            self._sources.ask_spark(name, lambda _: None)
            return _Reply({"messages": [], "more": None}, f"a session of {name}")
        if method == "More":
            return self._piece(data)
        request = _decoded(data)
        return self._sources.ask_spark(
            name, lambda connection: self._sent(connection, context, method, request)
        )

    def _sent(self, connection: SparkConnection, context: ToolContext, method: str, request: bytes) -> _Reply:
        try:
            client_id = text(first(request, 1))
            request = checked_request(method, request, connection.file_paths)
        except (QueryFailed, BadEncoding) as fault:
            raise BadInput(f"Spark was not asked: {fault}.", code="plan_refused") from None
        session = chat_session(_SECRET, context.chat_id, client_id, connection.user)
        try:
            if method == "ExecutePlan":
                progress = _Progress(context)
                messages = connection.execute(request, session, SECONDS, context.stop, progress.report)
                return self._collected(messages, client_id)
            message = with_session(connection.ask(method, request, session), client_id)
            return _Reply({"messages": [_text(message)], "more": None}, f"{method}: {len(message):,} bytes")
        except SparkFailed as fault:
            error = {"code": fault.code, "details": fault.details, "status": _text(fault.status)}
            return _Reply({"error": error}, f"{method}: {fault}")
        except QueryFailed:
            context.stop.check()
            raise

    def _collected(self, messages: Iterator[bytes], client_id: str) -> _Reply:
        """Read an answer up to the limits; return its first piece."""
        file: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the tool)
        size = rows = 0
        with contextlib.closing(messages):  # pyright: ignore[reportArgumentType]  (a generator)
            for message in messages:
                count = first(message, BATCH, ROW_COUNT)
                rows += count if isinstance(count, int) else 0
                size += len(message)
                if rows > MAX_ROWS or size > MAX_BYTES:
                    file.close()
                    raise QueryFailed(
                        f"the answer has more than {MAX_ROWS:,} rows or {MAX_BYTES // 10**6} MB: "
                        "group, filter or limit it in Spark"
                    )
                body = with_session(message, client_id)
                file.write(struct.pack(">I", len(body)) + body)
        file.seek(0)
        handle = secrets.token_hex(8)
        while len(self._answers) >= MAX_ANSWERS:
            self._answers.pop(next(iter(self._answers))).close()
        self._answers[handle] = file
        piece = self._piece(handle)
        return _Reply(dict(piece), f"{rows:,} rows, {size:,} bytes")

    def _piece(self, handle: str) -> _Reply:
        file = self._answers.get(handle)
        if file is None:
            raise BadInput("This answer was replaced by later ones: read one before asking for the next.")
        messages: list[str] = []
        size = 0
        while size < PIECE and (header := file.read(4)):
            body = file.read(struct.unpack(">I", header)[0])
            messages.append(_text(body))
            size += len(body)
        more = bool(file.read(1))
        if more:
            file.seek(-1, 1)
        else:
            self._answers.pop(handle).close()
        return _Reply({"messages": messages, "more": handle if more else None}, f"{size:,} more bytes")


def _decoded(data: str) -> bytes:
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise BadInput("The request is not base64.") from None


def spark_tools(sources: SparkSources | None) -> list[DeskTool]:
    """Return the tool if there is a Spark source, and PySpark's client for cells."""
    if sources is None or not sources.spark_names() or importlib.util.find_spec("pyspark") is None:
        return []
    return [SparkRequest(sources)]


class _Progress:
    """Reports whole percents of a job, each once."""

    def __init__(self, context: ToolContext) -> None:
        self._context = context
        self._last = -1

    def report(self, share: float) -> None:
        if (percent := int(share * 100)) != self._last:
            self._last = percent
            self._context.report_progress(ENGINE, "running", share=percent / 100)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
