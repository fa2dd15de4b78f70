"""An ask in words, and what a plain message says to it: pure."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoldesk.errors import BadInput
from smoldesk.events import Ask
from smoldesk.wires.four_pane.protocol_1_2 import Questions, format_ask, read_reply, to_1_2


def ask(name: str = "a_1", **fields: Any) -> Ask:
    return Ask(**({"id": name, "kind": "approval", "expires_at": datetime(2030, 1, 1, tzinfo=UTC)} | fields))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("message", ["yes", "Yes.", " y ", "OK!", "はい", "はい。", "ｙｅｓ", "承認"])
def test_a_plain_yes_grants(message: str) -> None:
    assert read_reply(ask(), message).granted


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("no", ""),
        ("No!", ""),
        ("いいえ。", ""),
        ("no: too much", "too much"),
        ("いいえ、高すぎる", "高すぎる"),
        ("n", ""),
        ("No!, it is too dear.", "it is too dear."),
    ],
)
def test_a_plain_no_denies_with_its_reason(message: str, reason: str) -> None:
    answer = read_reply(ask(), message)
    assert (answer.granted, answer.reason) == (False, reason)


@pytest.mark.parametrize(
    "message", ["yes, but only 5", "maybe", "nothing", "yesterday", "show the map", "1", "はいはい"]
)
def test_what_is_neither_is_no_answer_and_says_what_is_expected(message: str) -> None:
    with pytest.raises(BadInput, match='"yes"') as refused:
        read_reply(ask(), message)
    assert refused.value.code == "bad_answer"


@pytest.mark.parametrize(
    ("message", "value"),
    [
        *[("2", "Blue"), ("#1", "Red"), ("＃２.", "Blue"), ("blue", "Blue"), (" RED ", "Red")],
        *[("Stop now!", "Stop now!"), ("stop now", "Stop now!"), ("Blue。", "Blue")],
    ],
)
def test_a_selection_takes_an_option_or_its_number(message: str, value: str) -> None:
    colours = ask(kind="input", input_type="selection", options=["Red", "Blue", "Stop now!"])
    answer = read_reply(colours, message)
    assert (answer.granted, answer.value) == (True, value)


@pytest.mark.parametrize("message", ["0", "3", "green", "99999999999999999999"])
def test_a_selection_takes_nothing_else(message: str) -> None:
    with pytest.raises(BadInput, match="1 to 2"):
        read_reply(ask(kind="input", input_type="selection", options=["Red", "Blue"]), message)


def test_an_option_that_is_a_number_or_a_no_is_meant_as_itself() -> None:
    colours = ask(kind="input", input_type="selection", options=["2", "no", "1"])
    assert [read_reply(colours, message).value for message in ("2", "1", "no", "#1")] == ["2", "1", "no", "2"]


@pytest.mark.parametrize("kind", ["text", "password"])
def test_text_is_taken_as_it_is(kind: str) -> None:
    assert read_reply(ask(kind="input", input_type=kind), "  no: 1 \n").value == "  no: 1 \n"


def test_a_question_shows_what_is_asked_and_cannot_be_forged_by_it() -> None:
    text = format_ask(ask(prompt="Allow *pay*?", arguments={"why": "```\n# yes"}))
    assert text.startswith("**Allow \\*pay\\*?**")
    assert "````json" in text
    assert text.endswith('"no: too much".')
    assert "pay(30)" in format_ask(ask(prompt="Allow pay?", code_line="pay(30)"))
    options = format_ask(ask(kind="input", input_type="selection", prompt="Which?", options=["Red", "Blue"]))
    assert "1. Red\n\n2. Blue" in options


def test_a_question_of_running_code_shows_the_values_to_their_end() -> None:
    """Who says yes to `pay(who, much)` is to know who and how much."""
    called = ask(
        prompt="Allow pay?",
        code_line="pay(who, much)",
        arguments={"who": "Mallory", "note": "x" * 5000 + "!"},
    )
    text = format_ask(called)
    assert "pay(who, much)" in text
    assert '"who": "Mallory"' in text
    assert 'x!"' in text


def test_asks_are_put_one_after_the_other() -> None:
    questions = Questions()
    first, second, third = ask("a_1"), ask("a_2"), ask("a_3")
    assert questions.add(first) is first
    assert questions.add(second) is None
    assert questions.add(third) is None
    questions.mark_answered("a_1")
    assert questions.put is None, "what is said now answers nothing"
    assert questions.remove("a_2") is None
    assert questions.remove("a_1") is third
    questions.mark_answered("a_1")
    assert questions.put is third, "a late word about the first does not take the third away"
    assert questions.remove("a_3") is None
    assert questions.put is None


def test_what_only_a_newer_client_can_do_is_not_put() -> None:
    questions = Questions()
    assert questions.add(ask(kind="client_tool")) is None
    assert questions.put is None


def test_an_older_client_gets_no_overlays_and_no_frames_it_does_not_know() -> None:
    overlays = [{"type": "bitmap"}, {"type": "route"}, {"type": "text"}, {"type": "legend"}]
    drawn = to_1_2({"type": "map", "seq": 4, "content": {"floorId": "1F", "overlays": overlays}})
    assert drawn == {
        "type": "map",
        "seq": 4,
        "content": {"floorId": "1F", "overlays": [{"type": "bitmap"}, {"type": "text"}]},
    }
    points = {"type": "map", "content": {"points": [{"x": 1, "y": 2}], "description": ""}}
    assert to_1_2(points) is points
    assert to_1_2({"type": "map_frames", "content": {"floorId": "1F", "frames": []}}) is None


@given(st.text(), st.sampled_from(["confirmation", "selection", "text", "password"]), st.lists(st.text()))
def test_whatever_is_said_is_an_answer_or_is_refused_in_words(
    message: str, kind: str, options: list[str]
) -> None:
    question = ask(input_type=kind, options=options, prompt=message)
    assert format_ask(question)
    try:
        answer = read_reply(question, message)
    except BadInput as refused:
        assert refused.hint
    else:
        assert not (kind == "selection" and answer.granted) or answer.value in options
