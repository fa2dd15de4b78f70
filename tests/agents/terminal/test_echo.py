"""What was typed and came back is told from what the program says."""

import pytest

from smoldesk.agents.terminal.said import Echo


def own(before: str, typed: str, *lines: str) -> list[str]:
    """The program's own lines after something was typed."""
    echo = Echo()
    echo.typed(before, typed)
    return [line for line in map(echo.line, lines) if line is not None]


@pytest.mark.parametrize(
    ("before", "typed", "lines", "left"),
    [
        ("name? ", "bob", ["name? bob", "Hello bob"], ["Hello bob"]),
        ("", "bob", ["bob", "bob"], ["bob"]),
        ("demo> ", "", ["demo> ", "hello"], ["hello"]),
        ("demo> ", "", ["demo> hello"], ["hello"]),
        ("$ ", "echo a  b", ["$ echo a b", "a b"], ["a b"]),
        ("$ ", "for x\ndo\ndone", ["$ for x", "> do", "> done", "out"], ["out"]),
        (">>> ", "def f():\n  pass", [">>> def f():", "...   pass", "... x"], ["... x"]),
        ("> ", "hello", ["│ > hello          │", "answer"], ["answer"]),
        ("$ ", "make", ["unexpected", "make"], ["unexpected", "make"]),
        ("$ ", "hello", ["$ oh hello"], ["oh hello"]),
        ("$ ", "true", ["$ true"], []),
        ("", "x", ["", "x"], ["x"]),
    ],
)
def test_an_echo_is_no_answer(before: str, typed: str, lines: list[str], left: list[str]) -> None:
    assert own(before, typed, *lines) == left


def test_an_unfinished_line_is_shown_without_what_was_there_before() -> None:
    echo = Echo()
    echo.typed("demo> ", "hello world")
    assert [echo.partial(line) for line in ("demo> ", "demo> hel", "demo> hello world")] == ["", "", ""]
    assert echo.line("demo> hello world") is None
    assert echo.partial("hello") == "hello"


def test_only_words_of_its_own_are_an_answer() -> None:
    echo = Echo()
    echo.typed("$ ", "cd x")
    echo.look("$ cd x")
    echo.line("$ cd x")
    echo.look("")
    assert not echo.answered
    echo.look("$ ")
    assert echo.answered
