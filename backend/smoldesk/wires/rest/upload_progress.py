"""An upload after its last byte: read for tables in a child, then told of in the log; followed while it happens.

The work belongs to no request. Once a file has come in whole it is read and told of to the end, also when the
client that sent it has gone.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from smoldesk.chats import StoredFile, Uploads
from smoldesk.errors import DeskError
from smoldesk.tables.table_profiles import is_table_file
from smoldesk.wires.rest.encoder import upload_info
from smoldesk.wires.rest.models import UploadInfo

LINES = "application/x-ndjson"
LOOK_SECONDS = 0.1
_under_way: set[asyncio.Task[UploadInfo]] = set()
"""The event loop itself keeps tasks only by weak references."""


class Upload:
    """One file on its way into a chat. `start` it once; `answer` and `lines` may be left at any time.

    `told` is awaited once the log tells of it.
    """

    def __init__(
        self, uploads: Uploads, file: StoredFile, told: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        self._uploads = uploads
        self._file = file
        self._told = told
        self._share: float | None = None
        self._task: asyncio.Task[UploadInfo] | None = None

    def start(self, ended: Callable[[], object] = lambda: None) -> None:
        """Begin to read; on the event loop, where `ended` is called at the end."""
        self._task = asyncio.create_task(self._finish())
        _under_way.add(self._task)
        self._task.add_done_callback(_done)
        self._task.add_done_callback(lambda _: ended())

    async def answer(self) -> UploadInfo:
        """The file as /api tells it, with `tables` and `problems`; raises DeskError when it could not be kept."""
        assert self._task is not None
        return await asyncio.shield(self._task)

    async def lines(self) -> AsyncIterator[bytes]:
        """received, then reading with the share that is read, then ready or failed."""
        assert self._task is not None
        yield _line({"state": "received", "bytes": self._file.size})
        told: float | None = -1.0
        while is_table_file(self._file.name) and not self._task.done():
            if told != self._share:
                told = self._share
                yield _line({"state": "reading", "share": told})
            await asyncio.wait({self._task}, timeout=LOOK_SECONDS)
        try:
            yield ready(await self.answer())
        except DeskError as fault:
            error = {"code": fault.code, "message": fault.message, "hint": fault.hint}
            yield _line({"state": "failed", "error": error})

    async def _finish(self) -> UploadInfo:
        profile = await self._uploads.finish(self._file, self._heard)
        if self._told is not None:
            await self._told()
        return upload_info(self._file, profile)

    def _heard(self, share: float) -> None:
        self._share = share


def _done(task: "asyncio.Task[UploadInfo]") -> None:
    _under_way.discard(task)
    if not task.cancelled():
        task.exception()  # told by `answer` to a client that is still there


def progress(offset: int, length: int) -> bytes:
    """The line of an upload that is not whole yet."""
    return _line({"state": "sending", "offset": offset, "bytes": length})


def ready(told: UploadInfo) -> bytes:
    """The last line of an upload that is whole."""
    file = told.model_dump(mode="json")
    tables, problems = file.pop("tables"), file.pop("problems")
    return _line({"state": "ready", "file": file, "tables": tables, "problems": problems})


def _line(line: dict[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
