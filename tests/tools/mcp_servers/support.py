"""What tests of MCP servers share: entries, a context of a call, and which of the real servers are here."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scripts.node import CannotHave, find_node
from smoldesk.errors import DeskError, Stopped
from smoldesk.events import Ask
from smoldesk.messages import McpApp, McpAppContent
from smoldesk.stopping import StopFlag
from smoldesk.store.asks import Answer
from smoldesk.tools.mcp_servers import McpServers, ServerEntry
from smoldesk.tools.mcp_servers.entries import read_entry
from tests import node_support

ODD = Path(__file__).with_name("odd_server.py")
NODE = node_support.MCP_SERVERS


def entry(name: str, **values: Any) -> ServerEntry:
    """As the operator says it."""
    results, mistakes = read_entry(name, values, of_file=True)
    assert results is not None, mistakes
    return results


def odd(name: str, *args: str, **values: Any) -> ServerEntry:
    """The tests' own server."""
    return entry(name, command=sys.executable, args=[str(ODD), *args], readable=[str(ODD)], **values)


def python_server(module: str) -> str:
    """The program of a server that pip installs beside the tests; empty where it is missing."""
    result = Path(sys.executable).with_name(module)
    return str(result) if importlib.util.find_spec(module.replace("-", "_")) and result.exists() else ""


def node_server(name: str, *args: str, **values: Any) -> dict[str, Any]:
    """The values of an entry for one of the npm servers."""
    try:
        node = find_node().node
    except CannotHave:
        node = "node"
    script = NODE / "node_modules" / "@modelcontextprotocol" / f"server-{name}" / "dist" / "index.js"
    return {"command": node, "args": [str(script), *args], "readable": [str(NODE)], **values}


class Call:
    """A ToolContext of one call: what was said, asked and kept; `answers` are given in order."""

    call_id = "r.1"

    def __init__(self, answers: list[Answer] | None = None, chat_id: str = "c") -> None:
        self.chat_id = chat_id
        self.stop = StopFlag()
        self.said: list[tuple[str, float | None]] = []
        self.asked: list[Ask] = []
        self.files: dict[str, bytes] = {}
        self.kept: dict[str, bytes] = {}
        self.apps: list[McpAppContent] = []
        self._answers = answers or []

    def report_progress(
        self,
        agent: str,
        state: str,
        text: str = "",
        context_id: str | None = None,
        share: float | None = None,
    ) -> None:
        self.said.append((text, share))

    def settle(self) -> None:
        return None

    def ask(self, ask: Ask) -> Answer:
        self.asked.append(ask)
        return self._answers.pop(0)

    def add_file(self, name: str, content: bytes) -> str:
        self.files[name] = content
        return name

    def keep_app(self, name: str, content: bytes) -> str:
        self.kept[name] = content
        return name

    def show_app(self, app: McpApp) -> None:
        self.apps.append(app.content)


def caller(servers: McpServers, seconds: float = 60) -> Callable[..., Any]:
    """`call(tool, context=None, **arguments)`: the result of a call by its tool's name, or the words of its fault."""
    tools: dict[str, Any] = {tool.name: tool for tool in servers.tools([], seconds)}

    def call(tool: str, context: Any = None, **arguments: Any) -> Any:
        try:
            return tools[tool].run_in_context(context or Call(), arguments)
        except Stopped:
            raise
        except DeskError as fault:
            return f"fault: {fault}"

    return call
