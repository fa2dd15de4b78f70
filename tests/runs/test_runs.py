"""What a wire sees of runs: order, queue, stop, failure, restart; and what a client chose for them."""

import asyncio
import gc
import threading
from concurrent.futures import Future
from typing import Any

import pytest

from smoldesk.errors import Conflict, ModelFault, NotFound, Reason
from smoldesk.events import (
    Delta,
    RunCancelled,
    RunFailed,
    RunFinished,
    RunQueued,
    RunStarted,
    StepFinished,
    StoredEvent,
    ToolCalled,
    ToolFailed,
    VariablesLost,
)
from smoldesk.store import run_queue, run_rows
from smoldesk.store.run_options import NO_CHOICE, RunOptions
from smoldesk.tools.run_context import RunContext
from tests.runs.conftest import (
    Bench,
    BenchRuns,
    dies,
    kinds,
    new_chat,
    told,
    told_after_stop,
    until_closed,
    until_event,
    wait_for_stop,
)
from tests.support.aio import run_async
from tests.support.waiting import come_true


def echo(message: str, ctx: RunContext) -> str:
    ctx.emit_soon(Delta(step=1, kind="text", text=f"you said {message}"))
    return f"echo: {message}"


def step(number: int) -> StepFinished:
    return StepFinished(step=number, memory={"step_number": number}, duration=0.1)


def test_a_message_is_answered_by_one_closed_run(bench: Bench) -> None:
    runs = bench.open(echo)

    events = told(runs, "hello")
    assert [stored.event for stored in events] == [
        RunQueued(message="hello", ahead=0),
        RunStarted(message="hello", agent="scripted"),
        Delta(step=1, kind="text", text="you said hello"),
        RunFinished(text="echo: hello"),
    ]
    assert [stored.seq for stored in events] == [1, 2, 3, 4]
    assert len({stored.run_id for stored in events}) == 1


def test_a_message_after_the_end_of_a_run_does_not_wait_for_what_its_thread_still_does(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, gate, held = bench.open(echo), threading.Event(), list[str]()
    who = runs.agents.who

    def slow(options: RunOptions) -> dict[str, str]:
        thread = threading.current_thread().name
        if thread.startswith("run-") and not held:
            held.append(thread)
            gate.wait(60)
        return who(options)

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(runs)
        await runs.start(chat_id, "one")
        await until_closed(runs, chat_id)
        await asyncio.to_thread(come_true, lambda: held)
        await runs.start(chat_id, "two")
        return await until_closed(runs, chat_id, 2)

    monkeypatch.setattr(runs.agents, "who", slow)
    try:
        events = run_async(scenario())
    finally:
        gate.set()
    assert [stored.event for stored in events][-1] == RunFinished(text="echo: two")


def test_messages_of_a_chat_are_answered_one_after_the_other(bench: Bench) -> None:
    gate = threading.Event()
    inside = 0
    most = 0

    def slow(message: str, ctx: RunContext) -> str:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        gate.wait(10)
        inside -= 1
        return message

    runs = bench.open(slow)

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(runs)
        for message in ("one", "two", "three"):
            await runs.start(chat_id, message)
        gate.set()
        return await until_closed(runs, chat_id, 3)

    events = [stored.event for stored in run_async(scenario())]
    assert [e.ahead for e in events if isinstance(e, RunQueued)] == [0, 1, 2]
    assert [e.text for e in events if isinstance(e, RunFinished)] == ["one", "two", "three"]
    assert most == 1


def test_two_chats_are_answered_at_once(bench: Bench) -> None:
    both = threading.Barrier(2, timeout=20)

    def meet(message: str, ctx: RunContext) -> str:
        both.wait()
        return "met"

    runs = bench.open(meet)

    async def scenario() -> list[StoredEvent]:
        first, second = await new_chat(runs), await new_chat(runs)
        await runs.start(first, "a")
        await runs.start(second, "b")
        return await until_closed(runs, first) + await until_closed(runs, second)

    assert sum(isinstance(s.event, RunFinished) for s in run_async(scenario())) == 2


def test_the_event_loop_does_not_wait_for_a_runs_thread_to_start(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = bench.open(echo)
    went_on = threading.Event()
    start = threading.Thread.start

    def hesitate(thread: threading.Thread) -> None:
        if thread.name.startswith("run-"):
            assert went_on.wait(20), "the loop stood still"
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", hesitate)

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(runs)
        await runs.start(chat_id, "x")
        went_on.set()
        return await until_closed(runs, chat_id)

    assert kinds(run_async(scenario()))[-1] == "run_finished"


def test_more_chats_than_threads_all_get_their_turn(bench: Bench) -> None:
    runs = bench.open(echo, max_runs=2)

    async def scenario() -> int:
        ids = [await new_chat(runs) for _ in range(20)]
        for chat_id in ids:
            await runs.start(chat_id, "x")
        return sum([len(await until_closed(runs, chat_id)) for chat_id in ids])

    assert run_async(scenario()) == 20 * 4


def test_two_hundred_waiting_runs_leave_room_for_another(bench: Bench) -> None:
    def wait_or_answer(message: str, ctx: RunContext) -> str:
        return wait_for_stop(message, ctx) if message == "wait" else "quick"

    runs = bench.open(wait_or_answer)

    async def scenario() -> list[StoredEvent]:
        for _ in range(200):
            await runs.start(await new_chat(runs), "wait")
        chat_id = await new_chat(runs)
        await runs.start(chat_id, "quick")
        return await until_closed(runs, chat_id)

    assert kinds(run_async(scenario()))[-1] == "run_finished"


def test_a_stop_ends_a_run_and_the_next_one_starts(bench: Bench) -> None:
    def answer(message: str, ctx: RunContext) -> str:
        return wait_for_stop(message, ctx) if message == "wait" else "after"

    runs = bench.open(answer)

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(runs)
        run_id = await runs.start(chat_id, "wait")
        await until_event(runs, chat_id, RunStarted)
        await runs.start(chat_id, "next")
        await runs.cancel(run_id, "enough")
        return await until_closed(runs, chat_id, 2)

    events = [stored.event for stored in run_async(scenario())]
    assert RunCancelled(reason="enough") in events
    assert events[-1] == RunFinished(text="after")


def test_a_refused_stop_of_a_client_that_has_gone_is_no_fault_of_the_server(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    gc.collect()
    caplog.clear()  # what earlier tests left behind is not this client's
    runs = bench.open(echo)

    async def go() -> None:
        chat_id = await new_chat(runs)
        run_id = await runs.start(chat_id, "hello")
        await until_closed(runs, chat_id)
        for _ in range(3):
            client = asyncio.ensure_future(runs.cancel(run_id))
            await asyncio.sleep(0)
            client.cancel()
            await asyncio.sleep(0.05)

    run_async(go())
    gc.collect()
    assert not caplog.records


def test_a_queued_run_is_cancelled_without_ever_starting(bench: Bench) -> None:
    runs = bench.open(wait_for_stop)

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(runs)
        first = await runs.start(chat_id, "first")
        await until_event(runs, chat_id, RunStarted)
        second = await runs.start(chat_id, "second")
        await runs.cancel(second, "not needed")
        with pytest.raises(Conflict):
            await runs.cancel(second)
        await runs.cancel(first)
        return await until_closed(runs, chat_id, 2)

    events = [stored.event for stored in run_async(scenario())]
    assert [e.message for e in events if isinstance(e, RunStarted)] == ["first"]
    assert RunCancelled(reason="not needed") in events


def test_a_stop_that_comes_right_away_is_never_lost(bench: Bench) -> None:
    runs = bench.open(wait_for_stop)

    async def scenario() -> None:
        for _ in range(30):
            chat_id = await new_chat(runs)
            await runs.cancel(await runs.start(chat_id, "x"))
            events = await until_closed(runs, chat_id)
            assert isinstance(events[-1].event, RunCancelled)

    run_async(scenario())


@pytest.mark.long
def test_a_thread_that_will_not_stop_is_abandoned_and_fenced(bench: Bench) -> None:
    release, wrote = threading.Event(), threading.Event()

    def deaf(message: str, ctx: RunContext) -> str:
        if message == "quick":
            return "quick"
        release.wait(30)
        try:
            ctx.emit(step(1))
            ctx.settle()
        finally:
            wrote.set()
        return "too late"

    runs = bench.open(deaf, grace_seconds=0.1)

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(runs)
        run_id = await runs.start(chat_id, "deaf")
        await until_event(runs, chat_id, RunStarted)
        await runs.cancel(run_id, "enough")
        await until_closed(runs, chat_id, 1)
        await runs.start(chat_id, "quick")
        await until_closed(runs, chat_id, 2)
        release.set()
        assert await asyncio.to_thread(wrote.wait, 10)
        return await asyncio.to_thread(runs.store.events, chat_id)

    events = run_async(scenario())
    assert kinds(events) == [
        "run_queued", "run_started", "run_cancelled", "run_queued", "run_started", "run_finished",
    ]  # fmt: skip
    assert runs.abandoned == 1


def test_a_fault_of_the_model_is_shown_and_closes_the_run(bench: Bench) -> None:
    def broken(message: str, ctx: RunContext) -> str:
        raise ModelFault("The provider is down.", "Try later.", code="model_unavailable")

    runs = bench.open(broken)

    events = told(runs, "x")
    assert kinds(events) == ["run_queued", "run_started", "shown", "run_failed"]
    assert events[-1].event == RunFailed(
        code="model_unavailable", message="The provider is down.", hint="Try later."
    )
    assert events[-2].event.message.content == "The provider is down. Try later."  # pyright: ignore


def test_a_bug_in_an_agent_closes_its_run_without_showing_its_insides(bench: Bench) -> None:
    def bug(message: str, ctx: RunContext) -> str:
        raise RuntimeError("sk-secret-key in a stack")

    runs = bench.open(bug)

    events = told(runs, "x")
    assert isinstance(events[-1].event, RunFailed)
    assert "sk-secret" not in "".join(stored.model_dump_json() for stored in events)


def test_a_call_left_open_is_closed_before_the_run(bench: Bench) -> None:
    def half(message: str, ctx: RunContext) -> str:
        ctx.emit(ToolCalled(step=1, call_id="c1", tool="t", arguments={}))
        raise ModelFault("gone")

    runs = bench.open(half)

    assert kinds(told(runs, "x"))[-4:] == ["tool_called", "tool_failed", "shown", "run_failed"]


def test_a_restart_closes_what_was_live_and_keeps_what_was_queued(bench: Bench) -> None:
    """A crash: the rows say running, no thread is there; a new server opens the same data."""
    runs = bench.open(wait_for_stop)
    chat_id = run_async(_live_with_one_behind(runs))
    dies(runs)
    again = bench.open(echo)

    events = run_async(until_closed(again, chat_id, 2))
    closed = [
        s.event
        for s in events
        if s.event.type.startswith("run_") and s.event.type not in ("run_queued", "run_started")
    ]
    assert closed == [
        RunFailed(
            code="server_restarted",
            message="The server restarted during this run.",
            hint="Ask again to start a new run.",
        ),
        RunFinished(text="echo: second"),
    ]
    failed = next(s for s in events if isinstance(s.event, ToolFailed))
    assert failed.event.error == "The server restarted"  # pyright: ignore


async def _live_with_one_behind(runs: BenchRuns) -> str:
    chat_id = await new_chat(runs)
    await runs.start(chat_id, "first")
    started = await until_event(runs, chat_id, RunStarted)
    call = ToolCalled(step=1, call_id="c1", tool="t", arguments={})
    await runs.store.do(lambda tx: tx.append(chat_id, [call], started.run_id))
    await runs.start(chat_id, "second")
    return chat_id


def test_lost_variables_are_said_once(bench: Bench) -> None:
    def one_step(message: str, ctx: RunContext) -> str:
        ctx.emit(step(1))
        return "; ".join(ctx.notes)

    runs = bench.open(one_step)
    agents = runs.agents

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(runs)
        await runs.start(chat_id, "first")
        await until_closed(runs, chat_id, 1)
        agents.lost_reason = Reason("it was idle", "idle")
        await runs.start(chat_id, "second")
        return await until_closed(runs, chat_id, 2)

    events = [stored.event for stored in run_async(scenario())]
    assert events.count(VariablesLost(reason="it was idle", code="idle")) == 1
    assert "it was idle" in events[-1].text  # pyright: ignore


def test_an_unknown_chat_cannot_be_asked(bench: Bench) -> None:
    runs = bench.open(echo)
    with pytest.raises(NotFound):
        run_async(runs.start("c_nobody", "x"))


def test_closing_cancels_live_runs_and_keeps_queued_ones(bench: Bench) -> None:
    runs = bench.open(wait_for_stop)

    async def scenario() -> str:
        chat_id = await new_chat(runs)
        await runs.start(chat_id, "live")
        await until_event(runs, chat_id, RunStarted)
        await runs.start(chat_id, "queued")
        await asyncio.to_thread(runs.close)
        return chat_id

    chat_id = run_async(scenario())
    events = [stored.event for stored in runs.store.events(chat_id)]
    assert events[-1] == RunCancelled(reason="The server was stopped", code="server_stopped")
    assert [run.message for run in runs.store.read(lambda c: run_rows.open_runs(c, chat_id))] == ["queued"]


def test_what_breaks_because_of_a_stop_is_a_stop(bench: Bench) -> None:
    def breaks(message: str, ctx: RunContext) -> str:
        ctx.stop.wait(60)
        raise ModelFault("the stream broke off")

    runs = bench.open(breaks)

    assert told_after_stop(runs, "x", "enough")[-1].event == RunCancelled(reason="enough")


def test_a_stop_that_comes_right_after_the_claim_is_heard(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = bench.open(wait_for_stop)
    runs.agents.needs_time = True
    submit = runs.store.submit

    def stopped_at_once(job: Any, run_id: str | None = None, **order: Any) -> "Future[Any]":
        future = submit(job, run_id, **order)
        claim = future.result()
        if isinstance(claim, run_queue.Claim):  # committed, and the run's thread does not know yet
            run_async(runs.cancel(claim.run.id, "too late"))
        return future

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(runs)
        monkeypatch.setattr(runs.store, "submit", stopped_at_once)
        await runs.start(chat_id, "x")
        return await until_closed(runs, chat_id)

    assert run_async(scenario())[-1].event == RunCancelled(reason="too late")


def test_a_message_in_an_idle_chat_begins_its_run_in_one_transaction(bench: Bench) -> None:
    runs = bench.open(wait_for_stop)

    async def scenario() -> list[StoredEvent]:
        chat_id = await new_chat(runs)
        run_id = await runs.start(chat_id, "first")
        await runs.start(chat_id, "second")
        events = runs.store.events(chat_id)
        await runs.cancel(run_id)
        return events

    first, started, second = run_async(scenario())
    assert [type(stored.event) for stored in (first, started, second)] == [RunQueued, RunStarted, RunQueued]
    assert first.at == started.at and first.run_id == started.run_id != second.run_id


def test_a_refused_message_leaves_the_chat_to_the_next_one(bench: Bench) -> None:
    runs = bench.open(repeat)

    async def scenario() -> list[StoredEvent]:
        with pytest.raises(NotFound):
            await runs.start("c_unknown", "lost")
        assert runs.working() == 0
        chat_id = await new_chat(runs)
        await runs.start(chat_id, "heard")
        return await until_closed(runs, chat_id)

    assert run_async(scenario())[-1].event == RunFinished(text="heard")


CODE = RunOptions(agent="code")
IN_TURN = RunOptions(agent="tools", order="one_by_one")


def repeat(message: str, ctx: RunContext) -> str:
    return message


@pytest.mark.parametrize("options", [NO_CHOICE, CODE, IN_TURN])
def test_options_are_what_was_kept(options: RunOptions) -> None:
    assert RunOptions.read(options.to_column()) == options
    assert (options.to_column() is None) == (options == NO_CHOICE)


def test_each_run_is_built_with_its_own_options(bench: Bench) -> None:
    runs = bench.open(repeat)

    async def scenario() -> list[str]:
        chat_id = await new_chat(runs)
        started = [
            await runs.start(chat_id, "one"),
            await runs.start(chat_id, "two", CODE),
            await runs.start(chat_id, "three", IN_TURN),
        ]
        await until_closed(runs, chat_id, 3)
        return started

    started = run_async(scenario())
    assert bench.agents[0].chosen == [NO_CHOICE, CODE, IN_TURN]
    rows = [runs.store.read(lambda connection, run=run: run_rows.get_run(connection, run)) for run in started]
    assert [row.options for row in rows] == [
        None,
        '{"agent":"code"}',
        '{"agent":"tools","order":"one_by_one"}',
    ]


def test_a_queued_run_keeps_its_options_through_a_restart(bench: Bench) -> None:
    first = bench.open(repeat)

    async def queue() -> str:
        chat_id = await new_chat(first)
        # queued in the database only, as by a server that died before it began
        await first.store.do(lambda tx: run_queue.enqueue_run(tx, chat_id, "later", 10, IN_TURN))
        return chat_id

    chat_id = run_async(queue())
    bench.close()
    bench.opened.clear()
    second = bench.open(repeat)
    run_async(until_closed(second, chat_id))
    assert bench.agents[1].chosen == [IN_TURN]
