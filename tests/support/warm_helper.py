"""The process that has imported much and forks others: tests/support/warm.py asks it, over the socket at its descriptor 0.

It has one thread. It tells of each process it forks its pid and how it ended, and ends it when who asked has closed his
socket or is gone. A process is not waited for until then, so whoever signals it by its pid signals no other.
"""

import array
import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
import time
from dataclasses import dataclass

LENT = 5
"""Descriptors that come with a request: our end of the asker's socket, three streams, and perhaps one to be inherited."""


def serve() -> str:
    """Returns once in each process that is to be: with the code it is to run. The helper itself ends here."""
    gc.freeze()  # no fork copies pages only to look for garbage among the modules
    gc.enable()
    collect_seldom()
    orders = socket.socket(fileno=os.dup(0))
    return Helper(orders).serve()


def collect_seldom() -> None:
    """Look for garbage after 50,000 new objects, not 700: of the tests of a wire, that takes 5 % of the processor time."""
    gc.set_threshold(50_000, 20, 20)


@dataclass(frozen=True)
class Kept:
    """A process that runs, or has ended and is not waited for."""

    asker: socket.socket
    pid: int
    pidfd: int

    def close(self) -> None:
        self.asker.close()
        os.close(self.pidfd)


class Helper:
    def __init__(self, orders: socket.socket) -> None:
        self._orders = orders
        self._by_asker: dict[int, Kept] = {}
        self._by_pidfd: dict[int, Kept] = {}
        self._waiting = select.poll()
        self._waiting.register(orders, select.POLLIN)

    def serve(self) -> str:
        while True:
            for descriptor, _ in self._waiting.poll():
                if kept := self._by_asker.get(descriptor):
                    self._end_if_left(kept)
                elif kept := self._by_pidfd.get(descriptor):
                    self._tell_its_end(kept)
                elif descriptor == self._orders.fileno():
                    lent = self._borrowed()
                    if not lent:
                        self._end()
                    code = self._begin(*lent)
                    if code is not None:
                        return code

    def _borrowed(self) -> list[int]:
        """The descriptors of the next request; none when there will be no more."""
        size = array.array("i").itemsize
        message, inputs, _, _ = self._orders.recvmsg(1, socket.CMSG_LEN(LENT * size))
        descriptors = array.array("i")
        for _, _, data in inputs:
            descriptors.frombytes(data)
        return list(descriptors) if message else []

    def _begin(self, asking: int, *lent: int) -> str | None:
        """Fork a process, which alone gets its code."""
        asker = socket.socket(fileno=asking)
        with asker.makefile("rb") as reader:
            line = reader.readline()
        order = json.loads(line or "{}")
        pid = os.fork()
        if pid == 0:
            asker.close()
            self._orders.close()
            for kept in self._by_asker.values():
                kept.close()
            return become(order, lent)
        for descriptor in lent:
            os.close(descriptor)
        kept = Kept(asker, pid, os.pidfd_open(pid))
        self._by_asker[asker.fileno()] = self._by_pidfd[kept.pidfd] = kept
        self._waiting.register(asker, select.POLLIN)
        self._waiting.register(kept.pidfd, select.POLLIN)
        with contextlib.suppress(OSError):
            asker.sendall(b"%d\n" % pid)
        return None

    def _tell_its_end(self, kept: Kept) -> None:
        ended = os.waitid(os.P_PID, kept.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
        if ended is None:
            return
        del self._by_pidfd[kept.pidfd]
        self._waiting.unregister(kept.pidfd)
        killed = ended.si_code in (os.CLD_KILLED, os.CLD_DUMPED)
        with contextlib.suppress(OSError):
            kept.asker.sendall(b"%d\n" % (-ended.si_status if killed else ended.si_status))

    def _end_if_left(self, kept: Kept) -> None:
        """Nothing is ever sent by an asker: it has closed its socket, or is gone."""
        with contextlib.suppress(BlockingIOError, ConnectionResetError):
            if kept.asker.recv(1, socket.MSG_DONTWAIT):
                return
        del self._by_asker[kept.asker.fileno()]
        self._waiting.unregister(kept.asker)
        if self._by_pidfd.pop(kept.pidfd, None):
            self._waiting.unregister(kept.pidfd)
        kill(kept.pid)
        kept.close()

    def _end(self) -> None:
        for kept in self._by_asker.values():
            kill(kept.pid)
        os._exit(0)


def kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def become(order: dict[str, object], lent: tuple[int, ...]) -> str:
    """In the forked process: take what the order says; returns the code to run."""
    streams, others = lent[:3], lent[3:]
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    for stream in streams:
        os.close(stream)
    inherited = order["inherited"]
    assert isinstance(inherited, list)
    for descriptor, number in zip(others, inherited, strict=True):
        os.dup2(descriptor, number)
        if descriptor != number:
            os.close(descriptor)
    if order["session"]:
        os.setsid()
    os.environ.clear()
    os.environ.update(order["env"])  # pyright: ignore[reportArgumentType, reportCallIssue]
    time.tzset()
    os.umask(int(str(order["umask"])))
    os.chdir(str(order["cwd"]))
    sys.argv = ["-c", *order["arguments"]]  # pyright: ignore[reportGeneralTypeIssues]
    return str(order["code"])
