"""What stands on the screen, rendered when somebody looks, within a fixed amount of work."""

import pytest

from smoldesk.agents.terminal.screen import LIMIT, Screen, View
from smoldesk.agents.terminal.stream import TerminalStream


def view_of(*pieces: str, columns: int = 40, rows: int = 6) -> View:
    """The screen after these pieces, each rendered by itself."""
    stream, screen = TerminalStream(), Screen(columns, rows)
    for piece in pieces:
        screen.write(stream.feed(piece.encode()))
        if pending := screen.gather():
            screen.render(pending)
    return screen.view()


def test_the_last_line_is_the_cursors_with_the_blank_of_its_prompt() -> None:
    view = view_of("hello\r\nContinue? (y/n): ")
    assert (view.lines, view.last_line, view.at_end) == (
        ("hello", "Continue? (y/n): "),
        "Continue? (y/n): ",
        True,
    )


@pytest.mark.parametrize(
    "sign",
    ["\ufe0f", "\u200d", "\u200b", "\x01", "\x05", "\x15", "\x1c", "\u0378"],
    ids=["emoji form", "joiner", "no width", "SOH", "ENQ", "NAK", "FS", "unassigned"],
)
def test_what_stands_behind_a_character_without_a_cell_is_drawn(sign: str) -> None:
    view = view_of(f"one\r\n⚠{sign} Overwrite? [y/N] ")
    assert view.lines[-1].endswith(" Overwrite? [y/N] ")
    assert view.at_end


def test_an_accent_of_its_own_is_drawn_on_its_letter() -> None:
    assert view_of("cafe\u0301> ").last_line == "café> "


def test_a_cursor_before_the_end_of_its_row_or_of_the_screen_is_told() -> None:
    assert not view_of("abc\x1b[2D").at_end
    assert not view_of("abc\r\nbelow\x1b[1;4H").at_end
    assert view_of("日本語: ").at_end
    assert not view_of("日本語: \x1b[4D").at_end


def test_the_alternate_screen_goes_and_the_old_one_comes_back() -> None:
    assert view_of("before\r\n\x1b[?1049h\x1b[HTUI").lines == ("TUI",)
    assert view_of("before\r\n", "\x1b[?1049h\x1b[HTUI", "\x1b[?1049lafter").lines == ("before", "after")


@pytest.mark.parametrize(
    "noise",
    [
        "\x1bPq#0payload\x1b\\",
        "\x1b_Gpayload\x1b\\",
        "\x1b[38:2::255:0:0m",
        "\x1b]0;title\x07",
        "\x1b[>4;2m",
        "\x1b[?u",
        "\x1b[!p",
        "\x1b[>q",
        "\x1b[1;2;3y",
        "\x1b[s",
        "\x1b[?25l",
    ],
)
def test_payloads_and_colours_are_not_printed(noise: str) -> None:
    assert view_of(f"a{noise}b").lines == ("ab",)


def test_half_a_wide_character_stops_nothing() -> None:
    assert view_of("あ\b" * 30 + "\x1b[1;2Hx\x1b[2;1Hok").lines[1] == "ok"
    assert view_of("日本\x1b[1;2Hx").last_line.endswith("x本")


def test_a_repeated_character_is_repeated() -> None:
    assert view_of("-\x1b[5b|").lines == ("------|",)


def test_a_parameter_that_makes_no_sense_stops_nothing() -> None:
    assert (
        view_of(
            "one\r\n\x1b[5;2;1;1K\x1b[0;0;0r\x1b[99999;99999Hx\r\n", f"\x1b[{'9' * 5000}C\r\n", "two"
        ).lines[-1]
        == "two"
    )


def test_a_flood_is_dropped_oldest_first_and_the_newest_rows_are_right() -> None:
    screen = Screen(40, 6)
    for number in range(100_000):
        screen.write(f"line {number}\r\n")
    assert screen.behind <= LIMIT
    pending = screen.gather()
    assert pending is not None
    assert pending.after_gap
    screen.render(pending)
    assert screen.view().lines == tuple(f"line {number}" for number in range(99_995, 100_000))
    assert (screen.gaps, screen.behind, screen.gather()) == (1, 0, None)


def test_a_few_words_after_a_flood_leave_the_rows_before_them() -> None:
    screen = Screen(40, 6)
    screen.write("word word\r\n" * LIMIT)
    screen.write("the end\r\n")
    pending = screen.gather()
    assert pending is not None
    screen.render(pending)
    assert screen.view().lines == ("word word", "word word", "word word", "word word", "the end")


def test_one_piece_larger_than_what_is_kept_is_cut_at_a_line() -> None:
    screen = Screen(40, 6)
    screen.write("x" * 10 + "\r\n" + "word word\r\n" * LIMIT + "prompt> ")
    pending = screen.gather()
    assert pending is not None
    assert pending.text.startswith("word word\r\n")
    screen.render(pending)
    assert screen.view().last_line == "prompt> "


def test_after_a_gap_a_full_screen_program_is_still_known_to_be_one() -> None:
    screen = Screen(40, 6)
    screen.write("main\r\n\x1b[?1049h")
    screen.write("x" * LIMIT)
    screen.write("\x1b[Hnew")
    pending = screen.gather()
    assert pending is not None
    screen.render(pending)
    screen.write("\x1b[?1049lback")
    pending = screen.gather()
    assert pending is not None
    screen.render(pending)
    assert screen.view().lines == ("back",)
