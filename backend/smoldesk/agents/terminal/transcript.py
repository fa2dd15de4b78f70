"""A program's output as text: its lines after carriage returns, erasing and redrawing.

Fed with the output of `stream`. Plain lines cost almost nothing; only lines with cursor movements are played cell by cell.
Lines that a program goes up to and redraws (progress bars, a menu) are held back until it leaves them or is quiet, so that
their frames do not pile up. A full-screen program's drawing is not text; it stays on the screen.
"""

import re
from collections import deque

from smoldesk.agents.terminal.line import Line

# Characters stored until they are taken; beyond that the oldest are left out and counted.
LIMIT = 1_000_000
# Cells of a line that can still be overwritten; text before them is final.
LONGEST_LINE = 16_384
# Characters of emitted text that are remembered, for a program that goes up to redraw them.
_REMEMBERED = 8192

_SPECIAL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_TOKEN = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]+|\x1b\[([0-?]*)[ -/]*([@-~])|\x1b.?|[\x00-\x1f\x7f]", re.S)
_ALTERNATE = {"?1049", "?1047", "?47"}


class _Row:
    """A line that can still be redrawn; `emitted` is the text it was already given out with."""

    __slots__ = ("emitted", "line")

    def __init__(self, line: Line, emitted: str | None = None) -> None:
        self.line = line
        self.emitted = emitted


class Transcript:
    """Text of one program. Not thread-safe: the owner locks."""

    def __init__(self, columns: int = 120, rows: int = 40, limit: int = LIMIT) -> None:
        self._columns, self._rows, self._limit = columns, rows, limit
        self._live = [_Row(Line(columns))]
        self._at = 0
        self._reach = 0  # rows above the last one that the program goes back to
        self._since_up = 0
        self._saved = 0
        self._alternate = False
        self._last_character = ""
        self._out: deque[str] = deque()
        self._size = 0
        self._omitted_characters = 0
        self._tail = ""

    # --- what its owner takes ---

    def take(self) -> str:
        """Return the new text; a note comes first when the oldest part was left out."""
        text = "".join(self._out)
        if self._omitted_characters:
            text = f"… {self._omitted_characters} characters left out …\n{text}"
        self._out.clear()
        self._size = self._omitted_characters = 0
        return text

    @property
    def waiting(self) -> bool:
        """Whether `take` has text to return."""
        return self._size > 0

    @property
    def partial(self) -> str:
        """Unfinished line with the cursor, as it is now."""
        return self._live[self._at].line.text

    def settle(self) -> None:
        """Emit the lines that were held back; the program is quiet."""
        for row in self._live[:-1]:
            self._emit_row(row)

    def end(self) -> None:
        """Emit everything, the unfinished line included; the program has ended."""
        self.settle()
        last = self._live[-1]
        if last.line.cells:
            self._emit_row(last)
        self._live = [_Row(Line(self._columns))]
        self._at = 0

    # --- what it is fed ---

    def feed(self, text: str) -> None:
        """Add text of the stream; the lines do not depend on how it is cut."""
        text = text.replace("\r\r\n", "\r\n").replace("\r\n", "\n")  # ONLCR adds a \r to a program's own \r\n
        at = 0
        while at < len(text):
            match = None if self._busy() else _SPECIAL.search(text, at)
            if match is None and not self._busy():
                self._plain(text[at:] if at else text)
                return
            start = at if match is None else max(text.rfind("\n", at, match.start()) + 1, at)
            if start > at:
                self._plain(text[at:start])
            end = text.find("\n", start if match is None else match.end()) + 1 or len(text)
            self._play(text[start:end])
            at = end

    def _busy(self) -> bool:
        return self._alternate or self._reach > 0 or self._at < len(self._live) - 1

    def _plain(self, text: str) -> None:
        """Add text whose only control character is the line break."""
        line = self._live[-1].line
        if not line.at_end:
            first = text.find("\n") + 1 or len(text)
            self._play(text[:first])
            text = text[first:]
        end = text.rfind("\n") + 1
        if end:
            line = self._live[-1].line
            self._append_output((line.text + text[:end]) if line.cells else text[:end])
            self._live[-1] = _Row(Line(self._columns))
        if end < len(text):
            self._write(text[end:])

    def _play(self, text: str) -> None:
        for match in _TOKEN.finditer(text):
            token = match[0]
            first = token[0]
            if match[2] is not None:
                self._sequence(match[1], match[2])
            elif self._alternate:
                continue
            elif first >= " " or first == "\t":
                self._write(token)
            elif first in "\n\x0b\x0c":
                self._new_line()
            elif first == "\r":
                self._live[self._at].line.carriage_return()
            elif first == "\b":
                self._live[self._at].line.back(1)
            elif first == "\x1b":
                self._escape(token[1:])

    def _write(self, text: str) -> None:
        line = self._live[self._at].line
        line.write(text)
        self._last_character = text[-1]
        if len(line.cells) > LONGEST_LINE:
            self._append_output(line.cut(LONGEST_LINE // 2))

    def _escape(self, sign: str) -> None:
        if sign in ("D", "E"):
            self._new_line()
        elif sign == "M":
            self._up(1)
        elif sign == "7":
            self._saved = self._live[self._at].line.column
        elif sign == "8":
            self._live[self._at].line.column = min(self._saved, LONGEST_LINE)
        elif sign == "c":
            self._start_over()

    def _sequence(self, parameters: str, sign: str) -> None:
        if sign in "hl" and not _ALTERNATE.isdisjoint(
            f"?{mode}" for mode in parameters.lstrip("?").split(";")
        ):
            self._alternate = parameters.startswith("?") and sign == "h"
            return
        if self._alternate:
            return
        number = parameters.split(";")[0]
        count = min(int(number[:6]), 4096) if number.isdecimal() else -1
        line = self._live[self._at].line
        match sign:
            case "A" | "F":
                self._up(max(count, 1))
                if sign == "F":
                    self._live[self._at].line.carriage_return()
            case "B" | "E":
                for _ in range(min(max(count, 1), self._rows)):
                    self._new_line(keep=sign == "B")
            case "C" | "a":
                line.forward(max(count, 1))
            case "D":
                line.back(max(count, 1))
            case "G" | "`":
                line.to(count)
            case "H" | "f":
                self._start_over()
            case "J" if count in (2, 3):
                self._start_over()
            case "J":
                line.erase(max(count, 0))
                if count <= 0:
                    del self._live[self._at + 1 :]
            case "K":
                line.erase(max(count, 0))
            case "P":
                line.delete(max(count, 1))
            case "@":
                line.insert(max(count, 1))
            case "X":
                line.blank(max(count, 1))
            case "b" if self._last_character:
                self._write(self._last_character * min(max(count, 1), self._columns))
            case _:
                pass

    # --- lines ---

    def _new_line(self, keep: bool = False) -> None:
        column = self._live[self._at].line.column if keep else 0
        self._at += 1
        if self._at == len(self._live):
            self._live.append(_Row(Line(self._columns)))
            self._since_up += 1
            if self._since_up > 2 * self._rows:
                self._reach = 0  # two screens without a movement up: the redrawing is over
        self._live[self._at].line.column = column
        for row in self._live[: len(self._live) - 1 - self._reach]:
            self._emit_row(row)
        if not self._reach:
            del self._live[:-1]
        elif len(self._live) > self._rows:
            del self._live[0]
        self._at = min(self._at, len(self._live) - 1)

    def _up(self, count: int) -> None:
        count = self._live[self._at].line.up(min(count, self._rows - 1))
        if not count:
            return
        column = self._live[self._at].line.column
        if not self._reach:
            self._recall_lines()
        self._at = max(0, self._at - count)
        self._live[self._at].line.column = column
        self._reach = max(self._reach, len(self._live) - 1 - self._at)
        self._since_up = 0

    def _recall_lines(self) -> None:
        """Bring the last emitted lines back, at the first movement up: the program may redraw them."""
        lines = self._tail.split("\n")
        if lines.pop():
            return  # the current line is a long one, of which a part was already emitted
        if len(self._tail) == _REMEMBERED:
            del lines[:1]  # its beginning is no longer remembered
        above = [_Row(Line(self._columns, text), text) for text in lines[1 - self._rows :]]
        self._live[:0] = above
        self._at += len(above)

    def _start_over(self) -> None:
        """Emit all lines and start a new one, because the screen was cleared or the cursor moved away."""
        self._at = len(self._live) - 1
        self.settle()
        last = self._live[-1]
        if last.line.text.strip():
            self._emit_row(last)
        self._live = [_Row(Line(self._columns))]
        self._at = self._reach = 0

    def _emit_row(self, row: _Row) -> None:
        text = row.line.text
        if text != row.emitted:
            row.emitted = text
            self._append_output(text + "\n")

    def _append_output(self, text: str) -> None:
        self._out.append(text)
        self._size += len(text)
        self._tail = text[-_REMEMBERED:] if len(text) >= _REMEMBERED else (self._tail + text)[-_REMEMBERED:]
        while self._size > self._limit:
            oldest = self._out.popleft()
            self._size -= len(oldest)
            self._omitted_characters += len(oldest)
