"""An upload after its last byte: read for tables in a child, then told of in the log; followed while it happens.

The work belongs to no request. Once a file has come in whole it is read and told of to the end, also when the
client that sent it has gone.
"""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from smoldesk.chats import PartialFile, ResumableUploads, StoredFile, Uploads
from smoldesk.errors import DeskError
from smoldesk.stopping import shielded
from smoldesk.tables.table_profiles import is_table_file
from smoldesk.wires.rest.encoder import upload_info
from smoldesk.wires.rest.models import UploadInfo

log = logging.getLogger(__name__)

LINES = "application/x-ndjson"
POLL_SECONDS = 0.1
SWEEP_SECONDS = 3600.0
# How long a stream of lines is silent at most: a client may take silence for the end.
BEAT_SECONDS = 5.0
# The event loop itself keeps tasks only by weak references.
_running_tasks: set[asyncio.Task[UploadInfo]] = set()


class Upload:
    """One file on its way into a chat. `start` it once; `answer` and `lines` may be left at any time.

    `on_logged` is awaited once the log has the file.
    """

    def __init__(
        self, uploads: Uploads, file: StoredFile, on_logged: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        self._uploads = uploads
        self._file = file
        self._on_logged = on_logged
        self._share: float | None = None
        self._task: asyncio.Task[UploadInfo] | None = None

    def start(self, ended: Callable[[], object] = lambda: None) -> None:
        """Begin to read; on the event loop, where `ended` is called at the end."""
        self._task = asyncio.create_task(self._finish())
        _running_tasks.add(self._task)
        self._task.add_done_callback(_done)
        self._task.add_done_callback(lambda _: ended())

    async def answer(self) -> UploadInfo:
        """The file as /api tells it, with `tables` and `problems`; raises DeskError when it could not be kept."""
        assert self._task is not None
        return await shielded(self._task)

    async def lines(self) -> AsyncIterator[bytes]:
        """received, then reading with the share that is read, then ready or failed."""
        assert self._task is not None
        yield _line({"state": "received", "bytes": self._file.size})
        reported_share: float | None = -1.0
        beat = 0.0
        while is_table_file(self._file.name) and not self._task.done():
            if reported_share != self._share or time.monotonic() - beat > BEAT_SECONDS:
                reported_share, beat = self._share, time.monotonic()
                yield _line({"state": "reading", "share": reported_share})
            await asyncio.wait({self._task}, timeout=POLL_SECONDS)
        try:
            yield ready(await self.answer())
        except DeskError as fault:
            error = {"code": fault.code, "message": fault.message, "hint": fault.hint}
            yield _line({"state": "failed", "error": error})

    async def _finish(self) -> UploadInfo:
        profile = await self._uploads.finish(self._file, self._on_progress)
        if self._on_logged is not None:
            await self._on_logged()
        return upload_info(self._file, profile)

    def _on_progress(self, share: float) -> None:
        self._share = share


class UploadReadings:
    """Uploads in pieces, from their last byte on until they are told of: those that this server reads."""

    def __init__(self, resumable: ResumableUploads, uploads: Uploads) -> None:
        self._resumable = resumable
        self._uploads = uploads
        self._uploads_by_id: dict[str, Upload] = {}

    def begin(self, part: PartialFile, file: StoredFile) -> Upload:
        """Read the file that a whole upload became."""

        def ended() -> None:
            del self._uploads_by_id[part.id]
            self._resumable.release(part.id)

        upload = Upload(self._uploads, file, lambda: self._resumable.finish(part, file))
        self._uploads_by_id[part.id] = upload
        upload.start(ended)
        return upload

    def of(self, upload_id: str) -> Upload | None:
        """The upload that is read under this id, if it is."""
        return self._uploads_by_id.get(upload_id)

    async def watch(self) -> None:
        """From the start on: what is whole is read, also when its client stays away; what nobody goes on with expires."""
        again = BEAT_SECONDS
        while True:
            pause = again
            try:
                if await self._resume():
                    again, pause = BEAT_SECONDS, SWEEP_SECONDS
                await self._resumable.sweep()
            except Exception:
                log.exception("uploads could not be looked through")
            await asyncio.sleep(pause)
            again = min(2 * again, SWEEP_SECONDS)

    async def _resume(self) -> bool:
        """Go on, one by one, with what is whole and was not read. False when some is left: it failed, or another has it."""
        is_done = True
        for part in await self._resumable.complete_uploads():
            try:
                part, file = await self._resumable.write(part.chat_id, part.id, part.length, _nothing())
                if file is not None:
                    await self.begin(part, file).answer()
                elif not part.file_id and self.of(part.id) is None:
                    is_done = False  # another server reads it, or a killed one's children end just now
            except (DeskError, OSError) as fault:
                is_done = False
                log.warning("a whole upload could not be read (%s)", type(fault).__name__)
        return is_done


async def _nothing() -> AsyncIterator[bytes]:
    return
    yield b""


def _done(task: "asyncio.Task[UploadInfo]") -> None:
    _running_tasks.discard(task)
    if not task.cancelled():
        task.exception()  # told by `answer` to a client that is still there


def progress(offset: int, length: int) -> bytes:
    """The line of an upload that is not whole yet."""
    return _line({"state": "sending", "offset": offset, "bytes": length})


def ready(upload: UploadInfo) -> bytes:
    """The last line of an upload that is whole."""
    file = upload.model_dump(mode="json")
    tables, problems = file.pop("tables"), file.pop("problems")
    return _line({"state": "ready", "file": file, "tables": tables, "problems": problems})


def _line(line: dict[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
