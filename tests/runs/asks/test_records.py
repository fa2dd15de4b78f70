"""What is kept of asks: every grant and denial, whoever or whatever made it, and no password."""

import logging
import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update

from smoldesk.errors import Conflict
from smoldesk.events import Ask, AskClosed, AskOpened
from smoldesk.runs.asks import TIMED_OUT, AskRules
from smoldesk.runs.reaper import RESTARTED, close_from_outside
from smoldesk.store.asks import Answer, asks_of_chat, open_asks_everywhere
from smoldesk.store.run_rows import get_run
from smoldesk.store.tables import AskRow
from smoldesk.tools.run_context import RunContext
from tests.runs.asks.conftest import Agent, pays, play
from tests.runs.conftest import Bench, new_chat, until_closed, until_event
from tests.support.aio import run_async

SECRET = "correct horse battery staple"


def entry(input_type: Any, seconds: float = 60, **more: Any) -> Ask:
    expires = datetime.now(UTC) + timedelta(seconds=seconds)
    return Ask(id="a_1", kind="input", input_type=input_type, prompt="Which?", expires_at=expires, **more)


@pytest.mark.long
def test_the_record_tells_who_ended_each_ask_and_how(bench: Bench) -> None:
    agent = Agent([pays("a"), pays("b"), pays("c")])
    runs = bench.open(agent, ask_rules=AskRules(seconds=1.0))
    answers = {"a": Answer(True, {"word": "A"}), "b": Answer(False, reason="too much")}
    report = play(runs, lambda ask: answers.get(str(ask.arguments["word"])))
    records = report.records()
    assert [record.answer for record in records] == [
        Answer(True, {"word": "A"}),
        Answer(False, reason="too much"),
        Answer(False, reason=TIMED_OUT, by="expiry"),
    ]
    assert [record.ask.arguments["word"] for record in records] == ["a", "b", "c"]
    assert all(
        record.opened_at and record.closed_at and record.closed_at >= record.opened_at for record in records
    )
    assert agent.judged[0] == "0.0 {'word': 'A'}"


def test_each_grant_and_each_denial_is_one_line_of_the_log(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    answers = {"a": Answer(True, scope="step"), "c": Answer(False)}
    runs = bench.open(Agent([pays("a", "b"), pays("c")]))
    with caplog.at_level(logging.INFO):
        play(runs, lambda ask: answers.get(str(ask.arguments["word"])))
    assert ends_in(caplog) == [
        ("pay", True, "person", "step"),
        ("pay", True, "policy", "step"),
        ("pay", False, "person", "call"),
    ]


def ends_in(caplog: pytest.LogCaptureFixture) -> list[tuple[Any, ...]]:
    """What the log's lines about ends of asks say, in order."""
    lines = [line for line in caplog.records if line.getMessage() == "ask_closed"]
    facts: list[Any] = [line.__dict__["facts"] for line in lines]
    return [(fact["tool"], fact["granted"], fact["by"], fact["scope"]) for fact in facts]


def test_a_stop_is_kept_as_what_it_was(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    runs = bench.open(Agent([pays("a", "b")]))

    async def scenario() -> str:
        chat_id = await new_chat(runs)
        run_id = await runs.start(chat_id, "go")
        await until_event(runs, chat_id, AskOpened)
        await runs.cancel(run_id, "enough")
        await until_closed(runs, chat_id)
        return chat_id

    chat_id = run_async(scenario())
    for thread in threading.enumerate():
        if thread.name == f"run-{chat_id}":  # it writes its lines after the last event
            thread.join(30)
    ends = [record.answer for record in runs.store.read(lambda c: asks_of_chat(c, chat_id))]
    assert ends == [Answer(False, reason="enough", by="stop")] * 2
    assert ends_in(caplog) == [("pay", False, "stop", "call")] * 2


def test_a_grant_that_the_run_never_heard_of_is_a_denial_in_log_and_record(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The server dies between an answer and the run's own word of it: the call did not run, and nothing says it did."""
    caplog.set_level(logging.INFO)
    monkeypatch.setattr("smoldesk.runs.asks.waiting.POLL_SECONDS", 1_000.0)
    agent = Agent([pays("a")])
    runs = bench.open(agent)
    dead = [True]
    answered = runs.asks.answered
    monkeypatch.setattr(runs.asks, "answered", lambda asks: None if dead else answered(asks))  # pyright: ignore

    async def scenario() -> tuple[str, str, str]:
        chat_id = await new_chat(runs)
        run_id = await runs.start(chat_id, "go")
        stored = await until_event(runs, chat_id, AskOpened)
        assert isinstance(stored.event, AskOpened)
        await runs.answer(stored.event.ask.id, Answer(True), chat_id)
        run = await runs.store.aread(lambda c: get_run(c, run_id))
        assert close_from_outside(runs.store, run, RESTARTED, "The server restarted")
        dead.clear()
        return chat_id, run_id, stored.event.ask.id

    chat_id, _, ask_id = run_async(scenario())
    events = [stored.event for stored in runs.store.events(chat_id)]
    denied = AskClosed(ask_id=ask_id, granted=False, reason="The server restarted", by="restart")
    assert denied in events
    assert ends_in(caplog) == [("pay", False, "restart", "call")]

    [record] = runs.store.read(lambda c: asks_of_chat(c, chat_id))
    assert record.answer == Answer(False, reason="The server restarted", by="restart")


def test_a_late_answer_changes_nothing(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in the moment between the expiry and the run's own look at the clock."""
    monkeypatch.setattr("smoldesk.runs.asks.waiting.POLL_SECONDS", 1_000.0)
    runs = bench.open(Agent([pays("a")]), ask_rules=AskRules(seconds=600))

    async def scenario() -> None:
        chat_id = await new_chat(runs)
        await runs.start(chat_id, "go")
        stored = await until_event(runs, chat_id, AskOpened)
        assert isinstance(stored.event, AskOpened)
        past = datetime.now(UTC).timestamp() - 1

        ask_id = stored.event.ask.id
        await runs.store.do(lambda tx: tx.execute(update(AskRow).values(expires_at=past)) and None)
        with pytest.raises(Conflict, match="has expired"):
            await runs.answer(ask_id, Answer(True), chat_id)

    run_async(scenario())


def test_a_password_stays_nowhere(bench: Bench) -> None:
    received: list[object] = []

    def asks(message: str, ctx: RunContext) -> str:
        received.append(ctx.ask(entry("password")).value)
        return "thanks"

    runs = bench.open(asks)
    report = play(runs, lambda _: Answer(True, SECRET))
    assert received == [SECRET]
    assert [record.answer for record in report.records()] == [Answer(True)]
    assert SECRET not in "".join(stored.model_dump_json() for stored in report.events)
    if runs.store.url.get_backend_name() == "sqlite":
        runs.close()
        runs.store.close()
        stored = [path for path in bench.data_dir.root.rglob("*") if path.is_file()]
        assert not [path.name for path in stored if SECRET.encode() in path.read_bytes()]


@pytest.mark.parametrize(
    ("input_type", "options", "value"),
    [("text", [], "four words"), ("selection", ["red", "blue"], "blue"), ("confirmation", [], None)],
    ids=["text", "selection", "confirmation"],
)
def test_what_was_entered_reaches_the_run_and_the_log(
    bench: Bench, input_type: str, options: list[str], value: str | None
) -> None:
    received: list[object] = []

    def asks(message: str, ctx: RunContext) -> str:
        received.append(ctx.ask(entry(input_type, options=options)).value)
        return "thanks"

    report = play(bench.open(asks), lambda _: Answer(True, value))
    assert received == [value]
    assert AskClosed(ask_id="a_1", granted=True, value=value) in [stored.event for stored in report.events]


def test_open_asks_of_all_chats_are_listed_oldest_first(bench: Bench) -> None:
    runs = bench.open(Agent([pays("a", "b")]))

    async def scenario() -> list[str]:
        chats = [await new_chat(runs) for _ in range(3)]
        for chat_id in chats:
            await runs.start(chat_id, "go")
            await until_event(runs, chat_id, AskOpened)
        return chats

    chats = run_async(scenario())
    result = runs.store.read(open_asks_everywhere)
    assert [record.chat_id for record in result] == [chat_id for chat_id in chats for _ in "ab"]
    assert {record.answer for record in result} == {None}
