"""The only way the server touches a chat's folder: relative names, no links, regular files.

Code that a model wrote owns that folder and may rename, link or swap anything in it at any time. So every open walks
down from a directory descriptor, follows no link, and believes only what fstat says of the descriptor it holds.
"""

import os
import secrets
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from backend.errors import BadInput, NotFound

NAME_LIMIT = 200
"""Longest file name in bytes; file systems end at 255, and we add a suffix to temporary ones."""


def checked_name(name: str) -> str:
    """A plain file name, unchanged; raises BadInput for one that is a path, hidden, empty, too long or not text."""
    if not name or name in {".", ".."} or "/" in name or "\\" in name:
        raise BadInput(
            f"{name[:80]!r} is not a file name.", "Expected a plain name without / or \\, such as sales.csv."
        )
    if name.startswith("."):
        raise BadInput(f"{name[:80]!r} is a hidden name.", "Expected a name that does not begin with a dot.")
    if any(ord(character) < 32 or ord(character) == 127 for character in name):
        raise BadInput("The file name has control characters.", "Expected a plain name such as sales.csv.")
    try:
        length = len(name.encode())
    except UnicodeEncodeError as fault:
        raise BadInput("The file name is not valid text.", "Expected a name in UTF-8.") from fault
    if length > NAME_LIMIT:
        raise BadInput(f"The file name is {length} bytes long.", f"Expected at most {NAME_LIMIT} bytes.")
    return name


@contextmanager
def opened_beneath(folder: Path, relative: str, limit: int) -> Generator[tuple[int, int], None, None]:
    """(descriptor, size) of a regular file below `folder`; raises NotFound for links, holes, or more than `limit` bytes."""
    parts = relative.split("/")
    if not relative or any(part in {"", ".", ".."} for part in parts) or "\0" in relative:
        raise NotFound(f"{relative[:80]!r} is not a file of this chat.")
    opened: list[int] = []
    try:
        try:
            opened.append(os.open(folder, os.O_RDONLY | os.O_DIRECTORY))
            for part in parts[:-1]:
                opened.append(os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=opened[-1]))
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK  # a fifo must not hold the run's thread
            opened.append(os.open(parts[-1], flags, dir_fd=opened[-1]))
        except (OSError, ValueError) as fault:
            raise NotFound(f"{relative[:80]!r} is not a file of this chat.") from fault
        status = os.fstat(opened[-1])
        if not stat.S_ISREG(status.st_mode):
            raise NotFound(f"{relative[:80]!r} is not a regular file.")
        if status.st_size > limit:
            raise BadInput(f"{relative[:80]!r} has {status.st_size} bytes.", f"Expected at most {limit}.")
        yield opened[-1], status.st_size
    finally:
        for descriptor in reversed(opened):
            os.close(descriptor)


def place(folder: Path, name: str, source: Path) -> None:
    """Copy `source` into `folder` as `name`, in one rename; what was there under that name is replaced, never followed."""
    checked_name(name)
    directory = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    temporary = f".{secrets.token_hex(8)}"
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        with (
            os.fdopen(os.open(temporary, flags, 0o644, dir_fd=directory), "wb") as target,
            source.open("rb") as origin,
        ):
            while chunk := origin.read(1 << 20):
                target.write(chunk)
        os.replace(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)
    except IsADirectoryError as fault:
        raise BadInput(f"{name!r} is a folder of this chat.", "Choose another name.") from fault
    finally:
        with suppress(FileNotFoundError):  # gone when it got its name
            os.unlink(temporary, dir_fd=directory)
        os.close(directory)
