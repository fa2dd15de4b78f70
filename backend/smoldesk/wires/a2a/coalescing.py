"""Small pieces of text become fewer: a token stream would otherwise be thousands of parts. Pure, with the clock handed in."""

from dataclasses import dataclass

from smoldesk.messages import Text
from smoldesk.wires.task_projection import ArtifactUpdate, Update

HOLD_SECONDS = 0.2
"""Least time between two pieces; one that comes after a longer silence goes at once."""
LONGEST = 2_048
"""Characters that go at once."""


@dataclass
class _Held:
    index: int
    append: bool
    pieces: list[str]
    size: int


class Coalescing:
    """Takes updates in order, gives fewer with the same text in the same order."""

    def __init__(self) -> None:
        self._held: _Held | None = None
        self._free_at = float("-inf")

    @property
    def due(self) -> float | None:
        """When `flush` must be called; None when nothing is held."""
        return self._free_at if self._held else None

    def take(self, update: Update, now: float) -> list[Update]:
        """What may go now, after the next update came."""
        if not isinstance(update, ArtifactUpdate) or not isinstance(update.message, Text):
            return [*self.flush(now), update]
        piece, held = update.message.content, self._held
        if held is not None and update.append and held.index == update.index:
            held.pieces.append(piece)
            held.size += len(piece)
            is_due = update.is_whole or held.size >= LONGEST or now >= self._free_at
            return self.flush(now, update.is_whole) if is_due else []
        gone = self.flush(now)
        if update.is_whole:
            return [*gone, update]
        if len(piece) >= LONGEST or now >= self._free_at:
            self._free_at = now + HOLD_SECONDS
            return [*gone, update]
        self._held = _Held(update.index, update.append, [piece], len(piece))
        return gone

    def flush(self, now: float, is_whole: bool = False) -> list[Update]:
        """What is held, if anything; `is_whole`: nothing more comes there."""
        held, self._held = self._held, None
        if held is None:
            return []
        self._free_at = now + HOLD_SECONDS
        message = Text(content="".join(held.pieces))
        return [ArtifactUpdate(held.index, message, append=held.append, is_whole=is_whole)]
