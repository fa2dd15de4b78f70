"""Waiters for changes, by key; woken after the commit, on the event loop that waits.

A wake-up only suggests to look again. It comes from this server's commits and, as a hint, from other servers on the same
database, now and then for all keys at once (store/notifications.py).
"""

import contextlib
import threading
from collections.abc import Collection, Generator

from smoldesk.store.wakers import Waker


class Notifier:
    """Waiters of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiters: dict[str, set[Waker]] = {}
        self.closed = False

    @contextlib.contextmanager
    def waiting(self, key: str) -> Generator[Waker]:
        """Register a waiter for a key. Nothing is missed from here on, so check once before the first `wait`."""
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
        """Wake the waiters for these keys; None: all of them. For any thread."""
        with self._lock:
            waiters = [
                waiter
                for key in (self._waiters if keys is None else keys)
                for waiter in self._waiters.get(key, ())
            ]
        # Outside of the lock: a waiter that wakes may register again at once.
        Waker.wake(waiters)

    def count(self, key: str) -> int:
        """Return the number of waiters for a key."""
        with self._lock:
            return len(self._waiters.get(key, ()))

    def close(self) -> None:
        """Wake all waiters for good."""
        self.closed = True
        self.wake(None)
