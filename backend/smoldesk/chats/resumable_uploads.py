"""Uploads that come in pieces and can be gone on with: each is a part on the disk until it is whole, then a file of its chat.

Of an upload one request is served at a time. A newer one wins, for the client of an older one may be gone without a word.
"""

import asyncio
import contextlib
import hashlib
import time
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field

from smoldesk.chats.upload_room import UploadRoom
from smoldesk.chats.uploads import Uploads
from smoldesk.errors import BadInput, Conflict
from smoldesk.folders import checked_name
from smoldesk.store import chats
from smoldesk.store.files import StoredFile
from smoldesk.store.partial_files import PartialFile, PartWriter, full_disk_told, gone
from smoldesk.store.store import Store

EXPIRES_SECONDS = 24 * 3600.0
"""How long an upload is kept to which nothing more comes."""
SILENCE_SECONDS = 30.0
"""How long a request may send nothing."""
AT_ONCE = 1 << 20
"""Bytes that are written at once."""
CHECKSUMS = ("sha1", "sha256")


@dataclass
class _Turn:
    """Whose turn it is to serve one upload; `waited` runs while the holder waits for bytes."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    requests: int = 0
    waited: asyncio.Timeout | None = None


@dataclass(frozen=True)
class Checksum:
    """What the bytes of a piece come to: an algorithm of CHECKSUMS, and its digest."""

    algorithm: str
    digest: bytes


class ResumableUploads:
    """The unfinished uploads of one desk. Methods are called on the event loop; they raise NotFound for an unknown upload."""

    def __init__(self, store: Store, uploads: Uploads, room: UploadRoom) -> None:
        self._store = store
        self._uploads = uploads
        self._room = room
        self._beginning = asyncio.Lock()
        self._turns: dict[str, _Turn] = {}
        self._read: set[str] = set()
        """Those that are whole, and whose files are being read."""

    async def begin(self, chat_id: str, name: str, length: int) -> PartialFile:
        """Make place for a file of `length` bytes. Raises BadInput or DeskError as `UploadRoom.check`, NotFound."""
        checked_name(name)
        if length == 0:
            raise BadInput("The file is empty.", "Upload a file with content.", code="empty_file")
        await self._check_chat(chat_id)
        await self.sweep()

        def job() -> PartialFile:
            self._room.check(chat_id, length)
            with full_disk_told():
                return self._store.partials.begin(chat_id, name, length)

        async with self._beginning:  # what is on its way counts for the next one
            return await asyncio.to_thread(job)

    async def find(self, chat_id: str, upload_id: str) -> PartialFile:
        """An upload as it stands; a request that still sends it comes to its end first."""
        async with self._alone(upload_id):
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
        """Add what comes from `offset` on; the last byte places the file in the chat, to be read by `Uploads.finish`.

        `announced` is how many bytes are said to come. What has come is kept, however this ends, but for a piece whose
        checksum is another. Raises Conflict("offset_mismatch", "upload_busy"), BadInput("too_large", "wrong_checksum",
        "upload_silent"), DeskError("disk_full"), and whatever `chunks` raises.
        """
        async with self._alone(upload_id) as turn:
            part = await self._find(chat_id, upload_id)
            if part.offset != offset:
                raise Conflict(
                    f"The upload stands at {part.offset} bytes, not at {offset}.",
                    "Ask how far it is (HEAD), and go on from there.",
                    code="offset_mismatch",
                )
            if part.file_id or part.id in self._read:
                return part, None
            if announced is not None and offset + announced > part.length:
                raise _too_long(part)
            with self._store.partials.writing(upload_id) as writer:
                await self._receive(part, writer, turn, chunks, checksum)
            part = await self._find(chat_id, upload_id)
            return part, await self._placed(part) if part.is_whole else None

    async def cancel(self, chat_id: str, upload_id: str) -> None:
        """Forget an upload that is not whole yet."""
        async with self._alone(upload_id):
            if (await self._find(chat_id, upload_id)).file_id or upload_id in self._read:
                raise gone()
            await asyncio.to_thread(self._store.partials.discard, upload_id)

    async def finish(self, part: PartialFile, file: StoredFile) -> None:
        """The file of a whole upload is told of."""
        await asyncio.to_thread(self._store.partials.finish, part, file.id)

    def release(self, upload_id: str) -> None:
        """The reading of its file has ended; when that failed, an empty piece at the upload's end tries again."""
        self._read.discard(upload_id)

    async def sweep(self) -> None:
        """Forget what nobody has gone on with for EXPIRES_SECONDS."""
        await asyncio.to_thread(self._store.partials.sweep, time.time() - EXPIRES_SECONDS)

    async def unfinished(self) -> int:
        """How many uploads are on their way."""
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
        turn: _Turn,
        chunks: AsyncIterator[bytes],
        checksum: Checksum | None,
    ) -> None:
        digest = hashlib.new(checksum.algorithm) if checksum else None
        held = bytearray()

        def keep(data: bytes) -> None:
            with full_disk_told():
                writer.write(data)
            if digest is not None:
                digest.update(data)

        async def flush() -> None:
            data = bytes(held)
            held.clear()
            # to its end, also when the client goes away: the next request must find the upload at rest
            await asyncio.shield(asyncio.to_thread(keep, data))

        fits = checksum is None
        try:
            while chunk := await _next(chunks, turn):
                if writer.offset + len(held) + len(chunk) > part.length:
                    raise _too_long(part)
                held += chunk
                if len(held) >= AT_ONCE:
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
                "The bytes that came have another checksum.", "Send them again.", code="wrong_checksum"
            )

    async def _placed(self, part: PartialFile) -> StoredFile:
        """A whole upload as a file of its chat, to be read, then `finish`ed and `release`d; this can be tried again."""
        with full_disk_told():
            if part.placed:  # by a desk that ended before it could tell of it
                await self._uploads.take_away(part.chat_id, part.placed, part.length)
            bytes_of = self._store.partials.path(part.id)
            file = await self._uploads.place_whole(part.chat_id, part.name, bytes_of, part.length)
            await asyncio.to_thread(self._store.partials.place, part, file.name)
        self._read.add(part.id)
        return file

    async def _find(self, chat_id: str, upload_id: str) -> PartialFile:
        await self._check_chat(chat_id)
        part = await asyncio.to_thread(self._store.partials.find, upload_id)
        if part.chat_id != chat_id:
            raise gone()
        return part

    async def _check_chat(self, chat_id: str) -> None:
        await self._store.aread(lambda connection: chats.get_chat(connection, chat_id))

    @contextlib.asynccontextmanager
    async def _alone(self, upload_id: str) -> AsyncGenerator[_Turn]:
        """The one request that is served for an upload; who waits for bytes of it gives way."""
        turn = self._turns.setdefault(upload_id, _Turn())
        turn.requests += 1
        if turn.waited is not None:
            with contextlib.suppress(RuntimeError):  # its bytes came just now: it looks before it waits again
                turn.waited.reschedule(0)
        try:
            async with turn.lock:
                yield turn
        finally:
            turn.requests -= 1
            if not turn.requests:
                self._turns.pop(upload_id, None)


async def _next(chunks: AsyncIterator[bytes], turn: _Turn) -> bytes:
    """The next bytes, b"" at the end. Raises Conflict when another request wants the upload, BadInput after long silence."""
    try:
        while turn.requests < 2:
            async with asyncio.timeout(SILENCE_SECONDS) as turn.waited:
                chunk = await anext(chunks, None)
            if chunk is None:
                return b""
            if chunk:
                return chunk
    except TimeoutError:
        if turn.requests < 2:
            words = f"Nothing came for {SILENCE_SECONDS:g} s."
            raise BadInput(words, "Go on from where the upload is.", code="upload_silent") from None
    finally:
        turn.waited = None
    raise Conflict(
        "Another request goes on with this upload.", "Ask how far it is (HEAD).", code="upload_busy"
    )


def _too_long(part: PartialFile) -> BadInput:
    return BadInput(
        f"More comes than the {part.length} bytes that were announced.",
        "Begin a new upload for a longer file.",
        code="too_large",
    )
