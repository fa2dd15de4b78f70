"""An agent that is one function, and a desk's agents that are all of this kind."""

from collections.abc import Callable
from dataclasses import dataclass, field

from smoldesk.stopping import StopFlag
from smoldesk.store.run_options import RunOptions
from smoldesk.tools.run_context import Agent, RunContext

Answering = Callable[[str, RunContext], str]


@dataclass
class Scripted:
    """An agent that is one function."""

    answer: Answering

    def run(self, message: str, ctx: RunContext) -> str:
        return self.answer(message, ctx)


@dataclass
class OneAgent:
    """runs.Agents for tests: the same function for every chat."""

    answer: Answering
    lost_reason: str | None = None
    has_state: bool = False
    needs_time: bool = False
    """To see whether the variables of a chat are there: its messages are then claimed on the run's thread."""
    dropped: list[str] = field(default_factory=list)
    chosen: list[RunOptions] = field(default_factory=list)

    def build(self, chat_id: str, stop: StopFlag, options: RunOptions) -> Agent:
        self.chosen.append(options)
        return Scripted(self.answer)

    def choose(self, chat_id: str, options: RunOptions, choices: object = None) -> RunOptions:
        return options

    def who(self, options: RunOptions) -> dict[str, str]:
        return {"agent": options.agent or "scripted"}

    def approvals(self) -> dict[str, str]:
        return {"pay": "always"}

    def lost(self, chat_id: str, wait: bool = True) -> str | None:
        if self.needs_time and not wait:
            raise BlockingIOError
        return self.lost_reason

    def holds(self, chat_id: str) -> bool:
        return self.has_state

    def drop(self, chat_id: str, reason: str) -> None:
        self.dropped.append(chat_id)

    def close(self) -> None: ...
