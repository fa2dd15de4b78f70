"""Agents of the desk: the list of them, and the builders for each kind.

- `entries`: an agent of the list, and the built-in ones; `read_entries` and `add_entry`: agents.toml.
- `checks`: checks an agent's model, tools and program.
- `desk_agents`: picks the agent of a run; `agent_builder` builds agents of smolagents, `terminals` those in a terminal.
- `builder_parts`, `agent_tools`, `chat_data`: what agents are built from: services, tools, a chat's data.
- `call_meter`: the interface of what observes a chat's model calls.
- `analyst_files`: the tables and the building that the built-in analyst can answer about.
"""

from smoldesk.agents.agent_builder import AgentBuilder
from smoldesk.agents.agent_tools import tools_with_approval
from smoldesk.agents.analyst_files import ChatFiles, desk_catalogue
from smoldesk.agents.builder_parts import AgentChoices, BuilderParts
from smoldesk.agents.call_meter import CallMeter
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
    "CallMeter",
    "ChatFiles",
    "DeskAgents",
    "Terminals",
    "desk_catalogue",
    "load_agents",
    "tools_with_approval",
]
