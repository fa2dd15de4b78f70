"""Responses as server-sent events, and bodies of requests read within bounds."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from fastapi import Request
from fastapi.responses import StreamingResponse

from backend.wires.bodies import read_bounded
from backend.wires.ui_stream.chunks import DONE, KEEP_ALIVE, Chunk, as_event
from backend.wires.ui_stream.incoming import ChatRequest, read_json, read_request, too_large

BODY_LIMIT = 16 * 1024 * 1024
"""Most bytes of a request: the whole history of a chat travels with each, images included."""
KEEP_ALIVE_SECONDS = 15.0
HEADERS = {
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    "connection": "keep-alive",
    "x-vercel-ai-ui-message-stream": "v1",
    "x-accel-buffering": "no",
}


async def read_body(request: Request) -> ChatRequest:
    """The turn a request asks for. Raises BadInput."""
    body = await read_bounded(request, BODY_LIMIT, too_large)
    return await asyncio.to_thread(lambda: read_request(read_json(body, BODY_LIMIT)))


def as_response(chunks: AsyncGenerator[list[Chunk], None]) -> StreamingResponse:
    """A response of these chunks, with their end mark."""
    return StreamingResponse(_events(chunks), headers=HEADERS)


async def _events(chunks: AsyncGenerator[list[Chunk], None]) -> AsyncIterator[str]:
    """Chunks as events; a comment now and then while there are none, which also finds out who has gone."""
    async with aclosing(chunks):
        coming = asyncio.ensure_future(anext(chunks, None))
        try:
            while True:
                done, _ = await asyncio.wait({coming}, timeout=KEEP_ALIVE_SECONDS)
                if not done:
                    yield KEEP_ALIVE
                    continue
                piece = coming.result()
                if piece is None:
                    break
                coming = asyncio.ensure_future(anext(chunks, None))
                yield "".join(map(as_event, piece))
        finally:
            coming.cancel()
            await asyncio.gather(coming, return_exceptions=True)
    yield DONE
