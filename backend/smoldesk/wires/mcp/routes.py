"""ASGI endpoint of /mcp, which builds its server at the first request, in a thread.

Importing the library takes most of a second, which a desk without MCP clients should not spend. The server runs in its own
task, from the first request until the conversations are closed; then all its streams end.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from smoldesk.desk import Desk
from smoldesk.errors import DeskError
from smoldesk.wires.base import Wire

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

log = logging.getLogger(__name__)
PATH = "/mcp"
# Time for the last answers when the desk closes.
GRACE_SECONDS = 0.5
METHODS = ["GET", "POST", "DELETE"]
Headers = list[tuple[bytes, bytes]]
Extend = Callable[["MCPServer"], None]


class McpEndpoint:
    """Endpoint of one desk. `names` and `origins` are those that SecurityMiddleware allows.

    `extend` can add to the server before it starts; only the conformance suite uses it, for its fixtures.
    """

    def __init__(
        self,
        desk: Desk,
        names: Sequence[str] = (),
        origins: Sequence[str] = (),
        extend: Extend | None = None,
    ) -> None:
        self._desk = desk
        self._conversations = desk.conversations
        self._names = names
        self._origins = origins
        self._extend = extend
        self._active_requests = 0
        self._serving: asyncio.Task[None] | None = None
        self._manager: asyncio.Future[ASGIApp] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._conversations.closed:
            closing = {"error": "closing", "hint": "The desk is shutting down."}
            await JSONResponse(closing, 503)(scope, receive, send)
            return
        # Shielded: the future is shared, and a client that disconnects must not cancel it for the others.
        manager = await asyncio.shield(self._ensure_manager())
        asking = scope["method"] == "POST"
        self._active_requests += asking
        try:
            await manager({**scope, "headers": _strip_values(scope["headers"])}, receive, send)
        finally:
            self._active_requests -= asking

    def _ensure_manager(self) -> "asyncio.Future[ASGIApp]":
        """Return the future of the running server; start it at the first request and after a failed start."""
        if self._manager is None or (self._manager.done() and self._manager.exception() is not None):
            self._manager = asyncio.get_running_loop().create_future()
            self._serving = asyncio.create_task(self._serve(self._manager))
        return self._manager

    async def _serve(self, started: "asyncio.Future[ASGIApp]") -> None:
        try:
            manager = await asyncio.to_thread(self._build)
            async with manager.run():
                started.set_result(self._shared(manager))
                await self._conversations.until_closed()
                await self._drain()
        except Exception as fault:
            if started.done():
                raise
            if isinstance(fault, DeskError):  # the database is away
                log.warning("the MCP server could not be built (%s)", fault.code)
            else:
                log.exception("the MCP server could not be built")
            started.set_exception(fault)

    def _shared(self, manager: "StreamableHTTPSessionManager") -> ASGIApp:
        """Return the library's app, with sessions of all servers if there are others."""
        sessions = self._desk.mcp_sessions
        if sessions is None:
            return manager.handle_request
        from smoldesk.wires.mcp.shared_sessions import SharedSessions

        return SharedSessions(manager.handle_request, sessions)

    async def _drain(self) -> None:
        """Give the answers to released waiters time to be sent."""
        until = time.monotonic() + GRACE_SECONDS
        while self._active_requests and time.monotonic() < until:  # noqa: ASYNC110
            await asyncio.sleep(0.02)

    def _build(self) -> "StreamableHTTPSessionManager":
        from smoldesk.wires.mcp.server import build_manager

        return build_manager(self._desk, self._names, self._origins, self._extend)


def _strip_values(headers: Headers) -> Headers:
    """Strip white space around header values (RFC 9110, section 5.5); not every server does."""
    return [(name, value.strip(b" \t")) for name, value in headers]


class McpWire(Wire):
    """Wire of the analyst and of conversations between agents: `/mcp`. `extend` as in McpEndpoint."""

    name = "mcp"

    def __init__(self, desk: Desk, extend: Extend | None = None) -> None:
        super().__init__(desk)
        self._extend = extend

    def routes(self) -> Sequence[BaseRoute]:
        options = self.desk.settings
        names = [options.host, *options.allowed_hosts]
        endpoint = McpEndpoint(self.desk, names, options.allowed_origins, self._extend)
        return [Route(PATH, endpoint=endpoint, methods=METHODS, include_in_schema=False)]
