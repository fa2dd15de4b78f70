"""The composition root: a desk put together from settings, and the web app on top of it. Nothing else happens here."""

import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI

from backend import __version__
from backend.agents import AgentChoices, AgentList, Analysts, DeskAgents, Terminals, load_agents
from backend.asks import AskRules
from backend.conversations import Conversations, Timeouts
from backend.errors import BadInput, DeskError, NotFound, Refused
from backend.maps.building import Building
from backend.messages import Isolation
from backend.models import Access
from backend.peers import Peers
from backend.peers.entries import TOOL as ASK_AGENT
from backend.runs import Runs
from backend.sandbox.children import Children
from backend.sandbox.isolation import isolation_of, jail_here
from backend.sandbox.limits import MIB, Limits
from backend.sandbox.profiles import AT_ONCE, Profiles
from backend.settings import Settings
from backend.store import files
from backend.store.chat_agents import agent_of_chat, say_late
from backend.store.chat_buildings import ChatBuildings
from backend.store.data_dir import DataDir
from backend.store.peer_contexts import last_context
from backend.store.store import Store
from backend.store.wallet import ChatWallet
from backend.tools.databases import ConnectedDatabases
from backend.tools.datasets import Datasets
from backend.wires import a2a, four_pane, health, mcp, page, rest, tasks, ui_stream
from backend.wires.doors import Doors, RequestIds
from backend.wires.doors.places import is_loopback

if TYPE_CHECKING:
    from concurrent.futures import Future

    from smolagents.models import Model

    from backend.tools.policy import DeskTool

log = logging.getLogger(__name__)
MB = 1_000_000


@dataclass(frozen=True)
class Desk:
    """Everything behind the wires; what `smoldesk run` uses without a server."""

    settings: Settings
    data_dir: DataDir
    store: Store
    agents: DeskAgents
    runs: Runs
    buildings: ChatBuildings
    conversations: Conversations

    def check_tool_settings(self) -> str:
        """What settings say of single tools; raises BadInput when one names no tool, for then it changes nothing.

        Imports smolagents, so not on the event loop.
        """
        said = {**self.settings.tool_approval, **self.settings.tool_ask_timeout_seconds}
        tools = self.agents.tool_names()
        strangers = [name for name in said if name not in tools]
        if strangers:
            raise BadInput(
                f"The settings name tools that this desk does not have: {', '.join(strangers)}.",
                f"Expected of: {', '.join(tools)}.",
                code="bad_settings",
            )
        return ", ".join(said) or "none is set"

    def open(self) -> None:
        """Recover from a crash and begin to work."""
        self.runs.open()
        self.conversations.open()

    def close(self) -> None:
        """End who waits for agents, runs, followers, children and the store, in that order. Calling it again does nothing."""
        self.conversations.close()
        self.runs.close()
        self.store.close()
        self.data_dir.release()


def build_desk(
    settings: Settings,
    make_model: "Callable[[], Model] | None" = None,
    make_tools: "Callable[[Path], Sequence[DeskTool]] | None" = None,
    listed: AgentList | None = None,
) -> Desk:
    """Put a desk together; takes its data directory (DeskError when another server has it, or its database cannot be opened).

    `make_model` and `make_tools` let a test script the model and bring its own tools; all the rest is real.
    `listed` are its agents, by default those of the data directory; raises BadInput for a list with mistakes, and Refused when
    code would run without isolation where that needs the operator's word.
    """
    listed = served_with(settings, listed or load_agents(settings.data_dir.absolute()))
    jail = jail_here(settings.data_dir.absolute())
    check_isolation(settings, listed, isolation_of(settings.executor, jail.report()))
    databases = ConnectedDatabases(settings.sql_urls, settings.sql_read_only_accounts)
    data_dir = DataDir(settings.data_dir, settings.files_dir)
    data_dir.claim()
    try:
        store = Store.open(data_dir, settings.database_url, settings.sqlite_synchronous)
    except DeskError:
        data_dir.release()
        raise
    buildings = ChatBuildings(store, Building.load())
    children = Children(
        max_children=settings.max_children,
        cell_seconds=settings.cell_seconds,
        grace_seconds=settings.stop_grace_seconds,
        cache_dir=data_dir.cache,
        datasets=Datasets.bundled().folder,
        preload=settings.sandbox_preload,
        limits=Limits(
            memory=settings.sandbox_memory_mb * MIB,
            folder=settings.sandbox_folder_mb * MIB,
            files=settings.sandbox_files,
            threads=settings.sandbox_threads,
        ),
        max_cells=settings.max_cells,
        idle_seconds=settings.child_idle_seconds,
        min_free_bytes=settings.min_free_memory_mb * MIB,
        jail=jail,
    )
    readers = Children(  # of uploaded files, which no chat's own child ever waits for or dies of
        max_children=AT_ONCE,
        cell_seconds=settings.cell_seconds,
        grace_seconds=settings.stop_grace_seconds,
        cache_dir=data_dir.cache,
        preload=(),
    )
    choices = AgentChoices(
        model=settings.model,
        tool_calls=settings.tool_calls,
        max_steps=settings.max_steps,
        access=access_of(settings),
        executor=settings.executor,
        approval=settings.tool_approval,
    )

    def uploads(chat_id: str) -> set[str]:
        return store.read(lambda connection: files.uploaded_names(connection, chat_id))

    def chosen_in(chat_id: str) -> str | None:
        return store.read(lambda connection: agent_of_chat(connection, chat_id))

    def late(chat_id: str, agent: str, text: str) -> None:
        store.submit(lambda tx: say_late(tx, chat_id, agent, text)).add_done_callback(_unheard)

    peers = Peers(
        listed.peers,
        settings.peer_timeout_seconds,
        settings.tool_ask_timeout_seconds.get(ASK_AGENT, settings.ask_timeout_seconds),
        int(settings.upload_limit_mb * MB),
        lambda chat_id, name: store.read(lambda connection: last_context(connection, chat_id, name)),
    )
    analysts = Analysts(
        choices,
        buildings.of_chat,
        children,
        data_dir,
        Profiles(readers),
        uploads,
        make_model,
        make_tools,
        databases,
        wallet=lambda chat_id: ChatWallet(store, chat_id),
        peers=peers,
    )
    terminals = Terminals(
        settings.max_terminals,
        settings.terminal_idle_seconds,
        settings.ask_timeout_seconds,
        listed.folder,
        late,
    )
    agents = DeskAgents(listed, analysts, terminals, children, chosen_in, data_dir.cache)
    runs = Runs(
        store,
        agents,
        max_runs=settings.max_runs,
        grace_seconds=settings.stop_grace_seconds,
        file_limit=int(settings.upload_limit_mb * MB),
        memory_runs=settings.memory_runs,
        ask_rules=AskRules(
            settings.ask_timeout_seconds, settings.tool_ask_timeout_seconds, settings.tool_approval
        ),
    )
    conversations = conversations_over(store, settings)
    return Desk(settings, data_dir, store, agents, runs, buildings, conversations)


def conversations_over(store: Store, settings: Settings) -> Conversations:
    """The service of agents that talk to each other; also without a desk around it."""
    return Conversations(
        store,
        Timeouts(
            pending_seconds=settings.conversation_pending_timeout_seconds,
            active_seconds=settings.conversation_active_timeout_seconds,
        ),
        settings.agent_session_seconds,
    )


def access_of(settings: Settings) -> Access:
    """The part of the settings that reaches models: every field of Access is a setting of that name, but for two."""
    names = {field.name for field in fields(Access)} - {"timeout", "retries"}
    chosen: dict[str, Any] = {name: getattr(settings, name) for name in names}
    return Access(timeout=settings.model_timeout_seconds, retries=settings.model_retries, **chosen)


def served_with(settings: Settings, listed: AgentList) -> AgentList:
    """The list with the default that the settings name; raises BadInput when there is no such agent."""
    if not settings.agent:
        return listed
    if settings.agent not in listed.entries:
        raise BadInput(
            f"SMOLDESK_AGENT (or --agent) names no agent of this desk: {settings.agent[:40]!r}.",
            f"Agents: {', '.join(listed.entries)}.",
            code="bad_settings",
        )
    return replace(listed, default=settings.agent)


def _unheard(late: "Future[None]") -> None:
    fault = late.exception()
    if fault is not None and not isinstance(fault, NotFound):  # the chat was deleted meanwhile
        log.warning("what a program wrote between runs could not be kept (%s)", type(fault).__name__)


def check_isolation(settings: Settings, listed: AgentList, isolation: Isolation) -> None:
    """Without isolation, only the built-in model on loopback may run code, unless the operator says otherwise."""
    if isolation.isolated or settings.allow_unisolated:
        return
    models = {settings.model, *(entry.model for entry in listed.entries.values() if entry.model is not None)}
    if models != {"builtin"} or not is_loopback(settings.host):
        raise Refused(
            "Code written by this model would run on this machine without isolation.",
            "Set SMOLDESK_ALLOW_UNISOLATED=true if that is what you want; it can then do whatever your user can.",
            code="not_isolated",
        )


def create_app(settings: Settings, desk: Desk | None = None, extend_mcp: mcp.Extend | None = None) -> FastAPI:
    """The web app over a desk (by default one built from the settings); opens it at start-up, closes it at the end.

    `extend_mcp` lets the MCP conformance suite add its fixtures to /mcp.
    """
    desk = desk or build_desk(settings)

    message_limit = int(settings.message_limit_kb * 1000)
    upload_limit = int(settings.upload_limit_mb * MB)
    agents_wire = a2a.A2A(
        desk.runs,
        desk.agents,
        a2a.Options(
            message_limit,
            upload_limit,
            settings.token,
            settings.push_private_addresses,
            settings.host,
            settings.port,
            settings.grpc_port or None,
        ),
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None, None]:
        desk.open()
        agents_wire.open()
        yield
        await agents_wire.close()
        desk.close()

    app = FastAPI(title="smoldesk", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.desk = desk
    app.state.a2a = agents_wire
    rest.install_faults(app)
    names = [settings.host, *settings.allowed_hosts]
    # first: agents call it all the time, and each route in front of it costs every one of these calls
    app.router.routes.append(mcp.route(desk.conversations, names, settings.allowed_origins, extend_mcp))
    app.include_router(four_pane.router(desk.runs, desk.agents, desk.buildings, message_limit))
    app.include_router(
        rest.router(
            desk.runs,
            desk.agents,
            desk.buildings,
            desk.conversations,
            upload_limit,
            message_limit,
            settings.keep_alive_seconds,
        )
    )
    app.include_router(ui_stream.router(desk.runs, desk.agents, desk.buildings, message_limit, upload_limit))
    app.include_router(
        tasks.router(desk.runs, desk.agents, message_limit, upload_limit, settings.keep_alive_seconds)
    )
    app.router.routes.extend(agents_wire.routes())
    app.include_router(health.router(desk.runs, app, desk.agents.isolation, desk.agents.cells_waiting))
    page.install(app)
    return app


def guarded(app: FastAPI, settings: Settings) -> RequestIds:
    """The app behind the doors: outermost, so that error pages pass them too. What a server serves."""
    doors = Doors(
        app,
        host=settings.host,
        token=settings.token,
        allowed_origins=settings.allowed_origins,
        allowed_hosts=settings.allowed_hosts,
    )
    return RequestIds(doors)
