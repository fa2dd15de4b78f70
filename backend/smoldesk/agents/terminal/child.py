"""The process of a program and its end of the terminal: start, write, read, reap.

The program gets a few variables of the server and those its profile names, and nothing else: no key or token of the desk
reaches a program unless its profile passes it on by name.

The process is made by `subprocess`, whose code between fork and exec is C: a fault there is reported, and never leaves a
second server behind. Only `_acquire_terminal` runs Python there: it makes the terminal and its signals the program's own.
"""

import contextlib
import fcntl
import os
import secrets
import select
import shutil
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from smoldesk.agents.terminal.foreground import waits_for_input
from smoldesk.agents.terminal.processes import MARK, Family
from smoldesk.agents.terminal.terminal_profiles import Profile
from smoldesk.errors import DeskError

# Seconds in which a program must read its input.
WRITE_TIMEOUT = 10.0
# Bytes of one read.
MAX_READ = 65536
# Signals that a shell or a service manager may have set to "ignore" in the server; the program gets the defaults.
_SIGNALS = (
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGTSTP,
    signal.SIGTTIN,
    signal.SIGTTOU,
)
INHERITED = ("PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "USER", "LOGNAME", "SHELL")
# Not every Python's termios has IUTF8; the value is Linux's (asm-generic/termbits.h).
_UTF8 = getattr(termios, "IUTF8", 0o40000)


class Child:
    """A program's process. `read` is for one thread; all other methods may be called from any."""

    def __init__(self, profile: Profile, folder: Path) -> None:
        """Start the program. Raises DeskError program_missing or program_failed."""
        folder = folder.resolve()
        mark = secrets.token_hex(16)
        variables = environment(profile, mark)
        argv = profile.argv()
        argv[0] = executable(argv[0], variables, folder)
        self._fd, other = os.openpty()
        self._terminal = os.fstat(other).st_rdev
        try:
            _set_up(other, profile)
            self._process = _start_process(argv, folder, variables, other)
        except DeskError:
            os.close(self._fd)
            raise
        finally:
            # the program alone holds the other side now, so its end shows as a hang-up here
            os.close(other)
        self.pid = self._process.pid
        self.family = Family(self.pid, mark)
        os.set_blocking(self._fd, False)
        # A pidfd becomes readable when the process ends, also while children of it keep the terminal open.
        self._pidfd = os.pidfd_open(self.pid) if hasattr(os, "pidfd_open") else -1
        self._lock = threading.Lock()
        self._open = True
        self.hung_up = False

    def read(self, wake: int, seconds: float) -> bytes:
        """Return new output. Waits for output, the program's end, `wake` to be readable, or at most `seconds`.

        Sets `hung_up` when no process has the other side of the terminal open any more.
        """
        poll = select.poll()
        poll.register(wake, select.POLLIN)
        if not self.hung_up:
            poll.register(self._fd, select.POLLIN)
        if self._pidfd >= 0 and self._process.returncode is None:
            poll.register(self._pidfd, select.POLLIN)
        ready = {descriptor for descriptor, _ in poll.poll(1000 * seconds)}
        data = bytearray()
        while self._fd in ready and len(data) < MAX_READ:
            try:
                piece = os.read(self._fd, MAX_READ)
            except BlockingIOError:
                break
            except OSError:  # EIO: Linux reports a closed terminal that way
                piece = b""
            if not piece:
                self.hung_up = True
                break
            data += piece
        return bytes(data)

    def reap(self) -> int | None:
        """Return the exit code of an ended program, else None; negative for a signal."""
        return self._process.poll()

    def write(self, data: bytes) -> None:
        """Write to the terminal. Raises DeskError program_exited, or program_failed when the program does not read."""
        deadline = time.monotonic() + WRITE_TIMEOUT
        while data:
            with self._lock:
                if not self._open or self._process.returncode is not None or self.hung_up:
                    raise DeskError("The program has ended and accepts no input.", code="program_exited")
                try:
                    # under the lock: after `release` another file may have the descriptor's number
                    written = os.write(self._fd, data)
                except BlockingIOError:
                    written = 0
                except OSError as fault:
                    raise DeskError(
                        "The program has ended and accepts no input.", code="program_exited"
                    ) from fault
            data = data[written:]
            if not written:
                if time.monotonic() > deadline:
                    raise DeskError(
                        f"The program did not read its input within {WRITE_TIMEOUT:g} seconds.",
                        code="program_failed",
                    )
                time.sleep(0.01)

    def modes(self) -> tuple[bool, bool]:
        """Return whether the terminal echoes and whether it is in line mode; (True, True) when that is unknown."""
        with self._lock:
            if not self._open:
                return True, True
            try:
                flags: int = termios.tcgetattr(self._fd)[3]
            except termios.error:
                return True, True
        return bool(flags & termios.ECHO), bool(flags & termios.ICANON)

    def waits_for_input(self) -> bool | None:
        """Return whether a process in the foreground waits for input; None if that cannot be determined."""
        with self._lock:
            return waits_for_input(self._fd, self._terminal) if self._open else None

    def redraw(self, rows: int, columns: int) -> None:
        """Make a full-screen program redraw everything, by resizing its window and back."""
        with self._lock, contextlib.suppress(OSError):
            if self._open:
                _resize(self._fd, rows - 1, columns)
                _resize(self._fd, rows, columns)

    def release(self) -> None:
        """Close the descriptors; for the thread that reads."""
        with self._lock:
            if self._open:
                self._open = False
                os.close(self._fd)
                if self._pidfd >= 0:
                    os.close(self._pidfd)


def _set_up(terminal: int, profile: Profile) -> None:
    """Set size, UTF-8, no ^C on the screen, and the echo, before the program can change them."""
    _resize(terminal, profile.rows, profile.columns)
    attributes = termios.tcgetattr(terminal)
    attributes[0] |= _UTF8
    attributes[3] &= ~termios.ECHOCTL
    if not profile.echo:
        attributes[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, attributes)


def _resize(terminal: int, rows: int, columns: int) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def _start_process(
    argv: list[str], folder: Path, variables: dict[str, str], terminal: int
) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(
            argv,
            cwd=folder,
            env=variables,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
            preexec_fn=_acquire_terminal,
        )
    except (OSError, subprocess.SubprocessError, ValueError) as fault:
        reason = fault.strerror or fault if isinstance(fault, OSError) else fault
        raise DeskError(
            f"The program {Path(argv[0]).name!r} could not be started.",
            hint=f"{reason}.",
            code="program_failed",
        ) from fault


def _acquire_terminal() -> None:
    """Make the terminal the session's controlling one, so that hang-ups and Ctrl-C arrive, and reset ignored signals.

    A server that a script started in the background ignores SIGINT, and its children would inherit that.
    """
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def environment(profile: Profile, mark: str, server: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the variables of a program. TERM is the desk's terminal unless the profile sets another one."""
    names = {
        name for name in server if name in INHERITED or name.startswith("LC_") or name in profile.env_from
    }
    variables = {name: server[name] for name in sorted(names)}
    variables.setdefault("LANG", "C.UTF-8")
    return {**variables, "TERM": "xterm-256color", **profile.env, MARK: mark}


def executable(command: str, variables: Mapping[str, str], folder: Path) -> str:
    """Return the path of a program. Raises DeskError program_missing, or program_failed when it is not executable."""
    located = shutil.which(command, path=variables.get("PATH", os.defpath)) if "/" not in command else None
    if located is not None:
        return located
    named = [folder / command] if "/" in command else _in_path(command, variables.get("PATH", os.defpath))
    for file in named:
        if file.is_file() and os.access(file, os.X_OK):
            return str(file)
        if file.exists():
            raise DeskError(
                f"The program {command[:200]!r} is not executable.",
                hint="Expected a file with the right to execute it (chmod +x).",
                code="program_failed",
            )
    raise DeskError(
        f"There is no program {command[:200]!r}.",
        hint="Install it, put it on the server's PATH, or give its full path in the profile's `command`.",
        code="program_missing",
    )


def _in_path(command: str, path: str) -> list[Path]:
    return [Path(place, command) for place in path.split(os.pathsep) if place]
