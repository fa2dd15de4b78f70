"""Size of a chat's folder, measured while a cell runs: the kernel has no quota for a single folder.

No file is opened and no link followed.
"""

import os
import secrets
import stat
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from smoldesk.folders import is_too_deep, remove_tree
from smoldesk.sandbox.limits import Limits

FIRST_LOOK_SECONDS, EVERY_SECONDS = 0.25, 1.0
# The pause after a scan is at least this many times the scan's duration.
SHARE = 20
FAR = 1.5
State = Literal["fine", "full", "far too full"]


@dataclass(frozen=True)
class Usage:
    """Disk usage of a folder: `size` in bytes and the number of entries, at any depth."""

    size: int
    files: int


class FolderWatch:
    """Watches one folder through one cell; `state` looks when it is time to."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder = folder
        self._limits = limits
        self._started_at = time.time()
        self._next = time.monotonic() + FIRST_LOOK_SECONDS
        self._allowed: Usage | None = None
        self.size = 0
        """Bytes that were there when it was last looked at."""

    def state(self, at_once: bool = False) -> State:
        """`full` asks the cell to stop, `far too full` ends it. A folder that was full before may stay as it is."""
        now = time.monotonic()
        if now < self._next and not at_once:
            return "fine"
        usage_now = usage(self._folder, self._limits)
        took, self.size = time.monotonic() - now, usage_now.size
        self._next = now + took + max(EVERY_SECONDS, took * SHARE)
        first, self._allowed = self._allowed is None, self._allowed or usage_now
        worst = max(usage_now.size / self._limits.folder, usage_now.files / self._limits.files)
        if worst > FAR:
            return "far too full"
        grew = first or usage_now.size > self._allowed.size or usage_now.files > self._allowed.files
        return "full" if worst > 1 and grew else "fine"

    def sweep(self) -> int:
        """Remove what was made or changed since the cell began, and folders that are too deep; returns how many files
        that were.
        """
        removed = 0
        for path, folders, files, here in os.fwalk(self._folder, follow_symlinks=False):
            for name in files:
                try:
                    status = os.stat(name, dir_fd=here, follow_symlinks=False)
                    if status.st_ctime >= self._started_at - 1:
                        os.unlink(name, dir_fd=here)
                        removed += 1
                except OSError:
                    continue  # it is gone already
            for name in [name for name in folders if is_too_deep(_below(self._folder, path, name))]:
                folders.remove(name)
                removed += self._remove_deep(name, here)
        return removed

    def _remove_deep(self, name: str, above: int) -> bool:
        """Remove a folder that no path may reach."""
        moved = self._folder / f".deep-{secrets.token_hex(8)}"
        with suppress(OSError):
            os.rename(name, moved, src_dir_fd=above)
            remove_tree(moved)
            return True
        return False


def _below(folder: Path, path: "str | Path", name: str) -> str:
    return f"{path}/{name}"[len(str(folder)) + 1 :]


def usage(folder: Path, limits: Limits) -> Usage:
    """Look through the folder; stops counting when it is far beyond the limits.

    A folder that is too deep counts as that: what is in it could not be counted.
    """
    size = files = 0
    waiting = [str(folder)]
    while waiting and size <= limits.folder * FAR and files <= limits.files * FAR:
        try:
            entries = list(os.scandir(waiting.pop()))
        except OSError:
            continue
        for entry in entries:
            files += 1
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            size += status.st_blocks * 512
            if stat.S_ISDIR(status.st_mode):
                if is_too_deep(entry.path[len(str(folder)) + 1 :]):
                    return Usage(int(limits.folder * FAR) + 1, files)
                waiting.append(entry.path)
    return Usage(size, files)
