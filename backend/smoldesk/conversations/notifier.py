"""Who waits for something to happen, by keys; woken after the commit, on the event loop that waits.

A wake-up says only that it is worth looking again. It comes from this server's own commits and, as a hint, from those of
others on the same database, which also says now and then that anything may have happened (store/notifications.py).
"""

import contextlib
import threading
from collections.abc import Collection, Generator

from smoldesk.store.wakers import Waker


class Notifier:
    """All who wait in this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiters: dict[str, set[Waker]] = {}
        self.closed = False

    @contextlib.contextmanager
    def waiting(self, key: str) -> Generator[Waker]:
        """Wait for a key; from here on nothing is missed, so look once before the first `wait`."""
        waiter = Waker()
        with self._lock:
            self._waiters.setdefault(key, set()).add(waiter)
        try:
            yield waiter
        finally:
            with self._lock:
                self._waiters[key].discard(waiter)
                if not self._waiters[key]:
                    del self._waiters[key]

    def wake(self, keys: Collection[str] | None) -> None:
        """Wake the waiters for these; None: all of them. From any thread."""
        with self._lock:
            waiters = [
                waiter
                for key in (self._waiters if keys is None else keys)
                for waiter in self._waiters.get(key, ())
            ]
        Waker.wake(waiters)

    def count(self, key: str) -> int:
        """How many wait for a key."""
        with self._lock:
            return len(self._waiters.get(key, ()))

    def close(self) -> None:
        """Let everybody go."""
        self.closed = True
        self.wake(None)
