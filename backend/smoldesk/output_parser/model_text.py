"""Splitters of a model's streamed reply: a first block of reasoning (`ThinkSplitter`), then prose, code and calls
(`ReplySplitter`).

A reply of a CodeAgent is prose, then code between tags or fences. Marks are dropped, with the newline after an opening and
before a closing one. After the first tag, fences are prose. Code without a language or without any mark is held back until
its end and then given out as code or as text, so what is shown as code is what runs. A piece may end inside a mark: its
possible beginning is held back, which is at most a few characters, so time is linear.

Reasoning is a block `<think> ... </think>` at the start of the reply; later tags are text.
"""

import re
from collections.abc import Iterable
from typing import Literal

from smoldesk.output_parser import reply_marks as marks
from smoldesk.output_parser.reply_marks import MarkPatterns, code_prefix

Kind = Literal["text", "code", "reasoning", "call"]
# `closed` ends a block of code; `restart`: all so far was reasoning, whose opening tag the chat template holds.
Piece = tuple[Kind | Literal["closed", "restart"], str]
_State = Literal[
    "prose",
    "tagged",
    "fenced",
    "bare fence",
    "other fence",
    "bare code",
    "header",
    "reasoning",
    "call",
    "ended",
]
_KINDS: dict[_State, Kind] = {
    "prose": "text",
    "other fence": "text",
    "tagged": "code",
    "fenced": "code",
    "reasoning": "reasoning",
    "call": "call",
}
_HELD = ("bare fence", "bare code")
_PYTHON = re.compile(marks.PYTHON)
# Newline and fence between an opening tag and its code.
_AFTER_TAG = re.compile(r"(?:\r?\n)?(?:```(?:python|py)?[ \t]{0,3}\r?\n)?")
_AFTER_TAG_BEGUN = re.compile(r"(?:\r|(?:\r?\n)?(?:`{1,2}|```[python]{0,6}[ \t]{0,3}\r?)?)\Z")
# End of code whose closing tag the server cut off as a stop sequence.
_LAST_LINE = re.compile(r"\r?\n(?:```(?:\r?\n)?)?")
# Maximum characters of an incomplete mark.
_LONGEST_MAYBE = 80


class ReplySplitter:
    """Splitter of one reply into pieces; `flush` ends the reply. Without `tags` the reply has no code."""

    def __init__(self, tags: tuple[str, str] | None = marks.CODE_TAGS) -> None:
        self._tags = tags
        self._state: _State = "prose"
        self._before = "\n"
        self._buffer = ""
        self._held: list[str] = []
        self._held_size = 0
        self._opening = ""
        self._closing = marks.CODE_TAGS[1]
        self._after_opening = False
        self._is_start = tags is not None
        self._tags_used = False
        self._code_written = False

    def feed(self, text: str) -> list[Piece]:
        """Return the next pieces of the reply."""
        return self._split(text, last=False)

    def flush(self) -> list[Piece]:
        """End the reply; an open code block ends here, without `closed`."""
        pieces = self._split("", last=True)
        self._decide(pieces, is_closed=False)
        return pieces

    def _split(self, text: str, last: bool) -> list[Piece]:
        # Index 0 is the character before the buffer, which `^` in the patterns looks at; it was emitted already.
        buffer, at = self._before + self._buffer + text, 1
        pieces: list[Piece] = []
        while True:
            if self._after_opening or self._is_start:
                at = (
                    self._after_tag(buffer, at, last)
                    if self._after_opening
                    else self._start(buffer, at, last)
                )
                if self._after_opening or self._is_start:
                    break
            patterns = self._patterns()
            border = patterns.search(buffer, at) if patterns else None
            end = border.start() if border else self._hold_from(buffer, at, last, patterns)
            if end > at:
                self._write(buffer[at:end], pieces)
            at = border.end() if border else end
            if border is None:
                break
            self._cross(border, pieces)
        self._before, self._buffer = buffer[at - 1], buffer[at:]
        return pieces

    def _patterns(self) -> MarkPatterns | None:
        match self._state:
            case "prose" | "bare code":
                held = self._state == "bare code"
                return marks.prose(self._tags, self._tags_used, self._code_written, held)
            case "tagged":
                return marks.closing_tag(self._closing)
            case "fenced" | "bare fence" | "other fence":
                return marks.CLOSING_FENCE
            case "header":
                return marks.HEADER
            case "reasoning":
                return marks.REASONING
            case "call":
                return marks.CALL
            case "ended":
                return None

    def _write(self, text: str, pieces: list[Piece]) -> None:
        if self._state in (*_HELD, "header"):
            self._held.append(text)
            self._held_size += len(text)
            if self._held_size > marks.MAX_HELD:
                self._decide(pieces)
        elif kind := _KINDS.get(self._state):
            self._code_written = self._code_written or kind == "code"
            pieces.append((kind, text))

    def _decide(self, pieces: list[Piece], closing: str = "", is_closed: bool = True) -> None:
        """Give out what was held back, as code or as text; `closing` is the fence after it."""
        text, self._held, self._held_size = "".join(self._held), [], 0
        code = code_prefix(text) if self._state in _HELD else ""
        if self._state == "bare fence" and code != text:
            code, text = "", f"{self._opening}{text}{closing}"
        if code:
            self._code_written = True
            pieces.append(("code", code.rstrip()))
            if is_closed or code != text:
                pieces.append(("closed", ""))
        if remaining := text[len(code) :]:
            pieces.append(("text", remaining))
        self._state = "prose"

    def _cross(self, border: re.Match[str], pieces: list[Piece]) -> None:
        groups = border.groupdict()
        name = next((name for name in marks.NAMES if groups.get(name) is not None), None)
        if name is None:
            self._close(border, pieces)
            return
        if self._state in _HELD:
            self._decide(pieces)
        elif self._state in ("tagged", "fenced"):
            pieces.append(("closed", ""))
        self._open(name, border, pieces)

    def _close(self, border: re.Match[str], pieces: list[Piece]) -> None:
        """Leave code, a fence or a header by its own closing mark."""
        match self._state:
            case "bare fence":
                self._decide(pieces, border[0])
            case "other fence":
                pieces.append(("text", border[0]))
            case "header":
                self._channel(pieces)
                return
            case _:
                pieces.append(("closed", ""))
        self._state = "prose"

    def _channel(self, pieces: list[Piece]) -> None:
        """Enter the channel that a header of harmony names. A recipient (`to=`) makes it a call."""
        header, self._held, self._held_size = "".join(self._held), [], 0
        if "to=" in header and "to=assistant" not in header:
            self._state = "call"
            pieces.append(("call", f"{header}\n"))
        else:
            self._state = "reasoning" if "analysis" in header else "prose"

    def _open(self, name: str, border: re.Match[str], pieces: list[Piece]) -> None:
        match name:
            case "header":
                self._state, self._held = "header", [f"{border[0]} "]
            case "call":
                self._state = "call"
                pieces.append(("call", border[0]))
            case "end" | "invented":
                self._state = "ended"
            case "orphan":
                self._state, self._code_written, self._tags_used = "prose", False, False
                pieces.append(("restart", ""))
            case "tagged":
                self._state, self._tags_used, self._after_opening = "tagged", True, True
                tags = self._tags or marks.CODE_TAGS
                self._closing = tags[1] if border[0] == tags[0] else marks.CODE_TAGS[1]
            case "fence":
                self._opening, language = border[0], border["language"]
                python = "fenced" if _PYTHON.fullmatch(language) else "other fence"
                self._state = python if language else "bare fence"
                if self._state == "other fence":
                    pieces.append(("text", self._opening))
            case "answer":
                self._state = "bare code"
            case _:
                self._state = "prose"

    def _hold_from(self, buffer: str, at: int, last: bool, patterns: MarkPatterns | None) -> int:
        """Return the start of the part that may be an incomplete mark, or the newline before one."""
        if patterns is None:
            return len(buffer)
        maybe = patterns.begin(buffer, max(at, len(buffer) - _LONGEST_MAYBE))
        if maybe is None:
            return len(buffer)
        if last and not (self._state in ("tagged", "fenced") and _LAST_LINE.fullmatch(maybe[0])):
            return len(buffer)
        return maybe.start()

    def _after_tag(self, buffer: str, at: int, last: bool) -> int:
        """Skip newline and fence after an opening tag, once enough characters have arrived to see them."""
        if not last and _AFTER_TAG_BEGUN.match(buffer, at):
            return at
        self._after_opening = False
        match = _AFTER_TAG.match(buffer, at)
        return match.end() if match else at

    def _start(self, buffer: str, at: int, last: bool) -> int:
        """Look at the first word of a reply, which may be code without any mark."""
        first = len(buffer) - len(buffer[at:].lstrip())
        if first - at > _LONGEST_MAYBE:
            self._is_start = False
            return at
        if marks.BARE_CODE.match(buffer, first):
            self._state = "bare code"
        elif not last and (first == len(buffer) or marks.BARE_CODE_BEGUN.match(buffer, first)):
            return at
        self._is_start = False
        return at


def split_model_text(pieces: Iterable[str]) -> list[tuple[Kind, str]]:
    """Split a complete reply, in one or many pieces, and merge neighbours of one kind."""
    splitter = ReplySplitter()
    parts = [part for piece in pieces for part in splitter.feed(piece)] + splitter.flush()
    joined: list[tuple[Kind, str]] = []
    for kind, text in parts:
        if kind == "closed" or kind == "restart":
            joined = joined if kind == "closed" else []
        elif joined and joined[-1][0] == kind:
            joined[-1] = (kind, joined[-1][1] + text)
        else:
            joined.append((kind, text))
    return joined


Part = tuple[Literal["reasoning", "text"], str]

# Blocks of reasoning at the start of a reply: Qwen and DeepSeek; Mistral's Magistral (its model card).
THINKING = {"<think>": "</think>", "<thinking>": "</thinking>", "[THINK]": "[/THINK]"}


class ThinkSplitter:
    """Splitter of one reply into `(kind, text)` pieces; `flush` ends the reply.

    Blank space before, at the start of and after the block is dropped. A block without an end is all reasoning.
    """

    def __init__(self) -> None:
        self._state: Literal["before", "inside", "after"] = "before"
        self._blanks: list[str] = []
        self._buffer = ""
        self._closing = ""
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
        for opening, closing in THINKING.items():
            if prefix.startswith(opening):
                self._state, self._buffer, self._closing, self._at_begin = "inside", "", closing, True
                return self._inside(prefix[len(opening) :])
        if any(opening.startswith(prefix) for opening in THINKING):
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
        at = text.find(self._closing)
        if at >= 0:
            thought = self._part("reasoning", text[:at])
            self._state, self._buffer, self._at_begin = "after", "", True
            return thought + self._part("text", text[at + len(self._closing) :])
        end = len(text) - partial_mark_length(text, self._closing)
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
