"""SIGINT inside a child: it ends the running cell once, never an idle child, never half a frame, never the
next cell.

The handler raises KeyboardInterrupt only while a cell is armed and no frame is being moved; it counts every
signal. The host says with each cell how many it has sent so far, and the cell starts only when all of those
were seen: a late one is then spent before the cell it was not meant for begins.
"""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType, TracebackType

LATE_SIGNAL_SECONDS = 1.0


class Interrupts:
    """Owner of SIGINT; made on the main thread, where Python runs signal handlers."""

    def __init__(self) -> None:
        self.received = 0
        self.deferred = DeferredInterrupts(self)
        self._main = threading.get_ident()
        self._armed = False
        self._depth = 0
        self._waiting = False
        self._also: list[Callable[[], None]] = []
        self.install()

    def add_callback(self, call: Callable[[], None]) -> None:
        """Have `call` made by a thread at every signal, at once: native code keeps the handler waiting until it returns."""
        self._also.append(call)
        if len(self._also) > 1:
            return
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        try:
            signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        except ValueError:
            # not on the main thread: then a stop waits for the native code, or ends the process
            return
        threading.Thread(target=self._listen, args=(reader,), name="interrupts", daemon=True).start()

    def _listen(self, reader: int) -> None:
        while os.read(reader, 64):
            for call in self._also:
                with contextlib.suppress(Exception):  # the work to interrupt may have ended in between
                    call()

    def install(self) -> None:
        """Take the signal (again): user code may have replaced the handler in an earlier cell."""
        signal.signal(signal.SIGINT, self._on_signal)

    def arm(self, sent: int) -> None:
        """Start a cell; `sent` is the number of signals that the host has sent to this process before it."""
        self.install()
        give_up = time.monotonic() + LATE_SIGNAL_SECONDS
        while self.received < sent and time.monotonic() < give_up:
            time.sleep(0.001)
        self.received = max(self.received, sent)
        self._waiting = False
        self._armed = True

    @property
    def is_deferred(self) -> bool:
        """True while a lock is held or a frame is under way on the main thread."""
        return self._depth > 0

    def disarm(self) -> None:
        self._armed = False
        self._waiting = False

    def _on_signal(self, _signum: int, _frame: FrameType | None) -> None:
        self.received += 1
        if not self._armed:
            return
        if self._depth:
            self._waiting = True
            return
        self._armed = False
        raise KeyboardInterrupt

    def enter(self) -> None:
        if threading.get_ident() == self._main:
            self._depth += 1

    def leave(self) -> None:
        if threading.get_ident() != self._main:
            return
        self._depth -= 1
        if self._waiting and self._armed and not self._depth:
            self.disarm()
            raise KeyboardInterrupt


class DeferredInterrupts:
    """`with interrupts.held:` keeps a signal waiting while a lock is held or a frame is under way."""

    def __init__(self, interrupts: Interrupts) -> None:
        self._interrupts = interrupts

    def __enter__(self) -> None:
        self._interrupts.enter()

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._interrupts.leave()
