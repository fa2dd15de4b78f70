"""Managed agents: checks of which agents may manage which. Pure."""

import keyword
from collections.abc import Collection, Iterator, Mapping

from smoldesk.agents.entries import AgentEntry

# Maximum steps of one run that an entry can set.
MAX_STEPS = 1_000


def tool_name(agent: str) -> str:
    """Return the name of a managed agent as a Python function and tool: dashes become underscores."""
    return agent.replace("-", "_")


def faults_of_managed(
    entries: Mapping[str, AgentEntry], written: Collection[str], peers: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield the mistakes in lists of managed agents, each as the agent and a sentence.

    `written` are the agents with a table in the file (a broken one has no entry), `peers` the remote agents.
    """
    for entry in entries.values():
        for name in entry.managed:
            problem = _fault(entry, name, entries, written, peers)
            if problem is not None:
                yield entry.name, problem
        names = [tool_name(name) for name in entry.managed]
        if twice := {name for name in names if names.count(name) > 1}:
            yield entry.name, f"two of them would have the name {', '.join(sorted(twice))} in code."


def _fault(
    entry: AgentEntry,
    name: str,
    entries: Mapping[str, AgentEntry],
    written: Collection[str],
    peers: Collection[str],
) -> str | None:
    if name == entry.name:
        return "an agent cannot manage itself."
    if name not in entries:
        if name in peers:
            return f"{name!r} is a remote agent; call it with the tool ask_agent."
        return (
            None if name in written else f"there is no agent {name!r}; expected one of: {', '.join(entries)}."
        )
    member = entries[name]
    if member.kind == "terminal":
        return f"{name!r} is of kind terminal; only agents of the kinds code and tools can be managed."
    if not member.description.strip():
        return f"{name!r} has no description; its manager chooses tasks by it."
    if not tool_name(name).isidentifier() or keyword.iskeyword(tool_name(name)):
        return f"{name!r} is not a Python name: expected a letter first, and not a keyword."
    if path := _management_path(name, entry.name, entries):
        return f"it would manage itself through others: {' > '.join([entry.name, *path])}."
    return None


def _management_path(name: str, manager: str, entries: Mapping[str, AgentEntry]) -> list[str]:
    """Return the chain of agents from `name` to `manager`, both included; empty when there is none."""
    # A search that visits each agent once: lists may have cycles, which is what this looks for.
    came_from: dict[str, str | None] = {name: None}
    ahead = [name]
    while ahead:
        at = ahead.pop()
        for member in entries[at].managed if at in entries else ():
            if member not in came_from:
                came_from[member] = at
                ahead.append(member)
    path: list[str] = []
    step = manager if manager in came_from else None
    while step is not None:
        path.append(step)
        step = came_from[step]
    return path[::-1]
