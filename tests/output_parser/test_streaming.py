"""Streams: any pieces give what one piece gives, nothing raises, cost is the length, memory is bounded."""

import gc
import sys
from collections.abc import Callable, Iterable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from smoldesk.output_parser import (
    Artifact,
    StreamingOutputParser,
    TextArtifact,
    artifacts,
    joined,
    parse_text,
)
from smoldesk.output_parser import streaming as limits
from tests.output_parser import cut
from tests.support.holding import characters_of

SCRAPS = [
    *(
        "```",
        "````",
        "~~~",
        "`",
        "python",
        "json",
        "\n",
        "\n\n",
        "\r\n",
        "  ",
        "   ",
        "\t",
        "x",
        "あ",
        "text ",
    ),
    *("{", "}", "[", "]", '"', '"a"', ":", ",", "1", " 2", "true", "\\", '{"a": [1, {"b": null}]}', "[1, 2]"),
    *("Created: ", "Wrote: ", "[File: ", "a/b.py", "out.csv", "\x1b[1m", "\x1b", "\ud83d", " \n \n"),
    *("Traceback (most recent call last):\n", '  File "x", line 1\n', "ValueError: no\n", "KeyError\n"),
    *("\nDuring handling of the above exception, another exception occurred:\n\n", "  + Exception Group "),
]
texts = st.lists(st.sampled_from(SCRAPS) | st.text(max_size=3), max_size=40).map("".join)
places = st.lists(st.integers(0, 10_000), max_size=40)


def streamed(pieces: Iterable[str]) -> list[Artifact]:
    parser = StreamingOutputParser()
    return joined([*(artifact for piece in pieces for artifact in parser.feed(piece)), *parser.flush()])


@settings(deadline=None, max_examples=300)
@given(texts, places)
@example("{\nTraceback (most recent call last):\n```", [1, 2])
def test_any_pieces_give_what_one_piece_gives(text: str, at: list[int]) -> None:
    assert streamed(cut(text, at)) == parse_text(text) == streamed(text)


@example('````  File "x", line 1\n', [])
@settings(deadline=None, max_examples=150)
@given(texts, places)
def test_so_it_is_where_the_limits_bite(text: str, at: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "MAX_LINE", 7)
        patch.setattr(limits, "MAX_BLOCK", 15)
        patch.setattr(artifacts, "MAX_BLANK", 3)
        assert streamed(cut(text, at)) == streamed([text]) == streamed(text)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.sampled_from(SCRAPS) | st.characters(), max_size=30).map("".join))
def test_nothing_is_lost_but_marks_and_blank_space(text: str) -> None:
    """With everything switched off a text comes out as it went in."""
    plain = parse_text(text, code_blocks=False, file_refs=False, json=False, errors=False)
    assert len(plain) <= 1
    joined_text = "".join(artifact.content for artifact in plain)  # pyright: ignore[reportAttributeAccessIssue]
    if "\x1b" not in text:
        assert joined_text.split() == text.replace("\r\n", "\n").split()


def test_text_comes_out_as_soon_as_its_line_ends_and_blocks_when_they_are_whole() -> None:
    parser = StreamingOutputParser()
    assert parser.feed("結果:\n```py") == [TextArtifact("結果:")]
    assert parser.feed("thon\nprint('hello')\n") == []
    assert [artifact.type for artifact in parser.feed("```\n続き")] == ["code"]
    assert parser.flush() == [TextArtifact("続き")]


def test_two_blocks_in_one_piece_come_with_it_and_flush_begins_anew() -> None:
    parser = StreamingOutputParser()
    assert [artifact.type for artifact in parser.feed("```\na\n```\n```\nb\n```\n")] == ["code", "code"]
    assert parser.feed("```py\nx") == []
    assert [artifact.type for artifact in parser.flush()] == ["code"]
    assert parser.feed("plain\n") == [TextArtifact("plain")]
    assert parser.flush() == parser.flush() == []


# --- cost --------------------------------------------------------------------------------------------------

HOSTILE = [
    *(
        "`",
        "```",
        "```\n",
        "~~~\n",
        "{",
        "[",
        "{\n",
        "[\n",
        '{"',
        '{"a',
        '{"a":',
        '{"a":\n',
        '["',
        '"',
        "[1,",
        "[[1],",
    ),
    *(
        "[{",
        '{"a":[',
        '{"{',
        '{"x {"',
        '[["a"],',
        "Created: ",
        "[File: ",
        "[File: x",
        'Created: "',
        "\x1b[",
        "\x1b]",
    ),
    *(
        "Traceback (most recent call last):\n",
        "Traceback (most recent call last):\n  x\n",
        " ",
        "\n",
        "\\",
        "[1\n,",
    ),
    *("Traceback (most recent call last):\n  x\nE: \n\n", "a.", "Created: a/", "{}", "[1, 2", "{" + " " * 50),
]


def lines_run(work: Callable[[], object]) -> int:
    """Lines of Python that the work runs: its cost without a clock, save for what the C library does."""
    count = 0

    def trace(frame: object, event: str, arg: object) -> object:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    gc.collect()
    gc.disable()  # what others left behind is not this work's cost
    sys.settrace(trace)  # pyright: ignore[reportArgumentType]
    try:
        work()
    finally:
        sys.settrace(before)
        gc.enable()
    return count


@pytest.mark.parametrize("unit", HOSTILE)
def test_twice_the_text_costs_at_most_about_twice_the_steps(unit: str) -> None:
    def cost(size: int) -> int:
        text = unit * (size // len(unit))
        return lines_run(lambda: parse_text(text))

    assert cost(3_000) <= 2.5 * cost(1_500) + 500


@pytest.mark.parametrize("unit", HOSTILE)
def test_long_hostile_text_is_read_to_its_end(unit: str) -> None:
    """Were any of these quadratic, also in a regex, this test would run into the suite's timeout."""
    text = unit * (50_000 // len(unit))
    assert parse_text(f"{text}\n\nThe end.\n")


def test_brackets_nested_a_hundred_thousand_deep_are_text() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    assert parse_text(deep) == [TextArtifact(deep)]


def test_what_never_closes_takes_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_LINE", 1_000)
    monkeypatch.setattr(limits, "MAX_BLOCK", 1_000)
    for opening, more in (
        *(
            ("```py\n", "x = 1\n"),
            ("```py\n", "x"),
            ("{\n", '"a": 1,\n'),
            ('{"a": [\n', "1,\n"),
            ("", "no newline "),
        ),
        *(("Traceback (most recent call last):\n", "  File\n"), ("x", " "), ("x", "\n"), ("[", "[")),
    ):
        parser = StreamingOutputParser()
        parser.feed(opening)
        most = 0
        for number in range(2_000):
            parser.feed(more)
            if number % 10 == 9:
                most = max(most, characters_of(parser))
        assert most <= 2_100, (opening, more)
