"""The desk's agents: the list of them, and whatever answers a run.

- `entries`: an agent of the list, and the built-in ones; `read_entries` and `add_entry`: agents.toml.
- `checks`: whether an agent can work here.
- `desk_agents`: picks one for a run; `agent_builder` builds those of smolagents, `terminals` those that are programs.
- `analyst_files`: what the built-in analyst may talk about.
"""

from smoldesk.agents.agent_builder import AgentBuilder, AgentChoices, BuilderParts, asking
from smoldesk.agents.analyst_files import ChatFiles, desk_catalogue
from smoldesk.agents.desk_agents import AgentInfo, DeskAgents
from smoldesk.agents.entries import AgentEntry, AgentList
from smoldesk.agents.read_entries import load_agents
from smoldesk.agents.terminals import Terminals

__all__ = [
    "AgentBuilder",
    "AgentChoices",
    "AgentEntry",
    "AgentInfo",
    "AgentList",
    "BuilderParts",
    "ChatFiles",
    "DeskAgents",
    "Terminals",
    "asking",
    "desk_catalogue",
    "load_agents",
]
