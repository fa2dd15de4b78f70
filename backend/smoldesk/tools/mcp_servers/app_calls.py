"""The view of one call: read before it, shown with its arguments, told how it ended."""

import hashlib
import json
from typing import Any

from pydantic import JsonValue

from smoldesk.errors import DeskError
from smoldesk.messages import McpApp, McpAppContent
from smoldesk.tools.mcp_servers.apps import AppPage, as_result, read_page
from smoldesk.tools.mcp_servers.connection import ServerConnection
from smoldesk.tools.mcp_servers.entries import ServerEntry
from smoldesk.tools.mcp_servers.run_asker import RunAsker
from smoldesk.tools.run_context import ToolContext

LONGEST_TITLE = 100
LONGEST_REASON = 500


def mark_of(entry: ServerEntry) -> str:
    """Return the mark of the server that a view came from: another server with its name gets none of its calls."""
    return hashlib.sha256(f"{entry.name}\n{entry.place}".encode()).hexdigest()[:32]


class AppCall:
    """View of one call in the chat. A view that cannot be shown never stops the call; the chat shows the reason."""

    def __init__(
        self, connection: ServerConnection, tool_definition: Any, context: ToolContext, asker: RunAsker
    ) -> None:
        """Prepare the view of a call; `tool_definition` is the SDK's Tool."""
        self._connection = connection
        self._tool_definition = tool_definition
        self._context = context
        self._asker = asker
        self._content: McpAppContent | None = None

    def begin(self, uri: str, tool: str, arguments: dict[str, JsonValue]) -> None:
        """Read and show it; `tool` is the desk's name. Raises Stopped."""
        server = self._connection.entry.name

        async def work(client: Any, _progress: Any) -> AppPage:
            return await read_page(client, uri)

        try:
            page = self._connection.call(work, self._context.chat_id, self._asker, self._context.stop)
            facts = {
                "server": server,
                "mark": mark_of(self._connection.entry),
                "resourceUri": uri,
                "tool": as_result(self._tool_definition),
                "arguments": arguments,
                "domains": page.domains,
                "permissions": page.permissions,
                "border": page.border,
            }
            content = McpAppContent(
                call_id=self._context.call_id,
                server=server,
                tool=tool,
                title=str(self._tool_definition.title or self._tool_definition.name)[:LONGEST_TITLE],
                page_id=self._context.keep_app(f"{tool}.html", page.html),
                facts_id=self._context.keep_app(f"{tool}.json", _json(facts)),
            )
        except DeskError as fault:
            self._context.stop.check()
            self._context.report_progress(server, "running", f"Its view is not shown: {fault.message}.\n")
            return
        self._context.show_app(McpApp(content=content))
        self._content = content

    def end(self, result: Any) -> None:
        """Show the SDK's `result`, perhaps an error of the tool. Raises Stopped."""
        if self._content is None:
            return
        try:
            result_id = self._context.keep_app(f"{self._content.tool}-result.json", _json(as_result(result)))
            last = {"state": "returned", "result_id": result_id}
        except DeskError as fault:
            last = {"state": "cancelled", "reason": fault.message[:LONGEST_REASON]}
        self._context.show_app(McpApp(content=self._content.model_copy(update=last)))

    def broken(self, reason: str) -> None:
        """Show that the call failed or was stopped without a result. Raises Stopped if the run is closed."""
        if self._content is not None:
            last = {"state": "cancelled", "reason": reason[:LONGEST_REASON]}
            self._context.show_app(McpApp(content=self._content.model_copy(update=last)))


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")
