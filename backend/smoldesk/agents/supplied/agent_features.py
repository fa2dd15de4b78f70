"""Description of a person's agent for start-up output and the list of agents: what it is, its tools, what does not work."""

import getpass
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any, cast

from smolagents import CodeAgent, ToolCallingAgent

from smoldesk.agents.entries import NAME, AgentEntry, AgentList
from smoldesk.agents.supplied.agent_source import AgentSource
from smoldesk.agents.supplied.kept_executor import is_replaced
from smoldesk.sandbox.tool_host import encoded

POLICIES = {"never": "never asks", "once": "asks once a run", "always": "asks before each call"}
# Variables of every interpreter of smolagents.
_OF_THE_INTERPRETER = {"__name__", "_print_outputs", "_operations_count"}
_NOT_OF_NAMES = re.compile(r"[^a-z0-9_-]+")


def entry_of(source: AgentSource, name: str | None, taken: Collection[str]) -> AgentEntry:
    """Return the entry of an agent under `name`, else its own name; `taken` are names of other agents."""
    wanted = _NOT_OF_NAMES.sub("-", (source.sample.name or name or "agent").lower()).strip("-_")[:35]
    wanted = wanted if NAME.fullmatch(wanted) else "agent"
    if wanted in taken:
        wanted += "-own"
    kind = "code" if isinstance(source.sample, CodeAgent) else "tools"
    return AgentEntry(wanted, kind, source.sample.description or "", source=source)


def with_own_agent(agents: AgentList, source: AgentSource, name: str | None) -> tuple[AgentEntry, AgentList]:
    """Return the entry of an agent, and the list with it as the default agent."""
    entry = entry_of(source, name, agents.entries)
    return entry, replace(agents, entries={entry.name: entry, **agents.entries}, default=entry.name)


def describe(source: AgentSource, name: str, ignored: Collection[str] = ()) -> list[str]:
    """Return the lines of start-up output; `ignored` are arguments that have no meaning at the desk."""
    agent = source.sample
    tools = [f"{tool.name} ({POLICIES[tool.approval]})" for tool in source.tools()]
    lines = [
        f"agent: {name} ({type(agent).__name__}, model {source.model_id}, at most {agent.max_steps} steps)",
        f"tools: {', '.join(tools) or 'none'}",
        f"code: {_code_line(source)}",
        f"chats: {_chats_line(source)}",
        f"rights: its tools, callbacks and checks run in this process, with the rights of {_user()}",
    ]
    problems = [*(f"{argument}: no meaning here" for argument in ignored), *unsupported(agent)]
    return [*lines, f"not supported: {'; '.join(problems)}" if problems else "not supported: nothing found"]


def unsupported(agent: Any) -> Iterator[str]:
    """Yield the options of an agent, and of those that it manages, that have no effect at the desk."""
    if is_replaced(getattr(agent, "python_executor", None)):
        yield from _of_the_sandbox(agent)
    if isinstance(agent, ToolCallingAgent) and agent.max_tool_threads is not None:
        yield "max_tool_threads: calls run one after the other"
    if _overrides(agent, "process_tool_calls"):
        yield "process_tool_calls: kept, but its threads wait for each other at the gate"
    if agent.return_full_result:
        yield "return_full_result: the chat shows the answer, the debug pane the steps"
    if agent.memory.steps:
        yield "memory of earlier runs: a chat remembers its own runs only"
    members: list[Any] = [*agent.managed_agents.values()]
    for member in members:
        yield from (f"{member.name}: {problem}" for problem in unsupported(member))


def _of_the_sandbox(agent: Any) -> Iterator[str]:
    if not isinstance(agent, CodeAgent):
        return
    for option in agent.executor_kwargs:
        yield f"executor_kwargs[{option!r}]: the sandbox has limits of its own"
    if agent.max_print_outputs_length is not None:
        yield "max_print_outputs_length: the sandbox cuts prints at 50,000 characters"
    made = {*getattr(agent.python_executor, "state", {})} - _OF_THE_INTERPRETER
    if made:
        yield f"code that ran before the launch: {', '.join(sorted(made)[:5])} are not in the sandbox"
    for name, value in agent.state.items():
        try:
            encoded(value)
        except (TypeError, ValueError, RecursionError):
            yield f"state[{name!r}]: a {type(value).__name__} cannot enter the sandbox"


def _overrides(agent: Any, method: str) -> bool:
    own = getattr(cast("Any", type(agent)), method, None)
    return isinstance(agent, ToolCallingAgent) and own.__module__.partition(".")[0] not in (
        "smolagents",
        "smoldesk",
    )


def _code_line(source: AgentSource) -> str:
    agent: Any = source.sample
    if not isinstance(agent, CodeAgent):
        return "none, the agent calls tools"
    if source.own_executor is not None:
        if source.is_remote:
            return (
                f"runs in the agent's own {source.own_executor}, with its tools, which run without approval"
            )
        return f"runs in the agent's own {source.own_executor}, in this process and without isolation"
    imports = "all" if "*" in agent.authorized_imports else ", ".join(agent.authorized_imports)
    return f"runs in the sandbox, without network; it may import: {imports}"


def _chats_line(source: AgentSource) -> str:
    if source.serves_one_chat:
        return "one chat only, because this agent cannot be copied; pass a function that makes the agent to serve several"
    return (
        "each gets a copy of the agent; the model is shared"
        if source.copies
        else "each gets an agent of its own"
    )


def _user() -> str:
    try:
        return f"the user {getpass.getuser()!r}"
    except (KeyError, OSError):  # a container's user may have no name
        return "this user"
