"""Splitters of a model's streamed reply: reasoning (`ThinkSplitter`), prose and code (`CodeTagSplitter`).

The reply of a CodeAgent is prose, then code between `<code>` and `</code>`. A model that does not use the tags writes
fences (```python or ```py at the start of a line, closed by ``` at the start of one). After the first tag, fences are
prose. Tags and fences are dropped, with the newline after an opening and before a closing one. A piece may end inside a
tag: its possible beginning is held back, which is at most a few characters, so time is linear.

Reasoning is a block `<think> ... </think>` at the start of the reply; later tags are text.
"""

import re
from collections.abc import Iterable
from typing import Literal, cast

Kind = Literal["text", "code"]
_State = Literal["prose", "tagged", "fenced"]

# `^` also works at the start of a piece, because a buffer always begins with the character before it.
_TAG = re.compile(r"(?P<tagged><code>)")
_TAG_OR_FENCE = re.compile(r"(?P<tagged><code>)|(?P<fenced>^```(?:python|py)[ \t]{0,9}\r?\n)", re.MULTILINE)
_CLOSING: dict[_State, re.Pattern[str]] = {
    "tagged": re.compile(r"(?:\r?\n)?</code>"),
    "fenced": re.compile(r"(?:\r?\n|^)```", re.MULTILINE),
}


def _beginnings(*literals: str) -> str:
    """Return a pattern for every proper prefix of the literals, longest first."""
    cut = {re.escape(word[:end]) for word in literals for end in range(1, len(word))}
    return "|".join(sorted(cut, key=len, reverse=True))


_TAG_BEGUN = _beginnings("<code>")
_FENCE_BEGUN = rf"^(?:{_beginnings('```python')}|```(?:python|py)[ \t]{{0,9}}\r?)"
_CLOSING_TAG_BEGUN = _beginnings("</code>", "\n</code>", "\r\n</code>")
_CLOSING_FENCE_BEGUN = _beginnings("\n```", "\r\n```") + "|^`{1,2}"

_MAYBE_TAG = re.compile(rf"(?:{_TAG_BEGUN})\Z")
_MAYBE_TAG_OR_FENCE = re.compile(rf"(?:{_TAG_BEGUN}|{_FENCE_BEGUN})\Z", re.MULTILINE)
_MAYBE_CLOSING: dict[_State, re.Pattern[str]] = {
    "tagged": re.compile(rf"(?:{_CLOSING_TAG_BEGUN})\Z"),
    "fenced": re.compile(rf"(?:{_CLOSING_FENCE_BEGUN})\Z", re.MULTILINE),
}
# Maximum characters of an incomplete tag or fence line.
_LONGEST_MAYBE = 24


class CodeTagSplitter:
    """Splitter of one reply into `(kind, text)` pieces; `flush` ends the reply."""

    def __init__(self) -> None:
        self._state: _State = "prose"
        self._before = "\n"
        self._buffer = ""
        self._newline_to_drop = False
        self._tags_used = False

    def feed(self, text: str) -> list[tuple[Kind, str]]:
        """Return the next pieces of text and code."""
        return self._split(text, last=False)

    def flush(self) -> list[tuple[Kind, str]]:
        """End the reply; an open code block ends here."""
        return self._split("", last=True)

    def _split(self, text: str, last: bool) -> list[tuple[Kind, str]]:
        # Index 0 is the character before the buffer, which `^` in the patterns looks at; it was emitted
        # already.
        buffer, at = self._before + self._buffer + text, 1
        pieces: list[tuple[Kind, str]] = []
        while True:
            if self._newline_to_drop:
                at = self._drop_newline(buffer, at, last)
                if self._newline_to_drop:
                    break
            border = self._next_border(buffer, at)
            end = border.start() if border else self._hold_from(buffer, at, last)
            if end > at:
                pieces.append(("text" if self._state == "prose" else "code", buffer[at:end]))
            at = border.end() if border else end
            if border is None:
                break
            self._cross(border)
        self._before, self._buffer = buffer[at - 1], buffer[at:]
        return pieces

    def _next_border(self, buffer: str, at: int) -> re.Match[str] | None:
        if self._state == "prose":
            return (_TAG if self._tags_used else _TAG_OR_FENCE).search(buffer, at)
        return _CLOSING[self._state].search(buffer, at)

    def _cross(self, border: re.Match[str]) -> None:
        if self._state == "prose":
            self._state = cast(_State, border.lastgroup)
            self._tags_used = self._tags_used or self._state == "tagged"
            self._newline_to_drop = self._state == "tagged"  # a fence's newline belongs to its line
        else:
            self._state = "prose"

    def _hold_from(self, buffer: str, at: int, last: bool) -> int:
        """Return the start of the part that may be an incomplete tag, or the newline before one."""
        start = max(at, len(buffer) - _LONGEST_MAYBE)
        if self._state == "prose":
            maybe = (_MAYBE_TAG if self._tags_used else _MAYBE_TAG_OR_FENCE).search(buffer, start)
        else:
            maybe = _MAYBE_CLOSING[self._state].search(buffer, start)
        if last:
            ends_in_newline = maybe is not None and maybe[0] in ("\n", "\r\n")
            return maybe.start() if maybe is not None and ends_in_newline else len(buffer)
        return maybe.start() if maybe is not None else len(buffer)

    def _drop_newline(self, buffer: str, at: int, last: bool) -> int:
        """Skip the newline after an opening tag, once enough characters have arrived to see it."""
        following = buffer[at : at + 2]
        if following in ("", "\r") and not last:
            return at
        self._newline_to_drop = False
        return at + (2 if following == "\r\n" else 1 if following[:1] == "\n" else 0)


def split_model_text(pieces: Iterable[str]) -> list[tuple[Kind, str]]:
    """Split a complete reply, in one or many pieces, and merge neighbours of one kind."""
    splitter = CodeTagSplitter()
    parts = [part for piece in pieces for part in splitter.feed(piece)] + splitter.flush()
    joined: list[tuple[Kind, str]] = []
    for kind, text in parts:
        if joined and joined[-1][0] == kind:
            joined[-1] = (kind, joined[-1][1] + text)
        else:
            joined.append((kind, text))
    return joined


Part = tuple[Literal["reasoning", "text"], str]

OPENING = "<think>"
CLOSING = "</think>"


class ThinkSplitter:
    """Splitter of one reply into `(kind, text)` pieces; `flush` ends the reply.

    Blank space before, at the start of and after the block is dropped. A block without an end is all reasoning.
    """

    def __init__(self) -> None:
        self._state: Literal["before", "inside", "after"] = "before"
        self._blanks: list[str] = []
        self._buffer = ""
        self._at_begin = False

    def feed(self, text: str) -> list[Part]:
        """Return the next pieces of reasoning and text."""
        match self._state:
            case "before":
                return self._before(text)
            case "inside":
                return self._inside(text)
            case "after":
                return self._part("text", text)

    def flush(self) -> list[Part]:
        """Return the buffered text at the end of the reply."""
        pending, self._buffer = self._buffer, ""
        match self._state:
            case "before":
                return self._plain(pending)
            case "inside":
                return self._part("reasoning", pending)
            case "after":
                return []

    def _before(self, text: str) -> list[Part]:
        if not self._buffer:
            stripped = text.lstrip()
            self._blanks.append(text[: len(text) - len(stripped)])
            text = stripped
        prefix = self._buffer + text
        if prefix.startswith(OPENING):
            self._state, self._buffer, self._at_begin = "inside", "", True
            return self._inside(prefix[len(OPENING) :])
        if OPENING.startswith(prefix):
            self._buffer = prefix
            return []
        self._buffer = ""
        return self._plain(prefix)

    def _plain(self, text: str) -> list[Part]:
        """Return the buffered text after it turned out not to begin a block."""
        self._state, self._at_begin = "after", False
        return self._part("text", "".join(self._blanks) + text)

    def _inside(self, text: str) -> list[Part]:
        text = self._buffer + text
        at = text.find(CLOSING)
        if at >= 0:
            thought = self._part("reasoning", text[:at])
            self._state, self._buffer, self._at_begin = "after", "", True
            return thought + self._part("text", text[at + len(CLOSING) :])
        end = len(text) - partial_mark_length(text, CLOSING)
        self._buffer = text[end:]
        return self._part("reasoning", text[:end])

    def _part(self, kind: Literal["reasoning", "text"], text: str) -> list[Part]:
        if self._at_begin:
            text = text.lstrip()
        if not text:
            return []
        self._at_begin = False
        return [(kind, text)]


def partial_mark_length(text: str, mark: str) -> int:
    """Return the number of characters at the end of `text` that may begin `mark`."""
    longest = min(len(text), len(mark) - 1)
    return next((n for n in range(longest, 0, -1) if text.endswith(mark[:n])), 0)
