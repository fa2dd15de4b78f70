"""Table files of a chat's folder, listed by the server for its queries and by cells for theirs."""

import contextlib
import os
import stat
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

# Maximum table files of a chat's folder, and of all shared folders together.
MAX_FILES = 40
# Hidden folder in a chat's, for cached tables and for the spill of each query.
CACHE_FOLDER = ".tables"
NEED_FILES = (".sqlite", ".sqlite3", ".db")
SPILL = "spill-"
# Name, size in bytes, time of change in ns; of an object its URL and a number for its version.
Stamp = tuple[str, int, int]


def is_table_file(name: str) -> bool:
    """Check by the name's suffix whether a file may hold tables."""
    from .reading import ENDINGS  # with every reader: not before a file needs it

    return Path(name).suffix.lower() in ENDINGS and not name.startswith(".")


def table_stamps(folder: Path, bundled: Sequence[Path], opened: Callable[[str], BinaryIO]) -> list[Stamp]:
    """Return the stamps of the first regular table files, by name, without copies of `bundled` ones.

    Calls `opened` only for files that may be such a copy; it raises OSError for a link or a deleted file.
    """
    stamps: list[Stamp] = []
    for name in sorted(os.listdir(folder)):  # noqa: PTH208  (names are all it takes)
        if len(stamps) < MAX_FILES and is_table_file(name):
            with contextlib.suppress(OSError):  # the chat's code may delete it meanwhile
                status = (folder / name).lstat()
                if stat.S_ISREG(status.st_mode) and not _is_copy(name, status, bundled, opened):
                    stamps.append((name, status.st_size, status.st_mtime_ns))
    return stamps


def shared_files(folders: Sequence[Path], objects: Sequence[Stamp] = ()) -> list[Stamp]:
    """Return the table files at the top of folders, by name, without links, by their absolute paths; then `objects`, by
    their URLs, without databases, which need a file. The first of two with one name wins.
    """
    files_by_name: dict[str, Stamp] = {}
    candidates = (
        (Path(entry[0]).name, entry) for entry in objects if not entry[0].lower().endswith(NEED_FILES)
    )
    for name, stamp in [*_plain_files(folders), *candidates]:
        if len(files_by_name) < MAX_FILES and is_table_file(name):
            files_by_name.setdefault(name.casefold(), stamp)
    return list(files_by_name.values())


def _plain_files(folders: Sequence[Path]) -> Iterator[tuple[str, Stamp]]:
    for folder in folders:
        with contextlib.suppress(OSError):  # it went away
            for path in sorted(folder.iterdir()):
                status = path.lstat()
                if stat.S_ISREG(status.st_mode):
                    yield path.name, (str(path), status.st_size, status.st_mtime_ns)


def visible_shared_files(
    shared: Sequence[Stamp], chat_file_names: Collection[str]
) -> tuple[list[Stamp], list[str]]:
    """Return the shared files that a chat sees, and the paths of those hidden by a chat's file of the same name."""
    used_names = {name.casefold() for name in chat_file_names}
    hidden = [stamp[0] for stamp in shared if Path(stamp[0]).name.casefold() in used_names]
    return [stamp for stamp in shared if stamp[0] not in hidden], hidden


def excess_file_notes(folder: Path, shared: Sequence[Path], objects: Sequence[Stamp] = ()) -> list[str]:
    """Describe the table files beyond the limit, in a chat's folder and in shared ones."""
    notes: list[str] = []
    for owner, folders in (("the chat", [folder]), ("the desk's folders", shared)):
        names = [url for url, _, _ in objects if is_table_file(url)] if folders is shared else list[str]()
        for directory in folders:
            with contextlib.suppress(OSError):  # it went away
                names += filter(is_table_file, os.listdir(directory))  # noqa: PTH208
        if len(names) > MAX_FILES:
            notes.append(
                f"{len(names) - MAX_FILES:,} more files of {owner}: only the first {MAX_FILES}, by name, are tables"
            )
    return notes


def _is_copy(
    name: str, status: os.stat_result, bundled: Sequence[Path], opened: Callable[[str], BinaryIO]
) -> bool:
    """Compare contents, not names: loading a dataset may have found its name taken and used another."""
    same_size = [path for path in bundled if path.stat().st_size == status.st_size]
    if not same_size:
        return False
    with opened(name) as file:
        content = file.read(status.st_size + 1)
    return any(content == path.read_bytes() for path in same_size)
