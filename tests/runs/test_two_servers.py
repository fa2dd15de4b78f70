"""Two servers on one PostgreSQL: whoever is asked, the run's own server acts; when that one dies, the other goes on."""

import asyncio
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from smoldesk.errors import Conflict
from smoldesk.events import (
    RunCancelled,
    RunFailed,
    RunFinished,
    RunStarted,
    RunWaiting,
    StepFinished,
    StoredEvent,
    VariablesLost,
)
from smoldesk.runs import server_lease as module
from smoldesk.store import engines, notifications, run_queue, run_rows
from smoldesk.store.asks import Answer
from smoldesk.store.data_dir import DataDir
from smoldesk.store.followers import StopRequested
from smoldesk.store.run_options import NO_CHOICE, IdempotencyKey
from smoldesk.store.tables import ServerRow
from smoldesk.tools.run_context import RunContext
from tests.runs.conftest import (
    Answering,
    Bench,
    BenchRuns,
    admit,
    dies,
    kinds,
    new_chat,
    until_closed,
    until_event,
    wait_for_stop,
)
from tests.support.aio import run_async
from tests.support.postgres import TestPostgres
from tests.support.waiting import come_true


def echo(message: str, ctx: RunContext) -> str:
    return f"echo: {message}"


class Servers:
    """Opens servers, each with a data directory of its own, on one database."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self._folder = folder
        self.bench = Bench(folder / "first", database_url)

    def open(self, name: str, answer: Answering, **options: object) -> BenchRuns:
        return self.bench.open(answer, DataDir(self._folder / name), **options)


@pytest.fixture
def servers(tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Servers]:
    monkeypatch.setattr(notifications, "POLL_SECONDS", 0.2)
    servers = Servers(tmp_path, postgres_url)
    yield servers
    servers.bench.close()


@pytest.fixture
def quick_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    """To be asked for before the servers."""
    monkeypatch.setattr(module, "LEASE_SECONDS", 2.0)


def until_idle(runs: BenchRuns) -> None:
    deadline = time.monotonic() + 30
    while runs.working():
        assert time.monotonic() < deadline, "the run's thread did not end"
        time.sleep(0.02)


def test_a_page_on_one_follows_a_run_on_the_other(servers: Servers) -> None:
    def steps(message: str, ctx: RunContext) -> str:
        for number in range(1, 6):
            ctx.emit(StepFinished(step=number, memory={}, duration=0.1))
            ctx.settle()
        return "done"

    here, existing = servers.open("here", steps), servers.open("there", echo)

    async def scenario() -> tuple[list[StoredEvent], list[StoredEvent]]:
        chat_id = await new_chat(here)
        following = asyncio.create_task(until_closed(existing, chat_id))
        await here.start(chat_id, "x")
        return await following, await until_closed(here, chat_id)

    theirs, ours = run_async(scenario())
    assert theirs == ours
    assert kinds(ours) == ["run_queued", "run_started", *["step_finished"] * 5, "run_finished"]


def test_a_message_that_two_servers_get_in_the_same_moment_is_one_run(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = servers.open("here", echo), servers.open("there", echo)
    key = IdempotencyKey.of("test", "m-1")
    look, first = run_queue.run_sent_as, iter([True])

    async def scenario() -> tuple[tuple[str, bool], list[object]]:
        chat_ids = [await new_chat(here) for _ in range(2)]

        def look_too_early(connection: Connection, key: IdempotencyKey) -> object:
            run = look(connection, key)
            if next(first, False):  # committed after the other server has looked
                there.store.submit(
                    lambda tx: run_queue.start_once(tx, chat_ids[1], "x", 5, NO_CHOICE, key)
                ).result(30)
            return run

        monkeypatch.setattr(run_queue, "run_sent_as", look_too_early)
        answer = await here.start_once(chat_ids[0], "x", key)
        return answer, [kinds(here.store.events(chat_id))[:1] for chat_id in chat_ids]

    (_, existed), logs = run_async(scenario())
    assert existed and logs == [[], ["run_queued"]]


def test_a_stop_on_one_ends_a_run_on_the_other(servers: Servers) -> None:
    here, existing = servers.open("here", wait_for_stop), servers.open("there", echo)

    async def scenario() -> list[object]:
        chat_id = await new_chat(here)
        run_id = await here.start(chat_id, "wait")
        await until_event(existing, chat_id, RunStarted)
        received: list[object] = []
        async for batch in here.follow(chat_id):
            if not received:
                await existing.cancel(run_id, "enough")
            received.extend(item if isinstance(item, StopRequested) else item.event for item in batch)
            if any(isinstance(item, RunCancelled) for item in received):
                return received
        return received

    received = run_async(scenario())
    assert received[-1] == RunCancelled(reason="enough")
    assert any(isinstance(item, StopRequested) for item in received)


def test_an_answer_on_one_lets_a_call_on_the_other_run_once(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smoldesk.runs.asks.waiting.POLL_SECONDS", 1_000.0)
    paid: list[dict[str, object]] = []

    def pays(message: str, ctx: RunContext) -> str:
        paid.append(admit(ctx, {"word": "bread"}))  # pyright: ignore[reportArgumentType]
        return "paid"

    here, existing = servers.open("here", pays), servers.open("there", echo)

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(here)
        await here.start(chat_id, "x")
        waiting = await until_event(existing, chat_id, RunWaiting)
        ask_id = waiting.event.ask_ids[0]  # pyright: ignore
        assert paid == []
        await existing.answer(ask_id, Answer(True), chat_id)
        with pytest.raises(Conflict):
            await here.answer(ask_id, Answer(False), chat_id)
        return await until_closed(existing, chat_id)

    assert kinds(run_async(scenario()))[2:] == [
        "ask_opened", "run_waiting", "ask_closed", "run_resumed", "run_finished",
    ]  # fmt: skip
    assert paid == [{"word": "bread"}]


def test_a_message_to_one_waits_for_the_run_on_the_other(servers: Servers) -> None:
    gate = threading.Event()

    def gated(message: str, ctx: RunContext) -> str:
        gate.wait(20)
        return f"here: {message}"

    here, existing = servers.open("here", gated), servers.open("there", echo)

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(here)
        await here.start(chat_id, "first")
        await until_event(existing, chat_id, RunStarted)
        await existing.start(chat_id, "second")
        gate.set()
        return await until_closed(existing, chat_id, 2)

    events = [stored.event for stored in run_async(scenario())]
    assert next(event.text for event in events if isinstance(event, RunFinished)) == "here: first"
    assert sum(isinstance(event, RunStarted) for event in events) == 2


def test_the_runs_of_a_server_that_dies_are_closed_by_the_other_and_its_queue_is_worked_on(
    quick_leases: None, servers: Servers
) -> None:
    here, existing = servers.open("here", wait_for_stop), servers.open("there", echo)

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(here)
        await here.start(chat_id, "live")
        await until_event(existing, chat_id, RunStarted)
        await here.start(chat_id, "queued")
        dies(here)
        return await until_closed(existing, chat_id, 2)

    events = [stored.event for stored in run_async(scenario())]
    ends = [event for event in events if isinstance(event, RunFailed | RunFinished)]
    assert ends == [
        RunFailed(
            code="server_restarted",
            message="The server restarted during this run.",
            hint="Ask again to start a new run.",
        ),
        RunFinished(text="echo: queued"),
    ]


def test_a_run_of_a_server_that_lives_is_left_alone_however_long_it_takes(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LEASE_SECONDS", 5.0)
    here = servers.open("here", wait_for_stop)

    async def scenario() -> str:
        chat_id = await new_chat(here)
        run_id = await here.start(chat_id, "long")
        await until_event(here, chat_id, RunStarted)
        return run_id

    run_id = run_async(scenario())
    heartbeat = select(ServerRow.seen_at).where(ServerRow.id == here.server)

    def until_renewed() -> None:
        before = here.store.read(lambda connection: connection.scalar(heartbeat))
        come_true(lambda: here.store.read(lambda connection: connection.scalar(heartbeat)) != before)

    until_renewed()
    existing = servers.open("there", echo)
    until_renewed()
    until_renewed()  # by now the other one has looked after its own, too
    assert existing.store.read(lambda c: run_rows.get_run(c, run_id)).state == "running"


def test_a_server_that_was_asked_begins_its_own_queue(servers: Servers) -> None:
    """A server at its limit keeps what it was asked while it renews its leases; others do not take it at once."""
    here, existing = servers.open("here", echo), servers.open("there", echo)

    async def scenario() -> list[str]:
        chat_id = await new_chat(here)
        for number in range(10):
            await (here if number % 2 else existing).start(chat_id, str(number))
        events = await until_closed(here, chat_id, 10)
        return [s.event.text for s in events if isinstance(s.event, RunFinished)]

    assert run_async(scenario()) == [f"echo: {number}" for number in range(10)]


def test_variables_that_a_dead_server_left_behind_are_gone_and_that_is_said(
    quick_leases: None, servers: Servers
) -> None:
    def one_step(message: str, ctx: RunContext) -> str:
        ctx.emit(StepFinished(step=1, memory={}, duration=0.1))
        return "; ".join(ctx.notes)

    here, existing = servers.open("here", one_step), servers.open("there", one_step)
    agents = existing.agents
    agents.drop = lambda chat_id, reason: setattr(agents, "lost_reason", reason)  # pyright: ignore

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(here)
        await here.start(chat_id, "first")
        await until_closed(here, chat_id)
        dies(here)
        await existing.start(chat_id, "second")
        return await until_closed(existing, chat_id, 2)

    events = [stored.event for stored in run_async(scenario())]
    assert VariablesLost(reason="another server went on with this chat", code="moved") in events
    assert "another server" in events[-1].text  # pyright: ignore


def test_a_run_goes_on_through_a_restart_of_the_database(servers: Servers, postgres: TestPostgres) -> None:
    at_work, go = threading.Event(), threading.Event()

    def steps(message: str, ctx: RunContext) -> str:
        ctx.emit(StepFinished(step=1, memory={}, duration=0.1))
        at_work.set()
        go.wait(30)
        ctx.emit(StepFinished(step=2, memory={}, duration=0.1))
        ctx.settle()
        return "done"

    here = servers.open("here", steps)

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(here)
        following = asyncio.create_task(until_closed(here, chat_id))
        await here.start(chat_id, "x")
        await asyncio.to_thread(at_work.wait, 30)
        await asyncio.to_thread(postgres.stop)
        go.set()
        await asyncio.to_thread(postgres.start)
        return await following

    assert kinds(run_async(scenario())) == [
        "run_queued", "run_started", "step_finished", "step_finished", "run_finished",
    ]  # fmt: skip


def test_a_run_fails_when_the_database_stays_away_and_is_closed_once_it_is_back(
    servers: Servers, postgres: TestPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LEASE_SECONDS", 3.0)
    monkeypatch.setattr(engines, "WAIT_SECONDS", 0.3)
    at_work, go, ended = threading.Event(), threading.Event(), threading.Event()

    def steps(message: str, ctx: RunContext) -> str:
        if message == "again":
            return "fine"
        at_work.set()
        go.wait(30)
        try:
            ctx.emit(StepFinished(step=1, memory={}, duration=0.1))
            ctx.settle()
        finally:
            ended.set()
        return "never"

    here = servers.open("here", steps)

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(here)
        await here.start(chat_id, "x")
        await asyncio.to_thread(at_work.wait, 30)
        await asyncio.to_thread(postgres.stop)
        try:
            go.set()
            assert await asyncio.to_thread(ended.wait, 30)
            await asyncio.to_thread(until_idle, here)
        finally:
            await asyncio.to_thread(postgres.start)
        await until_closed(here, chat_id)
        await here.start(chat_id, "again")
        return await until_closed(here, chat_id, 2)

    closed = [s.event for s in run_async(scenario()) if isinstance(s.event, RunFailed | RunFinished)]
    assert isinstance(closed[0], RunFailed)
    assert closed[1] == RunFinished(text="fine")
