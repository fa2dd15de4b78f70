"""Asks: one waits, anyone answers, the first answer wins, everything else is a denial with a reason."""

from datetime import UTC, datetime, timedelta

import pytest

from smoldesk.errors import Conflict, NotFound
from smoldesk.events import (
    AskClosed,
    AskOpened,
    Parameter,
    RunCancelled,
    RunWaiting,
    StoredEvent,
)
from smoldesk.runs.asks import TIMED_OUT, AskRules
from smoldesk.store.asks import Answer
from smoldesk.tools.gate import ToolDenied
from smoldesk.tools.run_context import RunContext
from tests.runs.conftest import Bench, BenchRuns, admit, kinds, new_chat, until_closed, until_event
from tests.support.aio import run_async

ran: list[dict[str, object]] = []


def asks_first(message: str, ctx: RunContext) -> str:
    """An agent that calls one tool through the gate, and says what came of it."""
    try:
        arguments = admit(ctx, {"word": "bread"})
    except ToolDenied as denied:
        return f"denied: {denied}"
    ran.append(dict(arguments))
    return "paid"


async def opened(runs: BenchRuns) -> tuple[str, str]:
    chat_id = await new_chat(runs)
    await runs.start(chat_id, "x")
    stored = await until_event(
        runs, chat_id, RunWaiting
    )  # an answer before it would leave nothing to wait for
    assert isinstance(stored.event, RunWaiting)
    return chat_id, stored.event.ask_ids[0]


@pytest.fixture(autouse=True)
def nothing_ran() -> None:
    ran.clear()


def answered(runs: BenchRuns, answer: Answer) -> list[StoredEvent]:
    """The events of a chat whose one ask gets this answer."""

    async def scenario() -> list[StoredEvent]:
        chat_id, ask_id = await opened(runs)
        await runs.answer(ask_id, answer, chat_id)
        return await until_closed(runs, chat_id)

    return run_async(scenario())


def test_a_grant_lets_the_call_run_after_it_was_committed(bench: Bench) -> None:
    runs = bench.open(asks_first)

    async def scenario() -> list[StoredEvent]:
        chat_id, ask_id = await opened(runs)
        assert ran == []
        await runs.answer(ask_id, Answer(True), chat_id)
        with pytest.raises(Conflict):
            await runs.answer(ask_id, Answer(False), chat_id)
        return await until_closed(runs, chat_id)

    events = run_async(scenario())
    assert kinds(events)[2:] == ["ask_opened", "run_waiting", "ask_closed", "run_resumed", "run_finished"]
    assert ran == [{"word": "bread"}]


def test_edited_arguments_are_the_ones_that_run(bench: Bench) -> None:
    answered(bench.open(asks_first), Answer(True, {"word": "butter"}))
    assert ran == [{"word": "butter"}]


def test_a_denied_call_never_runs_and_the_reason_is_told(bench: Bench) -> None:
    events = answered(bench.open(asks_first), Answer(False, reason="too much"))
    assert events[-1].event.text == "denied: User denied the tool call: too much"  # pyright: ignore
    assert ran == []


def test_an_ask_that_nobody_answers_is_denied(bench: Bench) -> None:
    runs = bench.open(asks_first, ask_rules=AskRules(seconds=0.2))

    async def scenario() -> list[StoredEvent]:
        chat_id, _ = await opened(runs)
        return await until_closed(runs, chat_id)

    assert run_async(scenario())[-1].event.text == f"denied: {TIMED_OUT}"  # pyright: ignore


def test_a_stop_denies_what_is_open_and_cancels(bench: Bench) -> None:
    runs = bench.open(asks_first)

    async def scenario() -> tuple[list[StoredEvent], str]:
        chat_id, ask_id = await opened(runs)
        stored = await until_event(runs, chat_id, AskOpened)
        assert stored.run_id is not None
        await runs.cancel(stored.run_id, "enough")
        return await until_closed(runs, chat_id), ask_id

    events, ask_id = run_async(scenario())
    assert AskClosed(ask_id=ask_id, granted=False, reason="enough", by="stop") in [
        stored.event for stored in events
    ]
    assert isinstance(events[-1].event, RunCancelled)


def test_an_answer_from_another_chat_changes_nothing(bench: Bench) -> None:
    runs = bench.open(asks_first)

    async def scenario() -> None:
        _, ask_id = await opened(runs)
        other = await new_chat(runs)
        with pytest.raises(NotFound):
            await runs.answer(ask_id, Answer(True), other)
        with pytest.raises(NotFound):
            await runs.answer("a_nothing", Answer(True))

    run_async(scenario())
    assert ran == []


def test_the_ask_carries_what_a_person_needs(bench: Bench) -> None:
    runs = bench.open(asks_first)

    async def scenario() -> AskOpened:
        chat_id, _ = await opened(runs)
        stored = await until_event(runs, chat_id, AskOpened)
        assert isinstance(stored.event, AskOpened)
        return stored.event

    ask = run_async(scenario()).ask
    assert (ask.tool, ask.call_id, ask.arguments) == ("pay", "call-1", {"word": "bread"})
    assert (ask.code_line, ask.line, ask.calls_from_line) == ("pay(30)", 3, 1)
    assert ask.parameters == {"word": Parameter(type="string", description="the word")}
    assert ask.expires_at - datetime.now(UTC) <= timedelta(seconds=300)
