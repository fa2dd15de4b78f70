"""McpApps: the views that MCP servers brought with calls: their page, and what a view asks of its own server.

A view is a stranger in a frame: it reaches its own server alone, tools that this server has for views, and where such a tool
wants an approval nothing happens before a person agreed to this very call.
"""

import asyncio
import hashlib
import json
import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from pydantic import JsonValue

from smoldesk.chats.uploads import Files
from smoldesk.errors import BadInput, NotFound, Refused
from smoldesk.stopping import StopFlag, start_thread
from smoldesk.store.files import APPS
from smoldesk.store.store import Store
from smoldesk.store.tickets import give_ticket, take_ticket
from smoldesk.store.transaction import Tx
from smoldesk.tools.mcp_servers import McpServers
from smoldesk.tools.mcp_servers.app_calls import mark_of
from smoldesk.tools.mcp_servers.apps import LONGEST_URI, as_result, domains_of, visibility_of
from smoldesk.tools.mcp_servers.connection import ServerConnection
from smoldesk.tools.mcp_servers.failures import McpFailed
from smoldesk.tools.mcp_servers.server_calls import NullAsker

if TYPE_CHECKING:
    from smoldesk.tools.policy import Approval

log = logging.getLogger(__name__)

TICKET_SECONDS = 60.0
GRANT_SECONDS = 600.0
# Kinds of tickets.
FRAME, GRANT = "app frame", "app grant"
# Maximum calls of all views at once: each occupies a thread while it waits for its server.
MAX_CALLS = 16
# The tool that agents read resources with. If an operator requires approval for it, reads by views need it, too.
READ = "read_mcp_resource"


@dataclass(frozen=True)
class AppAnswer:
    """A call's result (JSON of MCP), or the `grant` that identifies this call when the person agrees to it."""

    result: dict[str, JsonValue] | None = None
    grant: str | None = None


class McpApps:
    """`approval` is the operator's word on tools, by the desk's names. Grants and tickets are rows of the store, so that a
    view may be loaded from another server than the one that opened its frame.
    """

    def __init__(
        self, store: Store, files: Files, servers: McpServers, approval: "Mapping[str, Approval]"
    ) -> None:
        self._store = store
        self._files = files
        self._servers = servers
        self._approval = approval
        self._places = threading.BoundedSemaphore(MAX_CALLS)

    async def open_frame(
        self, chat_id: str, facts_id: str, page_id: str, network: bool
    ) -> tuple[str, dict[str, list[str]]]:
        """Return a one-time ticket for the view's page and the domains it declares.

        Only with `network` may the page reach them. Raises NotFound.
        """
        facts, _ = await self._facts(chat_id, facts_id)
        file, _ = await self._files.find(chat_id, "", page_id)
        if file.kind not in APPS or file.media_type != "text/html":
            raise no_such_view(page_id)
        domains = domains_of(facts.get("domains"))
        body = json.dumps([file.id, domains if network else {}])
        return await self._store.do(lambda tx: give_ticket(tx, FRAME, body, TICKET_SECONDS)), domains

    async def page(self, ticket: str) -> tuple[bytes, dict[str, list[str]]]:
        """Return the HTML of a view and the domains it may reach. Raises NotFound for a used or unknown ticket."""
        body = await self._store.do(lambda tx: take_ticket(tx, FRAME, ticket))
        if body is None:
            raise NotFound(
                "This view was already loaded or has expired.", "Reload the page.", code="unknown_view"
            )
        file_id, domains = json.loads(body)
        try:
            return await asyncio.to_thread((await self._files.fetch(file_id)).read_bytes), domains
        except OSError as fault:  # its chat was deleted since
            raise no_such_view(ticket) from fault

    async def call(
        self, chat_id: str, facts_id: str, tool: str, arguments: dict[str, JsonValue], grant: str | None
    ) -> AppAnswer:
        """Call a tool of the view's own server. Raises NotFound, BadInput, Refused, McpFailed."""
        facts = await self._local_facts(chat_id, facts_id)
        request_text = json.dumps(["tool", chat_id, facts_id, tool, arguments], sort_keys=True)

        def work() -> AppAnswer:
            from smoldesk.tools.mcp_servers.schemas import BadTool
            from smoldesk.tools.mcp_servers.server_tools import McpTool

            connection = self._connection(facts)
            descriptor = next((one for one in connection.features.tools if one.name == tool), None)
            allowed = connection.entry.tools
            if descriptor is None or (allowed is not None and tool not in allowed):
                raise NotFound(f"The view's server has no tool {tool[:60]!r}.", code="unknown_tool")
            if "app" not in visibility_of(descriptor):
                raise Refused("This tool is not for views.", "Its server says so.", code="not_for_views")
            try:
                mcp_tool = McpTool(connection, descriptor, {}, 0)
            except BadTool as fault:
                raise BadInput(f"This tool cannot be used: {fault}.") from fault
            mcp_tool.check(arguments)
            approval = self._approval.get(mcp_tool.name, mcp_tool.approval)
            if not self._may(approval, request_text, grant, mcp_tool.name, chat_id):
                return self._grant(request_text)
            log.info("a view of the MCP server %s calls %s", connection.entry.name, tool)

            async def do(client: Any, _progress: Any) -> Any:
                return await client.call_tool(tool, arguments)

            return AppAnswer(as_result(connection.call(do, "", NullAsker(), StopFlag())))

        return await self._apart(work)

    async def read(self, chat_id: str, facts_id: str, uri: str, grant: str | None) -> AppAnswer:
        """Read a resource of the view's own server. Raises NotFound, BadInput, Refused, McpFailed."""
        facts = await self._local_facts(chat_id, facts_id)
        if not uri or len(uri) > LONGEST_URI:
            raise BadInput(f"The address has {len(uri)} characters.", f"Expected 1 to {LONGEST_URI}.")
        request_text = json.dumps(["resource", chat_id, facts_id, uri])

        def work() -> AppAnswer:
            connection = self._connection(facts)
            if not self._may(self._approval.get(READ, "never"), request_text, grant, READ, chat_id):
                return self._grant(request_text)

            async def do(client: Any, _progress: Any) -> Any:
                return await client.read_resource(uri)

            return AppAnswer(as_result(connection.call(do, "", NullAsker(), StopFlag())))

        return await self._apart(work)

    async def _apart(self, work: Any) -> AppAnswer:
        if not self._places.acquire(blocking=False):
            raise McpFailed(f"{MAX_CALLS} calls of views are running, which is the limit.")

        def done() -> AppAnswer:
            try:
                return work()
            finally:
                self._places.release()

        return await asyncio.wrap_future(start_thread(done))

    def _connection(self, facts: Mapping[str, Any]) -> ServerConnection:
        """Return the running server that the view came from. Raises NotFound, Refused, McpFailed."""
        self._servers.check()
        connection = self._servers.get(str(facts.get("server")))
        if mark_of(connection.entry) != facts.get("mark"):
            raise Refused("The view belongs to another server with this name.", code="not_its_server")
        connection.begin()
        connection.wait(connection.start_seconds)
        if connection.state != "ready":
            problem = connection.problem or connection.state
            raise McpFailed(f"The MCP server {connection.entry.name!r} does not run: {problem}.")
        return connection

    def _may(self, approval: "Approval", requested: str, grant: str | None, tool: str, chat_id: str) -> bool:
        """Return whether a call may be made; a grant is for one call, and used up by it."""
        if approval == "never":
            return True
        if grant is None:
            return False

        def use(tx: Tx) -> bool:
            if take_ticket(tx, GRANT, grant) != _digest(requested):
                return False
            tx.audit("view_call.allowed", name=tool, chat_id=chat_id)
            return True

        return self._store.change(use)

    def _grant(self, requested: str) -> AppAnswer:
        """Return the grant with which this very call may be made once, after a person agreed to it."""
        digest = _digest(requested)
        return AppAnswer(grant=self._store.change(lambda tx: give_ticket(tx, GRANT, digest, GRANT_SECONDS)))

    async def _local_facts(self, chat_id: str, facts_id: str) -> dict[str, Any]:
        facts, kind = await self._facts(chat_id, facts_id)
        if kind != "app":
            raise Refused(
                "The view comes from an imported log and cannot call tools.",
                "Have an agent of this desk call the tool again.",
                code="imported_view",
            )
        return facts

    async def _facts(
        self, chat_id: str, facts_id: str
    ) -> tuple[dict[str, Any], Literal["app", "imported_app"]]:
        file, path = await self._files.find(chat_id, "", facts_id)
        if file.kind not in APPS or file.media_type != "application/json":
            raise no_such_view(facts_id)
        try:
            facts: Any = await asyncio.to_thread(lambda: json.loads(path.read_bytes()))
        except (OSError, ValueError, RecursionError):  # of an imported log, or of a chat that was deleted
            facts = None
        if not isinstance(facts, dict):
            raise no_such_view(facts_id)
        return cast("dict[str, Any]", facts), cast("Literal['app', 'imported_app']", file.kind)


def _digest(requested: str) -> str:
    """Return what is stored of a call, whose arguments may be long and private."""
    return hashlib.sha256(requested.encode("utf-8", "replace")).hexdigest()


def no_such_view(file_id: str) -> NotFound:
    """Return the error for an id that belongs to no view of the chat."""
    return NotFound(f"There is no view {file_id[:80]!r} in this chat.", code="unknown_view")
