"""Files below a folder, to be copied while programs change them: what is gone is passed over, what cannot be read is named."""

import errno
import os
import stat
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

from smoldesk.backup.manifest import path_of

CHUNK = 1 << 20
# Folders below each other, and bytes of a path, of which a restore can make the same.
MAX_DEPTH = 100
MAX_PATH_BYTES = 3_000
# Errors of opening a file that was deleted, or became a link, a socket or a folder.
_GONE = {errno.ENOENT, errno.ELOOP, errno.ENXIO, errno.ENOTDIR, errno.EISDIR}


class Unreadable(OSError):
    """Failure to read a file that is there."""


@dataclass(frozen=True)
class DeskFile:
    """File to be backed up.

    `write` copies it, before the next file is taken; it raises NotFound or FileNotFoundError if the file is gone, Unreadable
    if it is there and cannot be read.
    """

    path: str
    stamp: str
    write: Callable[[IO[bytes]], Any]


def files_below(
    folder: Path, steps: tuple[str, ...], is_omitted: Callable[[Path], bool]
) -> Generator[DeskFile]:
    """Yield the regular files below a folder. Links are left out: they may lead anywhere."""
    faults: list[OSError] = []
    for place, folders, names, here in _walked(folder, faults):
        above = Path(place).relative_to(folder)
        folders[:] = [name for name in folders if not is_omitted(Path(place, name))]
        if len(above.parts) >= MAX_DEPTH:
            names, folders[:] = [*names, *folders], []
        for name in names:
            relative = above / name
            if not is_omitted(folder / relative) and (stamp := _stamp(name, here)) is not None:
                path = path_of(*steps, *map(os.fsencode, relative.parts))
                is_too_deep = len(os.fsencode(relative)) > MAX_PATH_BYTES or len(above.parts) >= MAX_DEPTH
                yield DeskFile(path, stamp, _refuse if is_too_deep else partial(copy, name, here))
    for fault in faults:
        if fault.errno not in _GONE:
            # fwalk names the folder by its last step alone.
            yield DeskFile(path_of(*steps, os.fsencode(Path(str(fault.filename)).name)), "", _refuse)


def _walked(folder: Path, faults: list[OSError]) -> Generator[tuple[str, list[str], list[str], int]]:
    try:
        yield from os.fwalk(folder, onerror=faults.append, follow_symlinks=False)
    except OSError as fault:  # fwalk does not report those of the folder itself
        faults.append(fault)


def stamp_of(status: os.stat_result) -> str:
    """Return what changes with a file. No program can set the time of the last change of an inode."""
    return f"{status.st_ctime_ns}-{status.st_ino}"


def copy(name: str, folder: int, target: IO[bytes]) -> None:
    """Copy a regular file of an open folder. Raises FileNotFoundError or Unreadable; errors of `target` pass."""
    for chunk in _chunks(name, folder):
        target.write(chunk)


def _chunks(name: str, folder: int) -> Iterator[bytes]:
    try:
        # Non-blocking, since a pipe of that name would wait for a writer.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with os.fdopen(os.open(name, flags, dir_fd=folder), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileNotFoundError(name)
            while chunk := file.read(CHUNK):
                yield chunk
    except OSError as fault:
        if isinstance(fault, FileNotFoundError) or fault.errno in _GONE:
            raise FileNotFoundError(name) from None
        raise Unreadable(fault.errno, fault.strerror, name) from None


def _stamp(name: str, folder: int) -> str | None:
    """Return the stamp of a file, or None if it is gone, or neither a file nor a folder."""
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError as fault:
        return None if fault.errno in _GONE else ""
    is_copied = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
    return stamp_of(status) if is_copied else None


def _refuse(_: IO[bytes]) -> None:
    raise Unreadable(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
