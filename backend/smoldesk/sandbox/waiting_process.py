"""One process that has started ahead of time: loading DuckDB, or what draws charts, takes longer than most of their work.

It has had no chat and no file of one, and serves only the request for which it is taken.
"""

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from smoldesk.sandbox.process import ChildProcess
from smoldesk.sandbox.supervisor import Supervisor

# Seconds that the process waits; then it is ended, and the next caller starts its own.
IDLE_SECONDS = 120.0

Start = Callable[[], ChildProcess]


@dataclass(frozen=True)
class _Started:
    key: Hashable
    process: ChildProcess
    since: float


class WaitingProcess:
    """At most one process, for one kind of it (`key`). All methods may be called from any thread; none waits for a start."""

    def __init__(self, idle_seconds: float = IDLE_SECONDS) -> None:
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._waiting: _Started | None = None
        self._next_start: tuple[Hashable, Start] | None = None
        self._supervisor: Supervisor | None = None

    @property
    def kind(self) -> Hashable | None:
        """The kind of the one that waits; None when none does."""
        with self._lock:
            return None if self._waiting is None else self._waiting.key

    def take(self, key: Hashable) -> ChildProcess | None:
        """Return the waiting process of this kind, which the caller must end, or None."""
        with self._lock:
            waiting = self._waiting
            if waiting is None or waiting.key != key:
                return None
            self._waiting = None
        if waiting.process.alive:
            return waiting.process
        waiting.process.kill()
        return None

    def prepare(self, key: Hashable, start: Start) -> None:
        """Have one started soon, on a thread that lives as long as the server does."""
        with self._lock:
            self._next_start = key, start
            if self._supervisor is None:
                self._supervisor = Supervisor(self._tick)
            self._supervisor.soon(0.0)

    def _tick(self) -> None:
        with self._lock:
            next_start, self._next_start = self._next_start, None
            waiting = self._waiting
            old = next_start is not None and waiting is not None and waiting.key != next_start[0]
            if waiting is not None and (old or time.monotonic() - waiting.since > self._idle_seconds):
                self._waiting = None
                waiting.process.kill()
            is_waiting = self._waiting is not None
        if next_start is None or is_waiting:
            return
        started = _Started(next_start[0], next_start[1](), time.monotonic())
        with self._lock:
            self._waiting = started
