"""A few threads for many jobs, with one job at a time for each key: nobody's pile of work holds up the others."""

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class Turns:
    """Runs jobs on at most `threads` threads. Jobs of one key run in order, and keys take turns."""

    def __init__(self, threads: int, name: str) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._lock = threading.Lock()
        self._waiting: dict[str, deque[Callable[[], None]]] = {}

    def submit(self, key: str, function: Callable[[], T]) -> "Future[T]":
        """Have `function` run when its turn comes; a future that is cancelled before never runs."""
        future: Future[T] = Future()

        def job() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(function())
                except BaseException as fault:  # handed to whoever waits
                    future.set_exception(fault)

        with self._lock:
            waiting = self._waiting.setdefault(key, deque())
            waiting.append(job)
            if len(waiting) == 1:
                self._pool.submit(self._next, key)
        return future

    def close(self) -> None:
        """Take no more jobs; those that wait for their turn are dropped."""
        with self._lock:
            for waiting in self._waiting.values():
                while len(waiting) > 1:
                    waiting.pop()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _next(self, key: str) -> None:
        self._waiting[key][0]()
        with self._lock:
            waiting = self._waiting[key]
            waiting.popleft()
            if not waiting:
                del self._waiting[key]
                return
            try:
                self._pool.submit(self._next, key)
            except RuntimeError:  # closed
                del self._waiting[key]
