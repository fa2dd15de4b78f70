"""Child process as the host holds it: its socket, its signals, its end.

How the process was created (`forked`, `spawned`) is its handle's business. If the server is root, each child runs as
its own user, which owns the chat's folder.
"""

import os
import secrets
import select
import signal
import socket
import stat
import threading
import time
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from smoldesk.folders import is_too_deep
from smoldesk.sandbox.folder_watch import FolderWatch, State
from smoldesk.sandbox.frames import FrameReader, encode
from smoldesk.sandbox.limits import Limits
from smoldesk.stopping import StopFlag


class Handle(Protocol):
    """A started process. Exit codes are those of `subprocess`: negative for a signal. Any thread may call."""

    @property
    def pid(self) -> int:
        """Its process id on this machine; waits until it is forked."""
        ...

    def ended(self) -> bool:
        """Return whether it has ended; does not wait."""
        ...

    def wait(self, seconds: float) -> int | None:
        """Return its exit code, or None when it has not ended in time."""
        ...

    def signal(self, number: int) -> None:
        """Send a signal; nothing happens when it has ended."""
        ...

    def kill(self) -> None:
        """End it and what it started; does not wait."""
        ...

    def complaint(self) -> str:
        """Return the process's last stderr output before its first frame."""
        ...

    def close(self) -> None:
        """Give back what belongs to it; it has ended."""
        ...


class ChildChannel(Protocol):
    """The connection to a child: as much of a non-blocking socket as is used."""

    def fileno(self) -> int: ...

    def recv(self, bufsize: int, /) -> bytes: ...

    def send(self, data: memoryview, /) -> int: ...

    def close(self) -> None: ...


class FolderObserver(Protocol):
    """Observer of a chat's folder while a cell runs; see `FolderWatch`."""

    def state(self, at_once: bool = False) -> State: ...

    def sweep(self) -> int: ...


SEND_SECONDS = 10.0
END_SECONDS = 5.0
READ_BYTES = 1 << 18


class ChildGone(Exception):
    """The process has ended, or no longer takes what it is sent; the message says how."""


class ChildProcess:
    """A running child. `sock` is for select; `reader` holds what was read and not yet used."""

    loss = ""
    """Why it was lost with the machine it ran on, if it was."""

    def __init__(self, handle: Handle, sock: ChildChannel, has_separate_user: bool = False) -> None:
        """`has_separate_user`: the process becomes the user that owns its chat's folder, another than the server's."""
        self.sock = sock
        self.reader = FrameReader()
        self.ready = False
        self.cells = 0
        self.interrupts = 0
        self.equipped_for: object = None
        """The executor whose tools are in the child's namespace."""
        self._handle = handle
        self._has_separate_user = has_separate_user
        self._uid: int | None = None
        self._lock = threading.Lock()
        self._ended = False
        if isinstance(sock, socket.socket):
            sock.setblocking(False)

    @property
    def pid(self) -> int:
        return self._handle.pid

    def enter(self, folder: Path) -> None:
        """Give the process to a chat; raises ChildGone."""
        self._uid = owner_of(folder) if self._has_separate_user else None
        self.grant_folder(folder)
        self.send({"type": "init", "folder": str(folder), "uid": self._uid})

    def prepare(self, stop: StopFlag) -> None:
        """Wait until frames can be exchanged with the process; raises Stopped or ChildGone."""

    def grant_folder(self, folder: Path) -> None:
        """Let the process change what is in its chat's folder: uploads and tools' results are written by us."""
        if self._uid is not None:
            change_owner(folder, self._uid)

    def deliver(self, folder: Path, stop: StopFlag) -> None:
        """Bring what changed in the chat's folder to the process, if it has another one; raises ChildGone."""

    def collect(self, folder: Path, stop: StopFlag | None) -> None:
        """Bring what code changed into the chat's folder, if the process has another one; raises ChildGone."""

    def watch(self, folder: Path, limits: Limits) -> FolderObserver:
        """Return the observer of the folder that one cell writes to."""
        return FolderWatch(folder, limits)

    def send(self, frame: dict[str, Any]) -> None:
        """Send one frame; raises ChildGone when the child does not take it, ValueError when too large."""
        self.send_bytes(encode(frame))

    def send_bytes(self, data: bytes) -> None:
        remaining = memoryview(data)
        give_up = time.monotonic() + SEND_SECONDS
        while remaining:
            try:
                # A non-blocking socket may take a part of the data only.
                remaining = remaining[self.sock.send(remaining) :]
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
            # recv, not recvmsg: descriptors that a child attaches are closed by the kernel and never reach the server.
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
        """Return whether an idle child lives and has sent nothing."""
        try:
            return self.alive and not self.receive() and self.reader.empty
        except ChildGone:
            return False

    def is_silent(self) -> bool:
        """Return at once whether an idle child lives and has sent nothing, without reading what it sent."""
        waiting = select.poll()
        waiting.register(self.sock, select.POLLIN)
        return self.alive and not waiting.poll(0)

    def pause(self) -> None:
        """Stop the process where it is: its threads compute nothing until `resume`."""
        # signal(7): a process can neither catch nor ignore SIGSTOP.
        self._handle.signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._handle.signal(signal.SIGCONT)

    def interrupt(self) -> None:
        """Send SIGINT, counted: the child starts no further cell before it has seen it."""
        with self._lock:
            if not self._ended and not self._handle.ended():
                # Counted only if it is sent: the child starts its next cell after it has seen this many signals.
                self.interrupts += 1
                self._handle.signal(signal.SIGINT)

    @property
    def alive(self) -> bool:
        return not self._ended and not self._handle.ended()

    def signal_kill(self) -> None:
        """End the process, and leave the rest to the thread that serves it: it sees the end of the socket."""
        with self._lock:
            if not self._ended:
                self._handle.kill()

    def kill(self) -> None:
        """End the process and its group, reap it, close what belongs to it; only by the thread that uses the
        socket.

        May be called again.
        """
        with self._lock:
            if self._ended:
                return
            self._ended = True
        self._handle.kill()
        self._handle.wait(END_SECONDS)  # longer only when stuck in the kernel: nothing can be done from here
        self.sock.close()
        self._handle.close()

    def how_it_ended(self) -> str:
        """ "exit code 3", "signal SIGSEGV", with what it complained about when it never became ready."""
        code = self._handle.wait(END_SECONDS)
        if code is None:
            return "its connection was closed"
        text = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        if code == -signal.SIGKILL:
            text += ", perhaps out of memory"
        return text if self.ready else f"{text}; {self._handle.complaint() or 'no reason given'}"


# User ids that no installation assigns, and that exist in a container whose ids end at 65,535.
FIRST_UID, USERS = 61_200, 4_000


# From a random start, so that two servers on one machine rarely use the same ids.
_numbers = count(secrets.randbelow(USERS))
_lock = threading.Lock()


def owner_of(folder: Path) -> int:
    """Return the user that owns this chat's folder; a folder of the server gets one.

    So two processes of a chat, which may run at the same time, are one user.
    """
    with _lock:
        owner = folder.stat().st_uid
        if not FIRST_UID <= owner < FIRST_UID + USERS:
            owner = FIRST_UID + next(_numbers) % USERS
            os.chown(folder, owner, owner)
        return owner


def let_read(path: Path) -> None:
    """Let a child, which is another user than the server, read a stored file; only the server enters the folder it lies in."""
    path.chmod(0o644)


def change_owner(folder: Path, uid: int) -> None:
    """Make `uid` the owner of everything in the folder; the server, as root, reaches it all the same.

    Links are never followed. A file with several names is left alone: one of them could be elsewhere.
    """
    os.chown(folder, uid, uid)
    for path, folders, files, here in os.fwalk(folder, follow_symlinks=False):
        if is_too_deep(str(path)[len(str(folder)) + 1 :]):
            folders.clear()
        for name in (*folders, *files):
            try:
                status = os.stat(name, dir_fd=here, follow_symlinks=False)
                alone = status.st_nlink == 1 or stat.S_ISDIR(status.st_mode)
                if status.st_uid != uid and alone:
                    os.chown(name, uid, uid, dir_fd=here, follow_symlinks=False)
            except OSError:
                continue  # removed since the folder was listed
