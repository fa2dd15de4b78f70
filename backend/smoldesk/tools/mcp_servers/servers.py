"""McpServers: all MCP servers of a desk, by name, and the tools that they give to agents."""

import threading
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from smoldesk.errors import BadInput, NotFound
from smoldesk.folders import remove_tree
from smoldesk.logs import Actor
from smoldesk.sandbox.isolation import Jail
from smoldesk.sandbox.limits import PROGRAM_LIMITS, Limits
from smoldesk.tools.mcp_servers.connection import ServerConnection
from smoldesk.tools.mcp_servers.entries import ServerEntry, is_of
from smoldesk.tools.mcp_servers.program_options import ProgramOptions

if TYPE_CHECKING:
    from smoldesk.tools.mcp_servers.authorization import Authorization, TokenStore
    from smoldesk.tools.mcp_servers.run_asker import Sample
    from smoldesk.tools.policy import DeskTool

FOLDER = "mcp"
ASK_SECONDS = 600.0
# Maximum characters of one server's tools together: every request to a model contains them.
MAX_TOOL_CHARACTERS = 200_000


class _Forgetful:
    """TokenStore of a desk without storage."""

    def tokens(self, server: str) -> str | None:
        return None

    def keep_tokens(self, server: str, tokens: str, authorized_by: Actor | None = None) -> None:
        return None


@dataclass(frozen=True)
class OfferedTool:
    """One tool of a server as the page shows it: its name here, or why agents do not have it."""

    tool: str
    name: str
    description: str
    approval: str
    problem: str = ""


class McpServers:
    """None runs before it is needed. `data` is the desk's data directory, which no server may see."""

    def __init__(
        self,
        entries: Iterable[ServerEntry] = (),
        data: Path = Path(),
        jail: Jail | None = None,
        ask_seconds: float = ASK_SECONDS,
        closed: Callable[[], Collection[int]] = tuple,
        limits: Limits = PROGRAM_LIMITS,
        start_seconds: float = ProgramOptions.start_seconds,
    ) -> None:
        """All but `entries` and `ask_seconds` is for programs: see ProgramOptions."""
        self._options = ProgramOptions(data, jail or Jail(None, {}), closed, limits, start_seconds)
        self._ask_seconds = ask_seconds
        self.token_store: TokenStore | None = None
        """Where tokens of servers are kept; without it no server is let in by a person."""
        self.check: Callable[[], object] = lambda: None
        """Called before each use, so that a server that was removed elsewhere is not used. Not on the event loop."""
        self._lock = threading.Lock()
        self._all: dict[str, ServerConnection] = {}
        for entry in entries:
            self.add(entry)

    @property
    def isolated(self) -> bool:
        """Whether programs are jailed here."""
        return self._options.jail.rung != "D"

    @property
    def start_seconds(self) -> float:
        """The seconds that a server has to start and list its features, downloads excluded."""
        return self._options.start_seconds

    def _folder(self, name: str) -> Path:
        return self._options.data / FOLDER / name

    def add(self, entry: ServerEntry, enabled: bool = True) -> ServerConnection:
        """Add a server. Raises BadInput for an entry that would expose the desk's own data."""
        data = self._options.data.resolve()
        for path in (*entry.readable, *entry.writable):
            path_ = Path(path).resolve()
            if path_ == data or path_ in data.parents or data in path_.parents:
                raise BadInput(
                    f"The MCP server {entry.name!r} is given {path}, which contains the desk's own data.",
                    "Use other folders.",
                    code="bad_mcp_server",
                )
        authorization = partial(self._authorization, entry)
        connection = ServerConnection(entry, self._folder(entry.name), self._options, authorization, enabled)
        connection.check = lambda: self.check()
        with self._lock:
            self._all[entry.name] = connection
        return connection

    def _authorization(self, entry: ServerEntry) -> "Authorization":
        from smoldesk.tools.mcp_servers.authorization import Authorization

        return Authorization(self.token_store or _Forgetful(), entry.name, entry.url)

    def remove(self, name: str) -> Callable[[], object]:
        """Forget it: no call reaches it any more. Return what ends it and deletes its program's folder, which takes time."""
        with self._lock:
            connection = self._all.pop(name)
        connection.forbid()

        def end() -> None:
            connection.close()
            if name not in self._all:  # not one that was added since
                remove_tree(self._folder(name))

        return end

    def get(self, name: str) -> ServerConnection:
        """Return a server. Raises NotFound."""
        server = self._all.get(name)
        if server is None:
            raise NotFound(f"There is no MCP server {name[:60]!r}.", code="unknown_mcp_server")
        return server

    def all(self) -> list[ServerConnection]:
        """In the order in which they were added."""
        return [*self._all.values()]

    def owns(self, name: str) -> bool:
        """Return whether a tool of this name would be one of a server of this desk, running or not."""
        return is_of(name, self._all)

    def begin(self, seconds: float = 0.0, failed: bool = True) -> None:
        """Have all that are on running; waits until it is known of each whether it does, at most so long.

        One whose last start failed is not waited for: it would delay every run.
        Without `failed`, those that failed are not started again: a mere reader causes no start.
        """
        until = time.monotonic() + seconds
        for server in self.all():
            if failed or server.state == "idle":
                server.begin()
        for server in self.all():
            if not server.failing:
                server.wait(max(0.0, until - time.monotonic()))

    def tools(
        self, reserved_names: Collection[str], seconds: float | None = None, sample: "Sample | None" = None
    ) -> "list[DeskTool]":
        """Return the tools of all running servers; imports smolagents. `reserved_names` belong to the desk.

        With `seconds`, stopped servers are started, and waited for that long.
        """
        if seconds is not None:
            self.check()
        if not self._all:
            return []
        from smoldesk.tools.mcp_servers.server_tools import ReadResource

        if seconds is not None:
            self.begin(seconds)
        tools: list[DeskTool] = []
        names = {*reserved_names}
        for server in self.all():
            for tool in self._create_tools(server, names, sample):
                if not isinstance(tool, OfferedTool):
                    names.add(tool.name)
                    tools.append(tool)
        with_resources = [
            server
            for server in self.all()
            if server.state == "ready" and (server.features.resources or server.features.templates)
        ]
        if with_resources:
            tools.append(ReadResource(with_resources, self._ask_seconds))
        return tools

    def offered(self, reserved_names: Collection[str]) -> dict[str, list[OfferedTool]]:
        """Return the tools of each server for people, with those that agents do not get and why; imports smolagents."""
        names = {*reserved_names}
        offered: dict[str, list[OfferedTool]] = {}
        for server in self.all():
            rows: list[OfferedTool] = []
            for tool in self._create_tools(server, names, None):
                if not isinstance(tool, OfferedTool):
                    names.add(tool.name)
                    tool = OfferedTool(tool.called, tool.name, tool.description, tool.approval)
                rows.append(tool)
            offered[server.entry.name] = rows
        return offered

    def problems(self) -> list[str]:
        """Return the problems that a model should know: servers whose tools are missing."""
        return [
            f"The MCP server {server.entry.name!r} cannot be used now ({server.problem or server.state}), "
            "so its tools are missing."
            for server in self.all()
            if server.state in ("failed", "authorize", "starting")
        ]

    def _create_tools(
        self, server: ServerConnection, names: Collection[str], sample: "Sample | None"
    ) -> "list[Any]":
        from smoldesk.tools.mcp_servers.apps import visibility_of
        from smoldesk.tools.mcp_servers.schemas import BadTool
        from smoldesk.tools.mcp_servers.server_tools import READ_RESOURCE, McpTool

        tools: list[McpTool | OfferedTool] = []
        generations = {server.entry.name: server.generation}
        used_names: set[str] = {READ_RESOURCE, *names}
        used_characters = 0
        for descriptor in server.features.tools if server.state == "ready" else ():
            allowed = server.entry.tools
            problem = (
                "" if allowed is None or descriptor.name in allowed else "it is not among the allowed tools"
            )
            if descriptor.execution is not None and descriptor.execution.task_support == "required":
                problem = "it works as a task of MCP, which the desk does not have"
            if not problem and "model" not in visibility_of(descriptor):
                problem = "it is for views of its server alone"
            try:
                tool = McpTool(server, descriptor, generations, self._ask_seconds, sample)
                length = len(tool.description) + len(str(tool.inputs))
                if not problem and tool.name in used_names:
                    problem = f"a tool is called {tool.name!r} already"
                elif not problem and used_characters + length > MAX_TOOL_CHARACTERS:
                    problem = f"with it the server's tools have more than {MAX_TOOL_CHARACTERS:,} characters; name those needed"
            except BadTool as fault:
                problem, tool = str(fault), None
            if problem or tool is None:
                description = str(descriptor.description or "")[:1_000]
                tools.append(OfferedTool(str(descriptor.name)[:100], "", description, "", problem))
            else:
                used_names.add(tool.name)
                used_characters += len(tool.description) + len(str(tool.inputs))
                tools.append(tool)
        return tools

    def close(self) -> None:
        """End all, at once."""
        threads = [threading.Thread(target=server.close, daemon=True) for server in self.all()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
