"""Opening a file by an untrusted name: inside the chat's folder, through no symbolic link, and only a regular file."""

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from smoldesk.errors import BadInput, NotFound

MAX_NAME = 1_000
# Levels of folders below a chat's, and bytes of a path below it. Each level costs a walk a descriptor and a frame of
# Python's stack; by longer paths than 4,096 bytes the kernel reaches nothing.
MAX_DEPTH, MAX_PATH = 100, 3_000


def is_too_deep(path: str) -> bool:
    """Return whether a path below a chat's folder is deeper or longer than the desk looks into."""
    return path.count("/") >= MAX_DEPTH or len(os.fsencode(path)) > MAX_PATH


def parts_of(name: str) -> list[str]:
    """Split a relative path into its steps. Raises NotFound for an absolute path, `..`, NUL or an empty path."""
    parts = name.split("/")
    bad = not name or len(name) > MAX_NAME or "\0" in name or any(part in ("", ".", "..") for part in parts)
    if bad:
        raise NotFound("That is not a file of this chat.")
    return parts


def open_inside(folder: Path, name: str) -> int:
    """Open the file `name` in `folder` for reading and return its descriptor, which the caller closes.

    Every step is opened without following links, so a folder swapped for a link between check and use leads nowhere.
    Raises NotFound for anything but a regular file inside.
    """
    *folders, last = parts_of(name)
    try:
        here = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for step in folders:
                below = os.open(step, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
                os.close(here)
                here = below
            # non-blocking, since a pipe of that name would keep us waiting for a writer
            descriptor = os.open(last, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=here)
        finally:
            os.close(here)
    except (OSError, ValueError):
        raise NotFound("That is not a file of this chat.") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NotFound("That is not a file of this chat.")
    return descriptor


def size_inside(folder: Path, name: str) -> int:
    """Return the bytes of the file `name` in `folder`; raises NotFound like `open_inside`."""
    descriptor = open_inside(folder, name)
    try:
        return os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)


@contextmanager
def opened_inside(folder: Path, name: str, limit: int) -> Generator[int, None, None]:
    """Yield a descriptor of the file `name` in `folder`. Raises NotFound like `open_inside`, BadInput beyond `limit`
    bytes.
    """
    descriptor = open_inside(folder, name)
    try:
        size = os.fstat(descriptor).st_size
        if size > limit:
            raise BadInput(f"{name[:80]!r} has {size} bytes.", f"Expected at most {limit}.")
        yield descriptor
    finally:
        os.close(descriptor)
