"""Tools of agents: the desk's, those of plug-ins, MCP servers and clients, remote agents, and managed agents."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from smoldesk.agents.builder_parts import BuilderParts
from smoldesk.agents.chat_data import ChatData
from smoldesk.agents.entries import INTERPRETER, AgentEntry
from smoldesk.buildings.building import Building
from smoldesk.errors import BadInput
from smoldesk.stopping import StopFlag
from smoldesk.store.recordings import ReplayOptions
from smoldesk.store.run_options import ClientToolSpec
from smoldesk.tools.datasets import Datasets
from smoldesk.tools.run_context import Agent

if TYPE_CHECKING:
    from smolagents.models import Model

    from smoldesk.tools.policy import Approval, DeskTool


class AgentTools:
    """Source of the tools that agents can call. Imports smolagents when the first ones are asked for."""

    def __init__(
        self, parts: BuilderParts, data: ChatData, make_model: "Callable[[AgentEntry], Model]"
    ) -> None:
        """Take the desk's parts; `make_model` builds an agent's model, for MCP servers that ask for a completion."""
        self._parts = parts
        self._data = data
        self._make_model = make_model

    def local_names(self) -> list[str]:
        """Return the names of all tools except those of MCP servers. Imports smolagents."""
        local_tools = self.all(self._parts.data_dir.cache, self._parts.building_of(None))
        supplied = [
            tool.name
            for entry in self._parts.entries.values()
            if entry.source is not None
            for tool in entry.source.tools()
        ]
        return list(dict.fromkeys([*(tool.name for tool in local_tools), INTERPRETER, *supplied]))

    def of_agent(self, entry: AgentEntry) -> "list[DeskTool]":
        """Return the tools that an agent can call; imports smolagents. Raises BadInput for an unknown tool."""
        if entry.source is not None:
            return [*entry.source.tools()]
        local_tools = self.all(self._parts.data_dir.cache, self._parts.building_of(None))
        tools = self.allowed(entry, [*local_tools, *self.of_servers(entry, local_tools, 0)])
        if entry.kind == "tools" and (entry.tools is None or INTERPRETER in entry.tools):
            from smoldesk.agents.wrapper.interpreter import PythonInterpreter

            tools.append(PythonInterpreter(tools, self._parts.choices.executor))
        return [*tools, *self.team(entry, tools)]

    def team(
        self,
        entry: AgentEntry,
        tools: "Sequence[DeskTool]",
        build: Callable[[AgentEntry, str], Agent] | None = None,
    ) -> "list[DeskTool]":
        """Return the agents that an entry manages, as tools. Raises BadInput when one has the name of another tool."""
        if not entry.managed:
            return []
        from smoldesk.agents.wrapper.managed_agent import ManagedAgent

        members = [self._parts.entries[name] for name in entry.managed]
        team = [ManagedAgent(member, build and partial(build, member)) for member in members]
        clashing_names = {INTERPRETER, "final_answer", *(tool.name for tool in tools)} & {
            member.name for member in team
        }
        if clashing_names:
            raise BadInput(
                f"The agent {entry.name!r} manages agents with the names of tools: {', '.join(sorted(clashing_names))}.",
                "Give them other names in agents.toml.",
                code="unknown_tool",
            )
        return list(team)

    def of_servers(
        self, entry: AgentEntry, local_tools: "Sequence[DeskTool]", seconds: float
    ) -> "Sequence[DeskTool]":
        """Return the tools of MCP servers; stopped servers are started and waited for at most `seconds`."""
        if self._parts.is_builtin(entry):
            return []
        sample = partial(sample_reply, lambda: self._make_model(entry))
        return self._parts.servers.tools([tool.name for tool in local_tools], seconds, sample)

    def allowed(self, entry: AgentEntry, tools: "Sequence[DeskTool]") -> "list[DeskTool]":
        if entry.tools is None:
            has_demo_tools = entry.has_demo_tools or self._parts.make_tools is not None
            return [tool for tool in tools if has_demo_tools or not tool.is_demo]
        tools_by_name = {tool.name: tool for tool in tools}
        strangers = [
            name
            for name in entry.tools
            if name not in tools_by_name
            and (name != INTERPRETER or entry.kind != "tools")
            and not self._parts.servers.owns(name)  # its server may not run now
        ]
        if strangers:  # a chat may lack some of the desk's tools, as one without live layers
            everywhere = self.all(self._parts.data_dir.cache, self._parts.building_of(None))
            names = {tool.name for tool in everywhere}
            strangers = [name for name in strangers if name not in names]
        if strangers:
            available = [*tools_by_name, *([INTERPRETER] if entry.kind == "tools" else [])]
            raise BadInput(
                f"The agent {entry.name!r} lists tools that this desk does not have: {', '.join(strangers)}.",
                f"Expected one of: {', '.join(available)}.",
                code="unknown_tool",
            )
        return [tools_by_name[name] for name in tools_by_name if name in entry.tools]

    def played(self, tools: "Sequence[DeskTool]", replay: ReplayOptions | None) -> "list[DeskTool]":
        """Return the tools of a run; of one that is played again, those that act outside as stand-ins."""
        if replay is None:
            return [*tools]
        from smoldesk.agents.wrapper.calls import LOGGED_CHARACTERS
        from smoldesk.tools.recorded_tool import with_recorded

        approval = self._parts.choices.approval
        return with_recorded(tools, replay.recording.calls, approval, LOGGED_CHARACTERS)

    def played_live(self) -> frozenset[str]:
        """Return the names of tools that are called when a run is played again. Imports smolagents."""
        from smoldesk.tools.recorded_tool import plays_live

        tools = self.all(self._parts.data_dir.cache, self._parts.building_of(None))
        return frozenset(tool.name for tool in tools if plays_live(tool, self._parts.choices.approval))

    def all(
        self,
        folder: Path,
        building: Building,
        stop: StopFlag | None = None,
        chat_id: str | None = None,
        depth: int = 0,
        replay: ReplayOptions | None = None,
    ) -> "Sequence[DeskTool]":
        tools = [*self._own(folder, building, stop, chat_id, replay), *self._parts.more_tools]
        if not self._parts.peers.entries:
            return tools
        from smoldesk.agents.a2a_client.tool import AskAgent

        return [*tools, AskAgent(self._parts.peers, depth)]

    def _own(
        self,
        folder: Path,
        building: Building,
        stop: StopFlag | None,
        chat_id: str | None,
        replay: ReplayOptions | None = None,
    ) -> "Sequence[DeskTool]":
        if self._parts.make_tools is not None:
            return self._parts.make_tools(folder)
        from smoldesk.buildings.evacuation.crowd_comparison import CrowdComparison
        from smoldesk.tools.catalogue import build_tools
        from smoldesk.tools.closure_store import LocalClosures

        files = self._data.tables_of(folder)
        if replay is not None:
            chat_id = replay.origin
        wallet = self._parts.wallet(chat_id) if chat_id is not None else None
        building_id = building.definition.building_id
        closures = self._parts.closures(chat_id, building_id) if chat_id is not None else None
        if replay is not None:  # a copy: closing a door in it changes nothing in the chat
            closures = LocalClosures(closures.read() if closures is not None else None)
        crowds = CrowdComparison(self._parts.profiles, self._parts.data_dir.cache, stop)
        # a replay without its chat has the layers of a new one: with all of them its prompt would name another tool
        layers = self._parts.layers(chat_id or "") if chat_id is not None or replay is not None else None
        return build_tools(
            building,
            Datasets.bundled(),
            folder,
            files,
            self._parts.databases,
            stop,
            wallet,
            self._parts.peers.ask_seconds,
            closures,
            crowds,
            layers,
        )


def sample_reply(
    make_model: "Callable[[], Model]", messages: Sequence[tuple[str, str]], most_tokens: int, stop: StopFlag
) -> tuple[str, str]:
    """Ask a new model to continue (role, text) messages; return its reply and its name. Raises DeskError, Stopped."""
    from smolagents.models import ChatMessage, MessageRole

    from smoldesk.models import close_model, translate

    model = make_model()
    chat_messages = [
        ChatMessage(role=MessageRole(role), content=[{"type": "text", "text": text}])
        for role, text in messages
    ]
    try:
        # Closing the model's connection is what ends a request that blocks in the provider's library.
        with stop.calling(lambda: close_model(model)):
            reply = model.generate(chat_messages, max_tokens=most_tokens)
    except Exception as fault:
        stop.check()
        raise translate(fault) from fault
    finally:
        close_model(model)
    return str(reply.content or ""), model.model_id or ""


def client_side_tools(
    specs: Sequence[ClientToolSpec], desk_tools: "Sequence[DeskTool]", shares_state: bool
) -> "list[DeskTool]":
    """Return the client's own tools, and `share_state` when the client shares its state."""
    tools: list[DeskTool] = []
    if specs:
        from smoldesk.tools.declared_client_tools import client_tools

        tools += client_tools(specs, desk_tools)
    if shares_state:
        from smoldesk.tools.share_state import ShareState

        if ShareState.name not in {tool.name for tool in (*desk_tools, *tools)}:
            tools.append(ShareState())
    return tools


def tools_with_approval(
    tools: "Sequence[DeskTool]", approval: "Mapping[str, Approval]"
) -> dict[str, Literal["once", "always"]]:
    """Return the tools that need approval, each with when; `approval` has the operator's policies."""
    approvals: dict[str, Literal["once", "always"]] = {}
    for tool in tools:
        when = approval.get(tool.name, tool.approval)
        if when != "never":
            approvals[tool.name] = when
    return approvals
