"""From a terminal's bytes to text: whole characters and sequences, whatever the cutting."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoldesk.agents.terminal.stream import (
    LONGEST_STRING,
    MAX_QUERIES,
    TerminalStream,
    replies,
)


def read(data: bytes, size: int | None = None) -> str:
    """All of it, in pieces of so many bytes."""
    stream = TerminalStream()
    size = size or len(data) or 1
    pieces = [stream.feed(data[at : at + size]) for at in range(0, len(data), size)]
    return "".join(pieces) + stream.feed(b"", final=True)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_text_is_decoded_across_the_cut(size: int) -> None:
    text = "あいう 日本語 – ok 🙂\n"
    assert read(text.encode(), size) == text


def test_half_a_character_waits_for_its_other_half() -> None:
    stream = TerminalStream()
    first, second = "あ".encode()[:2], "あ".encode()[2:]
    assert stream.feed(b"x" + first) == "x"
    assert stream.feed(second) == "あ"


def test_bytes_that_are_no_text_become_a_sign_for_that() -> None:
    assert read(b"a\xff\xfeb\xc3") == "a��b�"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\x1b[1;31mred\x1b[0m", "red"),
        (b"\x1b[38:2::255:0:0mred\x1b[m", "red"),
        (b"\x1b]0;a title\x07hi", "hi"),
        (b"\x1b]8;;https://x.test\x1b\\link\x1b]8;;\x1b\\", "link"),
        (b"a\x1bPq#0;2;0;0;0payload\x1b\\b", "ab"),
        (b"a\x1b_Gf=100;payload\x1b\\b", "ab"),
        (b"a\x1b^private\x1b\\b\x1bXstart\x1b\\c", "abc"),
        (b"\x1b]0;never ended\x1b[31mtext", "text"),
        (b"\x1b]0;given up\x18text", "text"),
        (b"\x1b(B\x1b=\x1b>\x1b[?1u\x1b[>4;2m\x1b[2 qtext\x07", "text"),
        ("\x9b31mred\x9b0m \x9dtitle\x9c!".encode(), "red !"),
        (b"\x1b[2K\x1b[1Gx\x1b[3Dy", "\x1b[2K\x1b[1Gx\x1b[3Dy"),
    ],
)
def test_what_is_no_text_is_taken_out_whatever_the_cutting(data: bytes, text: str) -> None:
    assert {read(data, size) for size in range(1, len(data) + 1)} == {text}


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\x1b[\x1b]0;title\x070m", "0m"),
        (b"\x1b[3\x07\x1b[31mred", "red"),
        (b"\x1b\x07[\x1b[31mred", "red"),
        (b"\x1b\x1b[2Kx", "\x1b[2Kx"),
    ],
)
def test_a_sequence_that_another_cuts_short_has_no_end_behind_it(data: bytes, text: str) -> None:
    assert {read(data, size) for size in range(1, len(data) + 1)} == {text}


SIGNS = ("あ", "🙂", "x", "\n", "\r\n", "\x1b[31m", "\x1b[2K", "\x1b]0;t\x07", "\x1bPq", "\x1b\\")
HALVES = ("\x1b", "[", "0m", "\x9b", "\x07", "?", "1", ";", "\\", "]")
PARTS = st.sampled_from([*SIGNS, *HALVES])


@given(st.lists(PARTS, max_size=30), st.integers(min_value=1, max_value=7))
def test_any_cutting_gives_the_same_text(parts: list[str], size: int) -> None:
    data = "".join(parts).encode()
    assert read(data, size) == read(data)


def test_modes_are_remembered() -> None:
    stream = TerminalStream()
    stream.feed(b"\x1b[?2004h\x1b[?10")
    stream.feed(b"49h")
    assert (stream.paste, stream.alternate) == (True, True)
    stream.feed(b"\x1b[?25;1049l\x1b[?2004l")
    assert (stream.paste, stream.alternate) == (False, False)


def test_what_a_program_asks_its_terminal_is_no_text_and_can_be_answered() -> None:
    stream = TerminalStream()
    assert stream.feed(b"a\x1b[6nb\x1b[c\x1b[5nc\x1b[>c\x1b[?6n") == "abc"
    assert stream.queries == ["cursor", "device", "status"]
    assert replies(stream.queries, 3, 7) == b"\x1b[3;7R\x1b[?62;22c\x1b[0n"
    stream.feed(b"\x1b[6n" * 1000)
    assert len(stream.queries) == MAX_QUERIES


def test_a_string_that_never_ends_costs_no_memory_and_gives_the_text_back() -> None:
    stream = TerminalStream()
    tracemalloc.start()
    stream.feed(b"\x1bPq")
    for _ in range(LONGEST_STRING // 1024):
        assert stream.feed(b"x" * 1024) == ""
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < LONGEST_STRING / 2
    stream.feed(b"y" * 1024)
    assert stream.feed(b"text again") == "text again"


def test_a_sequence_that_never_ends_is_not_waited_for() -> None:
    stream = TerminalStream()
    text = stream.feed(b"\x1b[" + b"1;" * 500) + stream.feed(b"1;" * 500)
    assert len(text) > 900


@pytest.mark.parametrize("cut", range(30))
def test_frames_are_drawn_with_the_signs_they_mean(cut: int) -> None:
    data = b"ql \x1b(0lq\x1b[2mqk\x1b[5;9Hx\x1b(B x\x1b(0mqj\x1b(Bmqj"
    stream = TerminalStream()
    text = stream.feed(data[:cut]) + stream.feed(data[cut:])
    assert text == "ql ┌──┐\x1b[5;9H│ x└─┘mqj"


def test_the_codes_of_the_arrow_keys_are_remembered() -> None:
    stream = TerminalStream()
    stream.feed(b"\x1b[?1h\x1b=")
    assert stream.cursor_keys
    stream.feed(b"\x1b[?1l")
    assert not stream.cursor_keys
