"""Small pieces of text become fewer: a token stream would otherwise be thousands of parts. Pure, with the clock handed in."""

from dataclasses import dataclass

from backend.messages import Text
from backend.wires.run_updates import ArtifactUpdate, Update

HOLD_SECONDS = 0.2
LONGEST = 2_048
"""Characters that go at once."""


@dataclass
class _Held:
    index: int
    append: bool
    pieces: list[str]
    size: int
    due: float


class Merging:
    """Takes updates in order, gives fewer with the same text in the same order."""

    def __init__(self) -> None:
        self._held: _Held | None = None

    @property
    def due(self) -> float | None:
        """When `flush` must be called; None when nothing is held."""
        return self._held.due if self._held else None

    def take(self, update: Update, now: float) -> list[Update]:
        """What may go now, after the next update came."""
        if not isinstance(update, ArtifactUpdate) or not isinstance(update.message, Text):
            return [*self.flush(), update]
        piece, held = update.message.content, self._held
        if held is not None and update.append and held.index == update.index:
            held.pieces.append(piece)
            held.size += len(piece)
            return self.flush(update.is_whole) if update.is_whole or held.size >= LONGEST else []
        gone = self.flush()
        if update.is_whole or len(piece) >= LONGEST:
            return [*gone, update]
        self._held = _Held(update.index, update.append, [piece], len(piece), now + HOLD_SECONDS)
        return gone

    def flush(self, is_whole: bool = False) -> list[Update]:
        """What is held, if anything; `is_whole`: nothing more comes there."""
        held, self._held = self._held, None
        if held is None:
            return []
        message = Text(content="".join(held.pieces))
        return [ArtifactUpdate(held.index, message, append=held.append, is_whole=is_whole)]
