"""Tool calls of a run over a real store: what an agent lets pass its gate, and what a person answers meanwhile."""

from collections.abc import Callable
from dataclasses import dataclass, field

from pydantic import JsonValue

from smoldesk.events import (
    Ask,
    AskOpened,
    RunWaiting,
    StoredEvent,
)
from smoldesk.store.asks import Answer, AskRecord, asks_of_chat
from smoldesk.store.chats import new_chat
from smoldesk.tools.gate import PendingCall
from smoldesk.tools.policy import DeskTool
from smoldesk.tools.run_context import RunContext
from tests.runs.conftest import BenchRuns
from tests.support.aio import run_async
from tests.support.tools import Paying

Step = list[tuple[DeskTool, dict[str, JsonValue]]]
Answering = Callable[[Ask], Answer | None]
"""What a person says to an ask; None for nothing."""


@dataclass
class Agent:
    """Has steps of calls pass its run's gate; `judged` is what came of each call, in the order it came."""

    steps: list[Step]
    judged: list[str] = field(default_factory=list)

    def __call__(self, message: str, ctx: RunContext) -> str:
        for number, step in enumerate(self.steps):
            ctx.gate.begin_step()
            calls = [
                PendingCall(f"{number}.{place}", tool, arguments, line=1, source="pay(word)")
                for place, (tool, arguments) in enumerate(step)
            ]
            for passed in ctx.gate.passed(calls):
                fault = passed.fault
                reply = f"{type(fault).__name__}: {fault}" if fault else str(passed.arguments)
                self.judged.append(f"{passed.call.call_id} {reply}")
        return "done"


@dataclass
class Told:
    """A run that ended: its chat, its events, what became of its calls."""

    runs: BenchRuns
    chat_id: str
    events: list[StoredEvent]

    def kinds(self) -> list[str]:
        return [stored.event.type for stored in self.events]

    def asks(self) -> list[Ask]:
        return [stored.event.ask for stored in self.events if isinstance(stored.event, AskOpened)]

    def records(self) -> list[AskRecord]:
        """The chat's record of grants and denials, oldest first."""
        return self.runs.store.read(lambda c: asks_of_chat(c, self.chat_id))[::-1]


def play(runs: BenchRuns, answering: Answering, chat_id: str = "", together: bool = False) -> Told:
    """Start a run and answer its asks when it waits: each as it comes, or all at once."""

    async def scenario() -> Told:
        chat = chat_id or (await runs.store.do(new_chat)).id
        before = runs.store.events(chat)
        await runs.start(chat, "go")
        open_: dict[str, Ask] = {}
        async for batch in runs.follow(chat, before[-1].seq if before else 0):
            for event in (stored.event for stored in batch if isinstance(stored, StoredEvent)):
                if isinstance(event, AskOpened):
                    open_[event.ask.id] = event.ask
                elif isinstance(event, RunWaiting):
                    expected = [open_[ask_id] for ask_id in event.ask_ids]
                    for ask in () if together else expected:
                        if (answer := answering(ask)) is not None:
                            await runs.answer(ask.id, answer, chat)
                            break
                    if together:
                        await runs.answer_all(
                            [(ask.id, answering(ask) or Answer(True)) for ask in expected], chat
                        )
                elif event.type in ("run_finished", "run_failed", "run_cancelled"):
                    return Told(runs, chat, runs.store.events(chat)[len(before) :])
        raise AssertionError("the follow ended")

    return run_async(scenario())


def pays(*text: str, tool: DeskTool | None = None) -> Step:
    """A step that calls one tool, `pay`, with each of these words."""
    tool = tool or Paying([])
    return [(tool, {"word": word}) for word in text]
