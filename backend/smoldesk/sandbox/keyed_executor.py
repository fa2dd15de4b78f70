"""A few threads for many jobs, with one job at a time for each key: a pile of work under one key holds up no other."""

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from smoldesk.errors import DeskError

T = TypeVar("T")


@dataclass(frozen=True)
class _Job:
    future: Future[Any]
    function: Callable[[], Any]

    def do(self) -> None:
        """Call the function, unless its caller has cancelled."""
        if self.future.set_running_or_notify_cancel():
            try:
                self.future.set_result(self.function())
            except BaseException as fault:  # handed to the waiting thread
                self.future.set_exception(fault)

    def give_up(self) -> None:
        """Tell the waiting thread that it will not be done."""
        if self.future.set_running_or_notify_cancel():
            self.future.set_exception(_closing())


class KeyedExecutor:
    """Runs jobs on at most `threads` threads. Jobs of one key run in order, and keys take turns."""

    def __init__(self, threads: int, name: str) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._lock = threading.Lock()
        self._waiting: dict[str, deque[_Job]] = {}
        self._running: set[str] = set()
        """Keys whose first job has started."""
        self._closed = False

    def submit(self, key: str, function: Callable[[], T]) -> "Future[T]":
        """Have `function` run when its turn comes; a future that is cancelled before never runs.

        Raises DeskError("closing") after `close`.
        """
        future: Future[T] = Future()
        with self._lock:
            if self._closed:
                raise _closing()
            waiting = self._waiting.setdefault(key, deque())
            waiting.append(_Job(future, function))
            if len(waiting) == 1:
                self._pool.submit(self._next, key)
        return future

    def close(self) -> None:
        """Take no more jobs; those that have not started end with DeskError("closing")."""
        dropped: list[_Job] = []
        with self._lock:
            self._closed = True
            for key, waiting in self._waiting.items():
                while len(waiting) > (key in self._running):
                    dropped.append(waiting.pop())
        for job in dropped:
            job.give_up()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _next(self, key: str) -> None:
        with self._lock:
            waiting = self._waiting[key]
            if not waiting:  # closed
                return
            self._running.add(key)
        waiting[0].do()
        with self._lock:
            self._running.discard(key)
            waiting.popleft()
            if not waiting:
                del self._waiting[key]
            else:
                self._pool.submit(self._next, key)


def _closing() -> DeskError:
    return DeskError("The desk is shutting down.", code="closing")
