"""`python -m bench.bare_stream FOLDER`: what a stream costs without a desk. The peer.

`POST /stream` with an order as its body: pieces from a bare StreamingResponse, as chunks of the same protocol, on the
same kind of server. No log, no run, no agent; the folder is not looked at.
"""

import asyncio
import itertools
import json
import time
from collections.abc import AsyncIterator

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

from bench.pieces import Order, piece
from bench.processes import serve_until_told

_streams = itertools.count()


async def stream(request: Request) -> StreamingResponse:
    order = Order.read((await request.body()).decode())
    assert order is not None
    return StreamingResponse(_events(order), media_type="text/event-stream")


async def _events(order: Order) -> AsyncIterator[str]:
    number, started_at = next(_streams), time.monotonic()
    for at in range(order.pieces):
        wait = order.wait(started_at, at)
        if wait:
            await asyncio.sleep(wait)
        chunk = {"type": "text-delta", "id": "text-1", "delta": piece(number, at, order.size)}
        yield f"data: {json.dumps(chunk)}\n\n"
    yield "data: [DONE]\n\n"


if __name__ == "__main__":
    app = Starlette(routes=[Route("/stream", stream, methods=["POST"])])
    serve_until_told(uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, access_log=False)))
