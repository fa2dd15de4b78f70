"""Writing into a chat's folder, which untrusted code may be changing at the same moment.

The code of a chat can plant a symlink under any name at any time, so nothing here follows one: a file is
written under a fresh name (O_EXCL, O_NOFOLLOW, relative to the opened folder) and then takes its name in
one atomic step, which replaces a link itself, never what it points to. Readers see the old file or the new
one, never half.
"""

import os
import secrets
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from backend.errors import BadInput, Conflict

LONGEST_NAME = 200
"""In UTF-8 bytes, with the extension; file systems take 255."""

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_BY_FD = os.open in os.supports_dir_fd
_RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}


def file_name(text: object, extension: str) -> str:
    """A plain name with this extension (".csv"), added when absent; raises BadInput saying what is wrong."""
    if not isinstance(text, str):
        raise BadInput(f"A file name is text, not {type(text).__name__}.")
    name = text.strip()
    stem = name[: -len(extension)] if name.lower().endswith(extension) else name
    shown = repr(text[:60])
    if not stem:
        raise BadInput("The file name is empty.", hint='Give a plain name such as "result".')
    if any(sign in stem for sign in "/\\"):
        raise BadInput(
            f"The file name {shown} has a path in it.", hint="Files go into the chat's folder: no slashes."
        )
    if stem.startswith("."):
        raise BadInput(
            f"The file name {shown} begins with a dot.", hint='Give a plain name such as "result".'
        )
    if any(ord(sign) < 32 or ord(sign) == 127 or sign in '<>:"|?*' for sign in stem):
        raise BadInput(
            f"The file name {shown} has a sign in it that files cannot have.", hint='Not: < > : " | ? *'
        )
    if any("\ud800" <= sign <= "\udfff" for sign in stem):
        raise BadInput(f"The file name {shown} is not valid Unicode.")
    if stem.split(".")[0].strip().lower() in _RESERVED:
        raise BadInput(f"The file name {shown} is reserved on some systems.")
    whole = stem + extension
    if len(whole.encode()) > LONGEST_NAME:
        raise BadInput(
            f"The file name {shown} is too long.", hint=f"At most {LONGEST_NAME} bytes with {extension}."
        )
    return whole


def write(folder: Path, name: str, content: bytes) -> None:
    """Write the file, replacing a file or link of this name; raises Conflict when a folder is in the way."""
    with _fresh(folder, content) as (temporary, fd):
        try:
            if fd is None:
                (folder / temporary).replace(folder / name)
            else:
                os.rename(temporary, name, src_dir_fd=fd, dst_dir_fd=fd)
        except (IsADirectoryError, PermissionError) as fault:
            raise Conflict(f"{name} cannot be written: there is a folder of that name.") from fault


def add(folder: Path, name: str, content: bytes) -> str:
    """Write the file without replacing another; the name it got: `name`, or `name_2`, ... when taken.

    A file that already holds exactly this content is used as it is.
    """
    stem, extension = Path(name).stem, Path(name).suffix
    with _fresh(folder, content) as (temporary, fd):
        for number in range(1, 1000):
            wanted = name if number == 1 else f"{stem}_{number}{extension}"
            if _holds(folder, wanted, content, fd) or _claim(folder, temporary, wanted, fd):
                return wanted
    raise Conflict(f"There are too many files called {name} in the chat.")


@contextmanager
def _fresh(folder: Path, content: bytes) -> Generator[tuple[str, int | None]]:
    """A hidden new file with the content, and the folder's descriptor (None on systems without such calls).

    Whatever is left under the hidden name at the end is removed.
    """
    temporary = f".writing-{secrets.token_hex(8)}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _BINARY
    fd = os.open(folder, os.O_RDONLY | _DIRECTORY | _NOFOLLOW) if _BY_FD else None
    try:
        file = os.open(temporary if fd is not None else folder / temporary, flags, 0o644, dir_fd=fd)
        try:
            with os.fdopen(file, "wb") as out:
                out.write(content)
            yield temporary, fd
        finally:
            with suppress(FileNotFoundError):
                os.unlink(temporary if fd is not None else folder / temporary, dir_fd=fd)
    finally:
        if fd is not None:
            os.close(fd)


def _claim(folder: Path, temporary: str, name: str, fd: int | None) -> bool:
    """Give the new file its name; False when the name is taken, be it by a link."""
    try:
        if fd is None:
            os.link(folder / temporary, folder / name, follow_symlinks=False)
        else:
            os.link(temporary, name, src_dir_fd=fd, dst_dir_fd=fd, follow_symlinks=False)
    except FileExistsError:
        return False
    return True


def _holds(folder: Path, name: str, content: bytes, fd: int | None) -> bool:
    """True when there is a regular file of this name with exactly this content."""
    flags = os.O_RDONLY | _NOFOLLOW | _BINARY | getattr(os, "O_NONBLOCK", 0)
    try:
        file = os.open(name if fd is not None else folder / name, flags, dir_fd=fd)
    except OSError:
        return False
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode) or status.st_size != len(content):
            return False
        with os.fdopen(file, "rb", closefd=False) as reader:
            return reader.read(len(content) + 1) == content
    finally:
        os.close(file)
