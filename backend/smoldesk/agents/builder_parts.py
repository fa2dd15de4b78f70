"""Services and settings that agents are built from."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from smoldesk.agents.a2a_client import Peers
from smoldesk.agents.entries import AgentEntry
from smoldesk.buildings.building import Building
from smoldesk.models.choices import ModelChoices
from smoldesk.sandbox.children import Children
from smoldesk.store.chat_folders import ChatFolders
from smoldesk.store.data_dir import DataDir
from smoldesk.tables.open_tables import OpenTables
from smoldesk.tables.shared_folders import SharedFolders
from smoldesk.tables.table_profiles import Profiles
from smoldesk.tools.mcp_servers import McpServers

if TYPE_CHECKING:
    from smolagents.models import Model

    from smoldesk.tools.closure_store import ClosureStore
    from smoldesk.tools.demo.payment import Wallet
    from smoldesk.tools.live_layers import LayerStore
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
    folders: ChatFolders
    """Folders of the chats, the same at all servers."""
    profiles: Profiles
    uploads: Callable[[str], Collection[str]]
    """Names of a chat's uploaded files."""
    make_model: "Callable[[], Model] | None"
    make_tools: "Callable[[Path], Sequence[DeskTool]] | None"
    databases: "Databases"
    wallet: "Callable[[str], Wallet]"
    """Wallet of a chat (the payment demo)."""
    closures: "Callable[[str, str | None], ClosureStore]"
    """Closed parts of a chat's building, by the ids of both."""
    layers: "Callable[[str], LayerStore]"
    """Live layers of a chat."""
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

    def is_builtin(self, entry: AgentEntry) -> bool:
        """Return whether the agent's model is the built-in analyst."""
        return (
            self.make_model is None
            and entry.source is None
            and (entry.model or self.choices.model) == "builtin"
        )
