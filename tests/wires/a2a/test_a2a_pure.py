"""What needs no server: pieces made fewer, answers read, pages named, what a run shows in the protocol's types."""

from datetime import UTC, datetime
from typing import Any

import pytest
from a2a.types import a2a_pb2 as pb
from a2a.utils.errors import InvalidParamsError
from hypothesis import given
from hypothesis import strategies as st

from smoldesk import messages as m
from smoldesk.errors import BadInput, Conflict
from smoldesk.events import Ask
from smoldesk.store.asks import Answer
from smoldesk.wires.a2a.compatibility_0_3 import MAX_VALUES, is_too_much
from smoldesk.wires.a2a.encoder import artifact_of, data_part
from smoldesk.wires.a2a.list_tasks import read_token, token_of
from smoldesk.wires.a2a.models import IncomingMessage
from smoldesk.wires.a2a.send_message import answer_of
from smoldesk.wires.a2a.task_view import HOLD_SECONDS, LONGEST, UpdateCoalescer
from smoldesk.wires.task_projection import (
    ArtifactUpdate,
    StatusUpdate,
    TaskSnapshot,
    Update,
)
from tests.support.a2a_client import as_dict

AT = datetime(2026, 1, 2, tzinfo=UTC)


def piece(index: int, text: str, append: bool = True, is_whole: bool = False) -> ArtifactUpdate:
    return ArtifactUpdate(index, m.Text(content=text), append, is_whole)


# --- merging ------------------------------------------------------------------------------------------------------------


@st.composite
def update_streams(draw: st.DrawFn) -> list[Update]:
    """Artifacts in order, each in pieces, with statuses between."""
    results: list[Update] = []
    for index in range(draw(st.integers(0, 4))):
        pieces = draw(st.lists(st.text(max_size=900), min_size=1, max_size=8))
        for number, text in enumerate(pieces):
            results.append(piece(index, text, append=number > 0, is_whole=False))
            if draw(st.booleans()):
                results.append(StatusUpdate("working", AT))
        if draw(st.booleans()):
            results.append(piece(index, "", is_whole=True))
    return results


@given(update_streams(), st.floats(0, 0.3))
def test_merging_changes_neither_the_text_nor_the_order(updates: list[Update], pause: float) -> None:
    merging, merged, now = UpdateCoalescer(), list[Update](), 0.0
    for update in updates:
        now += pause
        if merging.flush_at is not None and merging.flush_at <= now:
            merged += merging.flush(now)
        merged += merging.take(update, now)
    merged += merging.flush(now)
    before, after = TaskSnapshot(), TaskSnapshot()
    for complete, stream in ((before, updates), (after, merged)):
        for update in stream:
            complete.add(update)
    assert after.outputs() == before.outputs()
    assert [u for u in merged if isinstance(u, StatusUpdate)] == [
        u for u in updates if isinstance(u, StatusUpdate)
    ]
    assert len(merged) <= len(updates)


def test_a_piece_goes_at_once_and_what_follows_soon_is_held_for_a_while_and_not_beyond_a_size() -> None:
    merging = UpdateCoalescer()
    first = piece(0, "a", append=False)
    assert merging.take(first, 10.0) == [first]
    assert merging.flush_at is None
    assert merging.take(piece(0, "b"), 10.1) == []
    assert merging.flush_at == 10.0 + HOLD_SECONDS
    assert merging.take(piece(0, "c"), 10.15) == []
    assert merging.flush(10.2) == [piece(0, "bc")]
    assert merging.take(piece(0, "d"), 10.3) == []
    assert merging.take(piece(0, "x" * LONGEST), 10.3) == [piece(0, "d" + "x" * LONGEST)]
    assert merging.take(piece(0, "e"), 10.4) == []
    assert merging.take(piece(0, "", is_whole=True), 10.4) == [piece(0, "e", is_whole=True)]
    assert merging.take(piece(1, "f", append=False), 10.5) == []
    end = StatusUpdate("completed", AT)
    assert merging.take(end, 10.5) == [piece(1, "f", append=False), end]


# --- answers --------------------------------------------------------------------------------------------------------------


def an_ask(**about: Any) -> Ask:
    inputs = {"kind": "approval", "tool": "pay", "prompt": "Pay?", "input_type": "confirmation"}
    return Ask(id="a_1", expires_at=AT, **inputs | about)  # pyright: ignore[reportArgumentType]


def message(text: str = "", *data: Any) -> IncomingMessage:
    return IncomingMessage("m", text, [], list(data), None, "r_1", 0, "key", {})


@pytest.mark.parametrize(
    ("ask", "reply", "expected"),
    [
        (an_ask(), message("yes"), Answer(True)),
        (an_ask(), message("no, too much"), Answer(False, reason="too much")),
        (an_ask(), message("", {"granted": True}), Answer(True)),
        (
            an_ask(),
            message("", {"askId": "a_1", "granted": True, "value": {"amount": 1}}),
            Answer(True, {"amount": 1}),
        ),
        (an_ask(), message("", {"granted": False, "reason": "later"}), Answer(False, reason="later")),
        (an_ask(kind="input", input_type="text"), message("Bo"), Answer(True, "Bo")),
        (an_ask(kind="input", input_type="text"), message("", {"value": "Bo"}), Answer(True, "Bo")),
        (an_ask(kind="client_tool"), message("", {"found": 3}), Answer(True, {"found": 3})),
        (an_ask(kind="client_tool"), message("", [1, 2]), Answer(True, [1, 2])),
        (an_ask(kind="client_tool"), message("", {"value": 7}), Answer(True, 7)),
        (an_ask(kind="client_tool"), message('{"found": 3}'), Answer(True, {"found": 3})),
    ],
)
def test_an_answer_is_words_or_data(ask: Ask, reply: IncomingMessage, expected: Answer) -> None:
    assert answer_of(ask, reply) == expected


@pytest.mark.parametrize(
    "reply",
    [
        message("perhaps"),
        message("yes", {"granted": True}),
        message("", 1),
        message("", {}, {}),
        message("", {}),
    ],
)
def test_what_is_no_answer_is_refused(reply: IncomingMessage) -> None:
    with pytest.raises(BadInput):
        answer_of(an_ask(), reply)
    with pytest.raises(Conflict):
        answer_of(an_ask(), message("", {"askId": "a_2", "granted": True}))


# --- pages, bodies, parts ---------------------------------------------------------------------------------------------------


@given(st.floats(0, 1e12), st.from_regex(r"r_[0-9a-f]{1,30}", fullmatch=True))
def test_a_token_names_its_place_bit_for_bit(at: float, run_id: str) -> None:
    assert read_token(token_of((at, run_id))) == (at, run_id)


@pytest.mark.parametrize(
    "token", ["!", "AAAA", "x" * 400, "é", token_of((float("nan"), "r_1")), token_of((1.0, "a b"))]
)
def test_a_token_that_is_none_is_refused(token: str) -> None:
    with pytest.raises(InvalidParamsError):
        read_token(token)


def test_only_values_are_counted() -> None:
    assert not is_too_much(b'"' + b"," * 100_000 + b'"')
    assert is_too_much(b"[" + b"1," * MAX_VALUES + b"1]")
    assert is_too_much(b"[" * 200 + b"]" * 200)
    assert is_too_much(b"[" * 200_000 + b"]" * 200_000)
    assert not is_too_much(b"[1," * 150), "what is no JSON is refused in words elsewhere"


def test_every_kind_of_message_is_an_artifact() -> None:
    table = m.TableContent(
        table_id="f_1", name="rooms", columns=[m.Column(name="a", kind="number")], rows=[[1]], row_count=1
    )
    stored = m.FileContent(file_id="f_2", name="out/new.csv", size=3, media_type="text/csv")
    spoken = m.FileContent(file_id="", name="out/new.csv", size=0, media_type="text/csv")
    for message, name, kinds in (
        (m.Text(content="hello"), "output", ["text"]),
        (m.Text(content="hello", tone="notice"), "notice", ["text"]),
        (m.Code(content="x = 1"), "code", ["text"]),
        (m.Error(content="no", code="broken"), "error", ["text"]),
        (m.Image(format="png", file_id="f_1", path="a b.png"), "a b.png", ["url"]),
        (m.File(content=stored), "out/new.csv", ["url"]),
        (m.File(content=spoken), "out/new.csv", ["text"]),
        (m.Json(content=[1]), "json_output", ["data"]),
        (m.Table(content=table), "rooms", ["text", "data"]),
        (m.ClearMap(), "clear_map", ["data"]),
    ):
        artifact = artifact_of(message, "r-0", "c_1", "http://desk")
        assert artifact.name == name
        assert [part.WhichOneof("content") for part in artifact.parts] == kinds, message
        for part in artifact.parts:
            assert not part.url or part.url.startswith("http://desk/api/chats/c_1/files/")


def test_data_that_is_too_deep_for_the_protocol_goes_as_text() -> None:
    deep: Any = 1
    for _ in range(90):
        deep = [deep]
    assert data_part(deep).WhichOneof("content") == "text"
    assert as_dict(data_part({"a": [1, None, "x"]}))["data"] == {"a": [1, None, "x"]}
    assert isinstance(data_part(1), pb.Part)
