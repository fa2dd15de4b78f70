"""At most so many cells compute at once; the others wait in the order in which they came."""

import threading
from collections import deque
from collections.abc import Callable

from smoldesk.errors import Stopped
from smoldesk.stopping import StopFlag

POLL_SECONDS = 0.5
SAY_SECONDS = 1.0


class Slots:
    """`count` places, each to be given back by its taker. Any thread may call."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._lock = threading.Lock()
        self._free = count
        self._queue: deque[_Waiter] = deque()

    @property
    def waiting(self) -> int:
        """The number of waiting cells."""
        return len(self._queue)

    def take(self, stop: StopFlag, is_abandoned: Callable[[], bool], notify: Callable[[str], None]) -> bool:
        """Wait for a place and take it; False when `is_abandoned` says that it is no longer needed.

        Raises Stopped. A wait of more than a second is reported once, through `notify`.
        """
        mine = _Waiter()
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            self._queue.append(mine)
        waited = 0.0
        with stop.calling(mine.wake.set):
            while not mine.wake.wait(POLL_SECONDS) and not is_abandoned():
                waited += POLL_SECONDS
                if waited == SAY_SECONDS:
                    notify(f"[waiting for a processor: {self.count} other cells compute]\n")
        with self._lock:
            if mine.granted:
                return True
            self._queue.remove(mine)
        if stop.is_set:
            raise Stopped(stop.reason)
        return False

    def give_back(self) -> None:
        """Hand the place to the caller that has waited longest."""
        with self._lock:
            if self._queue:
                first = self._queue.popleft()
                first.granted = True
                first.wake.set()
            else:
                self._free += 1


class Slot:
    """One cell's place among those that compute: taken on entering, free while its call is with the host."""

    def __init__(self, slots: Slots, stop: StopFlag, notify: Callable[[str], None]) -> None:
        self._slots = slots
        self._stop = stop
        self._notify = notify
        self._mine = False

    def __enter__(self) -> "Slot":
        """Wait for it; raises Stopped."""
        self.take(lambda: False)
        return self

    def __exit__(self, *_: object) -> None:
        self.give_back()

    def take(self, is_abandoned: Callable[[], bool]) -> None:
        """Wait for it, unless it is held or given up; raises Stopped."""
        if not self._mine:
            self._mine = self._slots.take(self._stop, is_abandoned, self._notify)

    def give_back(self) -> None:
        if self._mine:
            self._mine = False
            self._slots.give_back()


class _Waiter:
    def __init__(self) -> None:
        self.wake = threading.Event()
        self.granted = False
