"""Resource limits: memory, threads, size and number of open files, processor time, no core dumps.

Stops: eating the machine's memory, filling the disk with one file, fork and thread bombs, queues and locked
memory (io_uring needs it). Not a total: the folder's size is the host's to watch. Kernel document:
getrlimit(2).
"""

import os
import resource
import sys
from typing import Any

MIB = 1024**2
# The nice value of a child.
YIELD = 10
# The nice value of its session, a third of the server's weight: other processes of a busy machine compete with it.
SESSION_YIELD = 5


def take(limits: dict[str, int], count_threads: bool, memory: str = "RLIMIT_AS") -> None:
    """Take the limits for good: `memory`, `file`, `open_files`, `threads`, `seconds`; bytes and counts.

    `count_threads` only when our user id or namespace is ours alone: the kernel counts per user. `memory` is RLIMIT_DATA
    for programs that reserve far more address space than they use, such as Node: it counts what can be written.
    """
    rlimits = {
        "RLIMIT_CORE": 0,
        memory: limits["memory"],
        "RLIMIT_FSIZE": limits["file"],
        "RLIMIT_NOFILE": limits["open_files"],
        "RLIMIT_CPU": limits["seconds"],
        "RLIMIT_STACK": 8 * MIB,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_SIGPENDING": 256,
        "RLIMIT_RTPRIO": 0,
        "RLIMIT_NICE": 0,
    }
    if count_threads:
        rlimits["RLIMIT_NPROC"] = limits["threads"]
    for name, limit in rlimits.items():
        # Python has constants such as RLIMIT_MSGQUEUE and RLIMIT_NICE on Linux only.
        which: Any = getattr(resource, name, None)
        if which is not None:
            _lower(which, limit)


def take_what_can_be(limits: dict[str, int]) -> None:
    """For a child without a jail: hygiene, as far as the system has these limits; macOS refuses some."""
    go_first()
    for name, limit in (("CORE", 0), ("NOFILE", limits["open_files"]), ("AS", limits["memory"])):
        try:
            _lower(getattr(resource, f"RLIMIT_{name}"), limit)
        except (AttributeError, ValueError, OSError):
            continue


def go_first() -> None:
    """Yield to the server: less processor time, and the first to go when memory is short.

    Linux weighs sessions against each other by themselves (sched(7), "The autogroup feature"): there a nice value counts
    among the processes of one session only, so the session of a child yields, too.
    A session that its code starts by setsid(2) does not yield; only a control group could bound it.
    """
    os.nice(YIELD)
    if sys.platform == "linux":
        for name, value in (("oom_score_adj", 500), ("autogroup", SESSION_YIELD)):
            try:
                with open(f"/proc/self/{name}", "w") as file:
                    file.write(str(value))
            except OSError:
                continue  # no /proc, a container that keeps it, a kernel without: courtesy only


def _lower(which: int, limit: int) -> None:
    _soft, hard = resource.getrlimit(which)
    # setrlimit(2): only CAP_SYS_RESOURCE may raise a hard limit, so a lower one that is already set stays.
    ceiling = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(which, (ceiling, ceiling))
