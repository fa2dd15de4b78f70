"""Which files of a chat's folder are tables, for the server that has them queried and for cells, which query themselves."""

import contextlib
import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

MOST_FILES = 40
Stamp = tuple[str, int, int]
"""Name, bytes, and time changed in ns."""


def is_table_file(name: str) -> bool:
    """Whether a file is one to look for tables in, by the ending of its name."""
    from .reading import ENDINGS  # with every reader: not before a file needs it

    return Path(name).suffix.lower() in ENDINGS and not name.startswith(".")


def table_stamps(folder: Path, bundled: Sequence[Path], opened: Callable[[str], BinaryIO]) -> list[Stamp]:
    """The first plain files that look like tables, by name, but for copies of `bundled` ones.

    Only what may be such a copy is `opened`, which raises OSError for a file that went away or is a link.
    """
    found: list[Stamp] = []
    for name in sorted(os.listdir(folder)):  # noqa: PTH208  (names are all it takes)
        if len(found) < MOST_FILES and is_table_file(name):
            with contextlib.suppress(OSError):  # code of the chat took it away meanwhile
                status = (folder / name).lstat()
                if stat.S_ISREG(status.st_mode) and not _is_copy(name, status, bundled, opened):
                    found.append((name, status.st_size, status.st_mtime_ns))
    return found


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
