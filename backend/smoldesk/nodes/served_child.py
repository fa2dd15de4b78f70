"""One child at its node: passes frames and signals between the child and the desk, and exchanges the chat's files.

The thread of a child waits for all its descriptors at once. It never believes the child more than the desk does: frames
are passed on unread.
"""

import contextlib
import logging
import select
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from smoldesk.folders import remove_tree
from smoldesk.nodes.file_exchange import DiskFull, FileExchange
from smoldesk.nodes.node_process import FILES, FRAMES, LIFE
from smoldesk.nodes.secure_stream import InvalidMessage, SecureStream
from smoldesk.sandbox.folder_watch import FolderWatch, usage
from smoldesk.sandbox.forked import ForkedProcess
from smoldesk.sandbox.frames import encode
from smoldesk.sandbox.limits import Limits
from smoldesk.sandbox.process import change_owner, owner_of

log = logging.getLogger(__name__)
SIGNALS = {signal.SIGINT, signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT}
PIECE = 64 * 1024
WATCH_SECONDS = 0.5
END_SECONDS = 5.0


@dataclass(frozen=True)
class ChildConnections:
    """The three connections of a child with the desk."""

    frames: SecureStream
    life: SecureStream
    files: SecureStream

    def close(self) -> None:
        for stream in (self.frames, self.life, self.files):
            stream.sock.close()


class ServedChild:
    """A forked child with the socket `sock`; `folder` is new and belongs to it alone."""

    def __init__(
        self,
        forked: ForkedProcess,
        sock: socket.socket,
        folder: Path,
        limits: Limits,
        has_separate_user: bool,
    ) -> None:
        sock.setblocking(False)
        self._forked = forked
        self._sock = sock
        self._folder = folder
        self._limits = limits
        self._has_separate_user = has_separate_user
        self._to_desk = b""
        self._to_child = b""
        self._has_output = True
        """Whether the child's end of the socket is open."""
        self._has_begun = False
        self._has_ended = False
        self._watch: FolderWatch | None = None

    def serve(self, connect: Callable[[str], SecureStream]) -> None:
        """Connect with the desk by `connect`, serve until it closes the connections, then remove every trace."""
        try:
            connections = ChildConnections(connect(FRAMES), connect(LIFE), connect(FILES))
        except (OSError, EOFError, InvalidMessage) as fault:
            log.warning("a process could not be connected with the desk: %s", fault)
            self._end()
            return
        try:
            self._exchange = FileExchange(connections.files, self._folder, self._folder.parent, self._limits)
            while True:
                self._step(connections)
        except DiskFull:
            with contextlib.suppress(OSError):
                connections.life.send({"failed": "its disk is full"})
        except (OSError, EOFError, InvalidMessage):
            pass  # the desk is gone, or sends what this version does not know
        finally:
            connections.close()
            self._end()

    def _step(self, connections: ChildConnections) -> None:
        """Wait, then pass on what has arrived. Raises OSError or EOFError once the desk is gone."""
        frames, life, files = connections.frames, connections.life, connections.files
        ready = self._wait(connections)
        if life.sock.fileno() in ready:
            while (message := life.waiting()) is not None:
                self._signal(message)
        if files.sock.fileno() in ready:
            while (message := files.waiting()) is not None:
                self._serve_files(files, message)
        if (self._has_output and ready & {frames.sock.fileno(), self._sock.fileno()}) or self._to_child:
            self._pass_to_child(frames)
            self._pass_to_desk(frames)
        if self._forked.fileno() in ready:
            self._report(life)
        state = self._watch.state() if self._watch is not None else "fine"
        if state != "fine":
            life.send(self._size(state))

    def _wait(self, connections: ChildConnections) -> set[int]:
        """Return the descriptors that something has arrived at, or that take something again."""
        waiting = select.poll()
        waiting.register(connections.life.sock.fileno(), select.POLLIN)
        waiting.register(connections.files.sock.fileno(), select.POLLIN)
        if self._has_output:
            waiting.register(connections.frames.sock.fileno(), _events(not self._to_child, self._to_desk))
            waiting.register(self._sock, _events(not self._to_desk, self._to_child))
        if not self._has_ended:
            waiting.register(self._forked.fileno(), select.POLLIN)
        return {fd for fd, _ in waiting.poll(WATCH_SECONDS * 1000)}

    def _signal(self, message: dict[str, Any]) -> None:
        match message:
            case {"signal": int(number)} if number in SIGNALS:
                self._forked.signal(number)
                # The desk lets a process go on for each cell and stops it afterwards.
                if number == signal.SIGCONT:
                    self._watch = FolderWatch(self._folder, self._limits)
                elif number == signal.SIGSTOP:
                    self._watch = None
            case _:
                raise InvalidMessage("an unknown message about a process")

    # --- frames ----------------------------------------------------------------------------------------------------

    def _pass_to_child(self, frames: SecureStream) -> None:
        while self._has_output:
            if not self._to_child:
                try:
                    self._to_child = frames.sock.recv(PIECE)
                except BlockingIOError:
                    return
                if not self._to_child:
                    raise EOFError
            try:
                self._to_child = self._to_child[self._sock.send(self._to_child) :]
            except BlockingIOError:
                return
            except OSError:  # the child has ended; what it sent before is still passed on
                self._to_child = b""
                return

    def _pass_to_desk(self, frames: SecureStream) -> None:
        while self._has_output:
            if not self._to_desk:
                try:
                    # recv, not recvmsg: descriptors that a child attaches are closed by the kernel.
                    self._to_desk = self._sock.recv(PIECE)
                except BlockingIOError:
                    return
                except OSError:
                    self._to_desk = b""
                if not self._to_desk:
                    self._has_output = False
                    frames.sock.close()
                    return
            try:
                self._to_desk = self._to_desk[frames.sock.send(self._to_desk) :]
            except BlockingIOError:
                return

    def _report(self, life: SecureStream) -> None:
        """Report the process's start and end."""
        if not self._has_begun and self._forked.is_forked:
            self._has_begun = True
            life.send({"pid": self._forked.pid})
        if self._has_ended or not self._forked.ended():
            return
        status = self._forked.wait(END_SECONDS)
        self._has_ended, self._watch = True, None
        if complaint := self._forked.complaint():
            life.send({"failed": complaint})
        life.send({"status": -signal.SIGKILL if status is None else status})

    # --- files -----------------------------------------------------------------------------------------------------

    def _serve_files(self, files: SecureStream, message: dict[str, Any]) -> None:
        match message:
            case {"deliver": True}:
                facts = self._exchange.receive()
                if facts.get("enter"):
                    self._enter()
                files.send({"done": True})
            case {"collect": True}:
                self._collect()
            case _:
                raise InvalidMessage("an unknown message about files")

    def _enter(self) -> None:
        """Let the child begin: in its folder, as the user who owns it."""
        uid = owner_of(self._folder) if self._has_separate_user else None
        if uid is not None:
            change_owner(self._folder, uid)
        frame = encode({"type": "init", "folder": str(self._folder), "uid": uid})
        self._to_child = frame + self._to_child

    def _collect(self) -> None:
        """Send what the code changed, unless that is far too much."""
        changed, gone = self._exchange.changes()
        # Only files that changed can have made the folder too large.
        state = "far too full" if changed and self._is_far_too_full() else "fine"
        if state != "fine":
            changed, gone = [], []
        self._exchange.send(
            changed, gone, self._size(state) if state != "fine" else {"folder": "fine", "files": 0}
        )

    def _is_far_too_full(self) -> bool:
        return FolderWatch(self._folder, self._limits).state(at_once=True) == "far too full"

    def _size(self, state: str) -> dict[str, Any]:
        return {"folder": state, "files": usage(self._folder, self._limits).files}

    def _end(self) -> None:
        self._forked.kill()
        give_up = time.monotonic() + END_SECONDS
        while self._forked.wait(0.5) is None and time.monotonic() < give_up:
            pass
        self._forked.close()
        self._sock.close()
        remove_tree(self._folder)


def _events(reads: bool, unsent: bytes) -> int:
    return (select.POLLIN if reads else 0) | (select.POLLOUT if unsent else 0)
