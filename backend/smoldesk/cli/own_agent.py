"""`smoldesk serve AGENT`: the desk with an agent from a Python file or a folder as its default agent."""

import sys
from collections.abc import Callable

from smoldesk.agents import AgentList, load_agents
from smoldesk.agents.supplied.agent_features import describe, with_own_agent
from smoldesk.agents.supplied.agent_files import load_agent
from smoldesk.agents.supplied.agent_source import AgentSource
from smoldesk.settings import Settings


def serve_own_agent(
    settings: Settings,
    spec: str,
    serve: Callable[[Settings, Callable[[str], bool], AgentList], int],
) -> int:
    """Load the agent, then serve it; return the exit code. Raises BadInput for an agent that cannot be loaded."""
    seconds = settings.agent_load_seconds
    agent, name = load_agent(spec, settings.data_dir, seconds)
    source = AgentSource(agent, seconds=seconds)
    entry, agents = with_own_agent(load_agents(settings.data_dir.absolute()), source, name)

    def on_open(address: str) -> bool:
        sys.stdout.write("\n".join([f"smoldesk serves {address}", *describe(source, entry.name), ""]))
        sys.stdout.flush()
        return True

    return serve(settings.model_copy(update={"agent": entry.name}), on_open, agents)
