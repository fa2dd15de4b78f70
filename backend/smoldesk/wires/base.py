"""Wire: one protocol that clients speak to the desk, its routes, and what it is handed.

`smoldesk.app` makes one object of each wire, adds its routes in the order of its list, and opens and closes it with the
server. Every wire begins with the same four files: routes (its addresses), requests (what clients send, read and checked),
encoder (what they get), models (the values between those).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, cast

from pydantic import SecretStr
from starlette.routing import BaseRoute

from smoldesk.agents import DeskAgents
from smoldesk.buildings.importers.plans import Plans
from smoldesk.charts.vega_program import ChartProgram
from smoldesk.chats import (
    Branches,
    Buildings,
    Chats,
    DeskServers,
    FileChanges,
    Files,
    McpApps,
    Models,
    Policies,
    PushConfigs,
    ResumableUploads,
    Selections,
    ShownTables,
    SourceFiles,
    Sources,
    Traces,
    Uploads,
)
from smoldesk.conversations import Conversations
from smoldesk.errors import BadInput
from smoldesk.export.exports import Exports
from smoldesk.export.import_log import Imports
from smoldesk.export.reports import Reports
from smoldesk.plugins import Plugin, load_group, names_in
from smoldesk.runs import Runs


@dataclass(frozen=True)
class WireOptions:
    """The part of the settings that reaches wires. Limits in bytes; `grpc_port` None for no such port, 0 for a free one."""

    message_limit: int
    file_limit: int
    keep_alive_seconds: float = 15.0
    host: str = "127.0.0.1"
    port: int = 0
    token: SecretStr | None = None
    allowed_hosts: Sequence[str] = ()
    allowed_origins: Sequence[str] = ()
    push_private_addresses: bool = False
    grpc_port: int | None = None

    @property
    def has_token(self) -> bool:
        return self.token is not None and bool(self.token.get_secret_value())


@dataclass(frozen=True)
class WireServices:
    """What a wire may use of one desk; `openapi` is the schema of the whole app, once its routes are there."""

    runs: Runs
    agents: DeskAgents
    chats: Chats
    branches: Branches
    uploads: Uploads
    resumable_uploads: ResumableUploads
    file_changes: FileChanges
    files: Files
    shown_tables: ShownTables
    exports: Exports
    imports: Imports
    reports: Reports
    traces: Traces
    sources: Sources
    models: Models
    source_files: SourceFiles
    mcp_servers: DeskServers
    mcp_apps: McpApps
    selections: Selections
    policies: Policies
    push_configs: PushConfigs
    buildings: Buildings
    conversations: Conversations
    plans: Plans
    chart_program: ChartProgram
    options: WireOptions
    openapi: Callable[[], dict[str, Any]]


class Wire(Protocol):
    """A wire of one desk. Making it imports no protocol's library: what is heavy waits for the first request."""

    name: ClassVar[str]
    """What SMOLDESK_WIRES and its entry point call it."""
    services: WireServices

    def __init__(self, services: WireServices) -> None:
        self.services = services

    def routes(self) -> Sequence[BaseRoute]:
        """Its addresses, asked for once."""
        ...

    async def open(self) -> None:
        """Begin what cannot wait for a request. Called when the desk is open, before the first request."""

    async def close(self) -> None:
        """End what `open` or a request began; the desk is still open."""


WireType = Callable[[WireServices], Wire]


GROUP = "smoldesk.wires"
_METHODS = ("routes", "open", "close")


def choose_wires(own: Sequence[type[Wire]], chosen: Sequence[str]) -> list[type[Wire]]:
    """The wires of these names, or all for none, the desk's own first and in their order.

    Raises BadInput for a name that no wire has, and for a wire of another package that cannot be loaded.
    """
    names = [wire.name for wire in own]
    others = names_in(GROUP)
    _check_names([*names, *others], chosen)
    plugins = load_group(GROUP, chosen or None) if others else []
    for plugin in plugins:
        _check(plugin, names)
    mine = [wire for wire in own if not chosen or wire.name in chosen]
    return [*mine, *(cast("type[Wire]", plugin.loaded) for plugin in plugins)]


def _check_names(known: Sequence[str], chosen: Sequence[str]) -> None:
    unknown = [name for name in chosen if name not in known]
    if unknown:
        raise BadInput(
            f"SMOLDESK_WIRES names wires that there are not: {', '.join(unknown)}.",
            f"Expected some of: {', '.join(known)}.",
            code="bad_settings",
        )


def _check(plugin: Plugin, names: Sequence[str]) -> None:
    """Raises BadInput for a plug-in that is no wire, or takes a name of the desk's own."""
    if plugin.name in names:
        problem = f"is called {plugin.name!r}, as one of the desk's own is"
    elif not isinstance(plugin.loaded, type):
        problem = "is no class"
    elif lacking := [name for name in _METHODS if not callable(getattr(plugin.loaded, name, None))]:
        problem = f"has no {' and no '.join(lacking)}"
    elif getattr(plugin.loaded, "name", None) != plugin.name:
        problem = f"calls itself {getattr(plugin.loaded, 'name', None)!r}"
    else:
        return
    raise BadInput(
        f"The wire {plugin.name!r} from {plugin.where} {problem}.",
        "Expected a class such as those of smoldesk.wires.base.Wire; repair that package, or uninstall it.",
        code="bad_plugin",
    )
