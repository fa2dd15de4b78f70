"""A server that sends what it is given, event by event: to try the harness itself, and to replay fixtures.

It runs nothing and understands nothing: `POST /stream` answers the n-th request with the n-th response, `WS /live` the
n-th message on a socket with the n-th, each event in a frame of its own.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

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
        given = list(respond)
        server = Replaying(lambda n: given[n] if n < len(given) else None, f"http://127.0.0.1:{port}")
    else:
        server = Replaying(respond, f"http://127.0.0.1:{port}")
    routes = [Route("/stream", server.stream, methods=["POST"]), WebSocketRoute("/live", server.live)]
    config = uvicorn.Config(Starlette(routes=routes), host="127.0.0.1", port=port, log_level="warning")
    web = uvicorn.Server(config)
    thread = threading.Thread(target=web.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 30
    while not web.started:
        assert thread.is_alive() and time.monotonic() < deadline, "the server did not start"
        time.sleep(0.01)
    try:
        yield server
    finally:
        web.should_exit = True
        thread.join(20)
