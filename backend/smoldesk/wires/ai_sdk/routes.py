"""Routes of the AI SDK wire."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from fastapi import APIRouter, Request, Response, WebSocket
from starlette.routing import BaseRoute

from smoldesk.desk import Desk
from smoldesk.errors import BadInput
from smoldesk.wires.ai_sdk.chat_history import ChatHistory
from smoldesk.wires.ai_sdk.live import LiveSocket
from smoldesk.wires.ai_sdk.models import DONE, Chunk, as_event
from smoldesk.wires.ai_sdk.request_handling import RequestHandler
from smoldesk.wires.ai_sdk.requests import (
    BODY_LIMIT,
    ChatRequest,
    read_json,
    read_request,
    run_options,
    too_large,
)
from smoldesk.wires.ai_sdk.run_stream import RunStream
from smoldesk.wires.base import Wire
from smoldesk.wires.bodies import read_bounded
from smoldesk.wires.event_stream import event_stream
from smoldesk.wires.late_routes import LateRoute
from smoldesk.wires.serialization import json_text

STOPPED = "Stopped by the person"
KEEP_ALIVE_SECONDS = 15.0
HEADERS = {
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    "connection": "keep-alive",
    "x-vercel-ai-ui-message-stream": "v1",
    # nginx buffers proxied responses without this header.
    "x-accel-buffering": "no",
}


class AiSdkWire(Wire):
    """Wire of AI SDK front ends: `/stream` and `/live`."""

    name = "ai_sdk"

    def routes(self) -> Sequence[BaseRoute]:
        return router(self.desk).routes


def router(desk: Desk) -> APIRouter:
    """Return the router of this wire."""
    routes = APIRouter(
        route_class=LateRoute, include_in_schema=False
    )  # documented in spec/reference/ui_stream.md
    turns = RequestHandler(desk)
    following = RunStream(desk.runs, desk.agents, desk.chats, desk.files, desk.buildings)
    history = ChatHistory(desk.runs, desk.chats, desk.files, following)

    @routes.post("/stream")
    async def stream(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        options = run_options(request, desk.agents.agent_list, "together")
        turn = await turns.begin(await read_body(request), options, "sse")
        return stream_response(following.chunks(turn, "sse"))

    @routes.get("/stream/{chat_id:path}/stream")
    async def resume(chat_id: str) -> Response:  # pyright: ignore[reportUnusedFunction]
        turn = await turns.resume(chat_id)
        return Response(status_code=204) if turn is None else stream_response(following.chunks(turn, "sse"))

    @routes.get("/stream/{chat_id:path}/messages")
    async def messages(chat_id: str, open: bool = False) -> Response:  # pyright: ignore[reportUnusedFunction]
        ui_messages = await history.messages(chat_id, with_open=open)
        text = await asyncio.to_thread(json_text, ui_messages)
        return Response(text.encode("utf-8", "replace"), media_type="application/json")

    @routes.get("/stream")
    async def resume_behind_query(agent: str = "") -> Response:  # pyright: ignore[reportUnusedFunction]
        # Releases of ai 6 before `appendPathToUrl` append `/CHAT/stream` to the URL as text, that is, to its query.
        _, _, path = agent.partition("/")
        if not path.endswith("/stream"):
            raise BadInput(
                "GET /stream needs a chat to resume.",
                "Expected `/stream/{chatId}/stream`.",
                code="no_chat",
            )
        return await resume(path.removesuffix("/stream"))

    @routes.delete("/stream/{chat_id:path}/stream")
    async def stop(chat_id: str) -> Response:  # pyright: ignore[reportUnusedFunction]
        await turns.stop(chat_id, STOPPED)
        return Response(status_code=204)

    @routes.websocket("/live")
    async def live(socket: WebSocket) -> None:  # pyright: ignore[reportUnusedFunction]
        await socket.accept()
        await LiveSocket(socket, turns, following, desk.agents.agent_list).serve()

    return routes


async def read_body(request: Request) -> ChatRequest:
    """Read and parse the body of a request. Raises BadInput."""
    body = await read_bounded(request, BODY_LIMIT, too_large)
    return await asyncio.to_thread(lambda: read_request(read_json(body, BODY_LIMIT)))


def stream_response(chunks: AsyncGenerator[list[Chunk], None]) -> Response:
    """Return a streaming response of these chunks and the end mark."""
    return event_stream(_events(chunks), KEEP_ALIVE_SECONDS, HEADERS)


async def _events(chunks: AsyncGenerator[list[Chunk], None]) -> AsyncGenerator[bytes, None]:
    async with aclosing(chunks):
        async for piece in chunks:
            yield "".join(map(as_event, piece)).encode("utf-8", "replace")
    yield DONE.encode()
