"""Server-sent events, for every wire that has some: one event as text, and a response that sends them as they become known.

The response is plain ASGI. It notices at once when its client leaves, waits for a client that reads slowly (so nothing
piles up here), and comments now and then while there is nothing to tell, so that no proxy takes it for dead.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Mapping

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

KEEP_ALIVE = b": keep-alive\n\n"
_BREAK = re.compile(r"\r\n|\r|\n")
HEADERS = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
}


def event_text(
    data: str | None = None, *, event: str | None = None, id: str | None = None, retry: int | None = None
) -> bytes:
    """One event; breaks in `data` become lines of it, and those in a name or an id, which cannot have any, are dropped."""
    lines: list[str] = []
    if retry is not None:
        lines.append(f"retry: {retry}")
    if id is not None:
        lines.append(f"id: {_BREAK.sub('', id)}")
    if event is not None:
        lines.append(f"event: {_BREAK.sub('', event)}")
    if data is not None:
        lines += [f"data: {line}" for line in _BREAK.split(data)]
    return "".join(f"{line}\n" for line in [*lines, ""]).encode("utf-8", "replace")


class EventStream(Response):
    """A response of events, in the pieces in which they come. `headers` are instead of the usual ones."""

    def __init__(
        self,
        pieces: AsyncGenerator[bytes, None],
        keep_alive_seconds: float,
        headers: Mapping[str, str] = HEADERS,
    ) -> None:
        super().__init__(headers=headers)
        del self.headers["content-length"]
        self._pieces = pieces
        self._keep_alive_seconds = keep_alive_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        tasks = [asyncio.create_task(self._send_all(send)), asyncio.create_task(_until_gone(receive))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._pieces.aclose()
        if not tasks[0].cancelled():
            tasks[0].result()  # raises what broke it

    async def _send_all(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        coming = asyncio.ensure_future(anext(self._pieces, None))
        try:
            while True:
                done, _ = await asyncio.wait({coming}, timeout=self._keep_alive_seconds)
                piece = coming.result() if done else KEEP_ALIVE
                if piece is None:
                    break
                await _send(send, piece)
                if done:
                    coming = asyncio.ensure_future(anext(self._pieces, None))
        finally:
            coming.cancel()
            await asyncio.gather(coming, return_exceptions=True)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _send(send: Send, piece: bytes) -> None:
    await send({"type": "http.response.body", "body": piece, "more_body": True})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
