"""Ends an answer at the first stop sequence, for providers that cannot do so themselves. Pure."""

from collections.abc import Sequence


class StopWords:
    """Fed with pieces, gives back what may be shown: never a stop sequence, not even its beginning."""

    def __init__(self, sequences: Sequence[str] | None) -> None:
        self._sequences = [sequence for sequence in sequences or () if sequence]
        self._held = ""
        self.reached = False

    def feed(self, text: str) -> str:
        """The text that is sure not to belong to a stop sequence; nothing after one was reached."""
        if self.reached:
            return ""
        held = self._held + text
        ends = [at for sequence in self._sequences if (at := held.find(sequence)) >= 0]
        if ends:
            self.reached, self._held = True, ""
            return held[: min(ends)]
        keep = max((_begun(held, sequence) for sequence in self._sequences), default=0)
        self._held = held[len(held) - keep :]
        return held[: len(held) - keep]

    def flush(self) -> str:
        """What was held back, at the end of the answer."""
        held, self._held = self._held, ""
        return held


def _begun(text: str, sequence: str) -> int:
    """How many characters at the end of `text` begin `sequence`."""
    longest = min(len(text), len(sequence) - 1)
    return next((n for n in range(longest, 0, -1) if text.endswith(sequence[:n])), 0)
