"""Stamps of the files in a chat's folder: by them, a server finds what changed since it last had what the bucket has."""

import logging
import os
import stat
import time
from contextlib import suppress
from pathlib import Path

from smoldesk.errors import NotFound
from smoldesk.folders import open_inside

# What each server makes for itself: cached tables, and what a query wrote for lack of memory.
NOT_SYNCED = (".tables", ".spill-", ".writing-")
# Most files of a folder that are synchronised.
MAX_FILES = 10_000
# Bytes, and time of change in ns.
Stamp = tuple[int, int]
log = logging.getLogger(__name__)


def regular_files(folder: Path) -> tuple[dict[str, Stamp], bool]:
    """Return the stamps of the regular files below a folder, by relative path, and whether these are all."""
    found: dict[str, Stamp] = {}
    unreadable: list[OSError] = []
    for place, folders, names, here in os.fwalk(folder, onerror=unreadable.append, follow_symlinks=False):
        top = Path(place) == folder
        folders[:] = [name for name in folders if not (top and name.startswith(NOT_SYNCED))]
        for name in names:
            if top and name.startswith(NOT_SYNCED):
                continue
            if len(found) >= MAX_FILES:
                log.warning(
                    "a chat's folder has more than %d files: the others stay at this server", MAX_FILES
                )
                return found, False
            with suppress(FileNotFoundError):
                status = os.stat(name, dir_fd=here, follow_symlinks=False)
                if stat.S_ISREG(status.st_mode):
                    path = str(Path(place, name).relative_to(folder))
                    found[path] = (status.st_size, status.st_mtime_ns)
    return found, not unreadable


def has_bytes_of(folder: Path, name: str, other: Path) -> bool:
    """Return whether a file of a folder has the bytes of another file."""
    with os.fdopen(open_inside(folder, name), "rb") as file, other.open("rb") as arrived:
        if os.fstat(file.fileno()).st_size != os.fstat(arrived.fileno()).st_size:
            return False
        while chunk := file.read(1 << 20):
            if chunk != arrived.read(len(chunk)):
                return False
    return True


def stamp_of(folder: Path, name: str) -> Stamp:
    """Return the stamp of a file in a folder. Raises NotFound."""
    with os.fdopen(open_inside(folder, name), "rb") as file:
        status = os.fstat(file.fileno())
        return status.st_size, status.st_mtime_ns


def touched(folder: Path, name: str, expected: Stamp) -> Stamp | None:
    """Set the time of change of a file with this stamp to now, and return its new stamp; None if it has another one, is
    gone or belongs to someone else.
    """
    with suppress(NotFound, OSError), os.fdopen(open_inside(folder, name), "rb") as file:
        status = os.fstat(file.fileno())
        if (status.st_size, status.st_mtime_ns) == expected:
            now = max(time.time_ns(), status.st_mtime_ns + 1)
            os.utime(file.fileno(), ns=(now, now))
            return status.st_size, now
    return None
