"""`smoldesk doctor --deep`: reads all data of a desk and names each fault, with what to do. Changes nothing.

It works beside a running desk. What was written within the last hour is not reported: a file is stored before its row.
"""

import fcntl
import itertools
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Connection, func, select, text
from sqlalchemy.exc import SQLAlchemyError

from smoldesk.backup.backup_folder import HashedFile, open_backup
from smoldesk.backup.databases import Contents, DeskDatabase, check_revision, database_at, read_contents
from smoldesk.backup.desk_files import DeskFiles
from smoldesk.backup.manifest import FILES, Manifest, path_of
from smoldesk.cli.finding import Finding
from smoldesk.errors import DeskError
from smoldesk.settings import Settings
from smoldesk.store.data_dir import RESTORING, SCRATCH_OF_CODE, DataDir
from smoldesk.store.engines import HEAD, schema_version, sqlite_url
from smoldesk.store.event_log import parsed
from smoldesk.store.heartbeats import living
from smoldesk.store.objects import Objects
from smoldesk.store.sealed_rows import sealed_texts, unreadable
from smoldesk.store.sealing import KEY_FILE, Seal
from smoldesk.store.tables import ChatRow, EventRow, FileRow

# Names in one line; further ones are counted.
MAX_NAMED = 5
# Seconds for which something without a row is new, not lost.
NEW_SECONDS = 3600.0
# Seconds that the clock of a server may differ from the database's.
MAX_SKEW = 2.0
# Seconds after its last heartbeat for which a server counts as alive.
ALIVE_SECONDS = 5.0
LOST = "Restore them from a backup (`smoldesk restore` into another directory), or delete their chats."


@dataclass(frozen=True)
class Data:
    """Open data of a desk. `backup` is one to compare stored files with."""

    settings: Settings
    data_dir: DataDir
    database: DeskDatabase
    connection: Connection
    objects: Objects | None
    files: DeskFiles
    backup: Manifest | None

    @property
    def is_postgres(self) -> bool:
        return self.database.kind == "postgresql"

    def contents(self) -> Contents:
        return read_contents(self.connection)


def deep_findings(settings: Settings, backup: Path | None = None) -> Iterator[Finding]:
    """Yield the result of each check, or each of its faults, as it is known."""
    with ExitStack() as stack:
        try:
            data = _opened(settings, backup, stack)
        except DeskError as fault:
            yield Finding("data directory and database", False, str(fault), fault.code)
            return
        for name, check in CHECKS.items():
            faults: list[str] = []
            try:
                result = check(data, faults.append)
            except (SQLAlchemyError, ValueError) as fault:
                faults.append(f"it cannot be read ({type(fault).__name__}). Restore a backup.")
                result = ""
            except (DeskError, OSError) as fault:
                if (
                    check is _database
                ):  # of another version, say: the other checks would report faults that are none
                    yield Finding(name, False, str(fault))
                    return
                faults.append(str(fault))
                result = ""
            yield from (Finding(name, False, fault) for fault in faults)
            if not faults:
                yield Finding(name, True, result)


def _opened(settings: Settings, backup: Path | None, stack: ExitStack) -> Data:
    if not settings.data_dir.is_dir():
        raise DeskError(f"There is no data directory {settings.data_dir.name!r}.", "Check --data-dir.")
    database = database_at(settings.database_url or sqlite_url(settings.data_dir.absolute()))
    if not settings.database_url and database.is_empty():
        raise DeskError("There is no database in the data directory.", "Check --data-dir.")
    data_dir = DataDir(settings.data_dir, settings.files_dir)  # which makes folders
    objects = Objects(settings.files_url) if settings.files_url else None
    return Data(
        settings,
        data_dir,
        database,
        stack.enter_context(database.reading()),
        objects,
        DeskFiles(data_dir, None, objects),
        open_backup(backup)[1] if backup else None,
    )


Report = Callable[[str], None]


def _directory(data: Data, fault: Report) -> str:
    root = data.data_dir.root
    if (root / RESTORING).exists():
        fault("a restore into it was interrupted. Repeat `smoldesk restore` with the same backup.")
    descriptor = os.open(root / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return f"{root}, in use by the desk at {data.data_dir.served_at() or 'an unknown address'}"
    finally:
        os.close(descriptor)
    return f"{root}, not in use"


def _database(data: Data, fault: Report) -> str:
    revision = check_revision(schema_version(data.connection))
    if revision != HEAD:
        raise DeskError(
            f"its schema is {revision}, this version has {HEAD}.", "Start the desk: it migrates the database."
        )
    if not data.is_postgres:
        execute = data.connection.exec_driver_sql
        for (problem,) in execute(f"PRAGMA integrity_check({MAX_NAMED})"):
            if problem != "ok":
                fault(f"SQLite finds: {problem[:200]}. Restore a backup.")
        if strays := execute("PRAGMA foreign_key_check").fetchall():
            fault(f"{len(strays)} rows belong to a deleted chat. Restore a backup.")
    return f"{data.database.kind}, schema {revision}, {data.contents().counts['event']:,} events"


def _clock(data: Data, fault: Report) -> str:
    if not data.is_postgres:
        return "there is one only"
    before = time.time()
    at = float(data.connection.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one())
    skew = max(before - at, at - time.time(), 0.0)
    if skew > MAX_SKEW:
        fault(f"it differs from the database's by {skew:.1f} s. Synchronize both (NTP).")
    return f"within {MAX_SKEW:g} s of the database's"


def _servers(data: Data, fault: Report) -> str:
    alive = sorted(living(data.connection, ALIVE_SECONDS))
    for folder, group in itertools.groupby(alive, lambda server: server.partition(":")[0]):
        if len(list(group)) > 1:
            fault(
                f"several use copies of the data directory {folder}, and close each other's runs. "
                "Stop all but one, and delete the file `id` in the copies."
            )
    return f"{len(alive)} alive" if data.is_postgres else "one at most"


def _logs(data: Data, fault: Report) -> str:
    count, first, last = func.count(EventRow.seq), func.min(EventRow.seq), func.max(EventRow.seq)
    joined = select(ChatRow.id, ChatRow.last_seq, count, first, last)
    joined = joined.outerjoin(EventRow, EventRow.chat_id == ChatRow.id).group_by(ChatRow.id, ChatRow.last_seq)
    gaps = [
        row[0]
        for row in data.connection.execute(joined)
        if (row[2], row[3] or 1, row[4] or 0) != (row[1], 1, row[1])
    ]
    if gaps:
        fault(f"{_named(gaps, 'chats')}: events are missing. Restore a backup, or delete these chats.")
    unknown: set[str] = set()
    total = 0
    events = select(EventRow.chat_id, EventRow.body).execution_options(yield_per=1000)
    for chat_id, body in data.connection.execute(events):
        total += 1
        try:
            parsed(body)
        except ValidationError:
            unknown.add(chat_id)
    if unknown:
        fault(
            f"{_named(unknown, 'chats')}: events cannot be read. Were they written by a newer version? "
            "Else restore a backup, or delete these chats."
        )
    return f"{total:,} events in order"


def _files(data: Data, fault: Report) -> str:
    sizes = {row[0]: row[1] for row in data.connection.execute(select(FileRow.id, FileRow.size))}
    named = {*data.contents().file_ids}
    stored = _stored_sizes(data)
    if missing := _still_named(data, named - {*stored}):
        fault(f"{_named(missing, 'files')}: not stored here. {LOST}")
    other = [name for name, size in sizes.items() if stored.get(name, (size, 0))[0] != size]
    if changed := _still_named(data, other):
        fault(f"{_named(changed, 'files')}: of another size than when they were stored. {LOST}")
    new = time.time() - NEW_SECONDS
    if orphans := [name for name, (_, at) in stored.items() if name not in named and at < new]:
        fault(f"{_named(orphans, 'files')}: named by nothing. They only take room: delete them.")
    bad = [] if data.objects else [name for name in named & {*stored} if not _is_readable(data, name)]
    if unreadable_here := _still_named(data, bad):
        fault(f"{_named(unreadable_here, 'files')}: the disk does not return them. {LOST}")
    return f"{len(named):,} files"


def _still_named(data: Data, file_ids: Iterable[str]) -> set[str]:
    """Return those of the files that rows name now: a chat may have been deleted since the checks began."""
    suspects = {*file_ids}
    if not suspects:
        return suspects
    with data.database.reading() as connection:
        return suspects.intersection(read_contents(connection).file_ids)


def _stored_sizes(data: Data) -> dict[str, tuple[int, float]]:
    """Return bytes and time of each stored file, by its id."""
    if data.objects is not None:
        return {
            facts.key.rpartition("/")[2]: (facts.size, facts.changed) for facts in data.objects.facts(FILES)
        }
    sizes: dict[str, tuple[int, float]] = {}
    for entry in os.scandir(data.data_dir.files):
        with suppress(FileNotFoundError):  # deleted meanwhile
            state = entry.stat(follow_symlinks=False)
            sizes[entry.name] = (state.st_size, state.st_mtime)
    return sizes


def _is_readable(data: Data, name: str) -> bool:
    try:
        with (data.data_dir.files / name).open("rb") as file:
            while file.read(1 << 20):
                pass
    except OSError:
        return False
    return True


def _folders(data: Data, fault: Report) -> str:
    chats = {*data.contents().chat_ids}
    new = time.time() - NEW_SECONDS
    strange = [
        path
        for path in data.data_dir.chats.iterdir()
        if path.name not in chats and not any(path.match(name) for name in SCRATCH_OF_CODE)
    ]
    stray = [path.name for path in strange if os.path.lexists(path) and path.lstat().st_mtime < new]
    if stray:
        fault(
            f"{_named(stray, 'folders')} in {data.data_dir.chats}: of no chat. Look into them, delete them."
        )
    return f"all of {len(chats):,} chats"


def _sealed(data: Data, fault: Report) -> str:
    settings = data.settings
    seal = Seal(settings.key_file or data.data_dir.root / KEY_FILE, settings.key_file is None)
    seal.check()
    texts = sealed_texts(data.connection)
    if closed := unreadable(texts, seal):
        names = [f"the {sealed.kind} {sealed.name!r}" for sealed in closed]
        fault(
            f"{_named(names, 'texts')}: no key of {seal.file.name} opens them. Add the key that sealed them as a "
            "further line, or remove them in the page and add them again."
        )
    return f"{len(texts)} texts open"


def _compared(data: Data, fault: Report) -> str:
    """Compare stored files with those of a backup: the database has no hashes of them."""
    if data.backup is None:
        return "not requested (--backup FOLDER)"
    named = {path_of(FILES, name): name for name in data.contents().file_ids}
    other: list[str] = []
    compared = 0
    for entry in data.backup.entries:
        if (name := named.get(entry.path)) is None:
            continue
        with Path(os.devnull).open("wb") as nowhere:
            file: Any = HashedFile(nowhere)
            try:
                data.files.stored(name).write(file)
            except FileNotFoundError:
                continue
        compared += 1
        if file.digest != entry.sha256:
            other.append(name)
    if changed := _still_named(data, other):
        fault(f"{_named(changed, 'files')}: not as they were in the backup. {LOST}")
    return f"{compared:,} files are as they were"


def _named(names: Iterable[str], kind: str) -> str:
    ordered = sorted(names)
    more = ", ..." if len(ordered) > MAX_NAMED else ""
    return f"{len(ordered):,} {kind} ({', '.join(ordered[:MAX_NAMED])}{more})"


CHECKS: dict[str, Callable[[Data, Report], str]] = {
    "data directory": _directory,
    "database": _database,
    "clock": _clock,
    "servers": _servers,
    "logs of chats": _logs,
    "stored files": _files,
    "folders of chats": _folders,
    "sealed passwords": _sealed,
    "files of the backup": _compared,
}
