"""An upload after its last byte: read for tables in a child, then told of in the log; followed while it happens.

The work belongs to no request. Once a file has come in whole it is read and told of to the end, also when the
client that sent it has gone.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from smoldesk.chats import StoredFile, Uploads
from smoldesk.errors import DeskError
from smoldesk.tables.table_profiles import is_table_file
from smoldesk.wires.rest.encoder import upload_info
from smoldesk.wires.rest.models import UploadInfo

LINES = "application/x-ndjson"
_under_way: set[asyncio.Task[UploadInfo]] = set()
"""The event loop itself keeps tasks only by weak references."""


class Upload:
    """One file on its way into a chat. `start` it once; `answer` and `lines` may be left at any time."""

    def __init__(self, uploads: Uploads, file: StoredFile) -> None:
        self._uploads = uploads
        self._file = file
        self._shares: asyncio.Queue[float | None] = asyncio.Queue()
        self._task: asyncio.Task[UploadInfo] | None = None

    def start(self) -> None:
        """Begin to read; on the event loop."""
        self._task = asyncio.create_task(self._finish())
        _under_way.add(self._task)
        self._task.add_done_callback(self._done)

    async def answer(self) -> UploadInfo:
        """The file as /api tells it, with `tables` and `problems`; raises DeskError when it could not be kept."""
        assert self._task is not None
        return await asyncio.shield(self._task)

    async def lines(self) -> AsyncIterator[bytes]:
        """received, then reading with the share that is read, then ready or failed."""
        yield _line({"state": "received", "bytes": self._file.size})
        if is_table_file(self._file.name):
            yield _line({"state": "reading", "share": None})
        while (share := await self._shares.get()) is not None:
            yield _line({"state": "reading", "share": share})
        try:
            told = await self.answer()
        except DeskError as fault:
            error = {"code": fault.code, "message": fault.message, "hint": fault.hint}
            yield _line({"state": "failed", "error": error})
            return
        file = told.model_dump(mode="json")
        tables, problems = file.pop("tables"), file.pop("problems")
        yield _line({"state": "ready", "file": file, "tables": tables, "problems": problems})

    def _done(self, task: "asyncio.Task[UploadInfo]") -> None:
        _under_way.discard(task)
        self._shares.put_nowait(None)
        if not task.cancelled():
            task.exception()  # told by `answer` to a client that is still there

    async def _finish(self) -> UploadInfo:
        profile = await self._uploads.finish(self._file, self._shares.put_nowait)
        return upload_info(self._file, profile)


def _line(line: dict[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
