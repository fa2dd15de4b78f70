"""What goes wrong around a run: clients that leave, disks that fill, servers that die, races at the end."""

import asyncio
import queue
import threading

import pytest
from sqlalchemy.exc import OperationalError

from smoldesk.events import (
    RunCancelled,
    RunFailed,
    RunFinished,
    RunStarted,
    StoredEvent,
)
from smoldesk.runs import runs as runs_module
from smoldesk.runs import server_lease as module
from smoldesk.runs.worker import Active
from smoldesk.store import heartbeats, run_queue, run_rows
from smoldesk.store import writer as writing
from smoldesk.store.followers import StopRequested
from smoldesk.tools.run_context import RunContext
from tests.runs.conftest import (
    Bench,
    BenchRuns,
    new_chat,
    told,
    told_after_stop,
    until_closed,
    until_event,
    wait_for_stop,
)
from tests.support.aio import run_async
from tests.support.busy_writer import Busy
from tests.support.waiting import come_true

FULL = OperationalError("INSERT", {}, Exception("database or disk is full"))


def echo(message: str, ctx: RunContext) -> str:
    return f"echo: {message}"


def closings(events: list[StoredEvent]) -> list[object]:
    return [s.event for s in events if isinstance(s.event, RunFinished | RunFailed | RunCancelled)]


@pytest.fixture
def short_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEASE_SECONDS", 0.6)


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full when a run is to be closed for the first time; the writer tries that job again alone."""
    close_run, calls = run_queue.close_run, [0]

    def full_at_first(*args: object) -> None:
        calls[0] += 1
        if calls[0] <= 2:
            raise FULL
        close_run(*args)  # pyright: ignore

    monkeypatch.setattr(run_queue, "close_run", full_at_first)


async def given_up(runs: BenchRuns, requested: object) -> None:
    """Ask for something and leave before it was done."""
    busy = Busy(runs.store)
    task = asyncio.ensure_future(requested)  # pyright: ignore
    await asyncio.sleep(0.05)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    busy.let_go()


def test_a_message_is_answered_though_its_sender_left_while_it_was_stored(bench: Bench) -> None:
    runs = bench.open(echo)

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(runs)
        await given_up(runs, runs.start(chat_id, "hello"))
        return await until_closed(runs, chat_id)

    assert closings(run_async(scenario())) == [RunFinished(text="echo: hello")]


def test_a_stop_counts_though_its_sender_left_while_it_was_stored(bench: Bench) -> None:
    runs = bench.open(wait_for_stop)

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(runs)
        run_id = await runs.start(chat_id, "wait")
        await until_event(runs, chat_id, RunStarted)
        await given_up(runs, runs.cancel(run_id, "enough"))
        return await until_closed(runs, chat_id)

    assert closings(run_async(scenario())) == [RunCancelled(reason="enough")]


@pytest.mark.usefixtures("short_leases", "full_disk")
def test_a_run_whose_end_could_not_be_written_is_closed_once_the_disk_has_room(bench: Bench) -> None:
    runs = bench.open(echo)

    first, second = closings(told(runs, "first", "second"))
    assert isinstance(first, RunFailed)
    assert first.code == "run_lost"
    assert second == RunFinished(text="echo: second")


@pytest.mark.long
@pytest.mark.usefixtures("short_leases")
def test_a_run_of_a_server_that_dies_elsewhere_is_closed_when_its_lease_runs_out(bench: Bench) -> None:
    runs = bench.open(echo)

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(runs)
        await runs.store.do(lambda tx: run_queue.enqueue_run(tx, chat_id, "theirs", 10))
        if runs.store.shared:  # the only heartbeat of that server
            await runs.store.do(lambda tx: heartbeats.beat(tx, "another-data-dir:1", 5))
        await runs.store.do(
            lambda tx: run_queue.claim_next(tx, chat_id, run_queue.Claimant("another-data-dir:1", 60))
        )
        await runs.start(chat_id, "ours")
        return await until_closed(runs, chat_id, 2)

    theirs, ours = closings(run_async(scenario()))
    assert isinstance(theirs, RunFailed)
    assert theirs.code == "server_restarted"
    assert ours == RunFinished(text="echo: ours")


@pytest.mark.usefixtures("short_leases")
def test_a_message_waits_when_no_thread_can_be_had_and_is_answered_later(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = bench.open(echo)
    real, failures = threading.Thread.start, [0]

    def start(thread: threading.Thread) -> None:
        if thread.name.startswith("run") and failures[0] < 1:
            failures[0] += 1
            raise RuntimeError("can't start new thread")
        real(thread)

    monkeypatch.setattr(threading.Thread, "start", start)

    assert closings(told(runs, "hello")) == [RunFinished(text="echo: hello")]
    assert failures == [1]


@pytest.mark.long
@pytest.mark.usefixtures("short_leases", "full_disk")
def test_the_deaf_are_abandoned_though_the_disk_was_full_for_a_while(bench: Bench) -> None:
    release = threading.Event()

    def deaf(message: str, ctx: RunContext) -> str:
        release.wait(30)
        return "too late"

    runs = bench.open(deaf, grace_seconds=0.1)

    assert closings(told_after_stop(runs, "deaf", "enough")) == [RunCancelled(reason="enough")]
    release.set()


@pytest.mark.long
def test_a_run_is_counted_once_also_when_its_thread_comes_back_after_all(bench: Bench) -> None:
    release, threads = threading.Event(), queue.Queue[threading.Thread]()

    def deaf(message: str, ctx: RunContext) -> str:
        threads.put(threading.current_thread())
        release.wait(30)
        return "too late"

    runs = bench.open(deaf, grace_seconds=0.1)

    async def scenario() -> None:
        chat_id = await new_chat(runs)
        run_id = await runs.start(chat_id, "deaf")
        thread = await asyncio.to_thread(threads.get, timeout=30)
        await runs.cancel(run_id, "enough")
        await until_closed(runs, chat_id)
        release.set()
        await asyncio.to_thread(thread.join, 10)

    run_async(scenario())
    come_true(lambda: not runs.working())  # who closed it counts it after the event
    assert runs.ended == {"run_finished": 0, "run_failed": 0, "run_cancelled": 1}


def test_a_run_that_comes_back_in_the_last_moment_costs_the_next_one_nothing(bench: Bench) -> None:
    """The janitor chose to abandon it, and it closed itself just then: the child belongs to the next run."""
    runs = bench.open(echo)
    agents = runs.agents

    async def scenario() -> Active:
        chat_id = await new_chat(runs)
        run_id = await runs.start(chat_id, "hello")
        await until_closed(runs, chat_id)
        run = await runs.store.aread(lambda connection: run_rows.get_run(connection, run_id))
        return Active(chat_id, run)

    late = run_async(scenario())
    runs._abandon(late)  # pyright: ignore[reportPrivateUsage]
    late.stop.close()
    assert agents.dropped == []


def test_a_chat_with_many_messages_does_not_keep_another_from_its_turn(bench: Bench) -> None:
    gate = threading.Event()

    def gated(message: str, ctx: RunContext) -> str:
        gate.wait(10)
        return message

    runs = bench.open(gated, max_runs=1)
    order: list[str] = []

    async def scenario() -> None:
        many, item = await new_chat(runs), await new_chat(runs)
        for number in range(4):
            await runs.start(many, f"many {number}")
        await runs.start(item, "one")
        gate.set()
        events = await until_closed(runs, many, 4) + await until_closed(runs, item)
        ended = [s for s in events if isinstance(s.event, RunFinished)]
        order.extend(s.event.text for s in sorted(ended, key=lambda s: s.at))  # pyright: ignore

    run_async(scenario())
    assert order.index("one") == 1


@pytest.mark.parametrize("has_begun", [False, True])
def test_a_message_that_comes_with_the_end_of_the_server_stays_queued_unless_its_run_has_begun(
    bench: Bench, has_begun: bool
) -> None:
    runs = bench.open(echo)
    agents = runs.agents
    agents.needs_time = not has_begun
    closing = threading.Event()
    real = runs._run_next  # pyright: ignore[reportPrivateUsage]

    def late(active: Active) -> None:
        assert closing.wait(10)
        real(active)

    runs._run_next = late  # pyright: ignore[reportPrivateUsage]
    agents.close = closing.set  # pyright: ignore

    async def scenario() -> str:
        chat_id = await new_chat(runs)
        await runs.start(chat_id, "hello")
        return chat_id

    chat_id = run_async(scenario())
    runs.close()
    assert runs.working() == 0
    states = [run.state for run in runs.store.read(lambda c: run_rows.open_runs(c, chat_id))]
    assert states == ([] if has_begun else ["queued"])
    answer = RunFinished(text="echo: hello")
    assert closings(runs.store.events(chat_id)) == ([answer] if has_begun else [])


def test_stopping_is_told_before_the_end_it_leads_to(bench: Bench) -> None:
    """Also to a reader so slow that both wait for it together."""
    runs = bench.open(wait_for_stop)

    async def scenario() -> list[object]:
        chat_id = await new_chat(runs)
        run_id = await runs.start(chat_id, "wait")
        await until_event(runs, chat_id, RunStarted)
        received: list[object] = []
        follow = runs.follow(chat_id)
        async for batch in follow:
            received.extend(item if isinstance(item, StopRequested) else item.event for item in batch)
            if isinstance(received[-1], RunStarted):
                await runs.cancel(run_id, "enough")
                await until_closed(runs, chat_id)
            if any(isinstance(item, RunCancelled) for item in received):
                return received
        return received

    received = run_async(scenario())
    assert [type(item) for item in received[-2:]] == [StopRequested, RunCancelled]


def test_a_stop_does_not_wait_for_a_database_that_does_not_answer_and_the_next_start_closes_the_run(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs_module, "COMMIT_SECONDS", 0.1)
    monkeypatch.setattr(module, "LEASE_SECONDS", 0.5)
    release, answering = threading.Event(), threading.Event()

    def deaf(message: str, ctx: RunContext) -> str:
        release.wait(60)
        return "too late"

    runs = bench.open(deaf, grace_seconds=0.1)

    async def scenario() -> str:
        chat_id = await new_chat(runs)
        await runs.start(chat_id, "deaf")
        await until_event(runs, chat_id, RunStarted)
        return chat_id

    chat_id = run_async(scenario())
    held = runs.store.submit(lambda tx: answering.wait(300))
    with monkeypatch.context() as full:
        full.setattr(writing, "BACKLOG", 0)
        runs.close()
    assert not held.done(), "the database answered before the stop ended"
    answering.set()
    runs.store.close()
    release.set()
    again = bench.open(echo)
    assert [getattr(end, "code", "") for end in closings(again.store.events(chat_id))] == ["server_restarted"]
