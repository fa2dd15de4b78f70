"""The MCP server of a desk, put together. Imports the library: only `endpoint` imports this, when it is first asked."""

import logging
from collections.abc import Callable, Sequence
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import CallToolResult, InputRequiredResult

from smoldesk import __version__
from smoldesk.conversations import Conversations
from smoldesk.wires.mcp import resources, tools
from smoldesk.wires.mcp.encoder import Refusal
from smoldesk.wires.mcp.event_store import BoundedEventStore

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def transport_security(names: Sequence[str], origins: Sequence[str]) -> TransportSecuritySettings:
    """For these host names besides loopback (with or without a port), and pages of these origins besides the desk's own."""
    hosts = [*LOOPBACK, *(f"[{name}]" if name.count(":") > 1 and "[" not in name else name for name in names)]
    known = [pattern for host in hosts for pattern in (host, f"{host}:*")]
    own = [f"{scheme}://{host}" for scheme in ("http", "https") for host in known]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=known,
        allowed_origins=[*own, *(origin.rstrip("/") for origin in origins)],
    )


RETRY_MS = 100
"""After how long a client whose stream broke comes back."""
IDLE_SECONDS = 30 * 60.0
MOST_SESSIONS = 1_000

INSTRUCTIONS = (
    "Agents of one project talk to each other here. Call authenticate with your agent_id, passkey and project_id; give its "
    "session_token to every other tool. Then loop over get_next_action. The prompt join_conversations explains it."
)


class DeskMcpServer(MCPServer):
    """Tells a refusal as it stands: agents go by its name, and the library would put a sentence in front of it."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as fault:
            raise (fault.__cause__ if isinstance(fault.__cause__, Refusal) else fault) from None


def build_server(conversations: Conversations) -> MCPServer:
    """The server object, with all its tools, resources and prompts."""
    server = DeskMcpServer(
        name="smoldesk", title="smoldesk conversations", version=__version__, instructions=INSTRUCTIONS
    )
    tools.install(server, conversations)
    resources.install(server, conversations)
    return server


def _built_quietly(conversations: Conversations) -> MCPServer:
    """The library sets up logging of its own where it finds none; ours is not its business."""
    root, nothing = logging.getLogger(), logging.NullHandler()
    root.addHandler(nothing)
    try:
        return build_server(conversations)
    finally:
        root.removeHandler(nothing)


def build_manager(
    conversations: Conversations,
    names: Sequence[str],
    origins: Sequence[str],
    extend: Callable[[MCPServer], None] | None = None,
) -> StreamableHTTPSessionManager:
    """What serves it over HTTP; its `run` is to be entered once."""
    logging.getLogger("mcp").setLevel(
        logging.WARNING
    )  # below, it tells of every session and every refused call
    server = _built_quietly(conversations)
    if extend is not None:
        extend(server)
    server.streamable_http_app(
        event_store=BoundedEventStore(),
        retry_interval=RETRY_MS,
        session_idle_timeout=IDLE_SECONDS,
        max_sessions=MOST_SESSIONS,
        transport_security=transport_security(names, origins),
    )  # for its session manager alone: the doors and our own route are in front of it
    return server.session_manager
