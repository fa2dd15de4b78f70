"""Processing of a complete upload: a child process reads its tables, then the log gets the file; with progress.

The work is independent of requests: a complete file is read and logged even if its client has disconnected.
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
# Longest silence of a stream of lines: clients can take a longer one for the end.
BEAT_SECONDS = 5.0
# The event loop itself keeps tasks only by weak references.
_running_tasks: set[asyncio.Task[UploadInfo]] = set()


class Upload:
    """File that is being added to a chat. Call `start` once; waits on `answer` and `lines` can be cancelled at any time.

    `on_logged` is awaited after the log has the file.
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
        """Start reading, on the event loop; `ended` is called at the end."""
        self._task = asyncio.create_task(self._finish())
        _running_tasks.add(self._task)
        self._task.add_done_callback(_done)
        self._task.add_done_callback(lambda _: ended())

    async def answer(self) -> UploadInfo:
        """Wait for the result: the file with `tables` and `problems`. Raises DeskError if it could not be stored."""
        assert self._task is not None
        return await shielded(self._task)

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield the states as JSON lines: received, reading with the share so far, then ready or failed."""
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
    """Resumable uploads that this server is reading, from their last byte until the log has them."""

    def __init__(self, resumable: ResumableUploads, uploads: Uploads) -> None:
        self._resumable = resumable
        self._uploads = uploads
        self._uploads_by_id: dict[str, Upload] = {}

    def begin(self, part: PartialFile, file: StoredFile) -> Upload:
        """Start reading the file of a complete upload."""

        def ended() -> None:
            del self._uploads_by_id[part.id]
            self._resumable.release(part.id)

        upload = Upload(self._uploads, file, lambda: self._resumable.finish(part, file))
        self._uploads_by_id[part.id] = upload
        upload.start(ended)
        return upload

    def of(self, upload_id: str) -> Upload | None:
        """Return the upload with this id if this server is reading it."""
        return self._uploads_by_id.get(upload_id)

    async def watch(self) -> None:
        """Read complete uploads whose clients are gone, and delete expired ones; runs until it is cancelled."""
        again = BEAT_SECONDS
        while True:
            # After a failure it tries again soon, then at doubled intervals up to SWEEP_SECONDS.
            pause = again
            try:
                if await self._resume():
                    again, pause = BEAT_SECONDS, SWEEP_SECONDS
                await self._resumable.sweep()
            except Exception:
                log.exception("the sweep of uploads failed")
            await asyncio.sleep(pause)
            again = min(2 * again, SWEEP_SECONDS)

    async def _resume(self) -> bool:
        """Read complete uploads one by one. Return False if some are left, after a failure or for another server."""
        is_done = True
        for part in await self._resumable.complete_uploads():
            try:
                part, file = await self._resumable.write(part.chat_id, part.id, part.length, _nothing())
                if file is not None:
                    await self.begin(part, file).answer()
                elif not part.file_id and self.of(part.id) is None:
                    is_done = (
                        False  # another server reads it, or the children of a killed one are still ending
                    )
            except (DeskError, OSError) as fault:
                is_done = False
                log.warning("a complete upload could not be read (%s)", type(fault).__name__)
        return is_done


# Body for a write without new bytes, which only stores the complete file.
async def _nothing() -> AsyncIterator[bytes]:
    return
    yield b""


def _done(task: "asyncio.Task[UploadInfo]") -> None:
    _running_tasks.discard(task)
    if not task.cancelled():
        task.exception()  # marks it as retrieved; `answer` raises it for a connected client


def progress(offset: int, length: int) -> bytes:
    """Return the line of an incomplete upload."""
    return _line({"state": "sending", "offset": offset, "bytes": length})


def ready(upload: UploadInfo) -> bytes:
    """Return the last line of a complete upload."""
    file = upload.model_dump(mode="json")
    tables, problems = file.pop("tables"), file.pop("problems")
    return _line({"state": "ready", "file": file, "tables": tables, "problems": problems})


def _line(line: dict[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
