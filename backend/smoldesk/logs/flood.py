"""How many lines of one kind may be written: the first few of each period, then a count with the next one. Pure."""

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass

LINES = 10
PERIOD = 10.0
"""At most LINES of a kind in PERIOD seconds."""
KINDS = 1000
"""Kinds remembered at once; beyond, all are forgotten rather than kept for ever."""


@dataclass
class _Period:
    began: float
    said: int = 0
    unsaid: int = 0


class Flood:
    """Counts lines by kind; `clock` tells seconds. Safe from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._periods: dict[Hashable, _Period] = {}

    def admit(self, kind: Hashable) -> int | None:
        """How many lines of this kind went unsaid since the last one, if this one may be written; else None."""
        now = self._clock()
        with self._lock:
            if len(self._periods) >= KINDS:
                self._periods.clear()
            period = self._periods.setdefault(kind, _Period(now))
            if now - period.began >= PERIOD:
                period.began, period.said = now, 0
            if period.said >= LINES:
                period.unsaid += 1
                return None
            period.said += 1
            unsaid, period.unsaid = period.unsaid, 0
            return unsaid
