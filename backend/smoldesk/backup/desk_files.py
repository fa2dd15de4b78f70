"""Files of a desk beside its database: where a backup reads them, and where a restore puts them.

Paths are those of manifests: files/ID, chats/CHAT/..., desk/... for the other files of the data directory. Those of the first
two are keys of a bucket, too (`SMOLDESK_FILES_URL`).
"""

import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from smoldesk.backup.manifest import CHATS, DESK, FILES, NOT_COPIED, path_of, steps_of
from smoldesk.backup.regular_files import DeskFile, copy, files_below, stamp_of
from smoldesk.errors import DeskError
from smoldesk.folders.stamps import NOT_SYNCED
from smoldesk.store.data_dir import RESTORING, DataDir
from smoldesk.store.objects import Objects
from smoldesk.store.sealing import KEY_FILE

SCRATCH = ".restoring-"
KEY_PATH = path_of(DESK, KEY_FILE)
LOST_FOUND = "lost+found"


class DeskFiles:
    """Files of a data directory, with stored files and chats' folders in a bucket if there is one."""

    def __init__(
        self, data_dir: DataDir, database: Path | None, objects: Objects | None, key_file: Path | None = None
    ) -> None:
        """`database` is the file of SQLite, which is not copied as a file; `key_file` is elsewhere than usual."""
        self._data_dir = data_dir
        self._objects = objects
        self._root = data_dir.root.resolve()
        self.identity = data_dir.id
        self.key = (key_file or data_dir.root / KEY_FILE).absolute()
        folders = (data_dir.files, data_dir.chats, data_dir.partials, data_dir.cache)
        omitted = {self.key, *folders}
        if database is not None:
            for file in (database, database.resolve()):
                omitted |= {file.with_name(file.name + end) for end in ("", "-wal", "-shm", "-journal")}
        self._omitted = {path.resolve() for path in omitted}

    # --- reading ----------------------------------------------------------------------------------------------------

    def stored_ids(self) -> set[str]:
        """Return the ids of the stored files that are there."""
        with os.scandir(self._data_dir.files) as entries:
            ids = {entry.name for entry in entries if entry.is_file(follow_symlinks=False)}
        if self._objects is not None:
            ids |= {os.fsdecode(steps_of(facts.key)[-1]) for facts in self._objects.facts(FILES)}
        return ids

    def stored(self, file_id: str) -> DeskFile:
        """Return a stored file, which never changes."""
        path = path_of(FILES, file_id)
        objects = self._objects

        def write(target: IO[bytes]) -> None:
            if objects is None or (self._data_dir.files / file_id).is_file():
                _copy(self._data_dir.files / file_id, target)
            else:
                objects.read_into(path, target)

        return DeskFile(path, "", write)

    def of_chat(self, chat_id: str) -> Iterator[DeskFile]:
        """Yield the files of a chat's folder."""
        if self._objects is None:
            folder = self._data_dir.chats / chat_id
            yield from files_below(
                folder,
                (CHATS, chat_id),
                lambda path: path.parent == folder and path.name.startswith(NOT_SYNCED),
            )
            return
        for facts in self._objects.facts(path_of(CHATS, chat_id)):
            # Of other programs' keys, the form of our own ones is not certain.
            path = path_of(*steps_of(facts.key))
            yield DeskFile(path, facts.tag, lambda target, key=facts.key: self._read_object(key, target))

    def of_desk(self) -> Iterator[DeskFile]:
        """Yield the other files of the data directory, but no key: agents.toml, profiles, results of exams."""
        yield from files_below(self._root, (DESK,), self._is_omitted)

    def of_key(self) -> Iterator[DeskFile]:
        """Yield the key file, if there is one, wherever it is; also through a link, as secrets are often mounted."""
        file = self.key.resolve()
        if file.is_file():
            yield DeskFile(KEY_PATH, stamp_of(file.stat()), lambda target: _copy(file, target))

    def _is_omitted(self, path: Path) -> bool:
        """Return whether a path has no place among the files of the desk; the path has no links in it."""
        if path in self._omitted:
            return True
        if path.parent == self._root and (path.name in NOT_COPIED or path.name.startswith(KEY_FILE)):
            return True
        # Of a key file that was being written.
        is_new_key = path.name.startswith(f"{self.key.name}.") and path.name.endswith(".new")
        return is_new_key and path.parent in (self.key.parent.resolve(), self.key.resolve().parent)

    def _read_object(self, key: str, target: IO[bytes]) -> None:
        assert self._objects is not None
        self._objects.read_into(key, target)

    # --- writing ----------------------------------------------------------------------------------------------------

    def obstacle(self, brings_key: bool) -> str | None:
        """Return the name of something that a restore would mix with, or None if there is nothing."""
        data_dir = self._data_dir
        names = ("lock", "id", "cache", f"{RESTORING}.new")
        harmless = {data_dir.root / name for name in names}
        if brings_key and self.key.exists():
            return f"the key file {self.key.name}"
        harmless.add(self.key)
        for folder in (data_dir.root, data_dir.files, data_dir.chats, data_dir.partials):
            if (path := _first_file(folder, harmless)) is not None:
                return str(path.relative_to(folder))
        if self._objects is not None:
            for prefix in (FILES, CHATS):
                for facts in self._objects.facts(prefix):
                    return f"{facts.key} in the bucket"
        return None

    def put(self, path: str, read: Callable[[IO[bytes]], object]) -> None:
        """Write a file that `read` fills, completely or not at all."""
        root, *names = steps_of(path)
        place = self._place(root.decode(), names)
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        scratch = place.with_name(f"{SCRATCH}{secrets.token_hex(8)}")
        try:
            with scratch.open("xb") as file:
                read(file)
                file.flush()
                os.fsync(file.fileno())
            if self._objects is not None and root.decode() != DESK:
                with scratch.open("rb") as file:
                    self._objects.put(path, file)
            else:
                scratch.replace(place)
        finally:
            scratch.unlink(missing_ok=True)

    def sweep(self) -> None:
        """Remove what an interrupted restore left unfinished."""
        for folder in {self._data_dir.root, self._data_dir.files.parent}:
            for path in folder.rglob(f"{SCRATCH}*"):
                path.unlink(missing_ok=True)

    def _place(self, root: str, names: list[bytes]) -> Path:
        if names == [os.fsencode(KEY_FILE)] and root == DESK:
            return self.key
        if root == DESK:
            return self._data_dir.root.joinpath(*map(os.fsdecode, names))
        if self._objects is not None:
            return self._data_dir.cache / "restored"
        folder = self._data_dir.files if root == FILES else self._data_dir.chats
        return folder.joinpath(*map(os.fsdecode, names))

    def check_room(self, size: int) -> None:
        """Raise DeskError if the disk has no room for so many bytes."""
        free = shutil.disk_usage(self._data_dir.files).free
        if self._objects is None and free < size:
            raise DeskError(
                f"The backup has {size:,} bytes, the disk {free:,} free.",
                "Nothing was changed.",
                code="disk_full",
            )


def _first_file(folder: Path, harmless: set[Path]) -> Path | None:
    """Return something below a folder that is neither a folder nor harmless, or None."""
    for path in folder.iterdir():
        if path in harmless or path.name == LOST_FOUND:
            continue
        if path.is_symlink() or not path.is_dir():
            return path
        if (below := _first_file(path, harmless)) is not None:
            return below
    return None


def _copy(file: Path, target: IO[bytes]) -> None:
    """Copy a regular file. Raises FileNotFoundError or Unreadable."""
    folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        copy(file.name, folder, target)
    finally:
        os.close(folder)
