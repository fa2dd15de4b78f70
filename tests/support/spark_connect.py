"""A Spark Connect server of this process, which answers what a test says and keeps what it was asked."""

import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
import pyarrow

from smoldesk.tools.databases.spark.wire import field, fields, first, text

Answer = Callable[[bytes], Iterator[bytes]]


class ConnectServer:
    """`requests` are the methods and bytes that came; `interrupted` the ids of operations that were ended."""

    def __init__(self, answer: Answer) -> None:
        self.requests: list[tuple[str, bytes]] = []
        self.tokens: set[str] = set()
        self.interrupted: list[str] = []
        self.ended = threading.Event()
        self._answer = answer
        self._server = grpc.server(ThreadPoolExecutor(8))
        self.port = self._server.add_insecure_port("127.0.0.1:0")
        self._server.add_generic_rpc_handlers((_Handler(self),))
        self._server.start()

    @property
    def url(self) -> str:
        return f"sc://127.0.0.1:{self.port}"

    def plans(self) -> list[bytes]:
        return [request for method, request in self.requests if method == "ExecutePlan"]

    def stop(self) -> None:
        self.ended.set()
        self._server.stop(None).wait()

    def execute(self, request: bytes, context: Any) -> Iterator[bytes]:
        self._keep("ExecutePlan", request, context)
        yield from self._answer(request)
        yield field(1, text(first(request, 1))) + field(14, b"")

    def ask(self, method: str, request: bytes, context: Any) -> bytes:
        self._keep(method, request, context)
        session = field(1, text(first(request, 1)))
        if method == "Interrupt":
            self.interrupted.append(text(first(request, 6)))
            self.ended.set()
            return session + field(2, text(first(request, 6)))
        if method == "AnalyzePlan":
            long = field(7, b"")
            struct = field(21, field(1, field(1, "id") + field(2, long)))
            parsed = text(first(request, 11, 1))
            if parsed:  # a text as a type
                return session + field(9, field(1, struct if " " in parsed else long))
            return session + field(2, field(1, struct))
        return session + (_settings(request) if method == "Config" else b"")

    def _keep(self, method: str, request: bytes, context: Any) -> None:
        self.requests.append((method, request))
        self.tokens |= {value for key, value in context.invocation_metadata() if key == "authorization"}


def _settings(request: bytes) -> bytes:
    """Return the pairs of a ConfigResponse: the defaults of the request, or a value that fits most settings."""
    operation = first(request, 3)
    assert isinstance(operation, bytes)
    [(number, _, body)] = fields(operation)
    items = [item for at, _, item in fields(body if isinstance(body, bytes) else b"") if at == 1]
    if number == 3:  # get_with_default
        return b"".join(field(2, pair) for pair in items)
    names = [name for name in items if isinstance(name, bytes)]
    values = {
        name: b"UTC" if name.endswith(b"timeZone") else b"1000000000"
        for name in names
        if b"nabled" not in name
    }
    return b"".join(field(2, field(1, name) + field(2, values.get(name, b"false"))) for name in names)


class _Handler(grpc.GenericRpcHandler):
    def __init__(self, server: ConnectServer) -> None:
        self._server = server

    def service(self, handler_call_details: Any) -> Any:
        method = handler_call_details.method.rpartition("/")[2]
        if method == "ExecutePlan":
            return grpc.unary_stream_rpc_method_handler(self._server.execute)
        return grpc.unary_unary_rpc_method_handler(
            lambda body, context: self._server.ask(method, body, context)
        )


@contextmanager
def connect_server(answer: Answer) -> Generator[ConnectServer]:
    server = ConnectServer(answer)
    try:
        yield server
    finally:
        server.stop()


def batch(rows: Any, count: int | None = None) -> bytes:
    """Return an ExecutePlanResponse with rows: dicts, or a table of Arrow."""
    table: Any = pyarrow.Table.from_pylist([*rows]) if isinstance(rows, Sequence) else rows
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return field(
        2, field(1, table.num_rows if count is None else count) + field(2, sink.getvalue().to_pybytes())
    )


def progress(completed: int, tasks: int) -> bytes:
    return field(18, field(1, field(2, tasks) + field(3, completed)))
