"""Responses as server-sent events, and bodies of requests read within bounds."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from fastapi import Request, Response

from smoldesk.wires.ai_sdk.models import DONE, Chunk, as_event
from smoldesk.wires.ai_sdk.requests import (
    ChatRequest,
    read_json,
    read_request,
    too_large,
)
from smoldesk.wires.bodies import read_bounded
from smoldesk.wires.event_stream import event_stream

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


def as_response(chunks: AsyncGenerator[list[Chunk], None]) -> Response:
    """A response of these chunks, with their end mark."""
    return event_stream(_events(chunks), KEEP_ALIVE_SECONDS, HEADERS)


async def _events(chunks: AsyncGenerator[list[Chunk], None]) -> AsyncGenerator[bytes, None]:
    async with aclosing(chunks):
        async for piece in chunks:
            yield "".join(map(as_event, piece)).encode("utf-8", "replace")
    yield DONE.encode()
