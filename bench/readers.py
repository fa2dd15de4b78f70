"""Clients that read one stream of pieces to its end, each over a wire of its own, and note when every text arrived."""

import asyncio
import json
import time
import uuid
from collections.abc import Awaitable, Callable

from bench.echo import open_socket, say
from bench.pieces import END, Order
from bench.report import CannotMeasure

Arrivals = dict[str, int]
"""When each text arrived, in nanoseconds of the monotonic clock."""
Reader = Callable[[int, Order], Awaitable[Arrivals]]
"""Asks a server on a port for an order, and reads it."""
MOST_BYTES = 1_000_000
"""Of one line."""


async def over_sse(port: int, order: Order) -> Arrivals:
    """`POST /stream`, a chat of its own; over a plain socket, so that the client weighs little."""
    body = json.dumps(_request(order)).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=MOST_BYTES)
    try:
        head = f"POST /stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
        status = await reader.readline()
        if b" 200 " not in status:
            raise CannotMeasure(f"POST /stream answered {status.decode(errors='replace').strip()!r}")
        arrivals: Arrivals = {}
        while True:
            line = await reader.readline()
            if not line:
                raise CannotMeasure("a stream broke off")
            if not line.startswith(b"data: "):
                continue  # a header, the length of a piece of the body, the line between two events
            if not _note(arrivals, line.decode()):
                return arrivals
    finally:
        writer.close()


async def over_live(port: int, order: Order) -> Arrivals:
    """One turn of `WS /live`, on a socket of its own."""
    from websockets.asyncio.client import connect

    arrivals: Arrivals = {}
    async with connect(f"ws://127.0.0.1:{port}/live", max_size=None, compression=None) as socket:
        await socket.send(json.dumps({"type": "message", **_request(order)}))
        while _note(arrivals, str(await socket.recv())):
            pass
    return arrivals


async def over_panes(port: int, order: Order) -> Arrivals:
    """One message over `/ws`, the four-pane wire, until its run is over."""
    arrivals: Arrivals = {}
    async with open_socket(port) as socket:
        await say(socket, order.message)
        while True:
            text = await socket.recv()
            now = time.monotonic_ns()
            message = json.loads(text)
            if message["type"] == "delta":
                _take(arrivals, message["content"], now)
            elif message["type"] == "run" and message["content"]["state"] in ("finished", "failed"):
                return arrivals


def _request(order: Order) -> dict[str, object]:
    parts = [{"type": "text", "text": order.message}]
    return {"id": uuid.uuid4().hex, "messages": [{"id": "m-1", "role": "user", "parts": parts}]}


def _note(arrivals: Arrivals, event: str) -> bool:
    """Take an event of the UI message stream; False when it was the last one. Raises CannotMeasure for an error."""
    now = time.monotonic_ns()
    data = event.removeprefix("data: ").strip()
    if data == "[DONE]":
        return False
    chunk = json.loads(data)
    if chunk["type"] == "error":
        raise CannotMeasure(f"a run failed: {chunk['errorText']}")
    if chunk["type"] == "text-delta":
        _take(arrivals, chunk["delta"], now)
    return True


def _take(arrivals: Arrivals, text: str, now: int) -> None:
    if END in text:  # the answer is no piece
        arrivals[text] = now
