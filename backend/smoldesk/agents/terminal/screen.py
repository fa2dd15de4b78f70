"""The terminal's screen, rendered to find prompts and to show what a full-screen program draws.

pyte renders about half a megabyte a second, and programs write a hundred times faster. So the reader only stores text
here; another thread renders it, and text beyond a few screens is dropped, oldest first: the screen then starts empty with
the newest text. Fed with the output of `stream`, so nothing arrives that pyte would print by mistake.
"""

import re
import threading
import unicodedata
from collections import deque
from dataclasses import dataclass

import pyte
from pyte import Stream
from wcwidth import wcwidth

from smoldesk.agents.terminal.line import cells


# pyte's own `draw` drops the rest of a text after a character without a cell: a variation selector, a joiner, a stray
# control. A prompt may follow it.
class Rendered(pyte.Screen):
    """pyte.Screen without characters that it cannot draw."""

    def draw(self, data: str) -> None:
        if not (data.isascii() and data.isprintable()):
            data = data.translate({ord(character): None for character in set(data) if not _drawn(character)})
        super().draw(data)


def _drawn(character: str) -> bool:
    width = wcwidth(character)
    return width > 0 or (width == 0 and unicodedata.combining(character) > 0)


# Characters that wait for rendering; the oldest are dropped beyond that.
LIMIT = 32 * 1024
# Sequences that pyte does not know are removed before it prints them as text (_UNKNOWN, _SCROLL), or replaced (_REPEAT,
# ECMA-48 REP). _SWITCH turns the alternate buffer on and off, which pyte lacks.

_SWITCH = re.compile(r"\x1b\[\?(?:[0-9;]*;)?(?:1049|1047|47)(?:;[0-9;]*)?([hl])")
_REPEAT = re.compile(r"([^\x00-\x1f])\x1b\[([0-9]{0,3})b")
_UNKNOWN = re.compile(
    r"\x1b\[(?:[<=>][0-9;]*[ -/]*[@-~]|[0-?]*[ -/]+[@-~]|[0-?]*[^0-?@ABCDEFGHIJKLMPSTX`acdefghlmrsu -/])"
)
_SCROLL = re.compile(r"\x1b\[[0-9;]*[STsu]")


@dataclass(frozen=True)
class View:
    """Rendered screen: rows without blank ones at its end, and the cursor, counted from 0.

    Rows have no blanks at their end, except the cursor's row up to the cursor: prompts often end with one. `at_end`: no text
    is behind or below the cursor.
    """

    lines: tuple[str, ...]
    row: int
    column: int
    at_end: bool

    @property
    def last_line(self) -> str:
        """Row with the cursor."""
        return self.lines[self.row] if self.row < len(self.lines) else ""


@dataclass(frozen=True)
class PendingText:
    """Text to be rendered; `after_gap`: older text was dropped before it."""

    text: str
    after_gap: bool
    alternate: bool


class Screen:
    """Screen of a program. `write` is quick, and for any thread; `render` and `view` are for one thread at a time."""

    def __init__(self, columns: int, rows: int, limit: int = LIMIT) -> None:
        self._columns, self._rows, self._limit = columns, rows, limit
        self._lock = threading.Lock()
        self._waiting: deque[str] = deque()
        self._size = 0
        self._dropped = False
        self._alternate = False  # as of the newest text, rendered or not
        self.gaps = 0
        self._reset(False)

    def write(self, text: str) -> None:
        """Store text for rendering."""
        if not text:
            return
        with self._lock:
            for switch in _SWITCH.finditer(text):
                self._alternate = switch[1] == "h"
            if len(text) > self._limit:
                text = _from_a_line(text[-self._limit :])
                self._forget()
            self._waiting.append(text)
            self._size += len(text)
            while (excess := self._size - self._limit) > 0:
                oldest = self._waiting.popleft()
                remaining = _from_a_line(oldest[excess:])
                if remaining:
                    self._waiting.appendleft(remaining)
                self._size -= len(oldest) - len(remaining)
                self._dropped = True

    def _forget(self) -> None:
        self._waiting.clear()
        self._size = 0
        self._dropped = True

    @property
    def behind(self) -> int:
        """Number of characters that are not rendered yet."""
        return self._size

    def gather(self) -> "PendingText | None":
        """Return the stored text for `render`, quickly; None when there is none."""
        with self._lock:
            if not self._size and not self._dropped:
                return None
            pending = PendingText("".join(self._waiting), self._dropped, self._alternate)
            self._waiting.clear()
            self._size, self._dropped = 0, False
        return pending

    def render(self, pending: "PendingText") -> None:
        """Render gathered text, after a gap on an empty screen."""
        if pending.after_gap:
            self.gaps += 1
            self._reset(pending.alternate and not _SWITCH.search(pending.text))
        at = 0
        for switch in _SWITCH.finditer(pending.text):
            self._play(pending.text[at : switch.start()])
            self._switch(switch[1] == "h")
            at = switch.end()
        self._play(pending.text[at:])

    def view(self) -> View:
        """Return the screen as far as it is rendered."""
        rendered = self._alternate_screen if self._in_alternate else self._main
        row, column = rendered.cursor.y, rendered.cursor.x
        lines = [self._row(rendered, number) for number in range(self._rows)]
        filled = cells(lines[row])
        at_end = filled <= column and not any(lines[row + 1 :])
        lines[row] += " " * (column - filled)
        while lines and not lines[-1]:
            lines.pop()
        return View(tuple(lines), row, column, at_end)

    def _row(self, rendered: Rendered, number: int) -> str:
        """Return the text of a row. pyte's own `display` fails on half a wide character, which an overwritten one leaves."""
        cells_of = rendered.buffer[number]
        return "".join(cells_of[column].data for column in range(self._columns)).rstrip()

    def _reset(self, alternate: bool) -> None:
        self._main = Rendered(self._columns, self._rows)
        self._main_stream = Stream(self._main)
        self._in_alternate = False
        self._switch(alternate)

    def _switch(self, on: bool) -> None:
        if on and not self._in_alternate:
            self._alternate_screen = Rendered(self._columns, self._rows)
            self._alternate_stream = Stream(self._alternate_screen)
        self._in_alternate = on

    def _play(self, text: str) -> None:
        if "\x1b" in text:
            text = _REPEAT.sub(lambda match: match[1] * min(int(match[2] or 1) + 1, self._columns), text)
            text = _SCROLL.sub("", _UNKNOWN.sub("", text))
        stream = self._alternate_stream if self._in_alternate else self._main_stream
        while text:
            piece, text = text[:4096], text[4096:]
            try:
                stream.feed(piece)
            except (TypeError, ValueError, IndexError, AssertionError):
                continue  # pyte fails on odd parameters; skip the piece and render what follows


def _from_a_line(text: str) -> str:
    """Cut the text before its first line break, so that it starts with a complete line."""
    return text[text.find("\n") + 1 :]
