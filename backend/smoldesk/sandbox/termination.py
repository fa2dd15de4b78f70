"""Termination of a cell: a request, SIGINT, a grace period, SIGKILL; and the clock that decides when. Pure but for time."""

import time
from collections.abc import Callable
from typing import Literal

Why = Literal["", "stop", "deadline", "full"]


class TerminationSteps:
    """Steps of one cell's end: `begin` starts them, and `remaining_seconds` is the time until the next one.

    The deadline counts running time only: `pause` gives back what a host tool took. Once the cell is ending,
    only the grace period counts, and it is not extended.
    """

    def __init__(
        self, cell_seconds: float, grace_seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        # Monotonic, so that setting the machine's clock does not end a cell.
        self._clock = clock
        self._grace = grace_seconds
        self._next = clock() + cell_seconds
        self.why: Why = ""

    def remaining_seconds(self) -> float:
        """Return the seconds until something has to happen."""
        return max(0.0, self._next - self._clock())

    def pause(self, seconds: float) -> None:
        """Extend the deadline by the time that the host worked while the cell waited."""
        if not self.why:
            self._next += seconds

    def begin(self, why: Why) -> bool:
        """Start ending the cell; True when this is the moment for SIGINT. The first reason stays."""
        if self.why:
            return False
        self.why = why
        self._next = self._clock() + self._grace
        return True

    @property
    def ending(self) -> bool:
        return bool(self.why)
