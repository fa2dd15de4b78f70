"""A real desk for the benchmarks: store on disk, runs, agent wrapper and child processes; only the model is scripted."""

import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.instant import InstantModel
from bench.report import CannotMeasure
from smoldesk.agents import DeskAgents
from smoldesk.desk import Desk, build_desk
from smoldesk.events import RunFailed, RunFinished, StoredEvent
from smoldesk.runs import Runs
from smoldesk.settings import Settings
from smoldesk.stopping import StopFlag
from smoldesk.store import chats
from smoldesk.store.run_options import RunOptions
from smoldesk.store.run_queue import Choices
from smoldesk.tools.run_context import Agent, RunContext

QUESTION = "What is one?"


class TimedAgents:
    """The desk's agents, with a clock: `seconds` is what the last run spent on building its agent and in it."""

    def __init__(self, agents: DeskAgents) -> None:
        self._agents = agents
        self.seconds = 0.0

    def build(self, chat_id: str, stop: StopFlag, options: RunOptions) -> Agent:
        return TimedAgent(self, chat_id, options)

    def run(self, chat_id: str, options: RunOptions, message: str, ctx: RunContext) -> str:
        started_at = time.perf_counter()
        try:
            return self._agents.build(chat_id, ctx.stop, options).run(message, ctx)
        finally:
            self.seconds = time.perf_counter() - started_at

    def choose(self, chat_id: str, options: RunOptions, choices: Choices | None = None) -> RunOptions:
        return self._agents.choose(chat_id, options, choices)

    def who(self, options: RunOptions) -> Mapping[str, str]:
        return self._agents.who(options)

    def approvals(self) -> Mapping[str, str]:
        return self._agents.approvals()

    def lost(self, chat_id: str, wait: bool = True) -> str | None:
        return self._agents.lost(chat_id, wait)

    def holds(self, chat_id: str) -> bool:
        return self._agents.holds(chat_id)

    def drop(self, chat_id: str, reason: str) -> None:
        self._agents.drop(chat_id, reason)

    def close(self) -> None:
        self._agents.close()


class TimedAgent:
    """One run's agent, built when it is run."""

    def __init__(self, agents: TimedAgents, chat_id: str, options: RunOptions) -> None:
        self._agents = agents
        self._chat_id = chat_id
        self._options = options

    def run(self, message: str, ctx: RunContext) -> str:
        return self._agents.run(self._chat_id, self._options, message, ctx)


@contextmanager
def timed_desk(memory_runs: int) -> Iterator[tuple[Desk, TimedAgents]]:
    """A desk whose agents are timed."""
    with closed_desk(memory_runs=memory_runs) as desk:
        agents = TimedAgents(desk.agents)
        desk = replace(desk, runs=Runs(desk.store, agents, memory_runs=memory_runs))
        desk.open()
        yield desk, agents
        desk.runs.close()


@contextmanager
def open_desk(**options: Any) -> Iterator[Desk]:
    """A desk at work."""
    with closed_desk(**options) as desk:
        desk.open()
        yield desk


@contextmanager
def closed_desk(**options: Any) -> Iterator[Desk]:
    """A desk in a temporary folder, answered by InstantModel; `options` are settings."""
    with tempfile.TemporaryDirectory(prefix="smoldesk-bench-") as folder:
        desk = build_desk(settings_in(Path(folder) / "data", **options), InstantModel)
        try:
            yield desk
        finally:
            desk.close()


def settings_in(folder: Path, **options: Any) -> Settings:
    """The settings of a benchmark's desk in a data directory; no environment counts."""
    inputs: dict[str, Any] = {"data_dir": folder, "sandbox_preload": [], "allow_unisolated": True}
    return Settings(_env_file=None, **inputs | options)  # pyright: ignore[reportCallIssue]


async def new_chat(desk: Desk) -> str:
    """The id of a new chat."""
    return (await desk.store.do(lambda tx: chats.new_chat(tx))).id


class Asker:
    """Asks in one chat and waits for the end, as a client that follows the chat does."""

    def __init__(self, desk: Desk, chat_id: str) -> None:
        self._desk = desk
        self._chat_id = chat_id
        self._feed: AsyncIterator[list[Any]] = desk.runs.follow(chat_id)

    async def open(self) -> None:
        """Take in what is there already."""
        await anext(self._feed)

    async def ask(self) -> None:
        """One run, from Runs.start until a follower holds its RunFinished, which is after its commit."""
        await self._desk.runs.start(self._chat_id, QUESTION)
        async for batch in self._feed:
            for item in batch:
                if not isinstance(item, StoredEvent):
                    continue
                if isinstance(item.event, RunFailed):
                    raise CannotMeasure(f"a run failed: {item.event.message}")
                if isinstance(item.event, RunFinished):
                    return
