"""Files of a desk beside its database: where a backup reads them, and where a restore puts them.

Paths are those of manifests: files/ID, chats/CHAT/..., desk/... for the other files of the data directory. Those of the first
two are keys of a bucket, too (`SMOLDESK_FILES_URL`).
"""

import os
import secrets
import shutil
import stat
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from smoldesk.backup.backup_folder import CHUNK
from smoldesk.backup.manifest import CHATS, DESK, FILES, NOT_COPIED, path_of, steps_of
from smoldesk.errors import DeskError, NotFound
from smoldesk.folders import open_inside
from smoldesk.store.data_dir import DataDir
from smoldesk.store.folder_stamps import NOT_SYNCED
from smoldesk.store.objects import Objects
from smoldesk.store.sealing import KEY_FILE

SCRATCH = ".restoring-"
KEY_PATH = path_of(DESK, KEY_FILE)


@dataclass(frozen=True)
class DeskFile:
    """File to be backed up. `write` copies it; it raises NotFound or FileNotFoundError if the file is gone."""

    path: str
    stamp: str
    write: Callable[[IO[bytes]], Any]


class DeskFiles:
    """Files of a data directory, with stored files and chats' folders in a bucket if there is one."""

    def __init__(self, data_dir: DataDir, database: Path | None, objects: Objects | None) -> None:
        """`database` is the file of SQLite, which is not copied as a file."""
        self._data_dir = data_dir
        self._objects = objects
        self._database = database

    # --- reading ----------------------------------------------------------------------------------------------------

    def stored(self, file_id: str) -> DeskFile:
        """Return a stored file, which never changes."""
        path = path_of(FILES, file_id)
        objects = self._objects

        def write(target: IO[bytes]) -> None:
            if objects is None or (self._data_dir.files / file_id).is_file():
                _copy(self._data_dir.files, file_id, target)
            else:
                objects.read_into(path, target)

        return DeskFile(path, "", write)

    def of_chat(self, chat_id: str) -> Iterator[DeskFile]:
        """Yield the files of a chat's folder. Links are left out: they may lead anywhere."""
        if self._objects is None:
            yield from _files_below(self._data_dir.chats / chat_id, (CHATS, chat_id), NOT_SYNCED)
            return
        for facts in self._objects.facts(path_of(CHATS, chat_id)):
            # Of other programs' keys, the form of our own ones is not certain.
            path = path_of(*steps_of(facts.key))
            yield DeskFile(path, facts.tag, lambda target, key=facts.key: self._read_object(key, target))

    def of_desk(self, with_key: bool) -> Iterator[DeskFile]:
        """Yield the other files of the data directory: agents.toml, profiles, results of exams, and the key if requested."""
        root, omitted = self._data_dir.root, list(NOT_COPIED) if with_key else [*NOT_COPIED, KEY_FILE]
        if self._database is not None and self._database.parent == root:
            omitted += [self._database.name + end for end in ("", "-wal", "-shm", "-journal")]
        yield from _files_below(root, (DESK,), (), omitted)

    def _read_object(self, key: str, target: IO[bytes]) -> None:
        assert self._objects is not None
        self._objects.read_into(key, target)

    # --- writing ----------------------------------------------------------------------------------------------------

    def obstacle(self, brings_key: bool) -> str | None:
        """Return the name of something that a restore would mix with, or None if there is nothing."""
        root = self._data_dir.root
        harmless = ["lock", "id", "lost+found", *([] if brings_key else [KEY_FILE])]
        folders = (self._data_dir.files, self._data_dir.chats, self._data_dir.partials, self._data_dir.cache)
        for path in root.iterdir():
            if path.name not in harmless and path not in folders:
                return path.name
        for folder in folders[:3]:
            for path in folder.iterdir():
                return f"{folder.name}/{path.name}"
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


def _files_below(
    folder: Path, steps: tuple[str, ...], omitted_prefixes: tuple[str, ...], omitted: list[str] | None = None
) -> Generator[DeskFile]:
    """Yield the regular files below a folder; at its top, some names are left out."""
    for place, folders, names, here in _walked(folder):
        if Path(place) == folder:
            for entries in (folders, names):
                entries[:] = [
                    name
                    for name in entries
                    if not name.startswith(omitted_prefixes) and name not in (omitted or ())
                ]
        for name in names:
            try:
                status = os.stat(name, dir_fd=here, follow_symlinks=False)
            except FileNotFoundError:  # deleted meanwhile
                continue
            if stat.S_ISREG(status.st_mode):
                relative = str(Path(place, name).relative_to(folder))
                # No program can set the time of the last change of an inode, as opposed to that of the content.
                stamp = f"{status.st_ctime_ns}-{status.st_ino}"
                path = path_of(*steps, *map(os.fsencode, relative.split("/")))
                yield DeskFile(path, stamp, lambda target, at=relative: _copy(folder, at, target))


def _walked(folder: Path) -> Generator[tuple[str, list[str], list[str], int]]:
    with suppress(FileNotFoundError):  # the folder of a chat that was deleted meanwhile, or that has none
        yield from os.fwalk(folder, follow_symlinks=False)


def _copy(folder: Path, name: str, target: IO[bytes]) -> None:
    try:
        descriptor = open_inside(folder, name)
    except NotFound:
        raise FileNotFoundError(name) from None
    with os.fdopen(descriptor, "rb") as file:
        shutil.copyfileobj(file, target, CHUNK)
