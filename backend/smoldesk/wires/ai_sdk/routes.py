"""The routes of this wire."""

from collections.abc import Sequence

from fastapi import APIRouter, Request, Response, WebSocket
from starlette.routing import BaseRoute

from smoldesk.wires.ai_sdk.attachments import Attachments
from smoldesk.wires.ai_sdk.live import LiveSocket
from smoldesk.wires.ai_sdk.options import options_of
from smoldesk.wires.ai_sdk.request_handling import RequestHandler
from smoldesk.wires.ai_sdk.run_stream import RunStream
from smoldesk.wires.ai_sdk.sse import as_response, read_body
from smoldesk.wires.base import Wire, WireServices

STOPPED = "Stopped by the person"


class AiSdkWire(Wire):
    """The wire of AI SDK front ends: `/stream` and `/live`."""

    name = "ai_sdk"

    def routes(self) -> Sequence[BaseRoute]:
        return router(self.services).routes


def router(to: WireServices) -> APIRouter:
    """Routes of this wire."""
    routes = APIRouter(include_in_schema=False)  # a protocol of its own, told in spec/reference/ui_stream.md
    turns = RequestHandler(to.runs, to.chats, Attachments(to.uploads), to.options.message_limit)
    following = RunStream(to.runs, to.agents, to.chats, to.files, to.buildings)

    @routes.post("/stream")
    async def stream(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        options = options_of(request, to.agents.listed, "together")
        turn = await turns.begin(await read_body(request), options, "sse")
        return as_response(following.chunks(turn, "sse"))

    @routes.get("/stream/{chat_id:path}/stream")
    async def resume(chat_id: str) -> Response:  # pyright: ignore[reportUnusedFunction]
        turn = await turns.resume(chat_id)
        return Response(status_code=204) if turn is None else as_response(following.chunks(turn, "sse"))

    @routes.delete("/stream/{chat_id:path}/stream")
    async def stop(chat_id: str) -> Response:  # pyright: ignore[reportUnusedFunction]
        await turns.stop(chat_id, STOPPED)
        return Response(status_code=204)

    @routes.websocket("/live")
    async def live(socket: WebSocket) -> None:  # pyright: ignore[reportUnusedFunction]
        await socket.accept()
        await LiveSocket(socket, turns, following, to.agents.listed).serve()

    return routes
