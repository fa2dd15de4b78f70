"""Text of which only the beginning and the end are kept."""


class Clipped:
    """Collects text in any pieces, in memory of a fixed size."""

    def __init__(self, limit: int) -> None:
        self._half = limit // 2
        self._head = ""
        self._tail = ""
        self._left_out = 0

    def add(self, text: str) -> None:
        room = self._half - len(self._head)
        self._head += text[:room]
        tail = self._tail + text[room:]
        self._tail = tail[-self._half :]
        self._left_out += len(tail) - len(self._tail)

    def take(self) -> str:
        """What was kept, with the gap named; begins anew."""
        gap = f"\n… {self._left_out:,} characters left out …\n" if self._left_out else ""
        text = self._head + gap + self._tail
        self._head = self._tail = ""
        self._left_out = 0
        return text
