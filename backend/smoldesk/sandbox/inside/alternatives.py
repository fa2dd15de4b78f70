"""Alternative answers of one cell: `with alternative("average age"):` around the code of each.

A block that fails or takes too long ends alone. Each answer is sent when its block ends, so it counts whatever becomes of
the later ones.
"""

import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from .interrupts import Interrupts
from .outputs import Outputs
from .tools import FinalAnswer

MAX_BLOCKS = 5
MAX_SENTENCE = 1_000
MAX_ERROR = 1_000
# Longest time of a block. Several must fit into a cell's time.
SECONDS = 15.0
# Delay of a time limit that falls into a frame which is being sent.
AGAIN_SECONDS = 0.05


class AlternativeBlocks:
    """Blocks of the cell that runs; `send` takes the fields of a frame when a block ends."""

    def __init__(
        self, outputs: Outputs, interrupts: Interrupts, send: Callable[[dict[str, Any]], None]
    ) -> None:
        self._outputs = outputs
        self._interrupts = interrupts
        self._send = send
        self.begin()

    def begin(self) -> None:
        """Start a cell."""
        self._count = 0
        self._is_open = self._has_answer = False
        self._answer: dict[str, Any] | None = None
        self._fault: Exception | None = None

    def take(self, answer: dict[str, Any]) -> bool:
        """Take an answer if a block is open; its first answer counts."""
        if self._is_open:
            self._answer = self._answer or answer
        return self._is_open

    def check(self) -> None:
        """Raise the error of the first block if none of them has an answer."""
        if self._fault is not None and not self._has_answer:
            raise self._fault

    @contextmanager
    def block(self, sentence: str) -> Generator[None]:
        """Run the code of one answer; `sentence` says what it answers."""
        if self._is_open or self._count >= MAX_BLOCKS:
            raise RuntimeError(f"alternatives cannot be nested, and a cell has at most {MAX_BLOCKS} of them")
        self._count += 1
        self._is_open, self._answer, error = True, None, ""
        try:
            with self._time_limit():
                yield
        except FinalAnswer:
            pass
        except Exception as fault:  # the code of a block may raise anything: the next one still runs
            self._fault = self._fault or fault
            error = f"{type(fault).__name__}: {fault}"[:MAX_ERROR]
        finally:
            self._is_open = False
        self._outputs.end_part()
        self._has_answer = self._has_answer or self._answer is not None
        nothing: dict[str, Any] = {"parts": [], "output": "", "value": None}
        self._send({"sentence": sentence[:MAX_SENTENCE], "error": error, **(self._answer or nothing)})

    @contextmanager
    def _time_limit(self) -> Generator[None]:
        """Raise TimeoutError in code that runs too long, but never within a frame."""

        def end(_signum: int, _frame: FrameType | None) -> None:
            if self._interrupts.is_deferred:
                signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS)
            else:
                raise TimeoutError(f"it took longer than {SECONDS:g} s")

        previous = signal.signal(signal.SIGALRM, end)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, previous)
