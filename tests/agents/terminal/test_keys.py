"""A message is typed as one message, whatever it contains."""

import pytest

from smoldesk.agents.terminal.keys import (
    LONGEST_LINE,
    Keys,
    answer_keys,
    message_keys,
)
from smoldesk.errors import BadInput
from tests.support.terminals import profile


def keys(text: str, newlines: str = "space", paste: bool = False, **over: object) -> tuple[Keys, list[str]]:
    files: list[str] = []

    def keep(content: str) -> str:
        files.append(content)
        return "/folder/message.txt"

    settings = profile(command="x", newlines=newlines, long_messages={"type": "read {path}"}, **over)  # pyright: ignore[reportArgumentType]
    return message_keys(text, settings, paste, keep), files


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb", "a\rb", "\n a \n b \n\n"])
def test_line_breaks_become_blanks(text: str) -> None:
    typed, files = keys(text)
    assert typed.text.split() == ["a", "b"]
    assert "\n" not in typed.text
    assert "\r" not in typed.text
    assert files == []


def test_a_program_that_asks_for_brackets_gets_its_lines_pasted() -> None:
    typed, _ = keys("a\nb", "paste", paste=True)
    assert (typed.text, typed.echo) == ("\x1b[200~a\rb\x1b[201~", "a\nb")
    assert keys("one line", "paste", paste=True)[0].text == "one line"


@pytest.mark.parametrize(("newlines", "paste"), [("file", True), ("paste", False)])
def test_lines_that_cannot_be_pasted_go_by_file(newlines: str, paste: bool) -> None:
    typed, files = keys("a\nb", newlines, paste)
    assert (typed.text, files) == ("read /folder/message.txt", ["a\nb"])


def test_a_long_message_goes_by_file_counted_in_bytes() -> None:
    assert keys("x" * 3000)[1] == []
    assert keys("x" * 3001)[1] == ["x" * 3001]
    assert keys("あ" * 1001)[1] == ["あ" * 1001]


@pytest.mark.parametrize("newlines", ["space", "paste", "file"])
def test_control_bytes_are_never_typed(newlines: str) -> None:
    every = "".join(map(chr, [*range(0x20), *range(0x7F, 0xA0)]))
    typed, files = keys(f"a{every}\x1b[201~\x03\x04b\ud800", newlines, paste=True)
    text = typed.text.removeprefix("\x1b[200~").removesuffix("\x1b[201~")
    for got in [text.replace("\r", ""), *[file.replace("\n", "") for file in files]]:
        assert got.isprintable()
    assert "\x1b" not in text


@pytest.mark.parametrize("text", ["", " \n ", "\x1b\x03\r"])
def test_a_message_without_text_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="empty"):
        keys(text)


def test_an_answer_is_one_line_and_may_be_empty() -> None:
    assert answer_keys("") == Keys("", "")
    assert answer_keys("y\n").text == "y"
    assert answer_keys("a\nb\x1b").text == "a b"


def test_an_answer_too_long_for_a_terminals_line_is_refused() -> None:
    with pytest.raises(BadInput, match=str(LONGEST_LINE)):
        answer_keys("x" * (LONGEST_LINE + 1))
