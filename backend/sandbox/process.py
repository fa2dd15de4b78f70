"""One child process as the host holds it: its socket, its signals, its end.

Made by the supervisor thread only (a parent-death signal follows the thread that forked). A jail later makes
another class with these methods; nobody above asks how the process came to be.
"""

import os
import select
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from backend.sandbox.environment import child_command
from backend.sandbox.frames import FrameReader, encode

SEND_SECONDS = 10.0
END_SECONDS = 5.0
READ_BYTES = 1 << 18


class ChildGone(Exception):
    """The process has ended, or no longer takes what it is sent; the message says how."""


class ChildProcess:
    """A running child. `sock` is for select; `reader` holds what was read and not yet used."""

    def __init__(self, popen: "subprocess.Popen[bytes]", sock: socket.socket, complaints: Any) -> None:
        self.sock = sock
        self.reader = FrameReader()
        self.ready = False
        self.cells = 0
        self.interrupts = 0
        self.equipped_for: object = None
        """The executor whose tools are in the child's namespace."""
        self._popen = popen
        self._complaints = complaints
        self._lock = threading.Lock()
        self._ended = False
        sock.setblocking(False)

    @classmethod
    def start(
        cls, environment: Mapping[str, str], preload: Sequence[str], command: Sequence[str] | None = None
    ) -> "ChildProcess":
        """Exec a fresh interpreter; `command` replaces the child program (tests put rogues there: `{fd}` is
        filled).
        """
        ours, theirs = socket.socketpair()
        complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        fd = theirs.fileno()
        line = [part.replace("{fd}", str(fd)) for part in command] if command else child_command(fd, preload)
        try:
            popen = subprocess.Popen(
                line,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=complaints,
                env=dict(environment),
                cwd="/",
                pass_fds=(fd,),
                start_new_session=True,
            )
        except OSError:
            ours.close()
            complaints.close()
            raise
        finally:
            theirs.close()
        return cls(popen, ours, complaints)

    @property
    def pid(self) -> int:
        return self._popen.pid

    def enter(self, folder: Path) -> None:
        """Give the process to a chat; raises ChildGone."""
        self.send({"type": "init", "folder": str(folder)})

    def send(self, frame: dict[str, Any]) -> None:
        """Send one frame; raises ChildGone when the child does not take it, ValueError when too large."""
        self.send_bytes(encode(frame))

    def send_bytes(self, data: bytes) -> None:
        left = memoryview(data)
        give_up = time.monotonic() + SEND_SECONDS
        while left:
            try:
                left = left[self.sock.send(left) :]
            except BlockingIOError:
                waiting = select.poll()
                waiting.register(self.sock, select.POLLOUT)
                if time.monotonic() > give_up:
                    raise ChildGone("it did not take what it was sent") from None
                waiting.poll(500)
            except OSError:
                raise ChildGone(self.how_it_ended()) from None

    def receive(self) -> bool:
        """Read what there is into `reader`; False when there was nothing. Raises ChildGone at the end."""
        try:
            data = self.sock.recv(READ_BYTES)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            raise ChildGone(self.how_it_ended())
        self.reader.feed(data)
        return True

    def quiet(self) -> bool:
        """Whether an idle child lives and has said nothing out of turn."""
        try:
            return self.alive and not self.receive() and self.reader.empty
        except ChildGone:
            return False

    def interrupt(self) -> None:
        """Send SIGINT, counted: the child starts no further cell before it has seen it."""
        with self._lock:
            if not self._ended and self._popen.poll() is None:
                self.interrupts += 1
                os.kill(self.pid, signal.SIGINT)

    @property
    def alive(self) -> bool:
        return not self._ended and self._popen.poll() is None

    def signal_kill(self) -> None:
        """End the process, and leave the rest to the thread that serves it: it sees the end of the socket."""
        with self._lock:
            if not self._ended:
                self._signal_group()

    def kill(self) -> None:
        """End the process and its group, reap it, close what belongs to it; only by the thread that uses the
        socket.

        May be called again.
        """
        with self._lock:
            if self._ended:
                return
            self._ended = True
        self._signal_group()
        try:
            self._popen.wait(END_SECONDS)
        except subprocess.TimeoutExpired:  # stuck in the kernel: nothing else can be done from here
            self._popen.kill()
        self.sock.close()
        self._complaints.close()

    def how_it_ended(self) -> str:
        """ "exit code 3", "signal SIGSEGV", with what it complained about when it never became ready."""
        try:
            code = self._popen.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            return "its connection was closed"
        text = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        if code == -signal.SIGKILL:
            text += ", perhaps out of memory"
        return text if self.ready else f"{text}; {self._last_complaint()}"

    def _last_complaint(self) -> str:
        try:
            self._complaints.seek(0)
            lines = self._complaints.read().decode("utf-8", "replace").strip().splitlines()
        except (OSError, ValueError):
            return "no reason given"
        return lines[-1][:300] if lines else "no reason given"

    def _signal_group(self) -> None:
        """Children of the child too; those of a process already reaped are found by its session's group."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            if self._popen.poll() is None:
                self._popen.kill()
