"""A desk whose chats are answered by terminal programs: real `Runs`, store and pool, real programs under a terminal."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from smoldesk.agents.terminal.agent import TerminalAgent
from smoldesk.agents.terminal.pool import Programs
from smoldesk.agents.terminal.terminal_profiles import Profile, load_profile, profile_of
from smoldesk.events import (
    Ask,
    AskOpened,
    Delta,
    LateOutput,
    RunCancelled,
    RunEvent,
    RunFailed,
    RunFinished,
    RunWaiting,
    Shown,
    StoredEvent,
)
from smoldesk.messages import Debug, StepOutput
from smoldesk.runs import Runs
from smoldesk.stopping import StopFlag
from smoldesk.store import chats
from smoldesk.store.asks import Answer
from smoldesk.store.data_dir import DataDir
from smoldesk.store.run_options import RunOptions
from smoldesk.store.store import Store
from smoldesk.tools.run_context import Agent
from tests.support.aio import run_async

CLOSING = (RunFinished, RunFailed, RunCancelled)


def profile(base: str = "demo", **values: Any) -> Profile:
    """A shipped profile with other values."""
    return profile_of({**load_profile(base).model_dump(exclude_unset=True), **values}, f"{base}.yaml")


def make_profile(command: str, *args: str, **values: Any) -> Profile:
    """A profile for a program that none is shipped for."""
    return profile_of({"name": "own", "command": command, "args": args, **values}, "own.yaml")


class TerminalAgents:
    """runs.Agents: the same profile for every chat, unless one is set for it."""

    def __init__(self, default: Profile, programs: Programs, ask_seconds: float) -> None:
        self.default = default
        self.profiles: dict[str, Profile] = {}
        self.programs = programs
        self.ask_seconds = ask_seconds

    def build(self, chat_id: str, stop: StopFlag, options: RunOptions) -> Agent:
        used = self.profiles.get(chat_id, self.default)
        return TerminalAgent("term", used, self.programs, self.ask_seconds)

    def choose(self, chat_id: str, options: RunOptions, choices: object = None) -> RunOptions:
        return options

    def who(self, options: RunOptions) -> dict[str, str]:
        return {}

    def approvals(self) -> dict[str, str]:
        return {}

    def lost(self, chat_id: str, wait: bool = True) -> str | None:
        return None

    def holds(self, chat_id: str) -> bool:
        return self.programs.holds(chat_id)

    def drop(self, chat_id: str, reason: str) -> None:
        self.programs.drop(chat_id, reason)

    def close(self) -> None:
        self.programs.close()


class Desk:
    """What tests do at such a desk."""

    def __init__(self, folder: Path, default: Profile, ask_seconds: float = 60) -> None:
        self.folder = folder
        self.store = Store.open(DataDir(folder), "")
        self.programs = Programs(late=self._late)
        self.agents = TerminalAgents(default, self.programs, ask_seconds)
        self.runs = Runs(self.store, self.agents)
        self.runs.open()

    def _late(self, chat_id: str, agent: str, text: str) -> None:
        self.store.submit(lambda tx: tx.append(chat_id, [LateOutput(agent=agent, text=text)])).result()

    def close(self) -> None:
        self.runs.close()
        self.programs.close()
        self.store.close()

    async def chat(self) -> str:
        return (await self.store.do(lambda tx: chats.new_chat(tx))).id

    async def until(
        self, chat_id: str, enough: Callable[[list[StoredEvent]], bool], seconds: float = 60
    ) -> list[StoredEvent]:
        """The chat's events once they are enough."""
        events: list[StoredEvent] = []

        async def collect() -> None:
            async for batch in self.runs.follow(chat_id):
                events.extend(item for item in batch if isinstance(item, StoredEvent))
                if enough(events):
                    return

        await asyncio.wait_for(collect(), seconds)
        return events

    async def until_closed(self, chat_id: str, count: int = 1) -> list[StoredEvent]:
        return await self.until(chat_id, lambda events: len(closings(events)) >= count)

    async def ask_of(self, chat_id: str, number: int = 1) -> AskOpened:
        """The n-th question, once its run waits."""
        events = await self.until(
            chat_id, lambda events: sum(isinstance(stored.event, RunWaiting) for stored in events) >= number
        )
        return [stored.event for stored in events if isinstance(stored.event, AskOpened)][number - 1]

    def run_and_answer(self, message: str, *answers: Answer) -> tuple[list[Ask], list[StoredEvent]]:
        """What a run asks, each question answered with the next of these; and the events of its chat."""

        async def scenario() -> tuple[list[Ask], list[StoredEvent]]:
            chat_id = await self.chat()
            await self.runs.start(chat_id, message)
            asks: list[Ask] = []
            for number, answer in enumerate(answers, 1):
                asks.append((await self.ask_of(chat_id, number)).ask)
                await self.runs.answer(asks[-1].id, answer, chat_id)
            return asks, await self.until_closed(chat_id)

        return run_async(scenario())

    async def post(
        self, *messages: str, chat_id: str | None = None, closed: int | None = None
    ) -> list[StoredEvent]:
        """The events of a chat in which these messages were answered one after the other."""
        chat_id = chat_id or await self.chat()
        for number, message in enumerate(messages, 1):
            await self.runs.start(chat_id, message)
            await self.until_closed(chat_id, (closed or 0) + number)
        return await self.until_closed(chat_id, (closed or 0) + len(messages))


@contextmanager
def desk(folder: Path, default: Profile, ask_seconds: float = 60) -> Iterator[Desk]:
    opened = Desk(folder, default, ask_seconds)
    try:
        yield opened
    finally:
        opened.close()


def closings(events: list[StoredEvent]) -> list[RunFinished | RunFailed | RunCancelled]:
    return [event.event for event in events if isinstance(event.event, CLOSING)]


def streamed(events: list[StoredEvent]) -> str:
    return "".join(event.event.text for event in events if isinstance(event.event, Delta))


def outputs_of(events: list[StoredEvent]) -> list[StepOutput]:
    """What was shown beside debug."""
    return [message for message in _messages(events) if not isinstance(message, Debug)]  # pyright: ignore


def debugs(events: list[StoredEvent]) -> list[Debug]:
    return [message for message in _messages(events) if isinstance(message, Debug)]


def _messages(events: list[StoredEvent]) -> list[StepOutput | Debug]:
    return [event.event.message for event in events if isinstance(event.event, Shown)]


def of_runs(events: list[StoredEvent]) -> list[list[RunEvent]]:
    """The events of each run, in the order of the runs."""
    runs: dict[str, list[Any]] = {}
    for event in events:
        if event.run_id is not None:
            runs.setdefault(event.run_id, []).append(event.event)
    return list(runs.values())
