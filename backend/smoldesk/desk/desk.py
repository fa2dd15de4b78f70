"""The desk: everything behind the wires, put together from settings."""

import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from smoldesk import markdown
from smoldesk.agents import (
    AgentBuilder,
    AgentChoices,
    AgentList,
    BuilderParts,
    DeskAgents,
    Terminals,
    load_agents,
)
from smoldesk.buildings.building import Building
from smoldesk.buildings.importers.plans import Plans
from smoldesk.charts.vega_program import ChartProgram
from smoldesk.chats import (
    Audit,
    Branches,
    BrowserSessions,
    Buildings,
    ChartChanges,
    Chats,
    ClosureChanges,
    FileChanges,
    Files,
    LiveLayers,
    LocalCopies,
    McpApps,
    McpSessions,
    Policies,
    PushConfigs,
    ResultTables,
    ResumableUploads,
    Retention,
    RowsBehind,
    Selections,
    SharedTries,
    SourceFiles,
    Traces,
    UploadRoom,
    Uploads,
    Versions,
)
from smoldesk.connections import DeskServers, Models, MqttFeeds, Sources
from smoldesk.conversations import Conversations
from smoldesk.conversations.desk_member import TalkLimits
from smoldesk.conversations.desk_members import DeskMembers
from smoldesk.desk.from_settings import (
    cells_of,
    check_isolation,
    conversations_over,
    delivery_rules_of,
    external_tools,
    models_of,
    peers_of,
    readers_of,
    served_with,
    servers_of,
)
from smoldesk.desk.observed import telemetry_of, watch_runs
from smoldesk.errors import BadInput, DeskError, NotFound
from smoldesk.exams import Examiner, Exams
from smoldesk.export.exports import Exports
from smoldesk.export.html_page import Rendering
from smoldesk.export.import_log import Imports
from smoldesk.export.reports import Reports
from smoldesk.export.shared_views import SharedViews
from smoldesk.logs import hider
from smoldesk.plugins import load_group
from smoldesk.reruns import Reruns
from smoldesk.runs import Runs
from smoldesk.runs.asks import AskRules
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.executors import check_executor, isolation_of, register
from smoldesk.sandbox.isolation import jail_here
from smoldesk.sandbox.limits import MIB
from smoldesk.settings import Settings
from smoldesk.store import files
from smoldesk.store.chat_choices import append_late_output, choices_of_chat
from smoldesk.store.closures import ChatClosures
from smoldesk.store.data_dir import DataDir
from smoldesk.store.sealed_rows import check_key_file, sealed_texts
from smoldesk.store.sealing import KEY_FILE, Seal
from smoldesk.store.store import Store
from smoldesk.store.wallet import ChatWallet
from smoldesk.suites import Capture, SavedTests, SuiteRunner
from smoldesk.tables.open_tables import OpenTables
from smoldesk.tables.shared_folders import SharedFolders
from smoldesk.tables.table_profiles import Profiles
from smoldesk.tools.databases import ConnectedDatabases
from smoldesk.watches import Watches

if TYPE_CHECKING:
    from concurrent.futures import Future

    from smolagents.models import Model

    from smoldesk.telemetry.telemetry import Telemetry
    from smoldesk.tools.policy import DeskTool

# Entry points of executors: instances of smoldesk.sandbox.executors.Executor.
EXECUTORS_GROUP = "smoldesk.executors"
log = logging.getLogger(__name__)

# Seconds without a wrong token after which an address starts over.
WRONG_TOKEN_SECONDS = 3600.0
# Seconds for which an unused session at /mcp is kept for all servers; each server's library keeps it for 30 minutes.
MCP_SESSION_SECONDS = 27 * 60.0
RENDERING = Rendering(markdown.to_html, markdown.highlight, markdown.stylesheet)


@dataclass(eq=False)
class Desk:
    """Everything behind the wires; what `smoldesk run` uses without a server. To add a service, make it in `__post_init__`."""

    settings: Settings
    data_dir: DataDir
    store: Store
    agents: DeskAgents
    runs: Runs
    buildings: Buildings
    conversations: Conversations
    desk_members: DeskMembers
    plans: Plans
    open_tables: OpenTables
    sources: Sources
    models: Models
    children: Children
    mcp_servers: DeskServers
    layers: LiveLayers
    audit: Audit
    seal: Seal
    telemetry: "Telemetry | None" = None

    def __post_init__(self) -> None:
        """Make the services, each once: some keep state. A later one may take those above it."""
        store, settings = self.store, self.settings
        quota = settings.sandbox_folder_mb * MIB
        self.chats = Chats(store, self.agents, self.open_tables.forget)
        self.retention = Retention(self.chats, settings.retention_days)
        self.local_copies = LocalCopies(store, self.chats.forget)
        self.branches = Branches(store, self.runs, self.chats)
        self.versions = Versions(store, self.runs)
        self.upload_room = UploadRoom(store, settings.upload_limit, quota)
        self.uploads = Uploads(store, self.agents, self.upload_room)
        self.resumable_uploads = ResumableUploads(store, self.uploads, self.upload_room)
        self.files = Files(store)
        self.file_changes = FileChanges(store, self.agents, self.upload_room)
        self.chart_changes = ChartChanges(store)
        self.result_tables = ResultTables(store, self.open_tables)
        self.rows_behind = RowsBehind(store, self.children)
        self.source_files = SourceFiles(self.sources.databases, self.open_tables, self.data_dir.cache)
        self.traces = Traces(store)
        self.reruns = Reruns(store, self.chats, self.files, self.runs, self.agents)
        capture = Capture(store, self.reruns, self.agents, self.buildings)
        examiner = Examiner(self.chats, self.uploads, self.runs, self.agents, read_file=capture.read_file)
        self.exams = Exams(examiner, self.agents, self.models.choices, self.data_dir.root / "exams")
        self.suite_runner = SuiteRunner(self.reruns, examiner, capture)
        self.saved_tests = SavedTests(capture, self.suite_runner, self.exams, self.data_dir.root / "suite")
        self.watches = Watches(
            store, self.runs, self.reruns, self.agents.shared, self.seal, delivery_rules_of(settings)
        )
        self.exports = Exports(store, self.buildings, self.children, RENDERING)
        self.imports = Imports(store, self.buildings, self.plans, quota)
        self.reports = Reports(store, self.buildings, self.exports, self.agents.profiles)
        self.shared_views = SharedViews(store, self.buildings, self.exports)
        self.selections = Selections(store, self.buildings)
        self.closures = ClosureChanges(store, self.buildings)
        self.mqtt_feeds = MqttFeeds(self.layers, self.layers.entries.values())
        self.mcp_apps = McpApps(store, self.files, self.agents.servers, settings.tool_approval)
        self.policies = Policies(store, self.agents)
        self.push_configs = PushConfigs(store, self.runs)
        self.browser_sessions = BrowserSessions(store)
        self.mcp_sessions = McpSessions(store, MCP_SESSION_SECONDS) if store.shared else None
        self.wrong_tokens = SharedTries.of(store, "token", WRONG_TOKEN_SECONDS)
        self.chart_program = ChartProgram(self.data_dir.cache)

    def check_tool_settings(self) -> str:
        """Describe the settings of single tools. Raises BadInput if one names an unknown tool, since it would have no
        effect.

        Imports smolagents: call it outside the event loop.
        """
        tool_settings = {**self.settings.tool_approval, **self.settings.tool_ask_timeout_seconds}
        tools = self.agents.tool_names()
        strangers = [
            name for name in tool_settings if name not in tools and not self.agents.servers.owns(name)
        ]
        if strangers:
            raise BadInput(
                f"The settings name tools that this desk does not have: {', '.join(strangers)}.",
                f"Expected of: {', '.join(tools)}.",
                code="bad_settings",
            )
        return ", ".join(tool_settings) or "none is set"

    def open(self) -> None:
        """Recover from a crash and begin to work."""
        self.sources.open()
        self.mcp_servers.open()
        self.models.open()
        self.runs.open()
        self.conversations.open()
        self.desk_members.open()
        self.layers.open()
        self.mqtt_feeds.open()

    def close(self) -> None:
        """End who waits for agents, runs, followers, children and the store, in that order. Calling it again does nothing."""
        self.store.limit_close()
        self.conversations.close()
        self.desk_members.close()
        self.open_tables.close()
        self.runs.close()
        self.mqtt_feeds.close()
        self.layers.close()
        if self.telemetry is not None:
            self.telemetry.close()  # while the store can be read
        self.store.close()
        self.data_dir.release()


def build_desk(
    settings: Settings,
    make_model: "Callable[[], Model] | None" = None,
    make_tools: "Callable[[Path], Sequence[DeskTool]] | None" = None,
    agent_list: AgentList | None = None,
) -> Desk:
    """Build a desk; locks its data directory (DeskError if another server has it, or its database cannot be opened).

    `make_model` and `make_tools` let a test script the model and bring its own tools; all the rest is real.
    `agent_list` are its agents, by default those of the data directory. Raises BadInput for a list with mistakes, and
    Refused if code would run without isolation and the operator has not allowed that.
    """
    agent_list = served_with(settings, agent_list or load_agents(settings.data_dir.absolute()))
    register({plugin.name: plugin.loaded for plugin in load_group(EXECUTORS_GROUP, {settings.executor})})
    check_executor(settings.executor)
    jail = jail_here(settings.data_dir.absolute())
    check_isolation(settings, agent_list, isolation_of(settings.executor, jail.report()))
    external = external_tools(settings)
    databases = ConnectedDatabases(settings.sql_urls, settings.sql_read_only_accounts)
    data_dir = DataDir(settings.data_dir, settings.files_dir)
    shared = SharedFolders(settings.data_folders, {data_dir.root, data_dir.files.parent})
    data_dir.claim()
    seal = Seal(settings.key_file or data_dir.root / KEY_FILE, settings.key_file is None)
    try:
        seal.check()
        store = Store.open(data_dir, settings.database_url, settings.sqlite_synchronous, settings.files_url)
    except DeskError:
        data_dir.release()
        raise
    if settings.key_file is not None:
        try:
            check_key_file(store.read(sealed_texts), seal)
        except DeskError:
            store.close()
            data_dir.release()
            raise
    hide = hider(settings.secrets())
    telemetry = telemetry_of(os.environ, store, hide)
    buildings = Buildings(store, Building.load())
    layers = LiveLayers(store, buildings, [*agent_list.layers])
    children = cells_of(settings, data_dir, jail, shared)

    def uploads(chat_id: str) -> set[str]:
        return store.read(lambda connection: files.uploaded_names(connection, chat_id))

    def choices_in(chat_id: str) -> tuple[str | None, str | None]:
        return store.read(lambda connection: choices_of_chat(connection, chat_id), snapshot=False)

    def talk_tools(chat_id: str) -> "Sequence[DeskTool]":
        return desk_members.tools(chat_id)

    def late(chat_id: str, agent: str, text: str) -> None:
        store.submit(lambda tx: append_late_output(tx, chat_id, agent, text)).add_done_callback(_unheard)

    models = models_of(
        settings, agent_list, lambda: not isolation_of(settings.executor, jail.report()).isolated
    )
    open_tables = OpenTables(data_dir.cache)
    builder = AgentBuilder(
        BuilderParts(
            choices=AgentChoices(
                model=settings.model,
                tool_calls=settings.tool_calls,
                max_steps=settings.max_steps,
                models=models,
                executor=settings.executor,
                approval=settings.tool_approval,
            ),
            building_of=buildings.of_chat,
            children=children,
            data_dir=data_dir,
            folders=store.folders,
            profiles=Profiles(readers_of(settings, data_dir, jail, shared)),
            uploads=uploads,
            make_model=make_model,
            make_tools=make_tools,
            databases=databases,
            wallet=lambda chat_id: ChatWallet(store, chat_id),
            closures=lambda chat_id, building_id: ChatClosures(store, chat_id, building_id),
            layers=layers.of_chat,
            peers=peers_of(settings, agent_list, store, telemetry),
            more_tools=external,
            tools_of_chat=talk_tools,
            shared=shared,
            folder_room=settings.sandbox_folder_mb * MIB,
            open_tables=open_tables,
            servers=servers_of(settings, agent_list, data_dir, jail),
            entries=agent_list.entries,
        )
    )
    terminals = Terminals(
        settings.max_terminals,
        settings.terminal_idle_seconds,
        settings.ask_timeout_seconds,
        agent_list.folder,
        late,
    )
    agents = DeskAgents(agent_list, builder, terminals, children, choices_in, data_dir.cache)
    runs = Runs(
        store,
        agents,
        max_runs=settings.max_runs,
        grace_seconds=settings.stop_grace_seconds,
        file_limit=settings.file_limit,
        memory_runs=settings.memory_runs,
        ask_rules=AskRules(
            settings.ask_timeout_seconds, settings.tool_ask_timeout_seconds, settings.tool_approval
        ),
        hide=hide,
        telemetry=telemetry,
    )
    if telemetry is not None:
        watch_runs(telemetry, runs, agents)
    audit = Audit(store, settings.audit_days)
    conversations = conversations_over(store, settings, audit)
    limits = TalkLimits(settings.conversation_runs_per_minute, settings.conversation_max_messages)
    desk_members = DeskMembers(conversations, Chats(store, agents, open_tables.forget), runs, limits)
    plans = Plans(agents.profiles, data_dir.cache, buildings.bundled.definition.bitmaps)
    sources = Sources(store, databases, seal, settings.sources == "page")
    mcp_servers = DeskServers(
        store, agents.servers, seal, settings.mcp_servers == "page", agents.local_tool_names
    )
    return Desk(
        settings,
        data_dir,
        store,
        agents,
        runs,
        buildings,
        conversations,
        desk_members,
        plans,
        open_tables,
        sources,
        Models(store, models, seal, settings.models == "page"),
        children,
        mcp_servers,
        layers,
        audit,
        seal,
        telemetry,
    )


def _unheard(late: "Future[None]") -> None:
    fault = late.exception()
    if fault is not None and not isinstance(fault, NotFound):  # the chat was deleted meanwhile
        log.warning("what a program wrote between runs could not be kept (%s)", type(fault).__name__)
