"""Managed agents: which agents of the list may be given tasks by others, and what stands in the way. Pure."""

import keyword
from collections.abc import Collection, Iterator, Mapping

from smoldesk.agents.entries import AgentEntry

# Steps that an entry may ask for.
MOST_STEPS = 1_000


def tool_name(agent: str) -> str:
    """What a managed agent is called by in code and as a tool: its name, with _ for -."""
    return agent.replace("-", "_")


def faults_of_managed(
    entries: Mapping[str, AgentEntry], written: Collection[str], peers: Collection[str]
) -> Iterator[tuple[str, str]]:
    """What is wrong with the managed agents of the entries, as the agent and a sentence about its list.

    `written` are the agents that the file has a table of (one of them may be broken, and no entry), `peers` those elsewhere.
    """
    for entry in entries.values():
        for name in entry.managed:
            problem = _fault(entry, name, entries, written, peers)
            if problem is not None:
                yield entry.name, problem
        names = [tool_name(name) for name in entry.managed]
        if twice := {name for name in names if names.count(name) > 1}:
            yield entry.name, f"two of them would be called {', '.join(sorted(twice))} in code."


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
            return f"{name!r} is an agent elsewhere; it is asked by the tool ask_agent."
        return None if name in written else f"there is no agent {name!r}; expected of: {', '.join(entries)}."
    member = entries[name]
    if member.kind == "terminal":
        return f"{name!r} is of kind terminal; only agents of the kinds code and tools can be managed."
    if not member.description.strip():
        return f"{name!r} has no description, by which its manager knows what to ask it."
    if not tool_name(name).isidentifier() or keyword.iskeyword(tool_name(name)):
        return f"{name!r} cannot be called in Python: expected a name that begins with a letter and is no keyword."
    if path := _management_path(name, entry.name, entries):
        return f"it would manage itself: {' > '.join([entry.name, *path])}."
    return None


def _management_path(name: str, manager: str, entries: Mapping[str, AgentEntry]) -> list[str]:
    """The agents from `name` on through which `wanted` is managed, with both; nothing when it is not."""
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
