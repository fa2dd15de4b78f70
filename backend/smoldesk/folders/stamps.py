"""Stamps of the files in a chat's folder: by them, a server or a node finds what changed since both sides were equal."""

import logging
import os
import stat
import time
from contextlib import suppress
from pathlib import Path

from smoldesk.errors import NotFound
from smoldesk.folders.reading import is_too_deep, open_inside

# What each server makes for itself: cached tables, and what a query wrote for lack of memory.
NOT_SYNCED = (".tables", ".spill-", ".writing-")
# Most files of a folder that are synchronised.
MAX_FILES = 10_000
# Bytes, and time of change in ns.
Stamp = tuple[int, int]
log = logging.getLogger(__name__)


def regular_files(folder: Path, most: int | None = None) -> tuple[dict[str, Stamp], bool]:
    """Return the stamps of the regular files below a folder, by relative path, and whether these are all.

    At most `most` files, by default as many as are synchronised through a bucket.
    """
    most = MAX_FILES if most is None else most
    found: dict[str, Stamp] = {}
    try:
        # Opened without following links, each below the last: code in the folder may swap any of them meanwhile.
        is_complete = _add_files(os.open(folder, os.O_RDONLY | os.O_DIRECTORY), "", found, most)
    except OSError:
        return found, False
    if len(found) > most:
        log.warning("a chat's folder has more than %d files: the others stay at this server", most)
        found.popitem()
        return found, False
    return found, is_complete


def _add_files(here: int, above: str, found: dict[str, Stamp], most: int) -> bool:
    """Add the files of an opened folder until there are more than `most`; return whether all could be read."""
    is_complete = True
    try:
        with os.scandir(here) as entries:
            for entry in entries:
                if not above and entry.name.startswith(NOT_SYNCED):
                    continue
                if len(found) > most:
                    break
                with suppress(FileNotFoundError):
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(status.st_mode):
                        found[above + entry.name] = (status.st_size, status.st_mtime_ns)
                    elif stat.S_ISDIR(status.st_mode):
                        is_complete &= _add_folder(here, above, entry.name, found, most)
    finally:
        os.close(here)
    return is_complete


def _add_folder(here: int, above: str, name: str, found: dict[str, Stamp], most: int) -> bool:
    if is_too_deep(above + name):
        return False
    try:
        below = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
        return _add_files(below, f"{above}{name}/", found, most)
    except FileNotFoundError:
        return True
    except OSError:
        return False


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
