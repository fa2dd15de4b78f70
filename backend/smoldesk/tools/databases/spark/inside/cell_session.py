"""`spark` in cells: a PySpark session whose requests travel as calls of one tool of the host.

The jail has no network. The host checks each request, adds credentials, and sends it; see `tools/spark_requests.py`.
"""

import base64
import builtins
import contextlib
import importlib
import os
import sys
import warnings
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

from smoldesk.sandbox.inside.cells import Cells

TOOL = "spark_request"
# Bytes of one message of an answer, smaller than a frame.
CHUNK = 4_000_000
Call = Callable[[dict[str, Any]], Any]


def begin(_folder: Path, _config: dict[str, Any], cells: Cells) -> None:
    """Define `spark` and `spark_session`; PySpark is imported when one is first used."""
    sessions = _Sessions(cells)
    builtins.spark = _LazySession(sessions)  # type: ignore[attr-defined]
    builtins.spark_session = sessions.open  # type: ignore[attr-defined]


class _Sessions:
    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._usual: Any = None

    def open(self, database: str | None = None) -> Any:
        """Return a new PySpark session over a Spark source, by default the first one, which `spark` then uses."""

        def call(arguments: dict[str, Any]) -> Any:
            return self._cells.call(TOOL, {**arguments, "database": database})

        try:
            call({"method": "Open", "request": ""})
        except NameError:
            raise NameError("name 'spark' is not defined: this desk has no Spark source") from None
        session = _opened(call)
        self._usual = session if database is None else self._usual
        return session

    @property
    def usual(self) -> Any:
        return self._usual or self.open()


class _LazySession:
    """The session of the first Spark source, opened with the first use."""

    def __init__(self, sessions: _Sessions) -> None:
        self._sessions = sessions

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sessions.usual, name)

    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        # For isinstance(spark, SparkSession); without a source this is no session.
        try:
            return type(self._sessions.usual)  # pyright: ignore[reportUnknownVariableType]
        except (ImportError, RuntimeError, NameError):
            return _LazySession

    def __repr__(self) -> str:
        return "<the session of the desk's first Spark source>"


@contextlib.contextmanager
def _as_interactive() -> Generator[None]:
    """Look like an interactive Python: PySpark takes a main module without a file for its own tests, and exits."""
    sys.ps1 = ">>> "
    try:
        yield
    finally:
        del sys.ps1


def _opened(call: Call) -> Any:
    # About a pandas that is newer than PySpark knows.
    warnings.filterwarnings("ignore", message="PySpark does not yet fully support")
    try:
        with _as_interactive():
            client: Any = importlib.import_module("pyspark.sql.connect.client")
            sessions: Any = importlib.import_module("pyspark.sql.connect.session")
    except ImportError as fault:
        raise ImportError(f"spark needs PySpark's client: smoldesk[spark] has it ({fault})") from None
    # Else functions look for a Java where all of PySpark is installed; its own way of connecting sets it, too.
    os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"
    builder: Any = client.ChannelBuilder()
    builder.toChannel = lambda: ToolChannel(call)
    session = sessions.SparkSession(builder)
    # Without these, an error that another try may cure is tried again for ten minutes.
    session.client.set_retry_policies([])
    session.client.disable_reattachable_execute()
    session.client._preferred_arrow_chunk_size = CHUNK
    sessions.SparkSession._set_default_and_active_session(session)
    return session


class ToolChannel:
    """What PySpark uses of a gRPC channel, over calls of the tool."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def unary_unary(self, method: str, *arguments: Any, **options: Any) -> Any:
        stream = self.unary_stream(method, *arguments, **options)

        def send(request: Any, **_: Any) -> Any:
            return next(stream(request))

        return send

    def unary_stream(self, method: str, request_serializer: Any, response_deserializer: Any, **_: Any) -> Any:
        def send(request: Any, **_: Any) -> Iterator[Any]:
            return map(response_deserializer, self._messages(method, request_serializer(request)))

        return send

    def stream_unary(self, method: str, *_: Any, **__: Any) -> Any:
        def send(*_: Any, **__: Any) -> Any:
            raise RuntimeError(f"{_name(method)} is not allowed: files and code stay in the cell")

        return send

    stream_stream = stream_unary

    def close(self) -> None:
        """Do nothing: the host keeps no connection."""

    def _messages(self, method: str, request: bytes) -> Iterator[bytes]:
        if _name(method) == "FetchErrorDetails":  # more of an error; PySpark does without
            raise _failed({"code": "UNIMPLEMENTED", "details": "", "status": ""})
        arguments = {"method": _name(method), "request": base64.b64encode(request).decode()}
        while True:
            answer = self._call(arguments)
            if "error" in answer:
                raise _failed(answer["error"])
            for message in answer["messages"]:
                yield base64.b64decode(message)
            if not answer["more"]:
                return
            arguments = {"method": "More", "request": answer["more"]}


def _name(method: str) -> str:
    return method.rpartition("/")[2]


def _failed(error: dict[str, str]) -> Any:
    """Return an error as PySpark translates it: into an AnalysisException and others."""
    grpc: Any = importlib.import_module("grpc")
    status = base64.b64decode(error["status"])
    metadata = [("grpc-status-details-bin", status)] if status else []
    fault = grpc.RpcError(error["details"])
    fault.code = lambda: getattr(grpc.StatusCode, error["code"], grpc.StatusCode.UNKNOWN)
    fault.details = lambda: error["details"]
    fault.trailing_metadata = lambda: metadata
    return fault
