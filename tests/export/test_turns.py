"""Turns: nothing that was said is lost, and code that nobody ran is no cell."""

from collections.abc import Iterator
from datetime import UTC, datetime

from smoldesk import messages as m
from smoldesk.events import (
    AnyEvent,
    RunFailed,
    RunFinished,
    RunQueued,
    Shown,
    StepFinished,
    StepStarted,
    StoredEvent,
)
from smoldesk.export.notebook import _answer, runs
from smoldesk.export.turns import turns_of

MIXED = [
    m.Text(content="まず"),
    m.Code(content="print(1)"),
    m.Code(content="ls", language="shell"),
    m.Text(content="以上"),
]


def told(*events: AnyEvent) -> Iterator[StoredEvent]:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    for seq, event in enumerate((RunQueued(message="?"), *events), 1):
        yield StoredEvent(chat_id="c", seq=seq, run_id="r", at=at, event=event)


def ended(code: str | None) -> StepFinished:
    return StepFinished(step=1, memory={"code_action": code, "tool_calls": []}, duration=1)


def test_an_answer_with_code_in_it_is_whole_and_its_code_is_no_cell() -> None:
    displayed = [Shown(message=item) for item in MIXED]
    (program,) = turns_of(told(StepStarted(step=1), *displayed, ended(None), RunFinished(text="raw")))
    assert program.answer == "まず\n\n```python\nprint(1)\n```\n\n```shell\nls\n```\n\n以上"
    assert not any(runs(program, step) for step in program.steps)

    ran = Shown(message=m.Code(content="final_answer(x)"))
    (agent,) = turns_of(
        told(StepStarted(step=1), ran, *displayed, ended("final_answer(x)"), RunFinished(text="raw"))
    )
    assert agent.answer == program.answer and agent.steps[0].code == "final_answer(x)"


def test_what_a_run_said_before_it_failed_stands_before_why() -> None:
    message = Shown(message=m.Text(content="half"))
    (turn,) = turns_of(
        told(StepStarted(step=1), message, ended(None), RunFailed(code="x", message="It broke."))
    )
    assert "half" in _answer(turn) and "It broke" in _answer(turn)


def test_why_a_run_failed_is_not_why_its_last_code_did() -> None:
    code_failed, limit = (
        Shown(message=m.Error(content=text, code="x")) for text in ("KeyError: 1", "Too many.")
    )
    after = (ended("x[1]"), limit, RunFailed(code="x", message="Too many."))
    (turn,) = turns_of(told(StepStarted(step=1), code_failed, *after))
    assert (turn.steps[0].error, turn.error) == ("KeyError: 1", "Too many.")
    assert "Too many" in _answer(turn)


def test_a_turn_of_a_conversation_is_called_one() -> None:
    woken = StoredEvent(
        chat_id="c",
        seq=1,
        run_id="r",
        at=datetime(2026, 1, 1, tzinfo=UTC),
        event=RunQueued(message="?", conversation="k"),
    )
    (turn,) = turns_of([woken])
    assert turn.is_talk and not next(turns_of(told())).is_talk


def test_places_on_the_earth_are_data_and_on_no_floor() -> None:
    places = m.PointsContent(points=[m.GeoPoint(lat=35.6, lon=139.7, name="東京")])
    (turn,) = turns_of(told(StepStarted(step=1), Shown(message=m.Map(content=places)), RunFinished(text="")))
    (piece,) = turn.steps[0].pieces
    assert isinstance(piece, m.Json) and "東京" in str(piece.content)
