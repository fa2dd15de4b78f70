"""The desk's list of agents: what an entry says, which ones every desk has, and finding one by its name. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from smoldesk.agents.a2a_client import Peer
from smoldesk.errors import NotFound
from smoldesk.models.choices import NamedModel
from smoldesk.tools.mcp_servers.entries import ServerEntry

Kind = Literal["code", "tools", "terminal"]
KINDS: tuple[Kind, ...] = get_args(Kind)
# The tool by which an agent of kind tools runs code.
INTERPRETER = "python_interpreter"
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
NAME_FORM = "1 to 40 of a-z, 0-9, _ and -, not beginning with _ or -"


@dataclass(frozen=True)
class AgentEntry:
    """One agent. `model` and `tools` are of the kinds code and tools, `profile` and `env` of the kind terminal.

    `model` None: the desk's own. `tools` None: all there are. `profile` is as it was written: the name of a shipped one,
    or the path of a .yaml below the data directory. `env` goes to the program beside what its profile gives, and is shown
    to nobody. `managed` are other agents that it may give tasks to; `max_steps` None: as many as the desk allows.
    `structured`, of kind code: the model answers by a schema where it can.
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


CODE = AgentEntry("code", "code", "Writes Python and runs it.")
TOOLS = AgentEntry("tools", "tools", "Calls tools; python_interpreter among them runs Python.")
DEMO = AgentEntry("demo", "terminal", "A small program in a terminal, to try one out.", profile="demo")
# What every desk has without a file.
BUILT_IN: Mapping[str, AgentEntry] = {entry.name: entry for entry in (CODE, TOOLS, DEMO)}


@dataclass(frozen=True)
class AgentList:
    """The built-in agents and those of agents.toml, by name in that order; `folder` is where paths of profiles begin.

    `peers` are agents elsewhere, which they may ask; `models` are those that chats may choose by a name; `mcp` are servers
    whose tools they have.
    """

    entries: Mapping[str, AgentEntry] = field(default_factory=lambda: BUILT_IN)
    default: str = CODE.name
    folder: Path = Path()
    peers: Mapping[str, Peer] = field(default_factory=dict[str, Peer])
    models: Mapping[str, NamedModel] = field(default_factory=dict[str, NamedModel])
    mcp: Sequence[ServerEntry] = ()

    def get(self, name: str) -> AgentEntry:
        """Raises NotFound, naming the agents there are."""
        entry = self.entries.get(name)
        if entry is None:
            raise NotFound(
                f"There is no agent {name[:40]!r}.",
                f"Agents: {', '.join(self.entries)}.",
                code="unknown_agent",
            )
        return entry
