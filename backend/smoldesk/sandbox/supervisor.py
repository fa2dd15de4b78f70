"""The one thread that starts child processes, for as long as the server lives.

The kernel's parent-death signal is bound to the thread that forked: a child started by a run's thread would
die with the run. So every start happens here; the same thread looks after processes between cells.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

log = logging.getLogger(__name__)
T = TypeVar("T")
TICK_SECONDS = 5.0


class Supervisor:
    """Runs functions on its thread; calls `every_tick` about every five seconds, and when asked `soon`."""

    def __init__(self, every_tick: Callable[[], None]) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._every_tick = every_tick
        self._next_tick_at: float | None = None
        # A daemon: an exit of the server without `close` must not wait for it; the kernel ends its children.
        self._thread = threading.Thread(target=self._work, name="smoldesk-supervisor", daemon=True)
        self._thread.start()

    def call(self, function: Callable[[], T]) -> T:
        """Run `function` on the supervisor's thread and return (or raise) what it does."""
        # A job that queued another one and waited for it would wait for itself.
        if threading.current_thread() is self._thread:
            return function()
        future: Future[T] = Future()

        def job() -> None:
            try:
                future.set_result(function())
            except BaseException as fault:  # handed to the thread that asked
                future.set_exception(fault)

        self._jobs.put(job)
        return future.result()

    def soon(self, seconds: float) -> None:
        """Have the next tick in `seconds` at the latest."""
        # As a job, since only this thread may change the time of the next tick: it has no lock.
        self._jobs.put(lambda: self._want(time.monotonic() + seconds))

    def close(self) -> None:
        """End the thread; processes it started get their parent-death signal."""
        self._jobs.put(None)
        self._thread.join()

    def _want(self, at: float) -> None:
        self._next_tick_at = min(at, self._next_tick_at or at)

    def _tick(self) -> None:
        try:
            self._every_tick()
        except Exception:  # this thread must survive any error: every child depends on it
            log.exception("looking after the children failed")

    def _work(self) -> None:
        next_tick = time.monotonic() + TICK_SECONDS
        while True:
            if self._next_tick_at is not None:
                next_tick = min(next_tick, self._next_tick_at)
            try:
                job = self._jobs.get(timeout=max(0.0, next_tick - time.monotonic()))
            except queue.Empty:
                next_tick, self._next_tick_at = time.monotonic() + TICK_SECONDS, None
                self._tick()
                continue
            if job is None:
                return
            job()
