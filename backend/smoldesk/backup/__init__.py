"""Backups of a desk: taken while it runs, verified, restored into an empty data directory.

`manifest` is the file that makes a backup complete; `backup_folder` the folder of both; `databases` dump and load SQLite and
PostgreSQL (by `postgres_programs`); `desk_files` reads and writes what is beside the database, through `regular_files`.
"""

from smoldesk.backup.backup_folder import BackupFolder
from smoldesk.backup.databases import DeskDatabase, database_at
from smoldesk.backup.desk_files import DeskFiles
from smoldesk.backup.manifest import Manifest
from smoldesk.backup.restore import restore_backup
from smoldesk.backup.take import Backup, take_backup

__all__ = [
    "Backup",
    "BackupFolder",
    "DeskDatabase",
    "DeskFiles",
    "Manifest",
    "database_at",
    "restore_backup",
    "take_backup",
]
