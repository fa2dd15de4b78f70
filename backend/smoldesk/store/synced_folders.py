"""Chats' folders on this server's disk, brought up to date from a bucket and sent to it."""

import logging
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes

from pydantic import TypeAdapter, ValidationError

from smoldesk.errors import DeskError, NotFound
from smoldesk.folders import move_aside, open_inside, remove_below, replace_below
from smoldesk.folders.stamps import Stamp, has_bytes_of, regular_files, stamp_of, touched
from smoldesk.store.chat_folders import FRESH_SECONDS, erase_folder
from smoldesk.store.data_dir import DataDir
from smoldesk.store.objects import ObjectFacts, Objects

CHATS = "chats/"
# Up to here a new file is written in one request, which fails if another server took its name.
MAX_CLAIMED = 8 << 20
# Bytes of a key that S3 takes, below a prefix.
MAX_KEY = 900
# Times that a folder is looked through for files under new names.
TRIES = 3
# Seconds without a try by `reading` after the bucket did not answer.
AWAY_SECONDS = 10
# Chats whose last pull is remembered.
MAX_PULLED = 10_000
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Synced:
    """State of a file when this server last had what the bucket has: tag of the object, bytes, time of change in ns.

    `written` is when the object was written, in seconds of the bucket's clock; 0 until a list tells it.
    """

    tag: str
    size: int
    changed: int
    written: float = 0


Base = dict[str, Synced]
_BASE: TypeAdapter[Base] = TypeAdapter(Base)


class SyncedFolders:
    """Folders on this disk that are brought up to date from a bucket, one object per file.

    Of a file that changed on both sides, the other server's keeps the name and this one's gets another. While a folder is
    `changing`, only files that are new to it come in: what its code read must stay the base of what it writes.
    """

    def __init__(self, data_dir: DataDir, objects: Objects) -> None:
        self._data_dir = data_dir
        self._objects = objects
        self._bases = data_dir.cache / "folders"
        self._bases.mkdir(exist_ok=True)
        self._locks: dict[str, threading.Lock] = {}
        # Blocks of `changing` that are open, by chat.
        self._changing: Counter[str] = Counter()
        # Seconds of the monotonic clock: when a folder was last brought up to date, and until when `reading` lets the
        # bucket be, after it did not answer.
        self._pulled: dict[str, float] = {}
        self._away_until = 0.0

    def opened(self, chat_id: str) -> Path:
        with self._lock(chat_id):
            return self._opened(chat_id)

    def reading(self, chat_id: str, name: str | None = None) -> Path:
        folder = self._data_dir.chat_folder(chat_id)
        now = time.monotonic()
        is_fresh = now - self._pulled.get(chat_id, -FRESH_SECONDS) < FRESH_SECONDS
        if now < self._away_until or (is_fresh and (name is None or (folder / name).exists())):
            return folder
        # Whoever has the lock brings the folder up to date, or has its cell's files to send.
        if self._lock(chat_id).acquire(timeout=FRESH_SECONDS):
            try:
                return self._opened(chat_id, soon=True)
            except DeskError as fault:
                if fault.code != "object_store_away":
                    raise
                self._away_until = time.monotonic() + AWAY_SECONDS
            finally:
                self._lock(chat_id).release()
        return folder

    @contextmanager
    def changing(self, chat_id: str) -> Generator[Path]:
        with self._lock(chat_id):
            folder = self._opened(chat_id)
            self._changing[chat_id] += 1
        try:
            yield folder
        except BaseException:
            # This fault is the one to report. What could not be sent is sent after the next change.
            with suppress(DeskError):
                self._send(chat_id, folder)
            raise
        self._send(chat_id, folder)

    def remove(self, chat_id: str) -> None:
        with self._lock(chat_id):
            try:
                self._forget(chat_id)
            finally:
                self._objects.delete([facts.key for facts in self._objects.facts(_prefix(chat_id))])

    def forget(self, chat_id: str, is_gone: Callable[[], bool]) -> None:
        """Delete this server's copy of a folder if `is_gone` says that no chat has its id."""
        with self._lock(chat_id):
            if is_gone():
                self._forget(chat_id)

    def _forget(self, chat_id: str) -> None:
        self._pulled.pop(chat_id, None)
        self._base_path(chat_id).unlink(missing_ok=True)
        erase_folder(self._data_dir.chats / chat_id)

    # --- both directions, under the chat's lock --------------------------------------------------------------------

    def _opened(self, chat_id: str, soon: bool = False) -> Path:
        """Bring a folder up to date; `soon` asks for the list of its files in PROBE_SECONDS."""
        if not (self._data_dir.chats / chat_id).is_dir():
            # What this server once had says nothing about a folder that is gone: its files were not deleted.
            self._base_path(chat_id).unlink(missing_ok=True)
        folder = self._data_dir.chat_folder(chat_id)
        remote = self._remote(chat_id, soon)
        with self._changing_base(chat_id) as base:
            if self._changing[chat_id]:
                self._take_new(chat_id, folder, base, remote)
            else:
                self._pull(chat_id, folder, base, remote)
        if len(self._pulled) > MAX_PULLED:
            self._pulled.clear()
        self._pulled[chat_id] = time.monotonic()
        return folder

    def _remote(self, chat_id: str, soon: bool = False) -> dict[str, ObjectFacts]:
        return {_name(facts, chat_id): facts for facts in self._objects.facts(_prefix(chat_id), soon)}

    def _take_new(self, chat_id: str, folder: Path, base: Base, remote: Mapping[str, ObjectFacts]) -> None:
        local, _ = regular_files(folder)
        for name in remote:
            if name not in base and name not in local:
                self._download(chat_id, folder, name, base, False, only_new=True)

    def _pull(self, chat_id: str, folder: Path, base: Base, remote: Mapping[str, ObjectFacts]) -> None:
        local, _ = regular_files(folder)
        for name, facts in remote.items():
            if name not in base or base[name].tag != facts.tag:
                is_changed_here = name in local and not _is_same(base.get(name), local[name])
                self._download(chat_id, folder, name, base, is_changed_here)
                if name in base and base[name].tag == facts.tag:
                    base[name] = replace(base[name], written=facts.changed)
            elif facts.changed != base[name].written:
                # Another server wrote the same bytes: their new time says that they are to be read again.
                stamp = base[name].size, base[name].changed
                if base[name].written and (touch := touched(folder, name, stamp)):
                    base[name] = Synced(facts.tag, *touch)
                base[name] = replace(base[name], written=facts.changed)
        for name in [name for name in base if name not in remote]:
            if name in local and _is_same(base[name], local[name]):
                remove_below(folder, name)
            del base[name]

    def _send(self, chat_id: str, folder: Path) -> None:
        with self._lock(chat_id):
            self._changing[chat_id] -= 1
            if not self._changing[chat_id]:
                del self._changing[chat_id]
            if folder.is_dir():  # else the chat was deleted meanwhile
                with self._changing_base(chat_id) as base:
                    if self._changing[chat_id]:
                        self._push_unopposed(chat_id, folder, base)
                    else:
                        self._push(chat_id, folder, base)

    def _push_unopposed(self, chat_id: str, folder: Path, base: Base) -> None:
        """Send what no other server changed, while a cell still works on the rest: the last push settles that."""
        remote = self._remote(chat_id)
        for name, stamp in regular_files(folder)[0].items():
            known, there = base.get(name), remote.get(name)
            is_unopposed = (known and known.tag) == (there and there.tag)
            if is_unopposed and not _is_same(known, stamp):
                self._upload(chat_id, folder, name, base)
        self._note_times(chat_id, base)

    def _push(self, chat_id: str, folder: Path, base: Base) -> None:
        self._set_aside(chat_id, folder, base)
        known = dict(base)
        local, is_complete = regular_files(folder)
        for _ in range(TRIES):
            new = [name for name, stamp in local.items() if not _is_same(base.get(name), stamp)]
            sent = [self._upload(chat_id, folder, name, base) for name in new]
            if all(sent):
                break
            local, is_complete = regular_files(folder)
        if base != known:
            self._note_times(chat_id, base)
        gone = [name for name in base if name not in local] if is_complete else []
        self._objects.delete([_key(chat_id, name) for name in gone])
        for name in gone:
            del base[name]

    def _note_times(self, chat_id: str, base: Base) -> None:
        """Note when the bucket wrote what was sent, which only a list tells."""
        for name, facts in self._remote(chat_id).items():
            if name in base and base[name].tag == facts.tag:
                base[name] = replace(base[name], written=facts.changed)

    def _set_aside(self, chat_id: str, folder: Path, base: Base) -> None:
        """Rename the files that would replace what another server wrote since the last pull."""
        local, _ = regular_files(folder)
        for name, facts in self._remote(chat_id).items():
            known = base.get(name)
            if known is None:
                # Smaller ones are written by put_new, which compares contents.
                if name in local and local[name][0] > MAX_CLAIMED:
                    move_aside(folder, name)
            elif known.tag != facts.tag:
                if name in local and _is_same(known, local[name]):
                    continue  # the next pull takes the other server's
                if name in local:
                    move_aside(folder, name)
                del base[name]

    def _download(
        self,
        chat_id: str,
        folder: Path,
        name: str,
        base: Base,
        is_changed_here: bool,
        only_new: bool = False,
    ) -> None:
        """Copy a file from the bucket. One that changed here, too, goes aside, unless both have the same content; if
        `only_new`, one that is here by now stays.
        """
        arriving = self._bases / f"{chat_id}-{threading.get_ident()}"
        try:
            with arriving.open("wb") as target:
                tag = self._objects.read_into(_key(chat_id, name), target)
            if is_changed_here and has_bytes_of(folder, name, arriving):
                base[name] = Synced(tag, *stamp_of(folder, name))
                return
            if is_changed_here:
                log.warning("a file of chat %s changed at two servers: both are kept", chat_id)
                move_aside(folder, name)
            base[name] = Synced(tag, *replace_below(folder, name, arriving, only_new))
        except (OSError, NotFound) as fault:  # deleted meanwhile, or a link or a closed folder is in its way
            log.warning("a file of chat %s was left out (%s)", chat_id, type(fault).__name__)
        finally:
            arriving.unlink(missing_ok=True)

    def _upload(self, chat_id: str, folder: Path, name: str, base: Base) -> bool:
        """Write a file to the bucket; if another server took its name for a new file, move it aside and return False."""
        key = _key(chat_id, name)
        if len(key) > MAX_KEY:
            log.warning(
                "a file of chat %s has too long a name for the bucket: it stays at this server", chat_id
            )
            return True
        with suppress(NotFound), os.fdopen(open_inside(folder, name), "rb") as source:
            status = os.fstat(source.fileno())
            if name not in base and status.st_size <= MAX_CLAIMED:
                tag = self._objects.put_new(key, source.read(MAX_CLAIMED + 1))
            else:
                tag = self._objects.put(key, source)
            if tag is None:
                move_aside(folder, name)
                return False
            base[name] = Synced(tag, status.st_size, status.st_mtime_ns)
        return True

    # --- what is known -------------------------------------------------------------------------------------------

    @contextmanager
    def _changing_base(self, chat_id: str) -> Generator[Base]:
        """Yield what this server last had, and keep its changes, also when a later file fails."""
        base: Base = {}
        with suppress(OSError, ValidationError):
            base = _BASE.validate_json(self._base_path(chat_id).read_bytes())
        known = dict(base)
        try:
            yield base
        finally:
            if base != known:
                written = self._bases / f"{chat_id}.new"
                written.write_bytes(_BASE.dump_json(base))
                written.replace(self._base_path(chat_id))

    def _base_path(self, chat_id: str) -> Path:
        return self._bases / f"{chat_id}.json"

    def _lock(self, chat_id: str) -> threading.Lock:
        return self._locks.setdefault(chat_id, threading.Lock())


def _is_same(synced: Synced | None, stamp: Stamp) -> bool:
    return synced is not None and (synced.size, synced.changed) == stamp


def _prefix(chat_id: str) -> str:
    return f"{CHATS}{chat_id}"


def _key(chat_id: str, name: str) -> str:
    """Return the key of a file: names are percent-encoded, since buckets do not take all that file systems do."""
    return f"{_prefix(chat_id)}/{quote(os.fsencode(name))}"


def _name(facts: ObjectFacts, chat_id: str) -> str:
    return os.fsdecode(unquote_to_bytes(facts.key[len(_prefix(chat_id)) + 1 :]))
