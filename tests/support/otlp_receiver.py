"""A collector for tests: OTLP over HTTP and gRPC, in OpenTelemetry's own messages. It can also hang."""

import socket
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any, TypeVar

import grpc
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2_grpc import (
    TraceServiceServicer,
    add_TraceServiceServicer_to_server,
)

from tests.support.servers import http_served
from tests.support.waiting import come_true

T = TypeVar("T")
PATIENCE = 60.0


@dataclass(frozen=True)
class Seen:
    """One span; times in nanoseconds, ids in hexadecimal."""

    name: str
    kind: int
    trace_id: str
    id: str
    parent_id: str
    since: int
    until: int
    failed: bool
    words: str
    attributes: dict[str, Any]


class Collector:
    """What came in; `bodies` are the requests as they came."""

    def __init__(self) -> None:
        self.spans: list[Seen] = []
        self.metrics: dict[str, list[dict[str, Any]]] = {}
        """The newest points of each metric: its attributes, `count` and `sum` of a histogram, else `value`."""
        self.resource: dict[str, Any] = {}
        self.bodies: list[bytes] = []
        self.headers: list[dict[str, str]] = []
        self.url = ""

    def take_traces(self, request: ExportTraceServiceRequest) -> None:
        for group in request.resource_spans:
            self.resource = values(group.resource.attributes)
            self.spans += [seen(span) for scope in group.scope_spans for span in scope.spans]

    def take_metrics(self, request: ExportMetricsServiceRequest) -> None:
        for group in request.resource_metrics:
            for metric in (metric for scope in group.scope_metrics for metric in scope.metrics):
                data = getattr(metric, metric.WhichOneof("data") or "")
                self.metrics[metric.name] = [point(data_point) for data_point in data.data_points]

    def trace(self, trace_id: str, caller: str = "") -> dict[str, Seen]:
        """The spans of a trace by their ids, once the run below `caller` is over: it is the last to end."""
        complete = (trace_id, caller)
        self.until(lambda: any((span.trace_id, span.parent_id) == complete for span in self.spans))
        return {span.id: span for span in self.spans if span.trace_id == trace_id}

    def until(self, inspect: Callable[[], T]) -> T:
        """What `look` says once that is true."""
        return come_true(inspect, PATIENCE)


def seen(span: Any) -> Seen:
    return Seen(
        span.name,
        span.kind,
        span.trace_id.hex(),
        span.span_id.hex(),
        span.parent_span_id.hex(),
        span.start_time_unix_nano,
        span.end_time_unix_nano,
        span.status.code == 2,
        span.status.message,
        values(span.attributes),
    )


def values(attributes: Iterable[Any]) -> dict[str, Any]:
    return {
        attribute.key: getattr(attribute.value, attribute.value.WhichOneof("value"))
        for attribute in attributes
    }


def point(item: Any) -> dict[str, Any]:
    figures = (
        {"count": item.count, "sum": item.sum}
        if hasattr(item, "sum")
        else {"value": item.as_int or item.as_double}
    )
    return values(item.attributes) | figures


@contextmanager
def otlp_receiver() -> Generator[Collector]:
    """One that listens on 127.0.0.1, over HTTP."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            collector.bodies.append(body)
            collector.headers.append({name.lower(): value for name, value in self.headers.items()})
            if self.path == "/v1/traces":
                collector.take_traces(ExportTraceServiceRequest.FromString(body))
            else:
                assert self.path == "/v1/metrics"
                collector.take_metrics(ExportMetricsServiceRequest.FromString(body))
            self.send_response(200)
            self.end_headers()

    with http_served(Handler) as collector.url:
        yield collector


@contextmanager
def grpc_receiver() -> Generator[Collector]:
    """One that listens on 127.0.0.1, over gRPC; for traces."""
    collector = Collector()

    class Servicer(TraceServiceServicer):
        def Export(self, request: Any, context: Any) -> ExportTraceServiceResponse:
            collector.take_traces(request)
            return ExportTraceServiceResponse()

    server = grpc.server(ThreadPoolExecutor(2))
    add_TraceServiceServicer_to_server(Servicer(), server)  # pyright: ignore[reportUnknownArgumentType]
    collector.url = f"http://127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()
    yield collector
    server.stop(None)


@contextmanager
def silent_receiver() -> Generator[str]:
    """The address of one that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
