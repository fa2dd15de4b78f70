"""Which files of a chat's folder are tables, for the server that has them queried and for cells, which query themselves."""

import contextlib
import os
import stat
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import BinaryIO

# Of a chat's folder, and of all shared ones together.
MOST_FILES = 40
# Name, bytes, and time changed in ns.
Stamp = tuple[str, int, int]


def is_table_file(name: str) -> bool:
    """Whether a file is one to look for tables in, by the ending of its name."""
    from .reading import ENDINGS  # with every reader: not before a file needs it

    return Path(name).suffix.lower() in ENDINGS and not name.startswith(".")


def table_stamps(folder: Path, bundled: Sequence[Path], opened: Callable[[str], BinaryIO]) -> list[Stamp]:
    """The first plain files that look like tables, by name, but for copies of `bundled` ones.

    Only what may be such a copy is `opened`, which raises OSError for a file that went away or is a link.
    """
    stamps: list[Stamp] = []
    for name in sorted(os.listdir(folder)):  # noqa: PTH208  (names are all it takes)
        if len(stamps) < MOST_FILES and is_table_file(name):
            with contextlib.suppress(OSError):  # code of the chat took it away meanwhile
                status = (folder / name).lstat()
                if stat.S_ISREG(status.st_mode) and not _is_copy(name, status, bundled, opened):
                    stamps.append((name, status.st_size, status.st_mtime_ns))
    return stamps


def shared_files(folders: Sequence[Path]) -> list[str]:
    """Absolute paths of the table files at the top of folders, by name; of two of one name the first. Links are none."""
    files_by_name: dict[str, str] = {}
    for folder in folders:
        with contextlib.suppress(OSError):  # it went away
            for path in sorted(folder.iterdir()):
                if len(files_by_name) < MOST_FILES and is_table_file(path.name) and _is_plain(path):
                    files_by_name.setdefault(path.name.casefold(), str(path))
    return list(files_by_name.values())


def visible_shared_files(
    shared: Sequence[str], chat_file_names: Collection[str]
) -> tuple[list[Stamp], list[str]]:
    """Shared files as tables beside a chat's `own` files, by absolute paths, and those that give way to one of its."""
    used_names = {name.casefold() for name in chat_file_names}
    visible: list[Stamp] = []
    hidden: list[str] = []
    for path in shared:
        if Path(path).name.casefold() in used_names:
            hidden.append(path)
            continue
        with contextlib.suppress(OSError):
            status = os.lstat(path)
            visible.append((path, status.st_size, status.st_mtime_ns))
    return visible, hidden


def excess_file_notes(folder: Path, shared: Sequence[Path]) -> list[str]:
    """What is said of table files that are more than are taken, of a chat's folder and of shared ones."""
    notes: list[str] = []
    for whose, folders in (("the chat", [folder]), ("the desk's folders", shared)):
        names: list[str] = []
        for one in folders:
            with contextlib.suppress(OSError):  # it went away
                names += filter(is_table_file, os.listdir(one))  # noqa: PTH208
        if len(names) > MOST_FILES:
            notes.append(
                f"{len(names) - MOST_FILES:,} more files of {whose}: only the first {MOST_FILES}, by name, are tables"
            )
    return notes


def _is_plain(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _is_copy(
    name: str, status: os.stat_result, bundled: Sequence[Path], opened: Callable[[str], BinaryIO]
) -> bool:
    """Whatever its name: a dataset's own name may have been taken when the code loaded it."""
    same_size = [path for path in bundled if path.stat().st_size == status.st_size]
    if not same_size:
        return False
    with opened(name) as file:
        content = file.read(status.st_size + 1)
    return any(content == path.read_bytes() for path in same_size)
