"""A child the zygote forks: known by its `life`, on which the zygote tells its birth and its end."""

import array
import contextlib
import json
import os
import select
import signal
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

BIRTH_SECONDS = 90.0
MAX_WORDS = 8 * 1024


class ForkedProcess:
    """Implements Handle. Asking for the process does not wait: it is born once the zygote is ready.

    `zygote_complaint` says why the zygote ended, should it.
    """

    def __init__(self, life: socket.socket, zygote_complaint: Callable[[], str]) -> None:
        self._life = life
        self._zygote_complaint = zygote_complaint
        self._lock = threading.Lock()
        self._pid: int | None = None
        self._pidfd: int | None = None
        self._status: int | None = None
        self._failed = ""
        self._killed = False
        life.setblocking(False)

    @property
    def pid(self) -> int:
        give_up = time.monotonic() + BIRTH_SECONDS
        while self._pid is None and self._status is None and time.monotonic() < give_up:
            self._listen(give_up - time.monotonic(), once=True)
        if self._pid is None:
            raise ProcessLookupError("the process was never born")
        return self._pid

    def ended(self) -> bool:
        """Return whether the process ended. Its descriptor reports that at once; the exit code comes a moment later."""
        self._listen(0)
        with self._lock:
            if self._status is not None:
                return True
            if self._pidfd is None:
                return False
            waiting = select.poll()
            waiting.register(self._pidfd, select.POLLIN)
            return bool(waiting.poll(0))

    def wait(self, seconds: float) -> int | None:
        if self._killed and self._pid is None:
            return -signal.SIGKILL  # it ends as soon as it is born
        give_up = time.monotonic() + seconds
        while self._status is None and (remaining := give_up - time.monotonic()) > 0:
            self._listen(remaining, once=True)
        return self._status

    def signal(self, number: int) -> None:
        self._listen(0)
        with self._lock:
            if self._pidfd is not None and self._status is None:
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(self._pidfd, number)

    def kill(self) -> None:
        """Kill the process. One that is not forked yet dies with its socket, or when the message of its fork arrives."""
        self._killed = True
        self.signal(signal.SIGKILL)

    def complaint(self) -> str:
        self._listen(0)
        return (self._failed or self._zygote_complaint())[:300]

    def close(self) -> None:
        with self._lock:
            self._life.close()
            if self._pidfd is not None:
                os.close(self._pidfd)
                self._pidfd = None
            if self._status is None:
                self._status = -signal.SIGKILL

    def _listen(self, seconds: float, once: bool = False) -> None:
        """Take what was told; waits up to `seconds` for the first word."""
        if seconds > 0:
            waiting = select.poll()
            with self._lock:
                if self._life.fileno() < 0:
                    return
                waiting.register(self._life, select.POLLIN)
            waiting.poll(min(seconds, 0.5) * 1000)
        with self._lock:
            while self._life.fileno() >= 0 and self._status is None and self._receive():
                if once:
                    return

    def _receive(self) -> bool:
        """Return one message; the end of the life without an exit code means that the zygote is gone."""
        try:
            data, ancillary, _, _ = self._life.recvmsg(MAX_WORDS, socket.CMSG_SPACE(4))
        except BlockingIOError:
            return False
        except OSError:
            data, ancillary = b"", []
        handed = array.array("i")
        for _level, _kind, content in ancillary:
            handed.frombytes(content[:4])
        report: dict[str, Any] = json.loads(data) if data else {"status": -signal.SIGKILL}
        self._failed = report.get("failed", self._failed)
        self._status = report.get("status", 1 if "failed" in report and self._pid is None else None)
        if "pid" in report:
            self._pid, self._pidfd = report["pid"], handed[0]
            if self._killed:
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        return True
