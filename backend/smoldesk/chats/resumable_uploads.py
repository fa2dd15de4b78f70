"""Uploads that come in pieces and can be gone on with: each is a part on the disk until it is whole, then a file of its chat.

Of several servers on one folder, the one that writes or reads an upload has it locked.
"""

import asyncio
import contextlib
import hashlib
import time
from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass, replace
from typing import TypeVar

from smoldesk.chats.upload_room import UploadRoom
from smoldesk.chats.upload_turns import Turn, Turns
from smoldesk.chats.uploads import Uploads
from smoldesk.errors import BadInput, Conflict
from smoldesk.folders import checked_name
from smoldesk.stopping import shielded
from smoldesk.store import chats
from smoldesk.store.files import StoredFile, new_file_id
from smoldesk.store.partial_files import PartialFile, PartWriter, full_disk_errors, gone
from smoldesk.store.store import Store

# Lifetime of an upload that receives nothing more.
EXPIRES_SECONDS = 24 * 3600.0
# Bytes per write.
AT_ONCE = 1 << 20
CHECKSUMS = ("sha1", "sha256")
T = TypeVar("T")


@dataclass(frozen=True)
class Checksum:
    """Expected checksum of a piece: an algorithm of CHECKSUMS and its digest."""

    algorithm: str
    digest: bytes


class ResumableUploads:
    """The unfinished uploads of one desk. Methods are called on the event loop; they raise NotFound for an unknown upload."""

    def __init__(self, store: Store, uploads: Uploads, room: UploadRoom) -> None:
        self._store = store
        self._uploads = uploads
        self._room = room
        self._turns = Turns()
        self._read: dict[str, contextlib.ExitStack] = {}
        """Those that are whole, and whose files are being read, with their locks."""

    async def begin(self, chat_id: str, name: str, length: int) -> PartialFile:
        """Make place for a file of `length` bytes. Raises BadInput or DeskError as `UploadRoom.check`, NotFound."""
        checked_name(name)
        if length == 0:
            raise BadInput("The file is empty.", "Upload a file with content.", code="empty_file")
        await self._check_chat(chat_id)
        with full_disk_errors():
            return await asyncio.to_thread(self._room.take, chat_id, name, length)

    async def find(self, chat_id: str, upload_id: str) -> PartialFile:
        """Return an upload's state, after the request that still sends it has ended."""
        async with self._turns.alone(upload_id):
            return await self._find(chat_id, upload_id)

    async def write(
        self,
        chat_id: str,
        upload_id: str,
        offset: int,
        chunks: AsyncIterator[bytes],
        announced: int | None = None,
        checksum: Checksum | None = None,
    ) -> tuple[PartialFile, StoredFile | None]:
        """Append bytes from `offset` on; the last byte places the file in the chat, for `Uploads.finish` to read.

        `announced` is the number of bytes that the client declared. Received bytes are stored even if the request
        fails, except those of a piece with a wrong checksum. Raises Conflict("offset_mismatch", "upload_busy"),
        BadInput("too_large", "wrong_checksum", "upload_silent"), DeskError("disk_full"), and what `chunks` raises.
        """
        async with self._turns.alone(upload_id) as turn:
            part = await self._find(chat_id, upload_id)
            if part.offset != offset:
                raise Conflict(
                    f"The upload is at {part.offset} bytes, not at {offset}.",
                    "Get its offset with HEAD, and continue from there.",
                    code="offset_mismatch",
                )
            if part.file_id or part.id in self._read:
                return part, None
            if announced is not None and offset + announced > part.length:
                raise _too_long(part)
            with contextlib.ExitStack() as lock:
                try:
                    writer = lock.enter_context(self._store.partials.writing(upload_id))
                except Conflict:
                    if part.is_complete:  # another server reads it
                        return part, None
                    raise
                part = await self._find(chat_id, upload_id)
                if part.file_id:  # another server has just read it
                    return part, None
                if not part.is_complete:  # a complete one waits for no bytes and does not give way
                    try:
                        await self._receive(part, writer, turn, chunks, checksum)
                    finally:
                        share = asyncio.to_thread(self._store.partials.share, upload_id, writer, part.offset)
                        await _to_its_end(share)
                    part = await self._find(chat_id, upload_id)
                if not part.is_complete:
                    return part, None
                file = await _to_its_end(self._placed(part))
                if file is None:
                    return replace(part, file_id=part.kept), None
                self._read[part.id] = lock.pop_all()
                return part, file

    async def cancel(self, chat_id: str, upload_id: str) -> None:
        """Forget an upload that is not whole yet."""
        async with self._turns.alone(upload_id):
            if (await self._find(chat_id, upload_id)).file_id or upload_id in self._read:
                raise gone()
            with self._store.partials.writing(upload_id):
                await asyncio.to_thread(self._store.partials.discard, upload_id)

    async def finish(self, part: PartialFile, file: StoredFile) -> None:
        """Mark a complete upload as recorded in the log."""
        await asyncio.to_thread(self._store.partials.finish, part, file.id)

    def release(self, upload_id: str) -> None:
        """Release an upload whose file was read. If the reading failed, an empty piece at the end starts it again."""
        self._read.pop(upload_id).close()

    async def complete_uploads(self) -> list[PartialFile]:
        """Return complete uploads that are not files yet: the server stopped, or the chat's folder was full."""
        stored = await asyncio.to_thread(self._store.partials.all)
        return [
            part for part in stored if part.is_complete and not part.file_id and part.id not in self._read
        ]

    async def sweep(self) -> None:
        """Discard uploads that received nothing for EXPIRES_SECONDS."""
        await asyncio.to_thread(self._store.partials.sweep, time.time() - EXPIRES_SECONDS)

    async def unfinished(self) -> int:
        """Return the number of unfinished uploads."""
        return sum(not part.file_id for part in await asyncio.to_thread(self._store.partials.all))

    @property
    def limit(self) -> int:
        """Most bytes of one file."""
        return self._room.limit

    # --- of one upload ------------------------------------------------------------------------------------------

    async def _receive(
        self,
        part: PartialFile,
        writer: PartWriter,
        turn: Turn,
        chunks: AsyncIterator[bytes],
        checksum: Checksum | None,
    ) -> None:
        digest = hashlib.new(checksum.algorithm) if checksum else None
        buffer = bytearray()

        def keep(data: bytes) -> None:
            with full_disk_errors():
                writer.write(data)
            if digest is not None:
                digest.update(data)

        async def flush() -> None:
            data = bytes(buffer)
            buffer.clear()
            await _to_its_end(asyncio.to_thread(keep, data))

        fits = checksum is None
        try:
            while chunk := await turn.next(chunks):
                if writer.offset + len(buffer) + len(chunk) > part.length:
                    raise _too_long(part)
                buffer += chunk
                if len(buffer) >= AT_ONCE:
                    await flush()
            if checksum and digest is not None:
                await flush()
                fits = digest.digest() == checksum.digest
        finally:
            try:
                await flush()
            finally:
                if not fits:
                    await asyncio.to_thread(writer.cut, part.offset)
        if not fits:
            raise BadInput(
                "The checksum of the received bytes does not match.",
                "Send them again.",
                code="wrong_checksum",
            )

    async def _placed(self, part: PartialFile) -> StoredFile | None:
        """Place a complete upload as a file of its chat, to be read, then finished and released. Can be repeated.

        Returns None if the log already records the file.
        """
        with full_disk_errors():
            if part.kept and not await self._uploads.take_away(
                part.chat_id, part.placed, part.kept, part.length
            ):  # its server ended just after it recorded the file
                await asyncio.to_thread(self._store.partials.finish, part, part.kept)
                return None
            bytes_of = self._store.partials.path(part.id)
            stored_id = new_file_id()  # recorded first, so that files of a crash can be found and removed
            await asyncio.to_thread(self._store.partials.place, part, "", stored_id)
            file = await self._uploads.place_received(
                part.chat_id, part.name, bytes_of, part.length, stored_id
            )
            await asyncio.to_thread(self._store.partials.place, part, file.name, file.id)
        return file

    async def _find(self, chat_id: str, upload_id: str) -> PartialFile:
        await self._check_chat(chat_id)
        part = await asyncio.to_thread(self._store.partials.refresh, upload_id)
        if part.chat_id != chat_id:
            raise gone()
        return part

    async def _check_chat(self, chat_id: str) -> None:
        await self._store.aread(lambda connection: chats.get_chat(connection, chat_id))


async def _to_its_end(work: Awaitable[T]) -> T:
    """Return the result of `work`; a cancelled caller waits for its end, so that the next request finds the upload at
    rest.
    """
    task = asyncio.ensure_future(work)
    try:
        return await shielded(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


def _too_long(part: PartialFile) -> BadInput:
    return BadInput(
        f"More comes than the {part.length} bytes that were announced.",
        "Start a new upload for a longer file.",
        code="too_large",
    )
