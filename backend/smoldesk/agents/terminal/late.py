"""What programs write between runs, joined into few pieces and limited. Pure: the clock is handed in."""

QUIET = 0.5
"""Seconds of silence after which what has gathered is told."""
PIECE = 4096
"""Characters that are told without waiting for silence."""
GAP = 64 * 1024
"""Characters told between two runs; what comes beyond is counted, and the count told once before the next run."""


class LateText:
    """The late text of one program, of one gap between runs."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._size = self._told = self._left_out = 0
        self._last = 0.0

    def add(self, text: str, now: float) -> None:
        """More whole lines."""
        room = GAP - self._told - self._size
        if len(text) > room:
            cut = text.rfind("\n", 0, max(0, room)) + 1  # whole lines; the rest is counted
            self._left_out += len(text) - cut
            text = text[:cut]
        if text:
            self._pieces.append(text)
            self._size += len(text)
        self._last = now

    @property
    def pending(self) -> bool:
        """Whether something waits to be told."""
        return self._size > 0

    def due(self, now: float) -> str:
        """What is to be told now; "" when nothing is."""
        if self._size and (self._size >= PIECE or now - self._last >= QUIET):
            return self._told_now()
        return ""

    def end(self) -> str:
        """A run begins: what is left, and how much was left out."""
        text = self._told_now()
        if self._left_out:
            text += f"… {self._left_out} characters left out\n"
        self._told = self._left_out = 0
        return text

    def _told_now(self) -> str:
        text = "".join(self._pieces)
        self._pieces.clear()
        self._told += self._size
        self._size = 0
        return text
