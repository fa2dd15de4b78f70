"""Uploads: a person's file on its way into a chat: placed in its folder by name, read for tables in a child, told in the log.

Wires receive the bytes, each in its own way, and hand them on. `Files` are all files of a chat, uploaded, produced and shown.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from sqlalchemy import Connection

from smoldesk.agents import DeskAgents
from smoldesk.chats.upload_room import UploadRoom
from smoldesk.errors import DeskError, NotFound
from smoldesk.events import FileAdded
from smoldesk.folders import place_free
from smoldesk.messages import FileContent, FileNote, TableFacts
from smoldesk.stopping import StopFlag
from smoldesk.store import chats, files
from smoldesk.store.fault_causes import cause_of, store_fault
from smoldesk.store.files import StoredFile, media_type_of
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx
from smoldesk.tables.inside.file_notes import note_text
from smoldesk.tables.models import FileProfile
from smoldesk.tables.table_profiles import is_table_file, table_files
from smoldesk.tables.value_files import sweep_values

log = logging.getLogger(__name__)

# Maximum characters of a chat's title.
LONGEST_TITLE = 200


class Uploads:
    """Uploads into the chats of one desk, as far as there is `room`."""

    def __init__(self, store: Store, agents: DeskAgents, room: UploadRoom) -> None:
        self._store = store
        self._agents = agents
        self._room = room

    @property
    def limit(self) -> int:
        """Most bytes of one file."""
        return self._room.limit

    async def check_room(self, chat_id: str, size: int) -> None:
        """Before `size` bytes come at once. Raises BadInput or DeskError as `UploadRoom.check`."""
        await asyncio.to_thread(self._room.check, chat_id, size)

    async def keep(self, chat_id: str, name: str, data: bytes) -> str:
        """Make bytes that came in a message a file of the chat, as an upload does; the name it has there.

        Raises BadInput, or DeskError when the disk will not take them.
        """
        await self.check_room(chat_id, len(data))
        try:
            file_id = await asyncio.to_thread(self._store.files.keep_bytes, data, self.limit)
            stored = await self.place(chat_id, name, file_id, len(data))
            await self.finish(stored)
        except OSError as fault:
            log.error("a file of a message could not be kept (%s)", type(fault).__name__)
            if cause_of(fault):
                raise store_fault(fault) from fault
            hint = "Send the message without it."
            raise DeskError("The file could not be stored.", hint, code="not_kept") from fault
        return stored.name

    async def add(self, chat_id: str, path: Path, name: str) -> tuple[str, FileProfile | None]:
        """Put a copy of a file of this machine into the chat; the name it has there, and its profile. Raises BadInput."""
        await self.check_room(chat_id, (await asyncio.to_thread(path.stat)).st_size)
        file_id, size = await asyncio.to_thread(self._store.files.keep, path.parent, path.name, self.limit)
        file = await self.place(chat_id, name, file_id, size)
        return file.name, await self.finish(file)

    async def place(self, chat_id: str, name: str, file_id: str, size: int) -> StoredFile:
        """Give stored bytes a free name like `name` in the chat's folder.

        Raises BadInput or DeskError as `UploadRoom.check`; then the bytes are removed.
        """

        def job() -> StoredFile:
            try:
                part = self._room.take(chat_id, name, size, here=size)
            except BaseException:
                self._store.files.discard(file_id)
                raise
            try:
                return self._placed(chat_id, name, file_id, size)
            finally:
                self._store.partials.discard(part.id)

        return await asyncio.to_thread(job)

    async def place_received(
        self, chat_id: str, name: str, path: Path, size: int, file_id: str
    ) -> StoredFile:
        """Place a file that was received into a folder of the store, under this id. Its space is already reserved."""

        def job() -> StoredFile:
            self._store.files.adopt(path, file_id)
            return self._placed(chat_id, name, file_id, size)

        return await asyncio.to_thread(job)

    def _placed(self, chat_id: str, name: str, file_id: str, size: int) -> StoredFile:
        placed = ""
        try:
            with self._store.folders.changing(chat_id) as folder:
                placed = name = place_free(folder, name, self._store.files.fetch(file_id))
        except BaseException:
            if placed:
                (self._store.data_dir.chats / chat_id / placed).unlink(missing_ok=True)
            self._store.files.discard(file_id)
            raise
        return StoredFile(file_id, chat_id, "upload", name, size, media_type_of(name))

    async def take_away(self, chat_id: str, name: str, file_id: str, size: int) -> bool:
        """Remove the file that `place` stored; return False and keep it if the log records it."""

        def release_file(connection: Connection) -> tuple[bool, bool]:
            try:
                files.find_file(connection, chat_id, name, file_id)
            except NotFound:
                stored_files = files.list_files(connection, chat_id)
                return False, any(file.name == name for file in stored_files)
            return True, True

        is_in_log, is_name_reused = await self._store.aread(release_file)
        if is_in_log:
            return False
        self._store.files.discard(file_id)
        if not name:  # the file did not reach the chat's folder
            return True
        if not is_name_reused:
            await asyncio.to_thread(self._remove_placed, chat_id, name, size)
        return True

    def _remove_placed(self, chat_id: str, name: str, size: int) -> None:
        with (
            self._store.folders.changing(chat_id) as folder,
            contextlib.suppress(OSError),
        ):  # it is gone already
            if (folder / name).lstat().st_size == size:
                (folder / name).unlink()

    async def finish(
        self, file: StoredFile, on_progress: Callable[[float], None] | None = None
    ) -> FileProfile | None:
        """Read a placed file and log it; return its profile, None for a kind that is not read.

        `on_progress` receives the finished share on the event loop. On failure or cancellation the file is removed.
        """
        try:
            profile = await self._profile(file, on_progress)
            content = with_tables(file.content(), profile)
            if clash := await asyncio.to_thread(self._agents.shared.hides, file.name):
                content = _with_clash(content, clash)

            def job(tx: Tx) -> None:
                chat = chats.get_chat(
                    tx.connection, file.chat_id
                )  # may have been deleted while the file arrived
                if not chat.title:  # until its first question
                    chats.rename_chat(tx, chat.id, file.name[:LONGEST_TITLE])
                files.add_file(tx, file)
                tx.append(file.chat_id, [FileAdded(file=content)])

            await self._store.do(job)
        except BaseException as fault:
            gone = isinstance(fault, NotFound)
            await asyncio.shield(asyncio.to_thread(self._discard, file, chat_is_gone=gone))
            raise
        return profile

    def _discard(self, file: StoredFile, chat_is_gone: bool) -> None:
        """Remove an upload that could not be recorded; with its folder if the chat was deleted meanwhile."""
        self._store.files.discard(file.id)
        if chat_is_gone:
            self._store.folders.remove(file.chat_id)
            return
        with self._store.folders.changing(file.chat_id) as folder:
            (folder / file.name).unlink(missing_ok=True)
            sweep_values(folder, table_files(folder))

    async def _profile(
        self, file: StoredFile, on_progress: Callable[[float], None] | None
    ) -> FileProfile | None:
        if not is_table_file(file.name):
            return None
        loop = asyncio.get_running_loop()
        stop = StopFlag()

        def report_progress(share: float) -> None:
            if on_progress is not None:
                loop.call_soon_threadsafe(on_progress, share)

        try:
            folder = self._store.data_dir.chat_folder(file.chat_id)
            reading = self._agents.profiles.start(file.chat_id, folder, file.name, stop, report_progress)
            return await asyncio.wrap_future(reading)
        finally:
            stop.close()


def with_tables(content: FileContent, profile: FileProfile | None) -> FileContent:
    """Return the facts of a file with those of its tables, as messages carry them."""
    if profile is None:
        return content
    tables = [TableFacts(name=table.name, rows=table.rows, columns=table.width) for table in profile.tables]
    facts = profile.facts() or None
    return content.model_copy(update={"tables": tables, "problems": profile.faults, "problem_facts": facts})


def _with_clash(content: FileContent, shared_name: str) -> FileContent:
    values = {"name": shared_name}
    clash = FileNote(code="hides_shared", values={**values}, place={})
    problems = [*(content.problems or ()), note_text(clash.code, values)]
    return content.model_copy(
        update={"problems": problems, "problem_facts": [*(content.problem_facts or ()), clash]}
    )


class Files:
    """The files of all chats of a desk."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, chat_id: str) -> list[StoredFile]:
        """Return the newest file of each name, uploaded or produced by code, oldest first. Raises NotFound."""
        await self._store.aread(lambda connection: chats.get_chat(connection, chat_id))
        return await self._store.aread(lambda connection: files.list_files(connection, chat_id))

    async def find(self, chat_id: str, name: str, file_id: str | None = None) -> tuple[StoredFile, Path]:
        """Return the newest file of a name in the chat, or the one with this id, and its path. Raises NotFound."""

        def read_file(connection: Connection) -> StoredFile:
            chats.get_chat(connection, chat_id)  # of a deleted chat nothing is found
            return files.find_file(connection, chat_id, name, file_id)

        file = await self._store.aread(read_file)
        return file, await self.existing_path(file.id)

    async def existing_path(self, file_id: str) -> Path:
        """Return the path of a stored file. Raises NotFound if its bytes are not on this server."""
        return await asyncio.to_thread(self._store.files.existing_path, file_id)

    async def fetch(self, file_id: str) -> Path:
        """Return the path of a file's bytes; there is no file if this server cannot read them."""
        try:
            return await asyncio.to_thread(self._store.files.fetch, file_id)
        except DeskError as fault:
            log.warning("a stored file could not be fetched (%s)", fault.code)
            return self.path(file_id)

    def path(self, file_id: str) -> Path:
        """Return where this server has the bytes of a file that it has just received."""
        return self._store.files.path(file_id)

    async def receive(self, chunks: AsyncIterator[bytes], limit: int) -> tuple[str, int]:
        """Store bytes as they arrive; (id, bytes). Raises BadInput beyond `limit` bytes or when empty."""
        return await self._store.files.receive(chunks, limit)

    def discard(self, file_id: str) -> None:
        """Forget stored bytes that became no file."""
        self._store.files.discard(file_id)
