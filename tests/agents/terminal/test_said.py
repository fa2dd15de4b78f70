"""What a program says: without what was typed and came back, and with secrets blanked wherever they come back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoldesk.agents.terminal.blanks import BLANK, SecretRedactor
from smoldesk.agents.terminal.output import Echo


def without_echo(before: str, typed: str, *lines: str) -> list[str]:
    """The program's own lines after something was typed."""
    echo = Echo()
    echo.typed(before, typed)
    return [line for line in map(echo.line, lines) if line is not None]


@pytest.mark.parametrize(
    ("before", "typed", "lines", "expected"),
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
def test_an_echo_is_no_answer(before: str, typed: str, lines: list[str], expected: list[str]) -> None:
    assert without_echo(before, typed, *lines) == expected


def test_an_unfinished_line_is_shown_without_what_was_there_before() -> None:
    echo = Echo()
    echo.typed("demo> ", "hello world")
    assert [echo.partial(line) for line in ("demo> ", "demo> hel", "demo> hello world")] == ["", "", ""]
    assert echo.line("demo> hello world") is None
    assert echo.partial("hello") == "hello"


def test_only_words_of_its_own_are_an_answer() -> None:
    echo = Echo()
    echo.typed("$ ", "cd x")
    echo.update_answered("$ cd x")
    echo.line("$ cd x")
    echo.update_answered("")
    assert not echo.answered
    echo.update_answered("$ ")
    assert echo.answered


def blanks(*secrets: str) -> SecretRedactor:
    redactor = SecretRedactor()
    for secret in secrets:
        redactor.add(secret)
    return redactor


def test_nothing_is_touched_without_a_secret() -> None:
    redactor = blanks("", "  ")
    assert (redactor.text("x"), redactor.stream("x"), redactor.partial("x"), redactor.screen(("x",), 9)) == (
        "x",
        "x",
        "x",
        ("x",),
    )


def test_a_secret_is_blanked_the_longest_first() -> None:
    assert blanks("hunter", "hunter2").text("hunter2 hunter") == f"{BLANK} {BLANK}"


@pytest.mark.parametrize("secret", ["a", "12"])
def test_a_very_short_one_is_blanked_where_it_stands_alone(secret: str) -> None:
    assert blanks(secret).text(f"{secret} a12b {secret}!") == f"{BLANK} a12b {BLANK}!"


@given(st.lists(st.sampled_from(["hunter2", "hun", "ter2", "x", "\n", "2"]), max_size=12), st.integers(1, 5))
def test_no_cutting_lets_a_secret_through(parts: list[str], size: int) -> None:
    text, redactor = "".join(parts) + "\n", blanks("hunter2")
    out = "".join(redactor.stream(text[at : at + size]) for at in range(0, len(text), size))
    assert out == text.replace("hunter2", BLANK)


def test_the_beginning_of_a_secret_on_an_unfinished_line_is_blanked_too() -> None:
    redactor = blanks("hunter2")
    assert redactor.partial("typed: hunte") == f"typed: {BLANK}"
    assert redactor.partial("typed: h") == "typed: h"
    assert redactor.partial("hunter2 h") == f"{BLANK} h"


def test_a_secret_that_wraps_is_blanked_over_its_rows_and_each_row_keeps_its_place() -> None:
    redactor = blanks("correct horse")
    lines = ("say: corre", "ct horse", "日本 ok", "> ")
    assert redactor.screen(lines, 10) == ("say: •••  ", "        ", "日本 ok", "> ")
    assert redactor.screen(("日本corre", "ct horse"), 9)[0].startswith("日本•••")
