"""What programs write between runs is joined and limited."""

from smoldesk.agents.terminal.pool import (
    GAP,
    PIECE,
    QUIET,
    LateText,
)


def test_lines_are_joined_until_it_is_quiet() -> None:
    late = LateText()
    late.add("one\n", 0)
    late.add("two\n", QUIET / 2)
    assert late.due(QUIET) == ""
    assert late.due(1.5 * QUIET) == "one\ntwo\n"
    assert (late.due(99), late.pending) == ("", False)


def test_a_full_piece_does_not_wait() -> None:
    late = LateText()
    late.add("x" * PIECE + "\n", 0)
    assert len(late.due(0)) == PIECE + 1


def test_beyond_its_limit_it_is_counted_and_told_before_the_next_run() -> None:
    late = LateText()
    line = "x" * 99 + "\n"
    told = ""
    for number in range(2000):
        late.add(line, number)
        told += late.due(number)
    told += late.end()
    *lines, note = told.splitlines(keepends=True)
    assert set(lines) == {line}
    assert GAP - 100 < 100 * len(lines) <= GAP
    assert note == f"… {200_000 - 100 * len(lines)} characters left out\n"
    assert late.end() == ""
    late.add("fresh\n", 0)
    assert late.end() == "fresh\n"
