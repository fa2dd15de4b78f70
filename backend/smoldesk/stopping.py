"""A stop request that both waits and selects can see, and threads that a process never waits for when it ends.

The run's thread blocks in `select` on its child's socket, in a model's stream, or on an answer. Any thread may set the
flag, once, and every one of these waits wakes. Imports nothing of ours but errors.
"""

import asyncio
import contextlib
import contextvars
import os
import threading
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import Future
from typing import Any, TypeVar

from smoldesk.errors import Stopped

T = TypeVar("T")


async def shielded(work: Awaitable[T]) -> T:
    """Return the result of `work`, which goes on when the caller is cancelled; its exception is then dropped."""
    # asyncio.shield logs that exception as an error since Python 3.14: a client that left would look like a fault.
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task})
    except asyncio.CancelledError:
        task.add_done_callback(_retrieve_exception)
        raise
    return task.result()


def _retrieve_exception(future: "asyncio.Future[Any]") -> None:
    if not future.cancelled():
        future.exception()


class StopFlag:
    """Set once, with a reason; readable as a flag, as a wait and as a file descriptor.

    The descriptor becomes readable when the flag is set and stays so. `close` gives the descriptors back.
    """

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._reader, self._writer = os.pipe()
        self._open = True
        self._callbacks: list[Callable[[], None]] = []
        self.reason = ""

    def set(self, reason: str) -> None:
        """Ask to stop; the first reason is kept."""
        with self._lock:
            if self._event.is_set():
                return
            self.reason = reason
            self._event.set()
            if self._open:
                with contextlib.suppress(OSError):
                    os.write(self._writer, b"!")
            callbacks = list(self._callbacks)
        for callback in callbacks:
            callback()

    @contextlib.contextmanager
    def calling(self, callback: Callable[[], None]) -> Generator[None, None, None]:
        """While inside, `callback` is called (once, on the thread that sets the flag, or at once when it is set already).

        For waits that no descriptor can wake: a model's stream is closed, an ask's wait is ended.
        """
        with self._lock:
            late = self._event.is_set()
            if not late:
                self._callbacks.append(callback)
        if late:
            callback()
        try:
            yield
        finally:
            with self._lock:
                if callback in self._callbacks:
                    self._callbacks.remove(callback)

    @property
    def is_set(self) -> bool:
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Sleep until set or until `seconds` went by; True when set."""
        return self._event.wait(seconds)

    def check(self) -> None:
        """Raise Stopped when set."""
        if self._event.is_set():
            raise Stopped(self.reason)

    def fileno(self) -> int:
        """For select and poll: readable once the flag is set."""
        return self._reader

    def close(self) -> None:
        """Release what waits for the flag; it cannot be set any more."""
        with self._lock:
            if self._open:
                self._open = False
                os.close(self._reader)
                os.close(self._writer)

    def __del__(self) -> None:
        """Close the descriptors of a flag that was never closed, such as that of a discarded executor."""
        if getattr(self, "_open", False):
            self.close()


def ended_by(stop: StopFlag | None, end: Callable[[], None]) -> contextlib.AbstractContextManager[None]:
    """While inside, `stop` calls `end`, if there is a stop at all; see `StopFlag.calling`."""
    return contextlib.nullcontext() if stop is None else stop.calling(end)


def start_thread(work: Callable[[], T], name: str = "smoldesk-work") -> "Future[T]":
    """Run `work` in a daemon thread of its own, for calls that may hang for ever: a driver, a stranger's server.

    As with `asyncio.to_thread`, context variables go with it: who the request is from.
    """
    future: Future[T] = Future()
    context = contextvars.copy_context()

    def run() -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(context.run(work))
        except BaseException as fault:  # raised where the result is waited for
            future.set_exception(fault)

    threading.Thread(target=run, name=name, daemon=True).start()
    return future
