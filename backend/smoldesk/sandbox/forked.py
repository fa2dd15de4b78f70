"""Handle of a child that the zygote forks: the zygote reports its start and end on a socket, its `life`."""

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
MAX_REPORT_BYTES = 8 * 1024


class ForkedProcess:
    """Implements Handle. The request does not wait: the process is forked once the zygote is ready.

    `zygote_complaint` returns why the zygote ended, if it did.
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
            raise ProcessLookupError("the process was not forked in time")
        return self._pid

    @property
    def is_forked(self) -> bool:
        """Whether the process exists by now; does not wait."""
        self._listen(0)
        return self._pid is not None

    def fileno(self) -> int:
        """Return the descriptor on which its reports arrive, for poll."""
        return self._life.fileno()

    def ended(self) -> bool:
        """Return whether the process ended. Its descriptor reports that at once; the exit code comes a moment later."""
        self._listen(0)
        with self._lock:
            if self._status is not None:
                return True
            if self._pidfd is None:
                return False
            waiting = select.poll()
            # pidfd_open(2): the descriptor becomes readable when the process ends.
            waiting.register(self._pidfd, select.POLLIN)
            return bool(waiting.poll(0))

    def wait(self, seconds: float) -> int | None:
        if self._killed and self._pid is None:
            return -signal.SIGKILL  # it is killed as soon as it is forked
        give_up = time.monotonic() + seconds
        while self._status is None and (remaining := give_up - time.monotonic()) > 0:
            self._listen(remaining, once=True)
        return self._status

    def signal(self, number: int) -> None:
        self._listen(0)
        with self._lock:
            if self._pidfd is not None and self._status is None:
                with contextlib.suppress(ProcessLookupError):
                    # By the pidfd: once the zygote has reaped the child, another process may get its id.
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
        """Receive the reports that have arrived; waits up to `seconds` for the first."""
        if seconds > 0:
            waiting = select.poll()
            with self._lock:
                if self._life.fileno() < 0:
                    return
                waiting.register(self._life, select.POLLIN)
            # Outside the lock, so that `kill` need not wait. At most half a second, since another thread may
            # receive the message in between, and nothing would wake this one.
            waiting.poll(min(seconds, 0.5) * 1000)
        with self._lock:
            while self._life.fileno() >= 0 and self._status is None and self._receive():
                if once:
                    return

    def _receive(self) -> bool:
        """Return one message; the end of the life without an exit code means that the zygote is gone."""
        try:
            # Room for one descriptor: the kernel closes any others (unix(7), MSG_CTRUNC).
            data, ancillary, _, _ = self._life.recvmsg(MAX_REPORT_BYTES, socket.CMSG_SPACE(4))
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
