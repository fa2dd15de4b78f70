"""What the machine has: processors we may use, and memory that is free."""

import os
import sys
from pathlib import Path


def processors() -> int:
    """How many processors this server may use."""
    if sys.platform == "linux":
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


def free_memory() -> int:
    """Bytes that could be had without swapping; very many where the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        return sys.maxsize
