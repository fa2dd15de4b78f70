"""Lines as they stand once carriage returns, erasing and redrawing are done."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoldesk.agents.terminal.stream import TerminalStream
from smoldesk.agents.terminal.transcript import LONGEST_LINE, Transcript


def transcript_of(text: str, size: int | None = None, columns: int = 120) -> str:
    """What is given out of it, fed in pieces of so many bytes, the unfinished line included."""
    data, stream, transcript = text.encode(), TerminalStream(), Transcript(columns, limit=10**9)
    size = size or len(data) or 1
    for at in range(0, len(data), size):
        transcript.feed(stream.feed(data[at : at + size]))
    transcript.feed(stream.feed(b"", final=True))
    transcript.end()
    return transcript.take()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\r\nb\nc", "a\nb\nc\n"),
        ("progress 1%\rprogress 50%\rprogress 100%\r\ndone\r\n", "progress 100%\ndone\n"),
        ("a long line\rshort\r\n", "shortg line\n"),
        ("a long line\r\x1b[Kshort\r\n", "short\n"),
        ("a long line\x1b[2K\rshort\n", "short\n"),
        ("abc\b\bX\n", "aXc\n"),
        ("abc\x1b[1Gx\x1b[3Gz\n", "xbz\n"),
        ("ab\x1b[3Ccd\x1b[9D!\n", "!b   cd\n"),
        ("abcdef\x1b[4D\x1b[2P\n", "abef\n"),
        ("abcd\r\x1b[2@\n", "  abcd\n"),
        ("abcd\r\x1b[2X\n", "  cd\n"),
        ("-\x1b[4b\n", "-----\n"),
        ("日本\rx\n", "x 本\n"),
        ("日本語\b\bx\n", "日本x \n"),
        ("e\u0301a\rx\n", "xa\n"),
        ("\ta\tb\n", "\ta\tb\n"),
        ("before\x1b[?1049hTUI\r\nmore\x1b[?1049l after\r\n", "before after\n"),
        ("gone\r\n\x1b[H\x1b[2Jnew\r\n", "gone\nnew\n"),
        ("half\x1b[H\x1b[2Jnew\r\n", "half\nnew\n"),
        ("\x1b7ab\x1b8X\n", "Xb\n"),
    ],
)
def test_lines_are_as_they_stand_in_the_end_whatever_the_cutting(text: str, lines: str) -> None:
    assert {transcript_of(text, size) for size in (1, 2, 3, 5, 1000)} == {lines}


WORDS = ("あ", "word ", "x", "e\u0301", "long " * 30, "\n", "\r\n", "\r", "\b", "\t")
MOVES = (
    "[K",
    "[2K",
    "[A",
    "[2A",
    "[3D",
    "[2C",
    "[J",
    "[?1049h",
    "[?1049l",
    "[5G",
    "[B",
    "[P",
    "[H",
    "[32m",
    "M",
    "7",
    "8",
)
PARTS = st.sampled_from([*WORDS, *(f"\x1b{move}" for move in MOVES)])


@given(st.lists(PARTS, max_size=40), st.integers(min_value=1, max_value=9))
def test_any_cutting_gives_the_same_lines(parts: list[str], size: int) -> None:
    text = "".join(parts)
    assert transcript_of(text, size) == transcript_of(text)


def test_a_carriage_return_goes_back_to_the_row_of_a_wrapped_line() -> None:
    typed = "0123456789" + " \r" + "ab\n"  # how a line editor wraps at the tenth column
    assert transcript_of(typed, columns=10) == "0123456789ab\n"


def test_only_whole_lines_are_given_out() -> None:
    transcript = Transcript()
    transcript.feed("one\ntwo, unfin")
    assert (transcript.take(), transcript.partial) == ("one\n", "two, unfin")
    transcript.feed("ished\n")
    assert (transcript.take(), transcript.partial) == ("two, unfinished\n", "")


def test_lines_that_a_line_editor_draws_again_are_the_same_lines() -> None:
    typed = "$ for x\r\n\rdo\r\n\rdone\x1b[A\x1b[A\x1b[D\x1b[Dfor x\r\n\rdo\r\n\rdone\r\nout\r\n"
    assert transcript_of(typed) == "$ for x\ndo\ndone\nout\n"


def frames(*bars: tuple[int, int]) -> str:
    """Two bars, drawn over and over."""
    return "\x1b[2A".join(f"\rleft {first}%\x1b[K\nright {right}%\x1b[K\n" for first, right in bars)


def test_lines_that_are_redrawn_do_not_pile_up() -> None:
    text = transcript_of(
        "start\n" + frames(*((number, 2 * number) for number in range(50)), (100, 100)) + "done\n"
    )
    assert text.startswith(
        "start\nleft 0%\nright 0%\n"
    )  # what stood there before anybody knew that it is redrawn
    assert text.endswith("left 100%\nright 100%\ndone\n")
    assert text.count("left") <= 3


def test_a_quiet_program_gets_its_redrawn_lines_said_once() -> None:
    transcript = Transcript()
    transcript.feed(frames((0, 0), (1, 1), (2, 2)))
    assert transcript.take() == "left 0%\nright 0%\n"
    transcript.settle()
    assert transcript.take() == "left 2%\nright 2%\n"
    transcript.settle()
    transcript.feed("\x1b[2A" + frames((2, 2)))
    transcript.settle()
    assert transcript.take() == ""


def test_a_program_that_redraws_no_longer_is_said_at_once_again() -> None:
    transcript = Transcript(rows=5)
    transcript.feed(frames((0, 0), (1, 1)))
    transcript.feed("line\n" * 20)
    transcript.take()
    transcript.feed("now\n")
    assert transcript.take() == "now\n"


def test_a_line_without_an_end_is_given_out_piece_by_piece() -> None:
    transcript = Transcript()
    for _ in range(10):
        transcript.feed("x" * LONGEST_LINE)
    text = transcript.take()
    assert len(text) >= 9 * LONGEST_LINE
    assert "\n" not in text
    assert len(text) + len(transcript.partial) == 10 * LONGEST_LINE


def test_what_nobody_takes_is_left_out_oldest_first_and_counted() -> None:
    transcript = Transcript(limit=1000)
    for number in range(1000):
        transcript.feed(f"line {number}\n")
    note, *lines = transcript.take().splitlines()
    assert lines[-1] == "line 999"
    size = sum(len(line) + 1 for line in lines)
    assert size <= 1000
    assert note == f"… {sum(len(f'line {n}') + 1 for n in range(1000)) - size} characters left out …"
    assert transcript.take() == ""


def test_a_number_that_a_program_makes_up_costs_no_memory() -> None:
    transcript = Transcript()
    for sign in "ABCDEFGHPX@b`de":
        transcript.feed(f"a\x1b[999999999{sign}b")
    transcript.feed("\u0301" * 100_000)
    transcript.feed(f"\x1b[{'9' * 5000}C\x1b[{'9' * 5000}A")
    assert len(transcript.take()) + len(transcript.partial) < 20_000
