"""What is streamed: numbered pieces that know when they were made, and how a message asks for them.

Times are nanoseconds of the monotonic clock, which all processes of one machine share. Imports nothing of the desk, so
that the bare server does not carry it.
"""

import re
import time
from dataclasses import dataclass

END = ";"
"""Ends a piece, and is nowhere else in it: pieces that were joined can be counted."""
_ORDER = re.compile(r"stream (\d+) pieces of (\d+) characters, (\d+) a second")


@dataclass(frozen=True)
class Order:
    """So many pieces of so many characters each; `rate` of them a second, or with 0 as fast as they are taken."""

    pieces: int
    size: int
    rate: int

    @property
    def message(self) -> str:
        return f"stream {self.pieces} pieces of {self.size} characters, {self.rate} a second"

    @classmethod
    def read(cls, message: str) -> "Order | None":
        """The order in a message; None when there is none."""
        result = _ORDER.search(message)
        return cls(*map(int, result.groups())) if result else None

    def wait(self, started_at: float, number: int) -> float:
        """Seconds until the piece of this number is due, in a stream that `began` then (time.monotonic)."""
        return max(0.0, started_at + number / self.rate - time.monotonic()) if self.rate else 0.0


def piece(stream: int, number: int, size: int) -> str:
    """A piece made now; no two of a process are alike."""
    return f"{stream}.{number}.{time.monotonic_ns()}".ljust(size - 1, "_") + END


def made(text: str) -> int:
    """When the first piece in a text was made."""
    return int(text.partition(END)[0].rstrip("_").split(".")[2])
