"""One connected node, as the desk holds it: starts processes there, and notices when it is lost."""

import logging
import secrets
import select
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from smoldesk import __version__
from smoldesk.errors import Refused
from smoldesk.nodes.membership import NodeMember
from smoldesk.nodes.node_process import NodeProcess
from smoldesk.nodes.secure_stream import InvalidMessage, SecureStream
from smoldesk.sandbox.isolation import Isolation
from smoldesk.sandbox.limits import Limits
from smoldesk.sandbox.process import ChildProcess
from smoldesk.sandbox.shapes import Mismatch, array, boolean, integer, record, text
from smoldesk.sandbox.slots import Slots

log = logging.getLogger(__name__)
PROTOCOL = 1
# A node sends a beat this often. Without one for SILENT_SECONDS it gets no new processes; after LOST_SECONDS it is given up.
BEAT_SECONDS = 0.2
SILENT_SECONDS, LOST_SECONDS = 0.6, 0.95
# Beats of one second that are taken.
MAX_BEATS = 40
MAX_PROCESSES = 1_000


@dataclass(frozen=True)
class Hello:
    """Introduction of a node: its version, how many processes and computing cells it takes, its isolation."""

    version: str
    protocol: int
    processes: int
    cells: int
    isolated: bool
    label: str
    reasons: list[str]


_HELLO = record(
    Hello,
    version=text(50),
    protocol=integer(0, 10**6),
    processes=integer(1, MAX_PROCESSES),
    cells=integer(1, MAX_PROCESSES),
    isolated=boolean,
    label=text(100),
    reasons=array(text(500), 20),
)


def parse_hello(message: dict[str, Any], allow_unisolated: bool) -> Hello:
    """Check a node's introduction. Raises Refused, InvalidMessage."""
    version, protocol = message.get("version"), message.get("protocol")
    if (version, protocol) != (__version__, PROTOCOL):
        raise Refused(
            f"The node has version {str(version)[:50]} (protocol {str(protocol)[:10]}), "
            f"the desk {__version__} (protocol {PROTOCOL}).",
            "Install the same version of smoldesk on both.",
            code="node_version",
        )
    try:
        hello = _HELLO(message)
    except Mismatch as fault:
        raise InvalidMessage(f"an introduction of another form ({fault})") from None
    if not hello.isolated and not allow_unisolated:
        raise Refused(
            "Code would run on this node without isolation.",
            "`smoldesk doctor` there lists the missing layers; SMOLDESK_ALLOW_UNISOLATED at the desk allows it.",
            code="not_isolated",
        )
    return hello


class Node:
    """Implements Site. `serve` runs on a thread of its own until the node is lost."""

    def __init__(
        self,
        member: NodeMember,
        hello: Hello,
        stream: SecureStream,
        scratch: Path,
        limits: Limits,
        is_member: Callable[[str], bool],
    ) -> None:
        """`is_member` returns whether a certificate is still valid."""
        self.name = member.name
        self.serial = member.serial
        self.slots = Slots(hello.cells)
        self.max_children = hello.processes
        self.is_lost = False
        self._isolation = Isolation(hello.isolated, hello.label, hello.reasons)
        self._stream = stream
        self._scratch = scratch
        self._limits = limits
        self._is_member = is_member
        self._lock = threading.Lock()
        self._processes: dict[str, NodeProcess] = {}
        self._heard_at = time.monotonic()
        self._is_short = False

    @property
    def is_silent(self) -> bool:
        """Whether it gets no new processes, as it has sent no beat for a while."""
        return self.is_lost or time.monotonic() - self._heard_at > SILENT_SECONDS

    def start(self) -> ChildProcess:
        child = secrets.token_hex(16)
        process = NodeProcess(self.name, self._scratch, self._limits, lambda: self._forget(child), self.lose)
        with self._lock:
            if self.is_lost:
                raise OSError(f"the node {self.name} was lost")
            self._processes[child] = process
        try:
            self._stream.send({"fork": child}, 0)
        except OSError:
            self.lose("it took no request")
            raise
        return process

    def attach(self, child: str, role: str, stream: SecureStream) -> bool:
        """Give a connection to the process that waits for it; False if none does."""
        with self._lock:
            process = self._processes.get(child)
        return process is not None and process.attach(role, stream)

    def is_short_of_memory(self) -> bool:
        return self._is_short

    def report(self) -> Isolation:
        return self._isolation

    def serve(self) -> None:
        """Take the node's beats; returns when it is lost."""
        window, beats = time.monotonic(), 0
        late = 0.0
        reason = "its connection was closed"
        try:
            while not self.is_lost:
                began = time.monotonic()
                self._wait(min(BEAT_SECONDS, max(0.0, self._heard_at + LOST_SECONDS - began)))
                # What this thread itself was late must not count against the node.
                late = max(0.0, time.monotonic() - began - 2 * BEAT_SECONDS)
                self._heard_at += late
                while (message := self._stream.waiting()) is not None:
                    now = time.monotonic()
                    if now - window > 1:
                        window, beats = now, 0
                    beats += 1
                    self._note(message, beats)
                if time.monotonic() - self._heard_at >= LOST_SECONDS:
                    reason = f"it was silent for {LOST_SECONDS:g} s"
                    break
                if not self._is_member(self.serial):
                    reason = "its certificate was revoked"
                    break
        except (OSError, EOFError):
            pass
        except InvalidMessage as fault:
            reason = f"it sent {fault}"
        self.lose(reason)

    def lose(self, reason: str) -> None:
        """Give the node up, with all its processes."""
        with self._lock:
            if self.is_lost:
                return
            self.is_lost = True
            processes, self._processes = [*self._processes.values()], {}
        for process in processes:
            process.lose()
        self._stream.sock.cut()
        log.warning("the node %s is lost, with %d processes: %s", self.name, len(processes), reason)

    def _note(self, message: dict[str, Any], beats: int) -> None:
        if beats > MAX_BEATS:
            raise InvalidMessage("too many messages")
        match message:
            case {"beat": bool(is_short)}:
                self._heard_at, self._is_short = time.monotonic(), is_short
                self._stream.send({"beat": True}, 0)
            case _:
                raise InvalidMessage("an unknown message")

    def _wait(self, seconds: float) -> None:
        waiting = select.poll()
        waiting.register(self._stream.sock.fileno(), select.POLLIN)
        waiting.poll(seconds * 1000)

    def _forget(self, child: str) -> None:
        with self._lock:
            self._processes.pop(child, None)
