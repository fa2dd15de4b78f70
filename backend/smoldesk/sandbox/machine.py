"""Processors and memory that this server may use: those of the machine, or of its control groups if they have less.

A container's limits are those of its control group (cgroups(7), both versions); /proc/meminfo shows the machine's memory
there, and the affinity the machine's processors. A group is limited by those above it, too.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MEMBERSHIP = Path("/proc/self/cgroup")
GROUPS = Path("/sys/fs/cgroup")
MEMINFO = Path("/proc/meminfo")


class _MemoryFiles(NamedTuple):
    """Names of the files of a group, and the shares of what it caches that count as free."""

    limit: str
    used: str
    free_shares: dict[str, float]


# The kernel gives caches back before it swaps or kills, as MemAvailable supposes. Files in use now would be read again:
# half of those counts.
_MEMORY = (
    _MemoryFiles(
        "memory.max", "memory.current", {"inactive_file": 1, "active_file": 0.5, "slab_reclaimable": 1}
    ),
    _MemoryFiles(
        "memory.limit_in_bytes", "memory.usage_in_bytes", {"total_inactive_file": 1, "total_active_file": 0.5}
    ),
)


class Memory(NamedTuple):
    """Bytes that a machine or a control group may use, and those that could be had without swapping."""

    limit: int
    free: int


def processors(groups: Path = GROUPS, membership: Path = MEMBERSHIP) -> int:
    """Return the number of processors that this server may use."""
    if sys.platform != "linux":
        return max(1, os.cpu_count() or 1)
    quotas = [quota for folder in _folders("cpu", groups, membership) for quota in _quotas(folder)]
    return max(1, min([len(os.sched_getaffinity(0)), *quotas]))


def memory(groups: Path = GROUPS, membership: Path = MEMBERSHIP) -> Memory:
    """Return the smallest limit and the least that is free; both very large where the system does not say."""
    limits = [_of_machine()]
    limits += [group for folder in _folders("memory", groups, membership) for group in _of_group(folder)]
    return Memory(min(memory.limit for memory in limits), max(0, min(memory.free for memory in limits)))


def is_short_of_memory(least: int, groups: Path = GROUPS, membership: Path = MEMBERSHIP) -> bool:
    """Return whether less than `least` bytes are free, or less than an eighth where that is smaller.

    A container of 512 MiB never has 512 MiB free, and is not short of memory for that reason.
    """
    limit, free = memory(groups, membership)
    return free < min(least, limit // 8)


def _of_machine() -> Memory:
    lines = [line.split() for line in _text(MEMINFO).splitlines()]
    sizes = {words[0]: _number(words[1]) for words in lines if len(words) > 1}
    total, available = (sizes.get(key) for key in ("MemTotal:", "MemAvailable:"))
    return Memory(*(sys.maxsize if size is None else size * 1024 for size in (total, available)))


def _folders(controller: str, groups: Path, membership: Path) -> Iterator[Path]:
    """Yield the folder of our group, and of each above it as far as it can be seen.

    Number 0 is the hierarchy of version 2, whose line names no controllers. In a container the path may be that of the
    machine, although only our own group is mounted: then the uppermost folder has the limits.
    """
    for line in _text(membership).splitlines():
        number, controllers, group = [*line.split(":", 2), "", ""][:3]
        if number != "0" and controller not in controllers.split(","):
            continue
        top = groups if number == "0" else groups / controller
        parts = [part for part in group.split("/") if part not in ("", "..")]
        for count in range(len(parts), -1, -1):
            yield top.joinpath(*parts[:count])


def _quotas(folder: Path) -> Iterator[int]:
    """Yield the processors that a group may use, rounded up."""
    words = _text(folder / "cpu.max").split() or [
        _text(folder / f"cpu.cfs_{name}_us").strip() for name in ("quota", "period")
    ]
    quota, period = [*map(_number, words), None, None][:2]
    if quota is not None and period:
        yield -(-quota // period)


def _of_group(folder: Path) -> Iterator[Memory]:
    """Yield the memory of a group that has a limit."""
    for names in _MEMORY:
        limit, used = (_number(_text(folder / name).strip()) for name in (names.limit, names.used))
        if limit is not None and used is not None:
            pairs = [line.split() for line in _text(folder / "memory.stat").splitlines()]
            shares = names.free_shares
            cached = [(_number(pair[1]) or 0) * shares.get(pair[0], 0) for pair in pairs if len(pair) == 2]
            yield Memory(limit, limit - used + int(sum(cached)))


def _text(file: Path) -> str:
    try:
        return file.read_text("ascii", "replace")
    except OSError:
        return ""


def _number(text: str) -> int | None:
    """Return a number of bytes or microseconds; None for `max`, for -1 (no limit) and for anything else."""
    return int(text) if text.isascii() and text.isdigit() else None
