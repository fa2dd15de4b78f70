"""Assembly of a desk's MCP server. It imports the library, so `routes` imports this module with the first request."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.request_state import RequestStateSecurity
from mcp.server.streamable_http import EventCallback, EventId, EventMessage, EventStore, StreamId
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import CallToolResult, InputRequiredResult, JSONRPCMessage

from smoldesk import __version__
from smoldesk.desk import Desk
from smoldesk.wires.mcp import tools
from smoldesk.wires.mcp.analyst_tools import add_resources, analyst_tools
from smoldesk.wires.mcp.encoder import Refusal

MAX_EVENTS = 10_000
MAX_BYTES = 32_000_000


class BoundedEventStore(EventStore):
    """Last events of streams, for clients that reconnect; bounded in number and size.

    They are in memory, as are the sessions to which they belong: a restarted desk has neither.
    """

    def __init__(self, most_events: int = MAX_EVENTS, most_bytes: int = MAX_BYTES) -> None:
        self._most_events = most_events
        self._most_bytes = most_bytes
        self._ids = count(1)
        self._events: OrderedDict[int, tuple[StreamId, JSONRPCMessage | None, int]] = OrderedDict()
        self._bytes = 0

    async def store_event(self, stream_id: StreamId, message: JSONRPCMessage | None) -> EventId:
        """Store an event and drop the oldest ones above the limits."""
        # 100 bytes for the entry itself; messages count by their JSON.
        size = 100 if message is None else 100 + len(message.model_dump_json())
        number = next(self._ids)
        self._events[number] = (stream_id, message, size)
        self._bytes += size
        while len(self._events) > self._most_events or (
            self._bytes > self._most_bytes and len(self._events) > 1
        ):
            _, (_, _, gone) = self._events.popitem(last=False)
            self._bytes -= gone
        return str(number)

    async def replay_events_after(
        self, last_event_id: EventId, send_callback: EventCallback
    ) -> StreamId | None:
        """Send the later events of the same stream. Return None if the event is unknown or was dropped."""
        last = int(last_event_id) if last_event_id.isascii() and last_event_id.isdigit() else 0
        if last not in self._events:
            return None
        # Event ids are unique across streams, so one id names its stream too.
        stream_id = self._events[last][0]
        later = [
            (number, message)
            for number, (stream, message, _) in self._events.items()
            if number > last and stream == stream_id and message is not None
        ]
        for number, message in later:
            await send_callback(EventMessage(message, str(number)))
        return stream_id


LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def transport_security(names: Sequence[str], origins: Sequence[str]) -> TransportSecuritySettings:
    """Return settings for loopback and these host names (with or without port), the desk's origin and these origins."""
    # IPv6 addresses have brackets in a Host header.
    hosts = [*LOOPBACK, *(f"[{name}]" if name.count(":") > 1 and "[" not in name else name for name in names)]
    host_patterns = [pattern for host in hosts for pattern in (host, f"{host}:*")]
    desk_origins = [f"{scheme}://{host}" for scheme in ("http", "https") for host in host_patterns]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=host_patterns,
        allowed_origins=[*desk_origins, *(origin.rstrip("/") for origin in origins)],
    )


# Milliseconds after which a client reconnects to a broken stream.
RETRY_MS = 100
# Sessions without requests for so long are closed; at most MAX_SESSIONS exist at once.
IDLE_SECONDS = 30 * 60.0
MAX_SESSIONS = 1_000

INSTRUCTIONS = (
    "ask_analyst answers questions about tables and buildings. Agents of one project also talk to each other here: "
    "call authenticate with your agent_id, passkey and project_id; give its "
    "session_token to every other tool. Then loop over get_next_action. The prompt join_conversations explains it."
)


class DeskMcpServer(MCPServer):
    """Server that passes refusals on unchanged: agents match on the code, and the library would prepend a sentence."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as fault:
            raise (fault.__cause__ if isinstance(fault.__cause__, Refusal) else fault) from None


def build_server(desk: Desk) -> MCPServer:
    """Return a server with all tools, resources and prompts. Not on the event loop."""
    # A call that a client continues with an answer (2026-07-28) may come to another server.
    security = None
    if desk.mcp_sessions is not None:
        security = RequestStateSecurity(keys=[desk.mcp_sessions.request_secret()])
    server = DeskMcpServer(
        name="smoldesk",
        request_state_security=security,
        title="smoldesk",
        version=__version__,
        instructions=INSTRUCTIONS,
        extensions=[analyst_tools(desk)],
    )
    tools.install(server, desk.conversations)
    add_resources(server, desk)
    return server


def _build_without_logging(desk: Desk) -> MCPServer:
    """Build the server under a root handler: without one, the library would configure logging itself."""
    # mcp's constructor calls logging.basicConfig, which does nothing if the root logger has a handler.
    root, nothing = logging.getLogger(), logging.NullHandler()
    root.addHandler(nothing)
    try:
        return build_server(desk)
    finally:
        root.removeHandler(nothing)


def build_manager(
    desk: Desk,
    names: Sequence[str],
    origins: Sequence[str],
    extend: Callable[[MCPServer], None] | None = None,
) -> StreamableHTTPSessionManager:
    """Return the session manager, which serves it over HTTP; its `run` can be entered once."""
    # Below WARNING, the library logs every session and every refused call.
    logging.getLogger("mcp").setLevel(logging.WARNING)
    server = _build_without_logging(desk)
    if extend is not None:
        extend(server)
    # Called for its session manager only; our own route and SecurityMiddleware replace the app.
    server.streamable_http_app(
        event_store=BoundedEventStore(),
        retry_interval=RETRY_MS,
        session_idle_timeout=IDLE_SECONDS,
        max_sessions=MAX_SESSIONS,
        transport_security=transport_security(names, origins),
    )
    return server.session_manager
