"""Builds agents of the kinds code and tools (smolagents) with the desk's models, tools, buildings, tables and children.

smolagents is imported when the first agent is built: the server starts without it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from smoldesk.agents.a2a_client import Peers
from smoldesk.agents.analyst_files import ChatFiles, desk_catalogue
from smoldesk.agents.answer_schema import AnswerSchema
from smoldesk.agents.call_meter import CallMeter
from smoldesk.agents.chat_outline import OutlineCache
from smoldesk.agents.entries import INTERPRETER, AgentEntry
from smoldesk.agents.value_indexes import ValueIndexes
from smoldesk.buildings.building import Building
from smoldesk.errors import BadInput
from smoldesk.models.capabilities import Capability
from smoldesk.models.choices import ModelChoices, ResolvedModel
from smoldesk.models.window_offers import WindowOffers
from smoldesk.sandbox.children import Children
from smoldesk.stopping import StopFlag
from smoldesk.store.data_dir import DataDir
from smoldesk.store.run_options import ClientToolSpec
from smoldesk.tables.folder_tables import ChatTables
from smoldesk.tables.open_tables import OpenTables
from smoldesk.tables.shared_folders import KEY, SharedFolders, SharedProfiles
from smoldesk.tables.table_profiles import Profiles, table_files
from smoldesk.tools.datasets import Datasets
from smoldesk.tools.mcp_servers import McpServers
from smoldesk.tools.run_context import Agent

if TYPE_CHECKING:
    from smolagents.models import Model

    from smoldesk.agents.supplied.agent_source import AgentSource
    from smoldesk.agents.wrapper.sent_pictures import SentPictures
    from smoldesk.analyst.catalogue import Catalogue
    from smoldesk.analyst.complete import Completed
    from smoldesk.analyst.language import Language
    from smoldesk.tools.demo.payment import Wallet
    from smoldesk.tools.policy import Approval, DeskTool
    from smoldesk.tools.sql_engine import Databases

CallOrder = Literal["together", "one_by_one"]


@dataclass(frozen=True)
class AgentChoices:
    """Settings of agents of smolagents."""

    model: str
    tool_calls: CallOrder
    max_steps: int
    models: ModelChoices
    executor: str = "sandbox"
    approval: "Mapping[str, Approval]" = field(default_factory=dict[str, "Approval"])
    """Approval policies that the operator set, by tool."""


@dataclass(frozen=True)
class BuilderParts:
    """Services that agents are built from. In tests, `make_model` scripts the model and `make_tools` replaces the tools."""

    choices: AgentChoices
    building_of: Callable[[str | None], Building]
    """Building of a chat; None: the building of a new chat."""
    children: Children
    data_dir: DataDir
    profiles: Profiles
    uploads: Callable[[str], Collection[str]]
    """Names of a chat's uploaded files."""
    make_model: "Callable[[], Model] | None"
    make_tools: "Callable[[Path], Sequence[DeskTool]] | None"
    databases: "Databases"
    wallet: "Callable[[str], Wallet]"
    """Wallet of a chat (the payment demo)."""
    peers: Peers
    """Remote agents that ask_agent can call."""
    more_tools: "Sequence[DeskTool]"
    """Tools of plug-ins: files and packages."""
    tools_of_chat: "Callable[[str], Sequence[DeskTool]]"
    """Tools that every agent of a chat has, whatever its entry lists."""
    shared: SharedFolders
    """Folders whose tables every chat has."""
    folder_room: int
    """Bytes that a chat's folder may hold."""
    open_tables: OpenTables
    """Reader of the rows that a message refers to."""
    servers: McpServers
    """MCP servers, whose tools agents can call."""
    entries: Mapping[str, AgentEntry]
    """All agents of the desk, by name; an entry may manage others of them."""


class AgentBuilder:
    """Builder of smolagents agents, and the source of their tools, models and tables."""

    def __init__(self, parts: BuilderParts) -> None:
        self.choices = parts.choices
        self.profiles = parts.profiles
        self.shared = parts.shared
        self.servers = parts.servers
        self._parts = parts
        self._values = ValueIndexes()
        self._outlines = OutlineCache()
        self.meters: dict[str, CallMeter] = {}
        self._shared_profiles = SharedProfiles(parts.shared, parts.profiles, parts.data_dir.cache)

    def build(
        self,
        entry: AgentEntry,
        chat_id: str,
        stop: StopFlag,
        order: CallOrder | None,
        depth: int = 0,
        client_tools: Sequence[ClientToolSpec] = (),
        within: str | None = None,
        chosen: str | None = None,
        answer: AnswerSchema | None = None,
        shares_state: bool = False,
    ) -> Agent:
        """Build an agent for one run of a chat. Raises DeskError for an unavailable model or tool, Stopped.

        `depth` counts the agents between a person and this run, `client_tools` are the client's own tools. A managed agent
        works `within` a call of its manager; agents that it manages itself are built when they are called, with the model
        `chosen` for the chat unless they name one. `answer` is the schema of the answer. With `shares_state` the agent may
        change the state that the client shares.
        """
        from smoldesk.agents.wrapper.agent_wrapper import AgentWrapper, Parts
        from smoldesk.agents.wrapper.sent_pictures import SentPictures

        assert entry.kind != "terminal", "such agents are programs"
        if entry.source is not None:
            return self._supplied(entry.source, entry, chat_id, stop, client_tools, answer)
        if answer is not None and self.is_builtin(entry):
            raise no_schema(entry.name)
        building = self._parts.building_of(chat_id)
        resolved = self._resolved(entry)
        local_tools = self._all_tools(
            self._parts.data_dir.chat_folder(chat_id), building, stop, chat_id, depth
        )
        tools = self._allowed_tools(
            entry, [*local_tools, *self._server_tools(entry, local_tools, self.servers.start_seconds)]
        )

        def managed(member: AgentEntry, call_id: str) -> Agent:
            member = replace(member, model=member.model or chosen)
            return self.build(member, chat_id, stop, order, depth, within=call_id, chosen=chosen)

        team = self._team(entry, tools, managed)
        parts = Parts(
            kind=entry.kind,
            model=self.model(entry, building, lambda: self._chat_files(chat_id, stop), resolved),
            tools=[
                *tools,
                *team,
                *_client_tools(client_tools, tools, shares_state),
                *self._parts.tools_of_chat(chat_id),
            ],
            rooms=building.rooms(),
            children=self._parts.children,
            max_steps=entry.max_steps or self.choices.max_steps,
            steps_setting=self._steps_setting(entry),
            call_order=order or self.choices.tool_calls,
            executor=self.choices.executor,
            tables=self._parts.open_tables,
            runs_code=entry.tools is None or INTERPRETER in entry.tools,
            context=resolved.context if resolved else None,
            max_tokens=resolved.access.options.max_tokens if resolved else None,
            pictures=partial(self._pictures, chat_id)
            if resolved and resolved.images
            else lambda _, __: SentPictures(),
            notes=list if self.is_builtin(entry) else lambda: self._notes(within is not None),
            outline=str
            if self.is_builtin(entry)
            else lambda: self._outline(entry, chat_id, building, tools, stop),
            structured=entry.structured and (resolved is None or resolved.structured is not False),
            capability=resolved.capability if resolved else Capability(),
            prompt_fault=WindowOffers(
                self.choices.models,
                entry.model or self.choices.model,
                entry.name,
                lambda: [*self._parts.entries],
            ).fault,
            answer=answer,
            has_data=partial(self._has_data, chat_id, building),
            within=within,
            meter=self.meters.get(chat_id) or CallMeter(),
        )
        return AgentWrapper(parts)

    def _supplied(
        self,
        source: "AgentSource",
        entry: AgentEntry,
        chat_id: str,
        stop: StopFlag,
        client_tools: Sequence[ClientToolSpec],
        answer: AnswerSchema | None,
    ) -> Agent:
        """Return a run of a person's own agent. Raises BadInput for what such an agent does not support, DeskError."""
        from smoldesk.agents.supplied.agent_run import SuppliedRun
        from smoldesk.agents.supplied.equipment import DeskSide

        if answer is not None:
            raise no_schema(entry.name)
        if client_tools:
            raise BadInput(
                f"The agent {entry.name!r} does not support tools of the client.",
                "Leave them out, or choose another agent.",
                "unsupported_value",
            )
        building = self._parts.building_of(chat_id)
        side = DeskSide(
            self._parts.children,
            building.rooms(),
            self._parts.open_tables,
            self.choices.executor,
            source.approvals,
        )
        return SuppliedRun(
            source.agent_for(chat_id),
            side,
            source.remembers,
            notes=self.servers.problems if source.runs_code_here else list,
            outline=lambda: (
                self._outline(entry, chat_id, building, [], stop) if source.runs_code_here else ""
            ),
            pictures=partial(self._pictures, chat_id),
            files=partial(self._files_of, chat_id),
            upload_folder=source.upload_folder,
        )

    def _files_of(self, chat_id: str, message: str, attachments: Sequence[str]) -> list[str]:
        """Return the uploads that came with a message, then those that it names."""
        uploads = self._parts.uploads(chat_id)
        attached = [name for name in attachments if name in uploads]
        return list(dict.fromkeys([*attached, *(name for name in sorted(uploads) if name in message)]))

    def _has_data(self, chat_id: str, building: Building) -> bool:
        """Return whether a chat has files, tables of shared folders, or a building of its own."""
        if building is not self._parts.building_of(None) or self._parts.uploads(chat_id):
            return True
        return bool(table_files(self._parts.data_dir.chat_folder(chat_id)) or self.shared.folders)

    def _team(
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

    def _pictures(self, chat_id: str, message: str, attachments: Sequence[str]) -> "SentPictures":
        """Return the pictures that came with a message or that it names."""
        from smoldesk.agents.wrapper.sent_pictures import SentPictures

        return SentPictures.of(
            self._parts.data_dir.chat_folder(chat_id), self._files_of(chat_id, message, attachments)
        )

    def _server_tools(
        self, entry: AgentEntry, local_tools: "Sequence[DeskTool]", seconds: float
    ) -> "Sequence[DeskTool]":
        """Return the tools of MCP servers; stopped servers are started and waited for at most `seconds`."""
        if self.is_builtin(entry):
            return []
        sample = partial(sample_reply, lambda: self.model(entry))
        return self.servers.tools([tool.name for tool in local_tools], seconds, sample)

    def local_tool_names(self) -> list[str]:
        """Return the names of all tools except those of MCP servers. Imports smolagents."""
        local_tools = self._all_tools(self._parts.data_dir.cache, self._parts.building_of(None))
        supplied = [
            tool.name
            for entry in self._parts.entries.values()
            if entry.source is not None
            for tool in entry.source.tools()
        ]
        return list(dict.fromkeys([*(tool.name for tool in local_tools), INTERPRETER, *supplied]))

    def is_builtin(self, entry: AgentEntry) -> bool:
        """Return whether the agent's model is the built-in analyst."""
        return (
            self._parts.make_model is None
            and entry.source is None
            and (entry.model or self.choices.model) == "builtin"
        )

    def _notes(self, is_managed: bool) -> list[str]:
        """Return notes for a model: which MCP servers do not run, and for a managed agent that its reader is an agent."""
        notes = self.servers.problems()
        if not is_managed:
            return notes
        from smoldesk.agents.wrapper.managed_agent import BY_MANAGER

        return [BY_MANAGER, *notes]

    def _outline(
        self,
        entry: AgentEntry,
        chat_id: str,
        building: Building,
        tools: "Sequence[DeskTool]",
        stop: StopFlag,
    ) -> str:
        """Return the outline of the chat's tables and rooms, as far as the agent's tools reach them."""
        from smoldesk.tools.map import MapTool

        names = {tool.name for tool in tools}
        runs_code = entry.kind == "code" or entry.tools is None or INTERPRETER in entry.tools
        reads_tables = runs_code or "sql_engine" in names
        files = self._chat_files(chat_id, stop) if reads_tables else ChatFiles()
        # a person's own agent was written for its files, not for the desk's tables
        datasets = Datasets.bundled() if reads_tables and entry.source is None else None
        has_map = any(isinstance(tool, MapTool) for tool in tools)
        hints = {
            "list_datasets": "list_datasets() has the bundled tables",
            "list_rooms": "list_rooms() has the rooms",
        }
        hint = "; ".join(
            [*(text for name, text in hints.items() if name in names), "SHOW TABLES in SQL lists all tables"]
        )
        return self._outlines.outline(
            files, building if has_map else None, datasets, "load_dataset" in names, f"{hint}."
        )

    def code_run(self, entry: AgentEntry, chat_id: str, stop: StopFlag, depth: int = 0) -> Agent:
        """Build the runner of a person's code, with the tools of the agent. Raises DeskError for an unavailable tool."""
        from smoldesk.agents.wrapper.code_run import CodeRun

        building = self._parts.building_of(chat_id)
        if entry.source is not None:  # its tools belong to its own runs
            return CodeRun([], building.rooms(), self._parts.children, self.choices.executor)
        tools = self._all_tools(self._parts.data_dir.chat_folder(chat_id), building, stop, chat_id, depth)
        tools = [*tools, *self._server_tools(entry, tools, self.servers.start_seconds)]
        return CodeRun(
            self._allowed_tools(entry, tools), building.rooms(), self._parts.children, self.choices.executor
        )

    def tools_of(self, entry: AgentEntry) -> "list[DeskTool]":
        """Return the tools that an agent can call; imports smolagents. Raises BadInput for an unknown tool."""
        if entry.source is not None:
            return [*entry.source.tools()]
        local_tools = self._all_tools(self._parts.data_dir.cache, self._parts.building_of(None))
        tools = self._allowed_tools(entry, [*local_tools, *self._server_tools(entry, local_tools, 0)])
        if entry.kind == "tools" and (entry.tools is None or INTERPRETER in entry.tools):
            from smoldesk.agents.wrapper.interpreter import PythonInterpreter

            tools.append(PythonInterpreter(tools, self.choices.executor))
        return [*tools, *self._team(entry, tools)]

    def _resolved(self, entry: AgentEntry) -> ResolvedModel | None:
        """Resolve the agent's model; None for a scripted one. Raises DeskError."""
        if self._parts.make_model is not None:
            return None
        choice = entry.model or self.choices.model
        self.choices.models.learn(choice)
        self.choices.models.check_window(choice)
        return self._model_of(entry)

    def _steps_setting(self, entry: AgentEntry) -> str:
        if entry.max_steps:
            return f"`max_steps` of the agent {entry.name!r} in agents.toml"
        return "SMOLDESK_MAX_STEPS" if "max_steps" in self.choices.models.access.settings else ""

    def _model_of(self, entry: AgentEntry) -> ResolvedModel:
        """Return the agent's model, with its options and those of its entry."""
        resolved = self.choices.models.resolve(entry.model or self.choices.model)
        options = resolved.access.options.merged(entry.options)
        return replace(resolved, access=replace(resolved.access, options=options))

    def model(
        self,
        entry: AgentEntry,
        building: Building | None = None,
        chat_files: "Callable[[], ChatFiles]" = ChatFiles,
        resolved: ResolvedModel | None = None,
    ) -> "Model":
        """Build the agent's model. Raises DeskError."""
        if self._parts.make_model is not None:
            return self._parts.make_model()
        resolved = resolved or self._model_of(entry)
        from smoldesk.models import build_model

        def builtin() -> "Model":
            from smoldesk.analyst.model import BuiltinModel

            target_building = building or self._parts.building_of(None)
            return BuiltinModel(desk_catalogue(target_building, Datasets.bundled(), chat_files()))

        return build_model(resolved.model, resolved.access, builtin)

    def complete(self, entry: AgentEntry, chat_id: str, text: str, language: "Language") -> "list[Completed]":
        """Complete a text to questions about the chat's tables, else the bundled ones; empty for models but the analyst."""
        if not self.is_builtin(entry):
            return []
        from smoldesk.analyst.chat_schemas import build_schemas
        from smoldesk.analyst.complete import complete

        return complete(text, build_schemas(self.catalogue(chat_id)).chat_tables, language)

    def catalogue(self, chat_id: str) -> "Catalogue":
        """Return the tables and the building of a chat; reads files that have no profile yet."""
        chat_files = self._chat_files(chat_id, StopFlag())
        return desk_catalogue(self._parts.building_of(chat_id), Datasets.bundled(), chat_files)

    def cached_tables(self) -> "Sequence[tuple[str, Sequence[tuple[str, Sequence[str]]]]]":
        """Return the databases with their cached tables and columns, without waiting for any."""
        return self._parts.databases.cached_tables()

    def forget(self, chat_id: str) -> None:
        """Drop the cached profiles and values of a chat."""
        self.profiles.forget(chat_id)
        self._values.forget(chat_id)
        self._outlines.clear()

    def _allowed_tools(self, entry: AgentEntry, tools: "Sequence[DeskTool]") -> "list[DeskTool]":
        if entry.tools is None:
            has_demo_tools = entry.has_demo_tools or self._parts.make_tools is not None
            return [tool for tool in tools if has_demo_tools or not tool.is_demo]
        tools_by_name = {tool.name: tool for tool in tools}
        strangers = [
            name
            for name in entry.tools
            if name not in tools_by_name
            and (name != INTERPRETER or entry.kind != "tools")
            and not self.servers.owns(name)  # its server may not run now
        ]
        if strangers:
            available = [*tools_by_name, *([INTERPRETER] if entry.kind == "tools" else [])]
            raise BadInput(
                f"The agent {entry.name!r} lists tools that this desk does not have: {', '.join(strangers)}.",
                f"Expected one of: {', '.join(available)}.",
                code="unknown_tool",
            )
        return [tools_by_name[name] for name in tools_by_name if name in entry.tools]

    def _all_tools(
        self,
        folder: Path,
        building: Building,
        stop: StopFlag | None = None,
        chat_id: str | None = None,
        depth: int = 0,
    ) -> "Sequence[DeskTool]":
        tools = [*self._desk_tools(folder, building, stop, chat_id), *self._parts.more_tools]
        if not self._parts.peers.entries:
            return tools
        from smoldesk.agents.a2a_client.tool import AskAgent

        return [*tools, AskAgent(self._parts.peers, depth)]

    def _desk_tools(
        self, folder: Path, building: Building, stop: StopFlag | None, chat_id: str | None
    ) -> "Sequence[DeskTool]":
        if self._parts.make_tools is not None:
            return self._parts.make_tools(folder)
        from smoldesk.tools.catalogue import build_tools

        files = self._tables_of(folder)
        wallet = self._parts.wallet(chat_id) if chat_id is not None else None
        return build_tools(
            building,
            Datasets.bundled(),
            folder,
            files,
            self._parts.databases,
            stop,
            wallet,
            self._parts.peers.ask_seconds,
        )

    def _tables_of(self, folder: Path) -> ChatTables:
        datasets = Datasets.bundled()
        bundled = [datasets.path(name) for name in datasets.names()]
        return ChatTables(folder, self._parts.data_dir.cache, bundled, self.shared, self._parts.folder_room)

    def _chat_files(self, chat_id: str, stop: StopFlag) -> ChatFiles:
        """Return the tables of a chat's folder, without copies of bundled datasets, and those of shared folders."""
        folder = self._parts.data_dir.chat_folder(chat_id)
        profiles = self.profiles.files(chat_id, folder, stop)
        # most chats have no files: no read of the store or of the folder then
        counted = set(self._tables_of(folder).files()) if profiles else set[str]()
        uploads = self._parts.uploads(chat_id) if profiles else ()
        profiles = {name: profile for name, profile in profiles.items() if name in counted}
        uploaded = [
            table for name, profile in profiles.items() if name in uploads for table in profile.tables
        ]
        written = [
            table for name, profile in profiles.items() if name not in uploads for table in profile.tables
        ]
        broken = {
            name: " ".join(problem.line for problem in profile.problems)
            for name, profile in profiles.items()
            if profile.problems and not profile.tables
        }
        indexes = {
            table.load: partial(self._values.of, chat_id, folder, profile.tables, number)
            for profile in profiles.values()
            for number, table in enumerate(profile.tables)
        }
        shared_files, _ = self.shared.split(counted)
        shared = self._shared_profiles.of([path for path, _, _ in shared_files], stop)
        broken |= {
            path: file.profile.problems[0].line
            for path, file in shared.items()
            if not file.profile.tables and file.profile.problems
        }
        indexes |= {
            table.load: partial(
                self._values.of, KEY, self._shared_profiles.scratch, file.profile.tables, number
            )
            for file in shared.values()
            for number, table in enumerate(file.profile.tables)
        }
        tables = [table for file in shared.values() for table in file.tables]
        return ChatFiles(uploaded, written, tables, broken, indexes)


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


def no_schema(agent: str) -> BadInput:
    """Return the error for an agent that does not support answers with a schema."""
    return BadInput(
        f"The agent {agent!r} does not support answers with a schema.",
        "Choose one of kind code or tools, with a model other than the built-in analyst.",
        "unsupported_value",
    )


def _client_tools(
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
