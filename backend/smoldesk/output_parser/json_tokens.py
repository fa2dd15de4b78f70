"""JSON that may go on over many lines, followed token by token: where it ends, or where it turns out to be none.

The C decoder reads what stands whole in one line; this automaton takes over when a line ends first, and finds the
data inside what broke, so that no text is read again from the start. Each character is looked at a constant number
of times, whatever the nesting.
"""

import re
from typing import Literal, NamedTuple

# Levels one value may have; deeper ones are not read as one.
MAX_DEPTH = 100

_TOKEN = re.compile(
    r'[ \t\r\n]*+(?:([{}\[\],:])|("(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+")|'
    r"(-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null)|(\Z))"
)
_STRING_BEGUN = re.compile(r'[ \t\r\n]*+(")')

_Expected = Literal["value", "value or end", "key", "key or end", "colon", "comma or end"]


class Span(NamedTuple):
    """A finished object or array inside, in characters from the start of the whole."""

    start: int
    end: int


class Outcome(NamedTuple):
    """What a line did: `at` is a place in it, where the value ended or where reading should go on."""

    state: Literal["open", "ended", "broken"]
    at: int


class JsonScan:
    """One candidate, fed line by line from its opening bracket; not to be fed after it ended or broke."""

    def __init__(self) -> None:
        self.inside: list[Span] = []
        """Finished values inside, outermost ones, in order: what is left of a candidate that broke."""
        self._open: list[tuple[str, int]] = []
        self._expected: _Expected = "value"
        self._before = 0

    def feed(self, line: str, at: int = 0) -> Outcome:
        """Follow a line (with its newline) from `at`; the first one from the opening bracket."""
        begun = at
        shift = self._before - begun
        string_at = -1
        match = _TOKEN.match
        while True:
            found = match(line, at)
            if found is None:
                return self._broken(line, at, string_at)
            kind = found.lastindex
            start, end = found.span(kind or 0)
            if kind == 4:
                self._before += len(line) - begun
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
        while self.inside and self.inside[-1].start > start:
            self.inside.pop()
        self.inside.append(Span(start, end))
        self._expected = "comma or end"
        return True

    def _broken(self, line: str, at: int, string_at: int) -> Outcome:
        """Where to go on: in the string that was read last, if any, for it may have been a quotation in prose."""
        begun = _STRING_BEGUN.match(line, at) if string_at < 0 else None
        if begun is not None and self._expected != "colon":
            string_at = begun.start(1)
        return Outcome("broken", max(at, 0) if string_at < 0 else string_at + 1)
