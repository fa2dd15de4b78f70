"""HTTP connections with limits: uvicorn's protocol for clients before authentication.

uvicorn limits neither the head of a request nor its duration. Here heads, trailers and the lines between chunks are
limited, unfinished requests end, and so do connections beyond an address's number (`ClientConnections`). A request
that came completely is never ended: streams and WebSockets last as long as they need.
"""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from smoldesk.cli.client_connections import ClientConnections, Stage
from smoldesk.logs import log_denial

# Bytes that are parsed before the limits are checked: the most by which a request can exceed them in memory.
PIECE = 16_384
# Overhead of a chunk that counts as legitimate: its size and its line ends, in bytes.
CHUNK_LINE = 16
# Seconds for which a connection stays open after an answer that came before the end of its request, and bytes that are
# still read: closing at once sends a reset, which drops the answer. A proxy then takes the server for a failed one.
LINGER_SECONDS = 2.0
LINGER_BYTES = 1 << 18


@dataclass(frozen=True)
class HttpLimits:
    """Limits of one request before it is complete, in seconds and bytes.

    Other servers: nginx takes 4 buffers of 8 kB and gives a head 60 s, and 60 s to each pause of a body
    (large_client_header_buffers, client_header_timeout, client_body_timeout); Apache takes 100 fields of 8 kB and, by
    mod_reqtimeout, gives a head 20 to 40 s and a body 20 s and one more for each 500 bytes; Node takes 16 kB and 60
    s. The head is larger here for cookies of other programs on the same host name, which a browser sends to every
    port.
    """

    head_bytes: int = 65_536
    head_lines: int = 128
    head_seconds: float = 15
    body_seconds: float = 15
    body_rate: float = 500
    """Bytes of a body that earn it one more second."""
    body_pause: float = 60
    """Longest silence in a body, however much came before."""


USUAL = HttpLimits()


class TooLarge(Exception):
    """A head beyond its bounds; ends the parser."""


class ReadFlow(FlowControl):
    """Flow control that reports when the server reads again."""

    def __init__(self, transport: asyncio.Transport, on_resume: Callable[[], None]) -> None:
        super().__init__(transport)
        self._on_resume = on_resume

    def resume_reading(self) -> None:
        if self.read_paused:
            self._on_resume()
        super().resume_reading()


class LingeringTransport:
    """Transport of one response: `close`, which uvicorn calls at its end, is `on_close`."""

    def __init__(self, transport: asyncio.Transport, on_close: Callable[[], None]) -> None:
        self.write = transport.write
        self.is_closing = transport.is_closing
        self.get_extra_info = transport.get_extra_info
        self.close = on_close


class BoundedHttp(HttpToolsProtocol):
    """One HTTP connection. `over` makes the class for one server."""

    limits: ClassVar[HttpLimits]
    clients: ClassVar[ClientConnections]

    @classmethod
    def over(cls, limits: HttpLimits, clients: ClientConnections) -> "type[BoundedHttp]":
        """Return the protocol of a server with these limits, whose connections are counted in `clients`."""
        return type(cls.__name__, (cls,), {"limits": limits, "clients": clients})

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.flow = ReadFlow(transport, self._restart_clock)
        self._lingering = LingeringTransport(transport, self._close)
        self._head_bytes = 0
        self._unused = 0
        """Bytes since the head began, or since it was complete, that brought no body."""
        self._body_bytes = 0
        self._in_head = self._in_body = self._upgraded = self._refused = False
        self._problem: tuple[int, str] = 400, ""
        self._now = self._last_byte = self.loop.time()
        self._request_started_at: float | None = self._now
        """When the request began that is not complete; None between two requests."""
        self._timer: asyncio.TimerHandle | None = None
        self._watch()
        if not self.clients.enter(self._host, self):
            self._refuse(503, self.clients.refusal)

    @property
    def _host(self) -> str:
        return self.client[0] if self.client else ""

    @property
    def stage(self) -> Stage:
        if self._refused:
            return Stage.WAITING
        if self._in_body:
            return Stage.SENDING
        return Stage.WORKING if self._is_working else Stage.WAITING

    @property
    def _is_working(self) -> bool:
        return bool(self.cycle) and not self.cycle.response_complete  # there is none before the first request

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._end_clock()
        if not self._upgraded:
            self.clients.leave(self._host, self)

    def end(self) -> None:
        """Close the connection at once, without an answer."""
        self.transport.abort()

    # --- what comes in

    def data_received(self, data: bytes) -> None:
        self._now = self.loop.time()
        if self._request_started_at is None:
            self._request_started_at = self._now
        for piece in pieces(data):
            self._unused += len(piece)
            if self._refused:
                if self._unused > LINGER_BYTES:
                    self.transport.pause_reading()  # who reads the answer closes; the others wait for LINGER_SECONDS
                return
            super().data_received(piece)
            if self._upgraded:
                return
            if self._unused > self.limits.head_bytes and not self._refused:
                self._refuse(*self._too_large())
        if self._timer is None:
            self._watch()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = True
        self._request_started_at = (
            self._request_started_at or self._now
        )  # a request may follow another in the same piece

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._in_body:
            return  # a trailer: uvicorn would add it to the headers of the request that is already at work
        self._head_bytes += len(name) + len(value) + 4
        if self._head_bytes > self.limits.head_bytes or len(self.headers) >= self.limits.head_lines:
            self._problem = self._too_large()
            raise TooLarge
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if self._head_bytes + len(self.url) > self.limits.head_bytes:
            self._problem = self._too_large()
            raise TooLarge
        super().on_headers_complete()
        if self.cycle:  # there is none for a WebSocket
            self.cycle.transport = self._lingering  # pyright: ignore[reportAttributeAccessIssue]
        self._in_head, self._in_body = False, True
        self._head_bytes = self._unused = self._body_bytes = 0
        self._end_clock()
        self._restart_clock()

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        self._last_byte = self._now
        self._unused = max(0, self._unused - len(body) - CHUNK_LINE)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_body = False
        self._unused = 0
        self._request_started_at = None
        self._end_clock()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        # the head of the next one had to wait for this answer
        if self._request_started_at is not None and not self._in_body:
            self._request_started_at = self.loop.time()
            if self._timer is None:
                self._watch()

    def handle_websocket_upgrade(self) -> None:
        self._upgraded = True
        self._end_clock()
        self.clients.leave(self._host, self)  # the WebSocket enters in its place
        super().handle_websocket_upgrade()

    # --- what ends it

    def _too_large(self) -> tuple[int, str]:
        most = f"{self.limits.head_bytes} bytes in {self.limits.head_lines} lines"
        return 431, f"The request's header lines are too large: expected at most {most}."

    def _restart_clock(self) -> None:
        """Begin to count the time of a body: when its head is complete, and when the server reads again."""
        if self._request_started_at is not None:
            self._request_started_at = self._last_byte = self.loop.time()

    def _end_clock(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _watch(self) -> None:
        """Look again when the unfinished request is over its time."""
        deadline = self._deadline()
        if deadline is not None:
            self._timer = self.loop.call_later(max(deadline - self.loop.time(), 0.01), self._check)

    def _deadline(self) -> float | None:
        limits = self.limits
        if self._request_started_at is None:
            return None
        if not self._in_body:  # while an answer is at work, the head of the next request may take its time
            return None if self._is_working else self._request_started_at + limits.head_seconds
        if self.flow.read_paused or self.cycle.waiting_for_100_continue:
            self._restart_clock()  # it waits for the server
        earned = limits.body_seconds + self._body_bytes / limits.body_rate
        return min(self._request_started_at + earned, self._last_byte + limits.body_pause)

    def _check(self) -> None:
        self._timer = None
        deadline = self._deadline()
        if deadline is None or self.transport.is_closing():
            return
        if self.loop.time() < deadline:
            self._watch()
        elif self._in_head or self._in_body:
            self._refuse(408, "The request was not complete in time: expected it without long pauses.")
        else:
            self.end()  # nothing came: a browser that connected ahead would take an answer for that of its next request

    def send_400_response(self, msg: str) -> None:
        status, problem = self._problem
        self._refuse(status, problem or msg)

    def _refuse(self, status: int, message: str) -> None:
        """Answer, read what the client still sends, and close; without an answer where it would be taken for another's."""
        self._refused = True
        self._unused = 0
        self._end_clock()
        self._unset_keepalive_if_required()
        log_denial(f"http_{status}", self._host)
        unanswered = not self.cycle.response_started if self._in_body else not self._is_working
        if self._is_working:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.pipeline or not unanswered:
            self.end()
            return
        headers = [
            *self.server_state.default_headers,
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-length", str(len(message)).encode()),
            (b"cache-control", b"no-store"),
            (b"connection", b"close"),
        ]
        lines = b"".join(b"%s: %s\r\n" % pair for pair in headers)
        self.transport.write(STATUS_LINE[status] + lines + b"\r\n" + message.encode())
        self._linger()

    def _close(self) -> None:
        """Close the connection after a response; before the end of its request, read what the client still sends."""
        if self._refused or not self._in_body:
            self.transport.close()
            return
        self._refused = True
        self._unused = 0
        self._end_clock()
        self._linger()

    def _linger(self) -> None:
        self.flow.resume_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._timer = self.loop.call_later(LINGER_SECONDS, self.end)


class CountedWebSocket(WebSocketsSansIOProtocol):
    """One WebSocket, counted as a connection that is at work. `over` makes the class for one server."""

    clients: ClassVar[ClientConnections]
    stage = Stage.WORKING

    @classmethod
    def over(cls, clients: ClientConnections) -> "type[CountedWebSocket]":
        """Return the protocol of a server whose connections are counted in `clients`."""
        return type(cls.__name__, (cls,), {"clients": clients})

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.clients.enter(self.client[0] if self.client else "", self)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.clients.leave(self.client[0] if self.client else "", self)

    def end(self) -> None:
        """Close the connection at once."""
        self.transport.abort()


def pieces(data: bytes) -> "Iterator[bytes]":
    """Yield what came in pieces that are parsed one at a time."""
    if len(data) <= PIECE:
        yield data
        return
    view = memoryview(data)
    for start in range(0, len(data), PIECE):
        yield view[start : start + PIECE]  # pyright: ignore[reportReturnType]
