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


class _MemoryFiles(NamedTuple):
    """Names of the files of a group, and the key of what it caches and could give back at once."""

    limit: str
    used: str
    cached: str


_MEMORY = (
    _MemoryFiles("memory.max", "memory.current", "inactive_file"),
    _MemoryFiles("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)


def processors(groups: Path = GROUPS, membership: Path = MEMBERSHIP) -> int:
    """Return the number of processors that this server may use."""
    if sys.platform != "linux":
        return max(1, os.cpu_count() or 1)
    quotas = [quota for folder in _folders("cpu", groups, membership) for quota in _quotas(folder)]
    return max(1, min([len(os.sched_getaffinity(0)), *quotas]))


def free_memory(groups: Path = GROUPS, membership: Path = MEMBERSHIP) -> int:
    """Return the bytes that could be had without swapping; very many where the system does not say."""
    rooms = [room for folder in _folders("memory", groups, membership) for room in _rooms(folder)]
    return max(0, min([_available(), *rooms]))


def _available() -> int:
    lines = _text(Path("/proc/meminfo")).splitlines()
    sizes = [_number(line.split()[1]) for line in lines if line.startswith("MemAvailable:")]
    return sizes[0] * 1024 if sizes and sizes[0] is not None else sys.maxsize


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


def _rooms(folder: Path) -> Iterator[int]:
    """Yield the bytes that a group has left."""
    for names in _MEMORY:
        limit, used = (_number(_text(folder / name).strip()) for name in (names.limit, names.used))
        if limit is not None and used is not None:
            pairs = [line.split() for line in _text(folder / "memory.stat").splitlines()]
            cached = [_number(pair[1]) or 0 for pair in pairs if len(pair) == 2 and pair[0] == names.cached]
            yield limit - used + sum(cached)


def _text(file: Path) -> str:
    try:
        return file.read_text("ascii", "replace")
    except OSError:
        return ""


def _number(text: str) -> int | None:
    """Return a number of bytes or microseconds; None for `max`, for -1 (no limit) and for anything else."""
    return int(text) if text.isascii() and text.isdigit() else None
