"""Taking a backup while the desk runs.

The database first: a stored file is written before its row and never changes, so every file that the dump names is there,
unless it was deleted meanwhile. Then the dump is taken again, without those rows. What is still missing is what the desk
itself has lost.
"""

import hashlib
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from smoldesk import __version__
from smoldesk.backup.backup_folder import BackupFolder
from smoldesk.backup.databases import Contents, DeskDatabase
from smoldesk.backup.desk_files import DeskFiles
from smoldesk.backup.manifest import DATABASE, FORMAT, BackupEntry, Manifest
from smoldesk.backup.regular_files import DeskFile, Unreadable
from smoldesk.errors import BadInput, NotFound

# Dumps of one backup, while people delete files.
ROUNDS = 5


@dataclass(frozen=True)
class Backup:
    """Result of a backup; `new_bytes` were written, the others were in the folder.

    `remaining` is the number of the desk's backups after others were deleted, None if none was to be deleted.
    """

    path: Path
    manifest: Manifest
    new_bytes: int
    new_files: int
    remaining: int | None


def take_backup(
    folder: BackupFolder,
    database: DeskDatabase,
    files: DeskFiles,
    with_key: bool = False,
    keep: int | None = None,
) -> Backup:
    """Back up a desk into a folder; complete once the manifest is there. Raises DeskError, and OSError for the disk.

    With `keep`, only so many of its backups remain, unless this one lacks something.
    """
    with folder.locked():
        previous = folder.newest()
        copying = _Copying(folder, previous.entries if previous else ())
        keys = copying.entries(files.of_key()) if with_key else []
        if with_key and not keys:
            raise BadInput(
                f"The key file {files.key.name!r} does not exist.",
                "Leave out --with-key, or check SMOLDESK_KEY_FILE.",
            )
        contents, dump, missing = _dumped(database, copying, files)
        stored = [files.stored(file_id) for file_id in contents.file_ids]
        entries = [dump, *keys, *copying.entries(stored)]
        for chat_id in contents.chat_ids:
            entries += copying.entries(files.of_chat(chat_id))
        entries += copying.entries(files.of_desk())
        manifest = Manifest(
            format=FORMAT,
            smoldesk=__version__,
            schema_revision=contents.schema_revision,
            database=database.kind,
            made_at=time.time(),
            counts=contents.counts,
            has_key=bool(keys),
            missing=sorted(missing),
            entries=entries,
            unreadable=sorted(copying.unreadable),
            desk=hashlib.sha256((contents.identity or files.identity).encode()).hexdigest()[:16],
            schema_name=contents.schema_name,
        )
        path = folder.finish(manifest)
        is_complete = not manifest.missing and not manifest.unreadable
        remaining = folder.keep_newest(keep, manifest.desk) if keep and is_complete else None
        return Backup(path, manifest, copying.new_bytes, copying.new_files, remaining)


def _dumped(
    database: DeskDatabase, copying: "_Copying", files: DeskFiles
) -> tuple[Contents, BackupEntry, set[str]]:
    """Dump the database and copy its stored files; return facts, the dump, and ids of files that are missing."""
    contents, dump = copying.dumped(database)
    missing = copying.missing(contents, files)
    for _ in range(ROUNDS - 1):
        if not missing:
            break
        before = missing
        contents, dump = copying.dumped(database)
        missing = copying.missing(contents, files)
        if missing <= before:
            break
    return contents, dump, missing


class _Copying:
    """Copies of one backup. A file with the path and stamp of an earlier backup is not read again."""

    def __init__(self, folder: BackupFolder, earlier: Iterable[BackupEntry]) -> None:
        self._folder = folder
        self._entries = {entry.path: entry for entry in earlier}
        self.new_bytes = 0
        self.new_files = 0
        self.unreadable: set[str] = set()

    def dumped(self, database: DeskDatabase) -> tuple[Contents, BackupEntry]:
        """Store a dump of the database; return what is in it."""
        scratch = self._folder.scratch()
        try:
            contents = database.dump(scratch)
            digest, size = self._folder.add_file(scratch)
        finally:
            scratch.unlink(missing_ok=True)
        self.new_bytes += size
        return contents, BackupEntry(path=DATABASE, size=size, sha256=digest)

    def missing(self, contents: Contents, files: DeskFiles) -> set[str]:
        """Copy the stored files that a dump names; return the ids of those that are not there."""
        there = files.stored_ids()
        return {
            file_id
            for file_id in contents.file_ids
            if file_id not in there or self.entry(files.stored(file_id)) is None
        }

    def entries(self, files: Iterable[DeskFile]) -> list[BackupEntry]:
        return [entry for file in files if (entry := self.entry(file))]

    def entry(self, file: DeskFile) -> BackupEntry | None:
        """Return the entry of a file, copied if it may have changed; None if it is gone or `unreadable`."""
        earlier = self._entries.get(file.path)
        if earlier and earlier.stamp == file.stamp and self._folder.has(earlier.sha256, earlier.size):
            return earlier
        try:
            digest, size = self._folder.add(file.write)
        except (FileNotFoundError, NotFound):
            return None
        except Unreadable:
            self.unreadable.add(file.path)
            return None
        self.new_bytes += size
        self.new_files += 1
        entry = self._entries[file.path] = BackupEntry(
            path=file.path, size=size, sha256=digest, stamp=file.stamp
        )
        return entry
