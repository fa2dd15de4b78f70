"""Entries of the desk's list of agents, the built-in ones among them. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from smoldesk.agents.a2a_client import Peer
from smoldesk.buildings.layers.entries import LayerEntry
from smoldesk.errors import NotFound
from smoldesk.models.choices import NamedModel
from smoldesk.models.options import NO_OPTIONS, ModelOptions
from smoldesk.tools.mcp_servers.entries import ServerEntry

if TYPE_CHECKING:
    from smoldesk.agents.supplied.agent_source import AgentSource

Kind = Literal["code", "tools", "terminal"]
KINDS: tuple[Kind, ...] = get_args(Kind)
# Name of the tool that runs code for agents of kind tools.
INTERPRETER = "python_interpreter"
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
NAME_FORM = "1 to 40 of a-z, 0-9, _ and -, not beginning with _ or -"


@dataclass(frozen=True)
class AgentEntry:
    """One agent. `model` and `tools` are for the kinds code and tools, `profile` and `env` for the kind terminal.

    `model` None: the desk's own. `tools` None: all of them but the demo tools, which `has_demo_tools`
    adds. `profile` as written: the name of a shipped one, or the path of a
    .yaml below the data directory. `env` is added to the variables of the profile and is never shown. `managed` are agents
    that it may call; `max_steps` None: the desk's limit. `structured`, for kind code: the model answers by a schema if it can.
    `options` replace those of the model; `executor`, for a desk with nodes: where its code runs.
    """

    name: str
    kind: Kind
    description: str = ""
    model: str | None = None
    tools: tuple[str, ...] | None = None
    profile: str | None = None
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    managed: tuple[str, ...] = ()
    max_steps: int | None = None
    structured: bool = False
    executor: str | None = None
    options: ModelOptions = NO_OPTIONS
    has_demo_tools: bool = False
    source: "AgentSource | None" = field(default=None, repr=False, compare=False)
    """Source of a person's own agent, which has its model and tools with it; never from a file of entries."""


CODE = AgentEntry("code", "code", "Writes Python and runs it.")
TOOLS = AgentEntry("tools", "tools", "Calls tools; python_interpreter among them runs Python.")
DEMO = AgentEntry("demo", "terminal", "A small program in a terminal, to try one out.", profile="demo")
SMALL = AgentEntry(
    "small",
    "code",
    "For small models: a short prompt, few tools, answers by a schema.",
    tools=("find_route", "where_is", "color_rooms"),
    structured=True,
    options=ModelOptions(temperature=0),
)
DEMO_TOOLS = AgentEntry(
    "demo-tools", "tools", "Tries approvals: play money, location, music, weather.", has_demo_tools=True
)
# Agents of every desk, also without agents.toml.
BUILT_IN: Mapping[str, AgentEntry] = {entry.name: entry for entry in (CODE, TOOLS, DEMO, SMALL, DEMO_TOOLS)}


@dataclass(frozen=True)
class AgentList:
    """Built-in agents and those of agents.toml, by name in that order; paths of profiles are relative to `folder`.

    `peers` are remote agents for ask_agent; `models` are those that a chat can choose by name; `mcp` are the servers whose
    tools the agents have; `layers` are live layers of every chat.
    """

    entries: Mapping[str, AgentEntry] = field(default_factory=lambda: BUILT_IN)
    default: str = CODE.name
    folder: Path = Path()
    peers: Mapping[str, Peer] = field(default_factory=dict[str, Peer])
    models: Mapping[str, NamedModel] = field(default_factory=dict[str, NamedModel])
    mcp: Sequence[ServerEntry] = ()
    layers: Sequence[LayerEntry] = ()

    def get(self, name: str) -> AgentEntry:
        """Return an agent. Raises NotFound, with the names of all agents."""
        entry = self.entries.get(name)
        if entry is None:
            raise NotFound(
                f"There is no agent {name[:40]!r}.",
                f"Agents: {', '.join(self.entries)}.",
                code="unknown_agent",
            )
        return entry
