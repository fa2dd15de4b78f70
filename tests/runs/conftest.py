"""A Runs over a real store, answered by small agents written in the tests."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from smoldesk.events import (
    RunCancelled,
    RunFailed,
    RunFinished,
    RunStarted,
    StoredEvent,
)
from smoldesk.runs import Runs
from smoldesk.store import chats
from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store
from smoldesk.tools.gate import PendingCall
from smoldesk.tools.policy import DeskTool
from smoldesk.tools.run_context import RunContext
from tests.support.aio import run_async
from tests.support.one_agent import Answering, OneAgent
from tests.support.tools import Paying


class BenchRuns(Runs):
    """Runs, with the store and the agent that a test gave them."""

    def __init__(self, store: Store, agents: OneAgent, **options: Any) -> None:
        super().__init__(store, agents, **options)
        self.store = store
        self.agents = agents


class Bench:
    """Runs with helpers to ask and to wait; `restart` is a crash and a new server on the same data."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.data_dir = DataDir(folder)
        self.database_url = database_url
        self.opened: list[BenchRuns] = []
        self.agents: list[OneAgent] = []

    def open(self, answer: Answering, data_dir: DataDir | None = None, **options: Any) -> BenchRuns:
        """A server; with a `data_dir` of its own, another one on the same database."""
        agents = OneAgent(answer)
        self.agents.append(agents)
        store = Store.open(data_dir or self.data_dir, self.database_url)
        runs = BenchRuns(store, agents, **options)
        runs.open()
        self.opened.append(runs)
        return runs

    def close(self) -> None:
        for runs in self.opened:
            runs.close()
            runs.store.close()


@pytest.fixture
def bench(tmp_path: Path, database_url: str) -> Iterator[Bench]:
    bench = Bench(tmp_path / "data", database_url)
    yield bench
    bench.close()


def admit(
    ctx: RunContext, arguments: dict[str, JsonValue], tool: DeskTool | None = None
) -> dict[str, JsonValue]:
    """Have one call pass the run's gate, of `pay` by default; the arguments it may run with. Raises what the gate says."""
    [passed] = ctx.gate.passed(
        [PendingCall("call-1", tool or Paying([]), arguments, line=3, source="pay(30)")]
    )
    if passed.fault is not None:
        raise passed.fault
    return passed.arguments


async def new_chat(runs: BenchRuns) -> str:
    return (await runs.store.do(lambda tx: chats.new_chat(tx))).id


async def until_closed(runs: BenchRuns, chat_id: str, count: int = 1) -> list[StoredEvent]:
    """The chat's events until `count` runs are closed."""
    received: list[StoredEvent] = []

    async def collect() -> None:
        closed = 0
        async for batch in runs.follow(chat_id):
            for item in batch:
                if isinstance(item, StoredEvent):
                    received.append(item)
                    closed += isinstance(item.event, RunFinished | RunFailed | RunCancelled)
            if closed >= count:
                return

    await asyncio.wait_for(collect(), 30)
    return received


async def until_event(runs: BenchRuns, chat_id: str, kind: type) -> StoredEvent:
    """The first event of a kind."""

    async def collect() -> StoredEvent:
        async for batch in runs.follow(chat_id):
            for item in batch:
                if isinstance(item, StoredEvent) and isinstance(item.event, kind):
                    return item
        raise AssertionError("the follow ended")

    return await asyncio.wait_for(collect(), 30)


def told(runs: BenchRuns, *messages: str) -> list[StoredEvent]:
    """The events of a new chat in which these were said, until each is answered."""

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(runs)
        for message in messages:
            await runs.start(chat_id, message)
        return await until_closed(runs, chat_id, len(messages))

    return run_async(scenario())


def told_after_stop(runs: BenchRuns, message: str, reason: str) -> list[StoredEvent]:
    """The events of a new chat whose one run is stopped once it has started."""

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(runs)
        run_id = await runs.start(chat_id, message)
        await until_event(runs, chat_id, RunStarted)
        await runs.cancel(run_id, reason)
        return await until_closed(runs, chat_id)

    return run_async(scenario())


def wait_for_stop(message: str, ctx: RunContext) -> str:
    ctx.stop.wait(60)
    ctx.stop.check()
    return "never"


def dies(runs: BenchRuns) -> None:
    """As if the process were gone: nothing of the server writes any more."""
    runs.store.close()  # first: a run that saw the closing would say that its server was stopped
    runs._closing.set()  # pyright: ignore[reportPrivateUsage]
    runs._lease._closed.set()  # pyright: ignore[reportPrivateUsage]


def begins_nothing(runs: BenchRuns) -> None:
    """From now on it takes messages, and begins no run."""
    runs._leaving.set()  # pyright: ignore[reportPrivateUsage]


def kinds(events: list[StoredEvent]) -> list[str]:
    return [stored.event.type for stored in events]
