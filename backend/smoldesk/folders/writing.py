"""Writing into a chat's folder. A file is written under a fresh name (O_EXCL, O_NOFOLLOW, relative to the opened
folder) and then takes its name in one atomic step, which replaces a link itself, never what it points to. Readers see
the old file or the new one, never half.
"""

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from smoldesk.errors import BadInput, Conflict, NotFound
from smoldesk.folders.names import checked_name, free_name
from smoldesk.folders.reading import parts_of

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_BY_FD = os.open in os.supports_dir_fd


def place(folder: Path, name: str, source: Path) -> None:
    """Copy `source` into the folder, replacing a file or link of this name; raises BadInput for a folder, or no name."""
    checked_name(name)
    with (
        source.open("rb") as origin,
        _fresh(folder, lambda target: shutil.copyfileobj(origin, target, 1 << 20)) as (temporary, fd),
    ):
        try:
            _rename(folder, temporary, name, fd)
        except IsADirectoryError as fault:
            raise BadInput(f"{name!r} is a folder of this chat.", "Choose another name.") from fault


def place_below(folder: Path, name: str, source: Path) -> None:
    """Copy `source` into a folder that no code has worked in yet, under a name that may have folders in it. Raises BadInput."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        raise BadInput(f"{name[:80]!r} is not a valid file name.")
    (folder / path.parent).mkdir(parents=True, exist_ok=True)
    place(folder / path.parent, path.name, source)


def place_free(folder: Path, wanted: str, source: Path) -> str:
    """Copy `source` into the folder under a free name like `wanted`, see `free_name`; the name. Raises BadInput."""
    checked_name(wanted)
    with (
        source.open("rb") as origin,
        _fresh(folder, lambda target: shutil.copyfileobj(origin, target, 1 << 20)) as (temporary, fd),
    ):
        while not _claim(folder, temporary, name := free_name(folder, wanted), fd):
            pass  # another process took the name between check and claim: try the next one
    return name


def write(folder: Path, name: str, content: bytes) -> None:
    """Write the file, replacing a file or link of this name; raises Conflict when a folder is in the way."""
    with _fresh(folder, lambda target: target.write(content)) as (temporary, fd):
        try:
            _rename(folder, temporary, name, fd)
        except (IsADirectoryError, PermissionError) as fault:
            raise Conflict(f"{name} cannot be written: there is a folder of that name.") from fault


def add(folder: Path, name: str, content: bytes) -> str:
    """Write the file without replacing another; the name it got: `name`, or `name_2`, ... when taken.

    A file that already holds exactly this content is used as it is.
    """
    stem, extension = Path(name).stem, Path(name).suffix
    with _fresh(folder, lambda target: target.write(content)) as (temporary, fd):
        for number in range(1, 1000):
            candidate = name if number == 1 else f"{stem}_{number}{extension}"
            if _holds(folder, candidate, content, fd) or _claim(folder, temporary, candidate, fd):
                return candidate
    raise Conflict(f"There are too many files called {name} in the chat.")


@contextmanager
def _fresh(
    folder: Path, fill: Callable[[BinaryIO], object], opened: int | None = None
) -> Generator[tuple[str, int | None]]:
    """Yield a new hidden file with content, and the folder's descriptor (None on systems without such calls).

    `opened` is a descriptor of the folder that its caller closes.

    A file that still has the hidden name at the end is removed.
    """
    temporary = f".writing-{secrets.token_hex(8)}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _BINARY
    fd = opened
    if fd is None and _BY_FD:
        fd = os.open(folder, os.O_RDONLY | _DIRECTORY | _NOFOLLOW)
    try:
        file = os.open(temporary if fd is not None else folder / temporary, flags, 0o644, dir_fd=fd)
        try:
            with os.fdopen(file, "wb") as out:
                # the folder's code is another user, and may wait for the file
                if fd is not None and os.geteuid() == 0:
                    owner = os.fstat(fd)
                    os.fchown(file, owner.st_uid, owner.st_gid)
                fill(out)
            yield temporary, fd
        finally:
            with suppress(FileNotFoundError):
                os.unlink(temporary if fd is not None else folder / temporary, dir_fd=fd)
    finally:
        if fd is not None and fd != opened:
            os.close(fd)


def _rename(folder: Path, temporary: str, name: str, fd: int | None) -> None:
    """Give the new file its name, replacing a file of that name. Raises OSError for a folder."""
    if fd is None:
        (folder / temporary).replace(folder / name)
    else:
        os.replace(temporary, name, src_dir_fd=fd, dst_dir_fd=fd)


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
    """Return whether a regular file of this name has exactly this content."""
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


def rename(folder: Path, name: str, new: str) -> bool:
    """Rename a file of the folder; return False for an existing name. Raises NotFound."""
    fd = os.open(folder, os.O_RDONLY | _DIRECTORY | _NOFOLLOW) if _BY_FD else None
    old_place, new_place = (name, new) if fd is not None else (folder / name, folder / new)
    try:
        os.link(old_place, new_place, src_dir_fd=fd, dst_dir_fd=fd, follow_symlinks=False)
        os.unlink(old_place, dir_fd=fd)
    except FileExistsError:
        return False
    except OSError as fault:
        raise NotFound(f"{name[:80]!r} is not a file of the chat's folder any more.") from fault
    finally:
        if fd is not None:
            os.close(fd)
    return True


def remove_tree(folder: Path) -> None:
    """Delete a chat's folder; links in it are removed, not followed."""
    with suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if _BY_FD and folder.is_dir() and not folder.is_symlink():
        _unlock(folder)
        _flatten(folder)
        shutil.rmtree(folder, ignore_errors=True)


def _flatten(folder: Path) -> None:
    """Move all folders below into `folder` itself, with all rights: code may nest them deeper than rmtree or its
    descriptors reach, or take away the right to list or change them.
    """
    with suppress(OSError), _entered(folder) as top:
        names = _folders_in(top)
        while names:
            with suppress(OSError), _entered(names.pop(), top) as here:
                for name in _folders_in(here):
                    moved = secrets.token_hex(16)
                    os.rename(name, moved, src_dir_fd=here, dst_dir_fd=top)
                    names.append(moved)


@contextmanager
def _entered(name: "Path | str", above: int | None = None) -> Generator[int]:
    here = os.open(name, os.O_RDONLY | _DIRECTORY | _NOFOLLOW, dir_fd=above)
    try:
        yield here
    finally:
        os.close(here)


def _folders_in(here: int) -> list[str]:
    """Return the names of the folders in an open one, each of which may be entered and moved from now on."""
    with os.scandir(here) as entries:
        names = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    for name in names:
        _unlock(name, here)
    return names


def _unlock(name: "Path | str", above: int | None = None) -> None:
    """Give the server all rights to a folder. Linux opens it without any right to it, and follows no link."""
    if hasattr(os, "O_PATH"):
        with suppress(OSError):
            handle = os.open(name, os.O_PATH | _DIRECTORY | _NOFOLLOW, dir_fd=above)
            try:
                os.chmod(f"/proc/self/fd/{handle}", 0o700)  # noqa: PTH101  (a link to what is open)
            finally:
                os.close(handle)


def replace_below(folder: Path, name: str, source: Path, only_new: bool = False) -> tuple[int, int]:
    """Copy `source` to the relative path `name`, making folders on the way; returns its bytes and time of change in ns.

    Raises NotFound for a link or a file among the folders; if `only_new`, also for an existing file.
    """
    *steps, last = parts_of(name)
    with (
        _opened(folder, steps, make=True) as here,
        source.open("rb") as origin,
        _fresh(folder, lambda target: shutil.copyfileobj(origin, target, 1 << 20), here) as (temporary, _),
    ):
        status = os.stat(temporary, dir_fd=here, follow_symlinks=False)
        if only_new:
            if not _claim(folder, temporary, last, here):
                raise NotFound(f"{name[:80]!r} exists already.")
            return status.st_size, status.st_mtime_ns
        try:
            _rename(folder, temporary, last, here)
        except IsADirectoryError as fault:
            raise NotFound(f"{name[:80]!r} is a folder of this chat.") from fault
        return status.st_size, status.st_mtime_ns


def remove_below(folder: Path, name: str) -> None:
    """Delete a file, and the folders around it that are empty then. A missing one is ignored."""
    *steps, last = parts_of(name)
    with suppress(NotFound, OSError):
        with _opened(folder, steps) as here:
            os.unlink(last, dir_fd=here)
        while steps:
            with _opened(folder, steps[:-1]) as here:
                os.rmdir(steps[-1], dir_fd=here)
            steps.pop()


def move_aside(folder: Path, name: str) -> None:
    """Give a file another name beside the old one: `data (1f3a).csv`. A missing one is ignored. Raises OSError."""
    *steps, last = parts_of(name)
    stem, dot, ending = last.partition(".")
    other = f"{stem[:40]} ({secrets.token_hex(4)}){dot}{ending[-20:]}"
    with suppress(NotFound, FileNotFoundError), _opened(folder, steps) as here:
        os.rename(last, other, src_dir_fd=here, dst_dir_fd=here)


@contextmanager
def _opened(folder: Path, steps: Sequence[str], make: bool = False) -> Generator[int]:
    """Yield a descriptor of a folder below `folder`. Raises NotFound for one that is a link or does not exist."""
    here = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for step in steps:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(step, dir_fd=here)
                    _give(step, here)
            below = os.open(step, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
            os.close(here)
            here = below
        yield here
    except OSError as fault:
        if isinstance(fault, NotADirectoryError | FileNotFoundError) or fault.errno == errno.ELOOP:
            raise NotFound("That is not a folder of this chat.") from None
        raise
    finally:
        os.close(here)


def _give(step: str, here: int) -> None:
    """Make a new folder belong to the owner of the one around it."""
    if os.geteuid() == 0:
        owner = os.fstat(here)
        os.chown(step, owner.st_uid, owner.st_gid, dir_fd=here, follow_symlinks=False)
