"""Restoring a backup into an empty data directory and database.

Everything is checked before anything is written. A mark in the data directory keeps a desk from starting on half of it; the
same restore may be repeated, and then continues.
"""

from contextlib import suppress

from smoldesk.backup.backup_folder import BackupFolder
from smoldesk.backup.databases import DeskDatabase, check_revision, check_sqlite, read_contents
from smoldesk.backup.desk_files import KEY_PATH, DeskFiles
from smoldesk.backup.manifest import DATABASE, BackupEntry, Manifest, damaged
from smoldesk.errors import DeskError
from smoldesk.store.data_dir import RESTORING, DataDir


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
    mark, name = data_dir.root / RESTORING, _name_of(manifest)
    if mark.exists():
        if mark.read_text() != name:
            raise DeskError(
                "Another restore into this data directory was interrupted.",
                "Repeat that one, or empty the data directory and the database first.",
                code="restore_unfinished",
            )
        files.sweep()
    else:
        check_empty(data_dir, database, files, manifest)
        files.check_room(sum(entry.size for entry in manifest.entries))
        mark.write_text(name)
    dump = manifest.entry(DATABASE)
    for entry in manifest.entries:
        if entry is not dump:
            files.put(entry.path, lambda target, entry=entry: folder.copy_to(entry, target))
    _load(folder, dump, manifest, data_dir, database)
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
    """Load the database, last: before, the data directory has no desk that could start."""
    if not database.is_empty():
        # A restore that was interrupted after this step.
        with database.reading() as connection:
            counts = read_contents(connection).counts
        if counts != manifest.counts:
            raise DeskError(
                "The database is no longer empty, and has other rows than the backup.",
                "Empty the data directory and the database, and restore again.",
                code="not_empty",
            )
        return
    loading = data_dir.root / f"{RESTORING}.database"
    try:
        with loading.open("wb") as file:
            folder.copy_to(dump, file)
        database.load(loading)
    finally:
        with suppress(OSError):
            loading.unlink(missing_ok=True)


def _name_of(manifest: Manifest) -> str:
    return f"{manifest.made_at} {manifest.entry(DATABASE).sha256}\n"
