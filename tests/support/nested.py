"""Folders nested deeper than a path or Python's stack reaches."""

import os
from pathlib import Path


def nest(folder: Path, levels: int, name: str) -> None:
    """Make folders below each other, with a file in the last one."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(name, dir_fd=here)
        below = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("hidden", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)
