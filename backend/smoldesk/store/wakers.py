"""Waiting on an event loop until any thread says that there is something new."""

import asyncio
import contextlib
from collections.abc import Iterable


class Waker:
    """Use it on the event loop that made it; being woken says only that it is worth looking again."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._event = asyncio.Event()

    async def wait(self, seconds: float | None = None) -> None:
        """Until woken, or so long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._event.wait()
        self._event.clear()

    @staticmethod
    def wake(wakers: "Iterable[Waker]") -> None:
        """Wake these, once per event loop. From any thread."""
        loops: dict[asyncio.AbstractEventLoop, list[asyncio.Event]] = {}
        for waker in wakers:
            loops.setdefault(waker._loop, []).append(waker._event)
        for loop, events in loops.items():
            with contextlib.suppress(RuntimeError):  # a closed loop has no waiters
                loop.call_soon_threadsafe(_set, events)


def _set(events: list[asyncio.Event]) -> None:
    for event in events:
        event.set()
