"""Copies of an object store's files on this server's disk: those of chats that another server deleted go, too."""

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Callable
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from smoldesk.errors import DeskError
from smoldesk.store.buildings import all_file_ids
from smoldesk.store.chats import all_chat_ids
from smoldesk.store.data_dir import SCRATCH_OF_CODE
from smoldesk.store.object_files import ObjectFiles
from smoldesk.store.store import Store
from smoldesk.store.synced_folders import SyncedFolders

# Seconds between two looks.
PERIOD = 300.0
# Seconds for which a stored file may wait for its row: an upload is examined meanwhile.
NEW_SECONDS = 3600.0
log = logging.getLogger(__name__)


class LocalCopies:
    """Task of a server with an object store, which keeps no copy that the database does not name.

    The bucket has what the database names, so a copy that goes too early is read again.
    """

    def __init__(self, store: Store, drop: Callable[[str], None]) -> None:
        """`drop` ends what else this server has of a deleted chat; it is called on another thread."""
        self._store = store
        self._drop = drop
        self._closing = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin; on the event loop."""
        if self._store.objects is not None and self._store.shared:
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """End after the look at hand."""
        self._closing.set()
        if self._task is not None:
            await self._task

    async def _run(self) -> None:
        while not self._closing.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), PERIOD)
                return
            try:
                await asyncio.to_thread(self.sweep)
            except (DeskError, SQLAlchemyError, OSError) as fault:  # the next look finds the same
                log.error("copies of deleted chats could not be deleted (%s)", type(fault).__name__)

    def sweep(self) -> None:
        """Delete the copies of chats and files that the database does not name. Blocks."""
        store = self._store
        folders, files = store.folders, store.files
        assert isinstance(folders, SyncedFolders) and isinstance(files, ObjectFiles)
        chat_ids, file_ids = _chat_ids(store.data_dir.chats), _old_files(store.data_dir.files)
        for chat_id in chat_ids - store.read(all_chat_ids):
            self._drop(chat_id)
            # its id may be in use again
            folders.forget(chat_id, lambda chat_id=chat_id: chat_id not in store.read(all_chat_ids))
        for file_id in file_ids - store.read(all_file_ids):
            files.forget(file_id)


def _chat_ids(folder: Path) -> set[str]:
    """Return the names of chats' folders. A chat's row is older than its folder."""
    return {path.name for path in folder.iterdir() if not any(path.match(name) for name in SCRATCH_OF_CODE)}


def _old_files(folder: Path) -> set[str]:
    before = time.time() - NEW_SECONDS
    names: set[str] = set()
    for entry in os.scandir(folder):
        with contextlib.suppress(FileNotFoundError):  # deleted meanwhile
            if entry.stat(follow_symlinks=False).st_mtime < before:
                names.add(entry.name)
    return names
