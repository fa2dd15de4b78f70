"""A server that sends what it is given, event by event, and streams written by hand: to try the harness, to replay fixtures.

It runs nothing and understands nothing: `POST /stream` answers the n-th request with the n-th response, `WS /live` the
n-th message on a socket with the n-th, each event in a frame of its own.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from tests.ai_sdk.driving import Chunk
from tests.support.servers import app_served

Events = Sequence[str]
"""Events of one response, each with its `data: `, without the empty line."""
HEADERS = {
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    "connection": "keep-alive",
    "x-vercel-ai-ui-message-stream": "v1",
    "x-accel-buffering": "no",
}


@dataclass
class Replaying:
    """`respond(n)` is what the n-th request gets, or None for a refusal."""

    respond: Callable[[int], Events | None]
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def next(self, request: dict[str, Any]) -> Events | None:
        self.requests.append(request)
        return self.respond(len(self.requests) - 1)

    async def stream(self, request: Request) -> Response:
        events = self.next(await request.json())
        if events is None:
            return PlainTextResponse("there is no response left", status_code=409)
        return Response("".join(f"{event}\n\n" for event in events), headers=HEADERS)

    async def live(self, socket: WebSocket) -> None:
        await socket.accept()
        try:
            while True:
                frame = json.loads(await socket.receive_text())
                if frame["type"] == "ping":
                    await socket.send_text(json.dumps({"type": "pong", "timestamp": frame["timestamp"]}))
                elif frame["type"] == "send":
                    await self._send_stock(socket, frame)
                else:
                    for event in self.next(frame) or ():
                        await socket.send_text(f"{event}\n\n")
        except WebSocketDisconnect:
            pass

    async def _send_stock(self, socket: WebSocket, frame: dict[str, Any]) -> None:
        """In the frames of ai 7's own WebSocket transport, which has no [DONE]."""
        request = {"requestId": frame["requestId"]}
        await socket.send_json({"type": "start"} | request)
        chunks = [event.removeprefix("data: ") for event in self.next(frame) or () if "[DONE]" not in event]
        for sequence, chunk in enumerate(chunks):
            await socket.send_json(
                {"type": "chunk", "sequence": sequence, "chunk": json.loads(chunk)} | request
            )
        await socket.send_json({"type": "end"} | request)


@contextmanager
def replaying(respond: Callable[[int], Events | None] | Sequence[Events], port: int) -> Iterator[Replaying]:
    """Serve it on 127.0.0.1; given a list, a request beyond its end is refused."""
    if not callable(respond):
        replies = list(respond)
        server = Replaying(lambda n: replies[n] if n < len(replies) else None, f"http://127.0.0.1:{port}")
    else:
        server = Replaying(respond, f"http://127.0.0.1:{port}")
    routes = [Route("/stream", server.stream, methods=["POST"]), WebSocketRoute("/live", server.live)]
    with app_served(Starlette(routes=routes), port, log_level="warning"):
        yield server


DONE = "data: [DONE]"
PAYMENT = {"recipient": "Alice", "amount": 30, "currency": "USD"}


def events(*chunks: Chunk | list[Chunk]) -> list[str]:
    """Each chunk as an event; lists of chunks are flattened."""
    flat: list[Chunk] = []
    for chunk in chunks:
        flat += chunk if isinstance(chunk, list) else [chunk]
    return [f"data: {json.dumps(chunk)}" for chunk in flat]


def start(message_id: str | None = "message-1") -> Chunk:
    return {"type": "start"} if message_id is None else {"type": "start", "messageId": message_id}


def call(call_id: str = "call-1", tool: str = "process_payment", arguments: Any = PAYMENT) -> list[Chunk]:
    call_start = {"type": "tool-input-start", "toolCallId": call_id, "toolName": tool}
    return [call_start, call_start | {"type": "tool-input-available", "input": arguments}]


def asks(call_id: str = "call-1") -> Chunk:
    return {"type": "tool-approval-request", "toolCallId": call_id, "approvalId": f"approval-of-{call_id}"}


def step(*chunks: Chunk) -> list[Chunk]:
    return [{"type": "start-step"}, *chunks, {"type": "finish-step"}]


def gives(call_id: str = "call-1", output: Any = None) -> Chunk:
    return {"type": "tool-output-available", "toolCallId": call_id, "output": output or {"success": True}}


def fails(call_id: str = "call-1", why: str = "User denied the tool call") -> Chunk:
    return {"type": "tool-output-error", "toolCallId": call_id, "errorText": why}


def text(content: str = "That is all.", part_id: str = "text-1") -> list[Chunk]:
    return [
        {"type": "text-start", "id": part_id},
        {"type": "text-delta", "id": part_id, "delta": content},
        {"type": "text-end", "id": part_id},
    ]


FINISH: Chunk = {"type": "finish", "finishReason": "stop"}
ASKED_SSE = [*events(start(), call(), asks(), FINISH), DONE]
APPROVED_SSE = [ASKED_SSE, [*events(start(), gives(), text(), FINISH), DONE]]
ASKED_BIDI = events(start(), call(), step(asks()))
DENIED_BIDI = [ASKED_BIDI, [*events(fails(), text(), FINISH), DONE]]
