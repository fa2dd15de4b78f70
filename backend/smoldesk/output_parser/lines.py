"""Text that arrives in any pieces, given back as whole lines, each character touched a constant number of
times.

Only "\\n" ends a line ("\\r" stays for the reader, who treats it as a space). A line longer than the limit is
left out as a whole: whether it comes in one piece or in thousands, memory stays bounded and the lines are the
same.
"""

MAX_LINE = 8_000_000
"""Characters a line may have; a playback of 50,000 painted rooms, the longest command there is, stays below."""


class LineScanner:
    """Feed pieces, get the lines they complete (without their newline); `flush` gives the unfinished one."""

    def __init__(self, max_line: int = MAX_LINE) -> None:
        self._max = max_line
        self._pieces: list[str] = []
        self._length = 0

    def feed(self, text: str) -> list[str]:
        """Whole lines of the text so far."""
        *complete, rest = text.split("\n")
        lines: list[str] = []
        for end in complete:
            self._hold(end)
            lines += self.flush()
        self._hold(rest)
        return lines

    def flush(self) -> list[str]:
        """The line held back, when there is one that is not too long; the scanner is empty afterwards."""
        fits = 0 < self._length <= self._max
        line = "".join(self._pieces)
        self._pieces, self._length = [], 0
        return [line] if fits else []

    def _hold(self, piece: str) -> None:
        self._length += len(piece)
        if self._length > self._max:
            self._pieces.clear()
        elif piece:
            self._pieces.append(piece)
