"""Source of a person's agents: the function that makes them, or one agent that is copied for each chat.

Memory, state and tools of a chat belong to its agent alone, so each chat has one. A function is called once per chat. A
bare agent is copied: its tools, state and callbacks are copied with it, its model is shared. One that cannot be copied, or
that runs code in an executor of its own, serves one chat.
"""

import copy
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast, get_args

from smolagents import CodeAgent, MultiStepAgent

from smoldesk.agents.supplied.equipment import adapted_class, tools_of
from smoldesk.agents.supplied.kept_executor import is_remote, is_replaced
from smoldesk.agents.supplied.supplied_model import model_id_of
from smoldesk.agents.supplied.supplied_tools import SuppliedTool
from smoldesk.errors import BadInput, DeskError
from smoldesk.stopping import start_thread
from smoldesk.tools.policy import Approval

# Agents that stay in memory; the one that was used longest ago makes room for another.
MAX_AGENTS = 64
# Name of the threads that run a person's code which makes agents.
LOADER = "load-agent"
EXPECTED = (
    "Expected a smolagents agent (CodeAgent, ToolCallingAgent or a subclass), or a function that makes one."
)


class AgentSource:
    """Agents of one desk, by chat. Thread-safe; one run of a chat at a time uses its agent."""

    def __init__(
        self,
        agent: Any,
        *,
        approvals: Mapping[str, Approval] | None = None,
        upload_folder: Path | None = None,
        remembers: bool = True,
        seconds: float = 120,
    ) -> None:
        """Make a first agent. Raises BadInput for another object, for a maker that fails, and for unknown `approvals`.

        `seconds` limit each call of a function that makes agents.
        """
        self.approvals: dict[str, Approval] = dict(approvals or {})
        self.upload_folder = upload_folder
        self.remembers = remembers
        self._lock = threading.Lock()
        self._agents: dict[str, Any] = {}
        self._served: str | None = None
        self._seconds = seconds
        self._factory: Any = None if isinstance(agent, MultiStepAgent) else agent
        self.sample: Any = self._checked(agent) if self._factory is None else self._made()
        self._spare: Any = self.sample
        self.copies = self._factory is None and is_replaced_everywhere(self.sample) and can_copy(self.sample)
        """Whether each chat gets a copy of the agent."""
        self._check_approvals()

    @property
    def serves_one_chat(self) -> bool:
        """Whether only one chat can use the agent."""
        return self._factory is None and not self.copies

    @property
    def model_id(self) -> str:
        """Name of the agent's model."""
        return model_id_of(self.sample.model)

    @property
    def runs_code_here(self) -> bool:
        """Whether the agent's code runs in the sandbox of this machine."""
        return is_code_agent(self.sample) and is_replaced(self.sample.python_executor)

    @property
    def own_executor(self) -> str | None:
        """Class of the executor that the agent brings; None: the sandbox."""
        if not is_code_agent(self.sample) or self.runs_code_here:
            return None
        return type(self.sample.python_executor).__name__

    @property
    def is_remote(self) -> bool:
        """Whether the agent's own executor runs code away from the server's process."""
        return self.own_executor is not None and is_remote(self.sample.python_executor)

    def tools(self) -> list[SuppliedTool]:
        """Return the agent's tools, the agents that it manages, and their tools, to describe them."""
        return [*{tool.name: tool for tool in _all_tools(self.sample, self.approvals)}.values()]

    def agent_for(self, chat_id: str) -> Any:
        """Return the agent of a chat. Raises DeskError("one_chat_only") or ("own_agent_failed")."""
        with self._lock:
            if chat_id in self._agents:
                self._agents[chat_id] = agent = self._agents.pop(chat_id)
                return agent
            if self.serves_one_chat and self._served not in (None, chat_id):
                raise one_chat_only()
            self._served = chat_id
            spare, self._spare = self._spare, None
        agent = spare if spare is not None and not self.copies else self._another()
        with self._lock:
            self._agents[chat_id] = agent
            surplus = [*self._agents][:-MAX_AGENTS]
            removed = [self._agents.pop(chat) for chat in surplus]
        for old in removed:
            clean_up(old)
        return agent

    def drop(self, chat_id: str) -> None:
        """Drop the agent of a chat that is deleted."""
        with self._lock:
            agent = self._agents.pop(chat_id, None)
        if agent is not None and not self.serves_one_chat:
            clean_up(agent)

    def close(self) -> None:
        """Clean up all agents, such as their remote executors."""
        with self._lock:
            agents = [*self._agents.values(), self._spare]
            self._agents.clear()
        for agent in agents:
            clean_up(agent)

    def _another(self) -> Any:
        return copied(self.sample) if self._factory is None else self._made()

    def _made(self) -> Any:
        if not callable(self._factory):
            raise not_an_agent(self._factory)
        making = start_thread(self._factory, LOADER)
        try:
            agent = making.result(self._seconds)
        except (Exception, SystemExit) as fault:  # a person's function may raise anything
            if not making.done():
                raise BadInput(
                    f"The function that makes the agent did not return within {self._seconds:g} s.",
                    "Mend it, or raise SMOLDESK_AGENT_LOAD_SECONDS.",
                    code="own_agent_failed",
                ) from None
            raise BadInput(
                f"The agent cannot be made: {type(fault).__name__}: {str(fault)[:500]}",
                "Mend the function that makes it, and the constructors of its tools.",
                code="own_agent_failed",
            ) from fault
        return self._checked(agent)

    def _checked(self, agent: Any) -> Any:
        if not isinstance(agent, MultiStepAgent):
            raise not_an_agent(agent)
        adapt(agent)
        return agent

    def _check_approvals(self) -> None:
        names = [tool.name for tool in self.tools()]
        for name, approval in self.approvals.items():
            if name not in names:
                raise BadInput(
                    f"The approvals name a tool that the agent does not have: {name!r}.",
                    f"Expected one of: {', '.join(names) or 'none'}.",
                    code="unknown_tool",
                )
            if approval not in get_args(Approval):
                raise BadInput(
                    f"The approval of {name!r} is {approval!r}.", "Expected never, once or always."
                )


def _all_tools(agent: Any, approvals: Mapping[str, Approval]) -> list[SuppliedTool]:
    tools, members = tools_of(agent, approvals)
    nested = [tool for member in members for tool in _all_tools(member.inner, approvals)]
    return [*tools, *members, *nested]


def adapt(agent: Any) -> None:
    """Give an agent and those it manages the class that the desk runs; its name and methods stay the person's."""
    agent.__class__ = adapted_class(cast("Any", type(agent)))
    for member in agent.managed_agents.values():
        if isinstance(member, MultiStepAgent):
            adapt(member)


def is_code_agent(agent: Any) -> bool:
    """Return whether the agent writes code."""
    return isinstance(agent, CodeAgent)


def is_replaced_everywhere(agent: Any) -> bool:
    """Return whether the agent and those that it manages run code in the sandbox alone."""
    return is_replaced(getattr(agent, "python_executor", None)) and all(
        is_replaced_everywhere(member) for member in agent.managed_agents.values()
    )


def can_copy(agent: Any) -> bool:
    """Return whether a copy of the agent can be made."""
    try:
        copied(agent)
    except Exception:  # an object may refuse to be copied in any way: locks, sockets, clients
        return False
    return True


def copied(agent: Any) -> Any:
    """Return a copy of an agent; the models of the agent and of those it manages are shared, with their loggers."""
    shared = {id(part): part for part in shared_parts(agent)}
    return copy.deepcopy(agent, shared)


def shared_parts(agent: Any) -> list[Any]:
    """Return the parts that copies share: models, and loggers, which hold a terminal."""
    parts = [agent.model, agent.logger]
    for member in agent.managed_agents.values():
        parts += shared_parts(member)
    return parts


def clean_up(agent: Any) -> None:
    """End what an agent holds elsewhere, such as a container."""
    end = getattr(agent, "cleanup", None)
    if end is not None:
        try:
            end()
        except Exception:  # it runs elsewhere, and may be gone
            return


def not_an_agent(value: object) -> BadInput:
    """Return the error for an object of another type."""
    return BadInput(f"A {type(value).__name__} is not an agent.", EXPECTED, code="not_an_agent")


def one_chat_only() -> DeskError:
    """Return the error for a second chat of an agent that cannot be copied."""
    return DeskError(
        "This agent serves one chat, and another chat has it.",
        "Pass a function that makes the agent, so that each chat gets its own: DeskUI(make_agent).launch()",
        code="one_chat_only",
    )
