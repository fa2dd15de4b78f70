"""Usage of a foreign program and its descendants: the kernel limits each process, not their sum.

Read from /proc, so on Linux only. The watched process is the one that waits for the program outside its namespace:
the kernel shows all of the program's descendants there.
"""

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from smoldesk.sandbox.folder_watch import FolderWatch
from smoldesk.sandbox.limits import MIB, Limits

# Interval of checks; a process that forks in a loop creates about a thousand in that time.
EVERY_SECONDS = 0.25
# The first of four fields of /proc/PID/stat, counted behind the name: proc_pid_stat(5), where it is the 14th.
UTIME = 11


@dataclass(frozen=True)
class ResourceUsage:
    """Processes, bytes of memory, and seconds of processor time, also of processes that ended."""

    processes: int
    memory: int
    seconds: float


class ProgramWatch:
    """Compares a program's processes and its folder with their limits."""

    def __init__(self, pid: int, folder: Path, limits: Limits) -> None:
        self._pid = pid
        self._limits = limits
        self._folder = FolderWatch(folder, limits)

    @property
    def folder_bytes(self) -> int:
        """The folder's size at the last measurement, about once a second."""
        return self._folder.size

    def excess(self) -> str:
        """Return which limit is exceeded, as the end of a sentence, or an empty string."""
        limits, usage = self._limits, process_usage(self._pid)
        if usage.processes > limits.threads:
            return f"it has {usage.processes} processes, more than {limits.threads}"
        if usage.memory > limits.memory:
            return f"it holds {usage.memory // MIB} MB of memory, more than {limits.memory // MIB}"
        if usage.seconds > limits.seconds:
            return f"it used {usage.seconds:.0f} s of processor time, more than {limits.seconds}"
        if self._folder.state() != "fine":
            return f"its folder holds more than {limits.folder // MIB} MB or {limits.files:,} files"
        return ""


def process_usage(pid: int) -> ResourceUsage:
    """Return the sum up a process and its descendants; those that end meanwhile are left out."""
    processes, memory, ticks = 0, 0, 0
    waiting = [str(pid)]
    while waiting:
        place = Path("/proc", waiting.pop())
        with contextlib.suppress(OSError, ValueError, IndexError):
            # proc_pid_stat(5): the program's name is in parentheses and may have spaces and parentheses of its own.
            fields = (place / "stat").read_text().rpartition(")")[2].split()
            processes += 1
            memory += _memory(place)
            ticks += sum(map(int, fields[UTIME : UTIME + 4]))
            for task in (place / "task").iterdir():
                # The kernel lists children by the thread that forked them.
                waiting += (task / "children").read_text().split()
    return ResourceUsage(processes, memory, ticks / os.sysconf("SC_CLK_TCK"))


def _memory(place: Path) -> int:
    """Return the bytes of one process: its share of pages that forked processes share, where the kernel lets us see that."""
    try:
        rollup = (place / "smaps_rollup").read_text()
        return 1024 * int(next(line.split()[1] for line in rollup.splitlines() if line.startswith("Pss:")))
    except (OSError, StopIteration):  # a process that forbids it, or one that is ending
        _, resident, shared, *_ = map(int, (place / "statm").read_text().split())
        return (resident - shared) * os.sysconf("SC_PAGE_SIZE")
