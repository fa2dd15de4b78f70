"""Processes of a program: finds and ends everything that it started.

A program may fork, start sessions, and let parents die before their children. Its family is therefore: its descendants,
the processes of its session, and those with its mark in their environment.
"""

import os
import signal
import time
from collections.abc import Iterator

import psutil

# Environment variable with a random value per program; children inherit it, even in new sessions.
MARK = "SMOLDESK_PROGRAM"
# Seconds between two checks, and rounds of SIGKILL: a process that forks while it is killed is found in the next one.
_POLL_SECONDS = 0.02
_ROUNDS = 50


class Family:
    """Processes of one program. Create it before the program is reaped: later its id may belong to another process."""

    def __init__(self, pid: int, mark: str) -> None:
        self.pid = pid
        self._mark = mark
        self._program = psutil.Process(pid)

    def members(self) -> list[psutil.Process]:
        """Return the living processes, the program included."""
        processes = {process.pid: process for process in self._related() if process.pid != os.getpid()}
        return [process for process in processes.values() if _lives(process)]

    def _related(self) -> Iterator[psutil.Process]:
        if _lives(self._program):
            yield self._program
            yield from _children(self._program)
        # otherwise the id belongs to another process by now
        ours = not psutil.pid_exists(self.pid) or self._program.is_running()
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
        """Send SIGHUP and SIGTERM, then SIGKILL after `grace` seconds; return the number of killed processes."""
        members = self.members()
        # SIGCONT last: a stopped process handles the others only when it continues
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGCONT):
            _signal(members, number)
        deadline = time.monotonic() + grace
        while time.monotonic() < deadline and any(map(_lives, members)):
            time.sleep(_POLL_SECONDS)
        killed: set[int] = set()
        for _ in range(_ROUNDS):
            members = self.members()
            if not members:
                break
            _signal(members, signal.SIGKILL)
            killed.update(process.pid for process in members)
            time.sleep(_POLL_SECONDS)
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
            process.send_signal(number)  # psutil compares start times, so a reused id is refused
        except psutil.Error:
            continue
