"""Incremental JSON scanner: finds the end of a value over many lines, or the position where it becomes invalid.

The C decoder reads values that end in their line. This automaton reads longer ones, and finds the complete values inside an
invalid one, so that no text is read twice. Each character costs constant time at any nesting.
"""

import re
from typing import Literal, NamedTuple

# Maximum nesting of one value; a deeper one is not data.
MAX_DEPTH = 100

# Groups: 1 a structural character, 2 a string, 3 a number or literal, 4 the end of the line.
_TOKEN = re.compile(
    r'[ \t\r\n]*+(?:([{}\[\],:])|("(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+")|'
    r"(-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null)|(\Z))"
)
_STRING_BEGUN = re.compile(r'[ \t\r\n]*+(")')

_Expected = Literal["value", "value or end", "key", "key or end", "colon", "comma or end"]


class Span(NamedTuple):
    """Complete object or array inside a value, as character offsets from the value's start."""

    start: int
    end: int


class Outcome(NamedTuple):
    """Result of one line: `at` is the index in the line where the value ends or reading continues."""

    state: Literal["open", "ended", "broken"]
    at: int


class JsonScan:
    """Scanner of one candidate, fed line by line from its opening bracket until it ends or breaks."""

    def __init__(self) -> None:
        # Outermost complete values so far, in order: the usable data of a candidate that breaks.
        self.inside: list[Span] = []
        self._open: list[tuple[str, int]] = []
        self._expected: _Expected = "value"
        self._before = 0

    def feed(self, line: str, at: int = 0) -> Outcome:
        """Scan a line (with its newline) from `at`; the first line starts at the opening bracket."""
        start_at = at
        shift = self._before - start_at
        string_at = -1
        match = _TOKEN.match
        while True:
            token = match(line, at)
            if token is None:
                return self._broken(line, at, string_at)
            kind = token.lastindex
            start, end = token.span(kind or 0)
            if kind == 4:
                self._before += len(line) - start_at
                return Outcome("open", len(line))
            if kind == 1:
                sign = line[start]
                if sign in "{[":
                    if not self._opened(sign, start + shift):
                        return self._broken(line, start, string_at)
                elif sign in "}]":
                    if not self._closed(sign, end + shift):
                        return self._broken(line, start, string_at)
                    if not self._open:
                        return Outcome("ended", end)
                elif sign == ":":
                    if self._expected != "colon":
                        return self._broken(line, start, string_at)
                    self._expected = "value"
                else:
                    if self._expected != "comma or end":
                        return self._broken(line, start, string_at)
                    self._expected = "key" if self._open[-1][0] == "{" else "value"
            elif kind == 2:
                if self._expected in ("key", "key or end"):
                    self._expected = "colon"
                elif self._expected in ("value", "value or end"):
                    self._expected = "comma or end"
                else:
                    return self._broken(line, start, string_at)
                string_at = start
                at = end
                continue
            elif self._expected in ("value", "value or end"):
                self._expected = "comma or end"
            else:
                return self._broken(line, start, string_at)
            string_at = -1
            at = end

    def _opened(self, sign: str, place: int) -> bool:
        if self._expected not in ("value", "value or end") or len(self._open) >= MAX_DEPTH:
            return False
        self._open.append((sign, place))
        self._expected = "key or end" if sign == "{" else "value or end"
        return True

    def _closed(self, sign: str, end: int) -> bool:
        opener, start = self._open[-1]
        empty = "key or end" if sign == "}" else "value or end"
        if (opener == "{") != (sign == "}") or self._expected not in ("comma or end", empty):
            return False
        self._open.pop()
        # The closed value contains these; only the outermost ones are kept.
        while self.inside and self.inside[-1].start > start:
            self.inside.pop()
        self.inside.append(Span(start, end))
        self._expected = "comma or end"
        return True

    def _broken(self, line: str, at: int, string_at: int) -> Outcome:
        """Return the index to continue at: inside the last string, which may have been a quotation in prose."""
        string_match = _STRING_BEGUN.match(line, at) if string_at < 0 else None
        if string_match is not None and self._expected != "colon":
            string_at = string_match.start(1)
        return Outcome("broken", max(at, 0) if string_at < 0 else string_at + 1)
