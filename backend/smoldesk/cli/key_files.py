"""`smoldesk keys ...`: the keys that seal passwords in the database."""

import argparse
import sys

from smoldesk.errors import DeskError
from smoldesk.settings import Settings
from smoldesk.store.data_dir import DataDir
from smoldesk.store.sealed_rows import reseal
from smoldesk.store.sealing import KEY_FILE, Seal, add_key
from smoldesk.store.store import Store


def keys(settings: Settings, options: argparse.Namespace) -> int:
    """Do what the options ask for; return the exit code, 1 if a text could not be opened. Raises DeskError."""
    file = settings.key_file or settings.data_dir.absolute() / KEY_FILE
    if options.action == "add":
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            count = add_key(file)
        except OSError as fault:
            raise DeskError(f"The key file {file.name!r} cannot be written: {fault.strerror}.") from None
        sys.stdout.write(f"{file} has {count} {'key' if count == 1 else 'keys'}; the first one seals.\n")
        return 0
    return _reseal(settings, Seal(file, settings.key_file is None))


def _reseal(settings: Settings, seal: Seal) -> int:
    seal.check()
    data_dir = DataDir(settings.data_dir, settings.files_dir)
    # Servers of one PostgreSQL may go on; SQLite has one writer.
    if not settings.database_url.startswith("postgres"):
        data_dir.claim()
    try:
        store = Store.open(data_dir, settings.database_url, settings.sqlite_synchronous)
        try:
            done, closed = store.submit(lambda tx: reseal(tx, seal)).result()
        finally:
            store.close()
    finally:
        data_dir.release()
    sys.stdout.write(f"Sealed {done} texts with the first key of {seal.file}.\n")
    for text in closed:
        sys.stdout.write(f"No key opens what is stored of the {text.kind} {text.name!r}: left as it is.\n")
    return 1 if closed else 0
