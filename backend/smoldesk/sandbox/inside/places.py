"""Places of a child's files: the chat's folder, and a hidden part of it for outputs."""

import os
from pathlib import Path

HIDDEN = ".smoldesk"
MAX_FILES = 20_000
MAX_REPORTED = 200

# Relative path -> (bytes, modification time in ns).
Snapshot = dict[str, tuple[int, int]]


class OutputNames:
    """Names for what one cell shows: `.smoldesk/<kind>/<cell>-<n>.<suffix>`, never used twice."""

    def __init__(self, folder: Path, cell: str) -> None:
        self.folder = folder
        self._cell = cell
        self._count = 0

    def next(self, kind: str, suffix: str) -> Path:
        """Return an absolute path whose folder exists (code may change the working directory)."""
        self._count += 1
        place = self.folder / HIDDEN / kind
        place.mkdir(parents=True, exist_ok=True)
        return place / f"{self._cell}-{self._count}.{suffix}"

    def relative(self, path: Path) -> str:
        return path.relative_to(self.folder).as_posix()


def snapshot(folder: Path) -> Snapshot:
    """Return the regular files under `folder`, without hidden ones; symbolic links are never followed."""
    files_seen: Snapshot = {}
    waiting = [""]
    while waiting and len(files_seen) < MAX_FILES:
        below = waiting.pop()
        try:
            entries = list(os.scandir(os.path.join(folder, below)))  # noqa: PTH118 - a scan of many, kept fast
        except OSError:
            continue
        for entry in entries:
            if entry.name.startswith(".") or entry.name == "__pycache__":
                continue
            relative = f"{below}/{entry.name}" if below else entry.name
            try:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(relative)
                elif entry.is_file(follow_symlinks=False):
                    stat = entry.stat(follow_symlinks=False)
                    files_seen[relative] = (stat.st_size, stat.st_mtime_ns)
            except OSError:
                continue  # removed since the folder was listed
    return files_seen


def changed(before: Snapshot, after: Snapshot) -> list[str]:
    """Return the paths that are new or differ, oldest change first, at most 200."""
    paths = [path for path, state in after.items() if before.get(path) != state]
    return sorted(paths, key=lambda path: (after[path][1], path))[:MAX_REPORTED]
