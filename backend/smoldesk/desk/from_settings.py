"""Parts of a desk from its settings; each function reads the settings of one part."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from smoldesk.agents import AgentList
from smoldesk.agents.a2a_client import Peers
from smoldesk.agents.a2a_client.entries import TOOL as ASK_AGENT
from smoldesk.buildings.importers import CHILD_PACKAGES
from smoldesk.charts import CELL_CHARTS
from smoldesk.charts import CHILD_PACKAGES as CHARTS
from smoldesk.chats import Audit
from smoldesk.conversations import Conversations, Timeouts
from smoldesk.errors import BadInput, Refused
from smoldesk.http_client.address_checks import is_loopback
from smoldesk.models import Access, check_plugins
from smoldesk.models.choices import MODEL_NAME, NAME_FORM, ModelChoices, check_address
from smoldesk.models.discovery import USUAL
from smoldesk.plugins import names_in
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.executors import NODES
from smoldesk.sandbox.isolation import Isolation, Jail
from smoldesk.sandbox.limits import MIB, PROGRAM_LIMITS, Limits
from smoldesk.sandbox.sites import CellSetup
from smoldesk.settings import Settings
from smoldesk.store.data_dir import DataDir
from smoldesk.store.event_log import last_context
from smoldesk.store.store import Store
from smoldesk.tables import CELL_OBJECTS, CELL_SQL
from smoldesk.tables import CHILD_PACKAGES as TABLES
from smoldesk.tables.inside.bucket_files import SERVICE, is_object
from smoldesk.tables.shared_folders import SharedFolders
from smoldesk.tables.table_profiles import AT_ONCE
from smoldesk.tools.bundled_tables import bundled_tables
from smoldesk.tools.databases.spark import CELL_SPARK
from smoldesk.tools.databases.spark import CHILD_PACKAGES as SPARK
from smoldesk.tools.datasets import Datasets
from smoldesk.tools.mcp_servers import McpServers
from smoldesk.tools.mcp_servers.listening_ports import listening_ports
from smoldesk.watches import DeliveryRules

if TYPE_CHECKING:
    from smoldesk.nodes.listener import NodeListener
    from smoldesk.telemetry.telemetry import Telemetry
    from smoldesk.tools.policy import DeskTool

# Entry points of tools; see smoldesk.tools.loading.
TOOLS_GROUP = "smoldesk.tools"


def cell_setup(settings: Settings, readable: Sequence[Path]) -> CellSetup:
    """Return what children that run cells import and read, on this machine; `readable` are the folders of `--data`."""
    datasets = Datasets.bundled()
    modules: dict[str, dict[str, Any]] = {
        CELL_CHARTS: {},
        CELL_SPARK: {},
        CELL_OBJECTS: {"has_objects": has_objects(settings)},
        CELL_SQL: {
            "bundled": [asdict(table) for table in bundled_tables(datasets)],
            "shared": [str(folder) for folder in readable],
            "room": settings.sandbox_folder_mb * MIB,
        },
    }
    return CellSetup(settings.sandbox_preload, TABLES | CHARTS | SPARK, modules, datasets.folder, readable)


def has_objects(settings: Settings) -> bool:
    """Return whether a folder of `--data` is in a bucket."""
    return any(map(is_object, settings.data_folders))


def cells_of(settings: Settings, data_dir: DataDir, jail: Jail, shared: SharedFolders) -> Children:
    """Build the children that run cells. Raises DeskError if nodes cannot connect."""
    readable = shared.folders
    setup = cell_setup(settings, readable)
    limits = Limits(
        memory=settings.sandbox_memory_mb * MIB,
        folder=settings.sandbox_folder_mb * MIB,
        files=settings.sandbox_files,
        threads=settings.sandbox_threads,
    )
    return Children(
        max_children=settings.max_children,
        cell_seconds=settings.cell_seconds,
        grace_seconds=settings.stop_grace_seconds,
        cache_dir=data_dir.cache,
        datasets=setup.datasets,
        preload=setup.preload,
        packages=setup.packages,
        modules=setup.modules,
        limits=limits,
        max_cells=settings.max_cells,
        idle_seconds=settings.child_idle_seconds,
        min_free_bytes=settings.min_free_memory_mb * MIB,
        jail=jail,
        readable=readable,
        nodes=nodes_of(settings, data_dir, limits) if settings.executor == NODES else None,
        services={SERVICE: shared.objects.serve},
    )


def nodes_of(settings: Settings, data_dir: DataDir, limits: Limits) -> "NodeListener":
    """Listen for nodes. Raises DeskError."""
    from smoldesk.nodes.listener import NodeListener

    listener = NodeListener(
        data_dir.root, data_dir.cache, limits, settings.sandbox_preload, settings.allow_unisolated
    )
    listener.start(settings.nodes_host, settings.nodes_port)
    return listener


def readers_of(settings: Settings, data_dir: DataDir, jail: Jail, shared: SharedFolders) -> Children:
    """Build the children that read uploaded and shared files. They are separate, so a chat's cells never wait for them."""
    return Children(
        max_children=AT_ONCE,
        cell_seconds=settings.cell_seconds,
        grace_seconds=settings.stop_grace_seconds,
        cache_dir=data_dir.cache,
        preload=(),
        packages=CHILD_PACKAGES,
        jail=jail,
        readable=shared.folders,
        modules={CELL_OBJECTS: {"has_objects": has_objects(settings)}},
        services={SERVICE: shared.objects.serve},
    )


def peers_of(
    settings: Settings, agent_list: AgentList, store: Store, telemetry: "Telemetry | None" = None
) -> Peers:
    """Build the A2A agents that this desk can call; each chat has a context of its own."""
    return Peers(
        agent_list.peers,
        settings.peer_timeout_seconds,
        settings.tool_ask_timeout_seconds.get(ASK_AGENT, settings.ask_timeout_seconds),
        settings.file_limit,
        lambda chat_id, name: store.read(lambda connection: last_context(connection, chat_id, name)),
        telemetry.traceparent if telemetry is not None else lambda _: None,
    )


def servers_of(settings: Settings, agent_list: AgentList, data_dir: DataDir, jail: Jail) -> McpServers:
    """Build the MCP servers of agents.toml without starting them.

    Without a token, their programs may not connect to the desk's port.
    """
    closed = tuple if settings.token else partial(listening_ports, settings.port)
    limits = replace(
        PROGRAM_LIMITS,
        memory=settings.sandbox_memory_mb * MIB,
        folder=settings.sandbox_folder_mb * MIB,
        files=settings.sandbox_files,
    )
    limits_and_folder = closed, limits, settings.mcp_start_seconds
    return McpServers(agent_list.mcp, data_dir.root, jail, settings.ask_timeout_seconds, *limits_and_folder)


def conversations_over(store: Store, settings: Settings, audit: Audit) -> Conversations:
    """Build the service of conversations; it also works without a desk."""
    return Conversations(
        store,
        audit,
        Timeouts(
            pending_seconds=settings.conversation_pending_timeout_seconds,
            active_seconds=settings.conversation_active_timeout_seconds,
        ),
        settings.agent_session_seconds,
    )


def external_tools(settings: Settings) -> "list[DeskTool]":
    """Load the tools of files and packages. Raises BadInput for one that cannot be loaded. Imports smolagents if any
    exist.
    """
    check_plugins()
    if not settings.tool_files and not names_in(TOOLS_GROUP):
        return []
    from smoldesk.agents.checks import all_tools
    from smoldesk.tools.loading import load_tools

    return load_tools(settings.tool_files, all_tools(asks_peers=True))


def access_of(settings: Settings) -> Access:
    """Return the settings for access to models: most fields of Access are settings of that name."""
    names = {field.name for field in fields(Access)} - {
        "timeout",
        "retries",
        "names",
        "options",
        "capabilities",
        "settings",
    }
    chosen: dict[str, Any] = {name: getattr(settings, name) for name in names}
    return Access(
        timeout=settings.model_timeout_seconds,
        retries=settings.model_retries,
        settings=frozenset(settings.model_fields_set),
        **chosen,
    )


def models_of(
    settings: Settings, agent_list: AgentList, builtin_only: Callable[[], bool] = lambda: False
) -> ModelChoices:
    """Return the models that chats may choose. Raises BadInput for an invalid server address."""
    servers = {**(USUAL if settings.find_models else {}), **settings.model_servers}
    for name in servers:
        if not MODEL_NAME.fullmatch(name):
            raise BadInput(
                f"SMOLDESK_MODEL_SERVERS: {name[:60]!r} is not a name.", NAME_FORM, code="bad_settings"
            )
    model_names = [
        settings.model,
        *(entry.model for entry in agent_list.entries.values() if entry.model is not None),
    ]
    return ModelChoices(
        [model for model in model_names if model not in agent_list.models],
        access_of(settings),
        agent_list.models,
        {
            name: check_address(address)
            for name, address in servers.items()
            if address and not is_desk_address(settings, address)
        },
        settings.model_context or None,
        lambda: not settings.allow_unisolated and builtin_only(),
    )


def is_desk_address(settings: Settings, address: str) -> bool:
    """Return whether an address is this desk's: it does not ask itself for models."""
    try:
        parts = urlsplit(address)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return False
    return port == settings.port and (is_loopback(parts.hostname or "") or parts.hostname == settings.host)


def served_with(settings: Settings, agent_list: AgentList) -> AgentList:
    """Return the list with the default agent of the settings. Raises BadInput if there is no such agent."""
    if not settings.agent:
        return agent_list
    if settings.agent not in agent_list.entries:
        raise BadInput(
            f"SMOLDESK_AGENT (or --agent) names no agent of this desk: {settings.agent[:40]!r}.",
            f"Agents: {', '.join(agent_list.entries)}.",
            code="bad_settings",
        )
    return replace(agent_list, default=settings.agent)


def is_private(settings: Settings) -> bool:
    """Return whether strangers cannot use the desk: it asks for a token, or listens on loopback alone."""
    return settings.has_token or is_loopback(settings.host)


def check_isolation(settings: Settings, agent_list: AgentList, isolation: Isolation) -> None:
    """Without isolation, only the built-in model on loopback may run code, unless the operator says otherwise."""
    if isolation.isolated or settings.allow_unisolated:
        return
    entries = agent_list.entries.values()
    models = {
        settings.model,
        *(entry.model for entry in entries if entry.model is not None),
        *(entry.name for entry in entries if entry.source is not None and entry.source.runs_code_here),
    }
    if models != {"builtin"} or not is_loopback(settings.host):
        raise Refused(
            "Code written by this model would run on this machine without isolation.",
            "Set SMOLDESK_ALLOW_UNISOLATED=true if that is what you want; it can then do anything that your user can.",
            code="not_isolated",
        )


def delivery_rules_of(settings: Settings) -> DeliveryRules:
    """Return whom watches may tell."""
    password = settings.mail_password
    return DeliveryRules(
        settings.mail_server,
        password.get_secret_value() if password else "",
        settings.mail_from,
        tuple(settings.mail_recipients),
        tuple(settings.webhook_hosts),
        settings.push_private_addresses,
    )
