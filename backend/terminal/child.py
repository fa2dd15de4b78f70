"""The program's process and its side of the terminal: started, typed to, read from, reaped."""

import contextlib
import os
import secrets
import select
import signal
import termios
import threading
import time
from pathlib import Path

from ptyprocess import PtyProcess

from backend.errors import DeskError
from backend.terminal.environment import environment, executable
from backend.terminal.processes import Family
from backend.terminal.profiles import Profile

PATIENCE = 10.0
"""Seconds a program may take nothing of what is typed before that is a failure."""
MOST_READ = 65536


class Child:
    """`read` is for one thread; everything else may be called from any."""

    def __init__(self, profile: Profile, folder: Path) -> None:
        """Start it; raises DeskError program_missing or program_failed."""
        mark = secrets.token_hex(16)
        variables = environment(profile, mark)
        argv = profile.argv()
        argv[0] = executable(argv[0], variables, folder)
        try:
            self._process = PtyProcess.spawn(
                argv,
                cwd=str(folder),
                env=variables,
                echo=profile.echo,
                preexec_fn=_prepare,
                dimensions=(profile.rows, profile.columns),
            )
        except Exception as fault:  # ptyprocess raises whatever name came over its pipe
            raise DeskError(
                f"The program {Path(argv[0]).name!r} could not be started.",
                hint=f"{' '.join(str(fault).split())[:300]}.",
                code="program_failed",
            ) from fault
        self.pid: int = self._process.pid
        self.family = Family(self.pid, mark)
        self._fd: int = self._process.fd
        os.set_blocking(self._fd, False)
        self._pidfd = os.pidfd_open(self.pid) if hasattr(os, "pidfd_open") else -1
        self._lock = threading.Lock()
        self._open = True
        self.exit_code: int | None = None
        self.hung_up = False

    def read(self, wake: int, seconds: float) -> bytes:
        """What it wrote, once there is something, it ended, `wake` is readable, or so many seconds went by.

        `hung_up` is set once nobody holds the other side of the terminal any more.
        """
        poll = select.poll()
        poll.register(wake, select.POLLIN)
        if not self.hung_up:
            poll.register(self._fd, select.POLLIN)
        if self._pidfd >= 0 and self.exit_code is None:
            poll.register(self._pidfd, select.POLLIN)
        ready = {descriptor for descriptor, _ in poll.poll(1000 * seconds)}
        data = bytearray()
        while self._fd in ready and len(data) < MOST_READ:
            try:
                piece = os.read(self._fd, MOST_READ)
            except BlockingIOError:
                break
            except OSError:  # EIO: how Linux says that it is closed
                piece = b""
            if not piece:
                self.hung_up = True
                break
            data += piece
        return bytes(data)

    def reap(self) -> int | None:
        """The exit code once it ended; negative for the signal that ended it."""
        with self._lock:
            if self.exit_code is None:
                try:
                    pid, status = os.waitpid(self.pid, os.WNOHANG)
                except ChildProcessError:  # somebody else reaped it: its code is lost
                    pid, status = self.pid, 0
                if pid:
                    self.exit_code = os.waitstatus_to_exitcode(status)
            return self.exit_code

    def write(self, data: bytes) -> None:
        """Type; raises DeskError program_exited, or program_failed when the program does not read."""
        deadline = time.monotonic() + PATIENCE
        while data:
            with self._lock:
                if not self._open or self.exit_code is not None:
                    raise DeskError("The program is over: nothing can be typed.", code="program_exited")
                try:
                    written = os.write(self._fd, data)
                except BlockingIOError:
                    written = 0
                except OSError as fault:
                    raise DeskError(
                        "The program is over: nothing can be typed.", code="program_exited"
                    ) from fault
            data = data[written:]
            if not written:
                if time.monotonic() > deadline:
                    raise DeskError(
                        f"The program did not read what was typed within {PATIENCE:g} seconds.",
                        code="program_failed",
                    )
                time.sleep(0.01)

    def modes(self) -> tuple[bool, bool]:
        """Whether its terminal echoes, and whether it hands over whole lines; (True, True) when it cannot be told."""
        with self._lock:
            if not self._open:
                return True, True
            try:
                flags: int = termios.tcgetattr(self._fd)[3]
            except termios.error:
                return True, True
        return bool(flags & termios.ECHO), bool(flags & termios.ICANON)

    def redraw(self, rows: int, columns: int) -> None:
        """Have a full-screen program draw everything again, as after a change of its window."""
        with self._lock, contextlib.suppress(OSError):
            if self._open:
                self._process.setwinsize(rows - 1, columns)
                self._process.setwinsize(rows, columns)

    def release(self) -> None:
        """Give the descriptors back; for the thread that reads."""
        with self._lock:
            if self._open:
                self._open = False
                self._process.closed = True  # or its finalizer would wait and signal
                with contextlib.suppress(OSError):
                    self._process.fileobj.close()
                if self._pidfd >= 0:
                    os.close(self._pidfd)


def _prepare() -> None:
    """In the child, before the program: UTF-8 lines, no ^C on the screen, and signals as a program expects them."""
    attributes = termios.tcgetattr(0)
    attributes[0] |= getattr(termios, "IUTF8", 0o40000)
    attributes[3] &= ~termios.ECHOCTL
    termios.tcsetattr(0, termios.TCSANOW, attributes)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
