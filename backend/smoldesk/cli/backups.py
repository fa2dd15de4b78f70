"""`smoldesk backup | verify | restore`: a desk's data, copied while it runs, checked, and brought back."""

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from smoldesk.errors import BadInput, DeskError
from smoldesk.settings import Settings

# Files in the output that could not be read; all are in the manifest.
MAX_NAMED = 20

if TYPE_CHECKING:
    from smoldesk.backup import DeskDatabase, DeskFiles, Manifest
    from smoldesk.store.data_dir import DataDir


def add_backup_commands(commands: Any) -> None:
    """`smoldesk backup | verify | restore`."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--data-dir", type=Path, help="data directory: the database and the files of chats")
    backup = commands.add_parser("backup", parents=[shared], help="back up the desk, also while it runs")
    backup.add_argument("folder", type=Path, help="folder of backups; only new files are copied into it")
    backup.add_argument("--with-key", action="store_true", help="include the key that opens stored passwords")
    backup.add_argument(
        "--keep",
        type=int,
        metavar="N",
        help="then delete all backups of this desk in the folder except the newest N",
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
            "Repeat the command: it continues. Backups are as they were.",
            code="backup_failed",
        ) from None


def _back_up(settings: Settings, options: argparse.Namespace) -> int:
    from smoldesk.backup import BackupFolder, take_backup

    root, folder = settings.data_dir.absolute(), BackupFolder(options.folder)
    if options.keep is not None and options.keep < 1:
        raise BadInput("--keep needs a number from 1 on.")
    # A data directory that is made here would be one of a mistyped name, or in place of a disk that is not mounted.
    for place, name in ((root, "id"), (settings.files_dir or root, "files")):
        if not (place / name).exists():
            raise DeskError(
                f"{str(place)!r} is not the data directory of a desk.",
                "Check --data-dir and SMOLDESK_FILES_DIR.",
                code="no_desk",
            )
    if folder.folder.resolve().is_relative_to(root.resolve()):
        raise BadInput("A backup inside the data directory would back up itself.", "Choose another folder.")
    data_dir, database, files = _parts(settings)
    _audit(settings, data_dir, options.with_key)
    started = time.monotonic()
    result = take_backup(folder, database, files, options.with_key, options.keep)
    manifest = result.manifest
    _write(f"{result.path}")
    _write(f"{_described(manifest)}; {result.new_files:,} files were new, {_size(result.new_bytes)} written")
    _write(f"{time.monotonic() - started:.1f} s")
    if not manifest.has_key:
        _write(
            f"The key that opens stored passwords is not included: keep the key file ({files.key.name}) elsewhere, "
            "or use --with-key."
        )
    for file_id in manifest.missing:
        _write(f"The desk itself lacks the file {file_id}: `smoldesk doctor --deep` names its chat.")
    for path in manifest.unreadable[:MAX_NAMED]:
        _write(f"This could not be read, and is not in the backup: {path}")
    if len(manifest.unreadable) > MAX_NAMED:
        _write(f"{len(manifest.unreadable):,} files or folders could not be read.")
    if result.remaining is not None:
        _write(f"{result.remaining} backups are in the folder.")
    elif options.keep is not None:
        _write("No backup was deleted, because this one lacks something.")
    return 1 if manifest.missing or manifest.unreadable else 0


def _audit(settings: Settings, data_dir: "DataDir", with_key: bool) -> None:
    """Have the backup in the audit log, if the desk is of this version. It is made in any case: the disk may be full."""
    import asyncio

    from smoldesk.chats import Audit
    from smoldesk.store.engines import DATABASE
    from smoldesk.store.store import Store

    if not (settings.database_url or (data_dir.root / DATABASE).exists()):
        return  # the backup says so, and nothing is made here
    try:
        store = Store.open(data_dir, settings.database_url, settings.sqlite_synchronous, migrating=False)
        try:
            audit = Audit(store, settings.audit_days)
            asyncio.run(audit.add("desk.exported", outcome="with its key" if with_key else ""))
        finally:
            store.close()
    except DeskError as fault:
        _write(f"The backup is not in the audit log: {fault.message}")


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
    if path.is_dir() and len(folder.desks()) > 1:
        raise BadInput(
            "The folder has backups of several desks.",
            "Name one of its manifests: the end of its name is the id of the desk.",
        )
    verify_backup(folder, manifest)
    data_dir, database, files = _parts(settings)
    data_dir.claim(restoring=True)
    try:
        restore_backup(folder, manifest, data_dir, database, files)
    finally:
        data_dir.release()
    _write(f"Restored into {data_dir.root}: {_described(manifest)}")
    if not manifest.has_key:
        _write(f"Put the key file of the desk at {files.key}: stored passwords are closed without it.")
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
    return data_dir, database, DeskFiles(data_dir, file, objects, settings.key_file)


def _described(manifest: "Manifest") -> str:
    at = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(manifest.made_at))
    size = sum(entry.size for entry in {entry.sha256: entry for entry in manifest.entries}.values())
    rows = ", ".join(f"{count:,} {name}s" for name, count in manifest.counts.items())
    return f"{manifest.database} of {at}, {rows}, {len(manifest.entries):,} files, {_size(size)}"


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB"


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
