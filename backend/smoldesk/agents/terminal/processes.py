"""Everything a program started, found and ended: no process is left behind.

A program may fork, start sessions of its own and let its parents die. So its family is: its descendants, who shares its
session, and who carries its mark in the environment.
"""

import os
import signal
import time
from collections.abc import Iterator

import psutil

# Carries a value of each program's own, by which everything it started is found again.
MARK = "SMOLDESK_PROGRAM"
_LOOK = 0.02
_ROUNDS = 50


class Family:
    """The processes of one program. To be made while the program is not reaped: later its id may be another's."""

    def __init__(self, pid: int, mark: str) -> None:
        self.pid = pid
        self._mark = mark
        self._program = psutil.Process(pid)

    def members(self) -> list[psutil.Process]:
        """Those that live, the program included."""
        processes = {process.pid: process for process in self._related() if process.pid != os.getpid()}
        return [process for process in processes.values() if _lives(process)]

    def _related(self) -> Iterator[psutil.Process]:
        if _lives(self._program):
            yield self._program
            yield from _children(self._program)
        ours = (
            not psutil.pid_exists(self.pid) or self._program.is_running()
        )  # else the id is another's by now
        for process in psutil.process_iter():
            try:
                related = (ours and os.getsid(process.pid) == self.pid) or process.environ().get(
                    MARK
                ) == self._mark
            except (psutil.Error, OSError):
                continue
            if related:
                yield process
                yield from _children(process)

    def end(self, grace: float) -> int:
        """Hang up, ask to terminate, then kill; how many had to be killed. Takes little more than `grace` seconds."""
        members = self.members()
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGCONT):
            _signal(members, number)
        deadline = time.monotonic() + grace
        while time.monotonic() < deadline and any(map(_lives, members)):
            time.sleep(_LOOK)
        killed: set[int] = set()
        for _ in range(_ROUNDS):  # who forks while it is killed is found in the next round
            members = self.members()
            if not members:
                break
            _signal(members, signal.SIGKILL)
            killed.update(process.pid for process in members)
            time.sleep(_LOOK)
        return len(killed)


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.Error:
        return []


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _signal(members: list[psutil.Process], number: int) -> None:
    for process in members:
        try:
            process.send_signal(number)  # refuses when the id belongs to another process by now
        except psutil.Error:
            continue
