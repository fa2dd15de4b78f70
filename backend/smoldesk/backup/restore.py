"""Restoring a backup into an empty data directory and database.

Everything is checked before anything is written. A mark in the data directory keeps a desk from starting on half of it; the
same restore may be repeated, and then continues.
"""

import os
from contextlib import suppress
from pathlib import Path

from smoldesk.backup.backup_folder import BackupFolder, sync_folder
from smoldesk.backup.databases import DeskDatabase, check_revision, check_sqlite, read_contents
from smoldesk.backup.desk_files import KEY_PATH, DeskFiles
from smoldesk.backup.manifest import DATABASE, BackupEntry, Manifest, damaged
from smoldesk.errors import DeskError
from smoldesk.store.data_dir import RESTORING, DataDir

# End of the mark once only the database is missing, or was loaded.
LOADING = "database\n"


def verify_backup(folder: BackupFolder, manifest: Manifest) -> None:
    """Read all contents of a backup. Raises DeskError if one is missing or changed, or its database is damaged."""
    check_revision(manifest.schema_revision, manifest.smoldesk)
    for entry in {entry.sha256: entry for entry in manifest.entries}.values():
        folder.copy_to(entry)
    if manifest.database == "sqlite":
        dump = manifest.entry(DATABASE)
        if check_sqlite(folder.path_of(dump)).counts != manifest.counts:
            raise damaged("its database has other rows than its manifest says")


def restore_backup(
    folder: BackupFolder, manifest: Manifest, data_dir: DataDir, database: DeskDatabase, files: DeskFiles
) -> None:
    """Restore a backup that was verified, into a data directory that this process holds. Raises DeskError."""
    if manifest.database != database.kind:
        raise DeskError(
            f"This is a backup of {manifest.database}, the desk's database is {database.kind}.",
            "Set SMOLDESK_DATABASE_URL to an empty database of the same kind.",
            code="other_database",
        )
    database.check_schema(manifest.schema_name)
    mark, name = data_dir.root / RESTORING, _name_of(manifest)
    step = mark.read_text() if mark.exists() else ""
    if not step:
        check_empty(data_dir, database, files, manifest)
        files.check_room(sum(entry.size for entry in manifest.entries))
        _write_mark(mark, name)
    elif step in (name, name + LOADING):
        files.sweep()
    else:
        raise DeskError(
            "Another restore into this data directory was interrupted.",
            "Repeat that one, or empty the data directory and the database first.",
            code="restore_unfinished",
        )
    dump = manifest.entry(DATABASE)
    for entry in manifest.entries:
        if entry is not dump:
            files.put(entry.path, lambda target, entry=entry: folder.copy_to(entry, target))
    if not step.endswith(LOADING):
        if not database.is_empty():
            raise DeskError(
                "The database has something in it that this restore did not load.",
                "Empty the data directory and the database, and restore again.",
                code="not_empty",
            )
        _write_mark(mark, name + LOADING)
    _load(folder, dump, manifest, data_dir, database)
    # The mark goes after everything is on the disk.
    os.sync()
    mark.unlink()


def check_empty(data_dir: DataDir, database: DeskDatabase, files: DeskFiles, manifest: Manifest) -> None:
    """Raise DeskError if the data directory, the bucket or the database has something in it."""
    brings_key = any(entry.path == KEY_PATH for entry in manifest.entries)
    obstacle = files.obstacle(brings_key) or (None if database.is_empty() else "tables in the database")
    if obstacle is not None:
        raise DeskError(
            f"The data directory {data_dir.root.name!r} and its database are not empty: {obstacle[:120]}.",
            "A backup is restored into empty ones only. Choose others, or move what is there.",
            code="not_empty",
        )


def _load(
    folder: BackupFolder, dump: BackupEntry, manifest: Manifest, data_dir: DataDir, database: DeskDatabase
) -> None:
    """Load the database, last: before, the data directory has no desk that could start. It loads completely or not at all."""
    if database.is_empty():
        loading = database.scratch(data_dir.root)
        try:
            with loading.open("wb") as file:
                folder.copy_to(dump, file)
                file.flush()
                os.fsync(file.fileno())
            database.load(loading)
        finally:
            with suppress(OSError):
                loading.unlink(missing_ok=True)
    database.migrate()
    with database.reading() as connection:
        if read_contents(connection).counts != manifest.counts:
            raise DeskError(
                "The restored database has other rows than the backup.",
                "Empty the data directory and the database, and restore again.",
                code="not_restored",
            )


def _write_mark(mark: Path, text: str) -> None:
    """Write the mark, complete or not at all, to the disk."""
    new = mark.with_name(f"{RESTORING}.new")
    with new.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(mark)
    sync_folder(mark.parent)


def _name_of(manifest: Manifest) -> str:
    return f"{manifest.made_at} {manifest.entry(DATABASE).sha256}\n"
