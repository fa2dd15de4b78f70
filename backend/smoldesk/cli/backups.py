"""`smoldesk backup | verify | restore`: a desk's data, copied while it runs, checked, and brought back."""

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from smoldesk.errors import BadInput, DeskError
from smoldesk.settings import Settings

if TYPE_CHECKING:
    from smoldesk.backup import DeskDatabase, DeskFiles, Manifest
    from smoldesk.store.data_dir import DataDir


def add_backup_commands(commands: Any) -> None:
    """`smoldesk backup | verify | restore`."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--data-dir", type=Path, help="data directory: the database and the files of chats")
    backup = commands.add_parser("backup", parents=[shared], help="back up the desk, also while it runs")
    backup.add_argument("folder", type=Path, help="folder of backups; only new files are copied into it")
    backup.add_argument(
        "--with-key", action="store_true", help="include the key that opens stored passwords (sources.key)"
    )
    backup.add_argument(
        "--keep", type=int, metavar="N", help="then delete all backups of the folder except the newest N"
    )
    source = argparse.ArgumentParser(add_help=False)
    source.add_argument(
        "backup", type=Path, help="folder of backups (the newest is used), or one .manifest in it"
    )
    commands.add_parser("verify", parents=[source], help="check a backup completely")
    commands.add_parser(
        "restore", parents=[shared, source], help="restore a backup into an empty data directory and database"
    )


def backups(settings: Settings, options: argparse.Namespace) -> int:
    """Do what the options ask for; return the exit code. Raises DeskError."""
    try:
        match options.command:
            case "backup":
                return _back_up(settings, options)
            case "verify":
                return _verify(options.backup)
            case _:
                return _restore(settings, options.backup)
    except OSError as fault:
        name = f" ({Path(fault.filename).name})" if isinstance(fault.filename, str) else ""
        raise DeskError(
            f"Reading or writing failed: {fault.strerror}{name}.",
            "What was backed up earlier is as it was.",
            code="backup_failed",
        ) from None


def _back_up(settings: Settings, options: argparse.Namespace) -> int:
    from smoldesk.backup import BackupFolder, take_backup

    root, folder = settings.data_dir.absolute(), BackupFolder(options.folder)
    if options.keep is not None and options.keep < 1:
        raise BadInput("--keep needs a number from 1 on.")
    if not root.is_dir():
        raise DeskError(f"There is no data directory {str(root)!r}.", "Check --data-dir.", code="no_desk")
    if folder.folder.resolve().is_relative_to(root.resolve()):
        raise BadInput("A backup inside the data directory would back up itself.", "Choose another folder.")
    _, database, files = _parts(settings)
    started = time.monotonic()
    result = take_backup(folder, database, files, options.with_key)
    manifest = result.manifest
    _write(f"{result.path}")
    _write(f"{_described(manifest)}; {result.new_files:,} files were new, {_size(result.new_bytes)} written")
    _write(f"{time.monotonic() - started:.1f} s")
    if not manifest.has_key:
        _write(
            "The key that opens stored passwords is not included: keep the key file (sources.key) elsewhere, "
            "or use --with-key."
        )
    if options.keep is not None:
        _write(f"{folder.keep_newest(options.keep)} backups are in the folder.")
    for file_id in manifest.missing:
        _write(f"The desk itself lacks the file {file_id}: `smoldesk doctor --deep` names its chat.")
    return 1 if manifest.missing else 0


def _verify(path: Path) -> int:
    from smoldesk.backup.backup_folder import open_backup
    from smoldesk.backup.restore import verify_backup

    folder, manifest = open_backup(path)
    verify_backup(folder, manifest)
    _write(f"Complete and undamaged: {_described(manifest)}")
    return 0


def _restore(settings: Settings, path: Path) -> int:
    from smoldesk.backup.backup_folder import open_backup
    from smoldesk.backup.restore import restore_backup, verify_backup

    folder, manifest = open_backup(path)
    verify_backup(folder, manifest)
    data_dir, database, files = _parts(settings)
    data_dir.claim(restoring=True)
    try:
        restore_backup(folder, manifest, data_dir, database, files)
    finally:
        data_dir.release()
    _write(f"Restored into {data_dir.root}: {_described(manifest)}")
    if not manifest.has_key:
        _write(
            "Put the key file (sources.key) of the desk there, too: stored passwords are closed without it."
        )
    return 0


def _parts(settings: Settings) -> "tuple[DataDir, DeskDatabase, DeskFiles]":
    from smoldesk.backup import DeskFiles, database_at
    from smoldesk.backup.databases import SqliteDatabase
    from smoldesk.store.data_dir import DataDir
    from smoldesk.store.engines import sqlite_url
    from smoldesk.store.objects import Objects

    data_dir = DataDir(settings.data_dir, settings.files_dir)
    database = database_at(settings.database_url or sqlite_url(data_dir.root))
    objects = Objects(settings.files_url) if settings.files_url else None
    file = database.file if isinstance(database, SqliteDatabase) else None
    return data_dir, database, DeskFiles(data_dir, file, objects)


def _described(manifest: "Manifest") -> str:
    at = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(manifest.made_at))
    size = sum(entry.size for entry in {entry.sha256: entry for entry in manifest.entries}.values())
    rows = ", ".join(f"{count:,} {name}s" for name, count in manifest.counts.items())
    return f"{manifest.database} of {at}, {rows}, {len(manifest.entries):,} files, {_size(size)}"


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB"


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
