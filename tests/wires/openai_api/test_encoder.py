"""What each kind of event becomes in an answer. Pure."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from smoldesk import events as e
from smoldesk import messages as m
from smoldesk.buildings.building import Building
from smoldesk.wires.openai_api.encoder import AnswerEncoder
from smoldesk.wires.openai_api.models import AnswerEnd, AnswerText, ClientCall, Piece, ReasoningPiece

NOW = datetime(2026, 1, 2, tzinfo=UTC)


BUILDING = Building.load()


def pieces(events: Sequence[e.AnyEvent], picture: str | None = "http://desk/p.png") -> list[Piece]:
    fold = AnswerEncoder("c_1", "http://desk", BUILDING, {"get_time": "get-time"})
    stored = [
        e.StoredEvent(chat_id="c_1", seq=seq, run_id="r_1", at=NOW, event=event)
        for seq, event in enumerate(events, 1)
    ]
    return [piece for item in stored for piece in fold.take(item, picture)]


def words(*events: e.AnyEvent) -> str:
    return "".join(piece.text for piece in pieces(events) if isinstance(piece, AnswerText))


def ask(ask_id: str, **more: object) -> e.Ask:
    inputs = {"kind": "approval", "tool": "pay", "arguments": {"to": "``` x"}, "prompt": "Allow <b>pay</b>?"}
    return e.Ask.model_validate({"id": ask_id, "expires_at": NOW} | inputs | more)


@pytest.mark.starts
def test_what_is_shown_is_markdown() -> None:
    columns = [m.Column(name="a|b", kind="text"), m.Column(name="n", kind="number")]
    content = m.TableContent(table_id="f_1", name="t", columns=columns, rows=[["<i>", 1]], row_count=9)
    picture = m.Image(format="png", path="pie](x).png", file_id="f_2")
    file = m.File(content=m.FileContent(file_id="f_3", name="out 1.csv", size=3, media_type="text/csv"))
    spoken = m.File(content=m.FileContent(file_id="", name="spoken.csv", size=0, media_type="text/csv"))
    floor = BUILDING.definition.floors[0]
    drawn = m.HighlightRoom.model_validate({"content": {"rooms": [floor.rectangles[0].name]}})
    displayed = [m.Table(content=content), picture, file, spoken, m.Json(content={"k": [1]}), drawn]
    message = words(
        *(e.Shown(message=item) for item in displayed),
        e.StepFinished(step=1, memory={}, input_tokens=3, output_tokens=4, duration=1),
        e.RunFinished(text="There it is."),
    )
    table, more, rows, image, link, data, map_, last = message.split("\n\n")
    assert table.splitlines() == ["| a\\|b | n |", "| --- | ---: |", "| &lt;i&gt; | 1 |"]
    assert more == "… 8 more rows" and rows == "[All rows](http://desk/api/chats/c_1/tables/f_1)"
    assert image == "![pie\\]\\(x\\)\\.png](http://desk/p.png)"
    assert link == "[out 1\\.csv](http://desk/api/chats/c_1/files/out%201.csv?v=f_3)"
    assert data == '```json\n{"k": [1]}\n```'
    assert map_.startswith("![Map of ") and "](data:image/svg+xml;base64," in map_
    assert last == "There it is."


def test_the_way_to_the_answer_is_apart_from_it() -> None:
    created = pieces(
        [
            e.StepStarted(step=1),
            e.Delta(step=1, kind="reasoning", text="Hm."),
            e.Delta(step=1, kind="code", text="note("),
            e.Delta(step=1, kind="code", text="'x')"),
            e.ToolCalled(step=1, call_id="r.1", tool="note", arguments={"word": "x"}),
            e.ToolFailed(step=1, call_id="r.1", tool="note", error="no `luck`"),
            e.Printed(step=1, text="out"),
            e.StepFinished(step=1, memory={}, input_tokens=3, output_tokens=4, duration=1),
            e.RunFinished(text="So."),
        ],
    )
    thoughts = "".join(piece.text for piece in created if isinstance(piece, ReasoningPiece))
    assert thoughts == (
        "Hm.\n\n````python\nnote('x')\n````\n\n\n`note: {\"word\":\"x\"}`\n\n\n`note: no 'luck'`\n\n\n````\nout\n````\n"
    )
    assert created[-2:] == [AnswerText("So."), AnswerEnd("finished", NOW.timestamp(), 3, 4)]


def test_a_managed_agents_calls_pictures_and_tokens_are_the_runs_own() -> None:
    inner = [
        e.StepStarted(step=1),
        e.Delta(step=1, kind="text", text="mine alone"),
        e.ToolCalled(step=1, call_id="k", tool="look", arguments={"at": 1}),
        e.Shown(message=m.Image(file_id="f_1", format="png", path="plan.png")),
        e.StepFinished(step=1, memory={}, input_tokens=10, output_tokens=2, duration=1),
    ]
    nested = [e.Nested(within="c", agent="helper", event=event) for event in inner]
    step_finished = e.StepFinished(step=1, memory={}, input_tokens=5, output_tokens=1, duration=1)
    [call, picture, end] = pieces([*nested, step_finished, e.RunFinished(text="")])
    assert (call, picture) == (
        ReasoningPiece('`look: {"at":1}`\n'),
        AnswerText("![plan\\.png](http://desk/p.png)"),
    )
    assert isinstance(end, AnswerEnd) and (end.input_tokens, end.output_tokens) == (15, 3)


def test_what_a_program_writes_is_the_answer_once() -> None:
    assert words(e.Delta(step=1, kind="output", text="All "), e.Delta(step=1, kind="output", text="done."),
                 e.RunFinished(text="All done.")) == "All done."  # fmt: skip


@pytest.mark.parametrize(
    "last",
    [e.StepFinished(step=1, memory={}, duration=1.0), e.RunFinished(text="x"), e.RunWaiting(ask_ids=["a_1"])],
)
def test_each_event_that_draws_the_map_is_known_beforehand(last: e.AnyEvent) -> None:
    fold = AnswerEncoder("c_1", "http://desk", BUILDING)
    room = BUILDING.definition.floors[0].rectangles[0].name
    drawn = m.HighlightRoom.model_validate({"content": {"rooms": [room]}})
    for event in (e.AskOpened(ask=ask("a_1")), e.Shown(message=drawn)):
        fold.take(e.StoredEvent(chat_id="c_1", seq=1, run_id="r_1", at=NOW, event=event))
    stored = e.StoredEvent(chat_id="c_1", seq=2, run_id="r_1", at=NOW, event=last)
    expected = fold.is_drawing(stored)
    text = "".join(piece.text for piece in fold.take(stored) if isinstance(piece, AnswerText))
    assert expected and "![Map of " in text


def test_an_answer_ends_where_the_run_waits_for_its_client() -> None:
    approval, other = ask("a_" + "1" * 24), ask("a_" + "2" * 24)
    requested = pieces(
        [e.AskOpened(ask=approval), e.AskOpened(ask=other), e.RunWaiting(ask_ids=[approval.id, other.id])],
    )
    assert isinstance(requested[0], AnswerText) and requested[-1] == AnswerEnd("waiting", NOW.timestamp())
    assert "**Allow &lt;b&gt;pay&lt;" in requested[0].text
    assert '````\npay: {"to":"``` x"}\n````' in requested[0].text, "what is asked cannot end its block"
    assert f"(http://desk/#chat=c_1&ask={approval.id})" in requested[0].text and "1 more" in requested[0].text
    mine = ask("a_" + "3" * 24, kind="client_tool", tool="get_time", arguments={"zone": "JST"})
    [call, end] = pieces([e.AskOpened(ask=mine), e.RunWaiting(ask_ids=[mine.id])])
    assert call == ClientCall("call_" + "3" * 24, "get-time", '{"zone":"JST"}') and isinstance(end, AnswerEnd)
    foreign = ask("a_" + "4" * 24, kind="client_tool", tool="get_location", arguments={})
    assert pieces([e.AskOpened(ask=foreign), e.RunWaiting(ask_ids=[foreign.id])]) == []
    chosen = ask("a_" + "5" * 24, kind="input", tool=None, input_type="selection", options=["red", "blue"])
    [message, _] = pieces([e.AskOpened(ask=chosen), e.RunWaiting(ask_ids=[chosen.id])])
    assert isinstance(message, AnswerText) and "1. red\n2. blue" in message.text
