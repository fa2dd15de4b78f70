"""Size of a folder, measured by the child itself, since its files may belong to another user than the server's."""

import contextlib
import os
from pathlib import Path


def size_of(folder: Path) -> int:
    """Return the bytes of all files under a folder. Follows no link."""
    total = 0
    for place, _folders, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118 - a scan of many, kept fast
    return total
