"""The routes of this wire."""

from fastapi import APIRouter, Request, Response, WebSocket

from smoldesk.agents import DeskAgents
from smoldesk.runs import Runs
from smoldesk.store.chat_buildings import ChatBuildings
from smoldesk.wires.ai_sdk.attachments import Attachments
from smoldesk.wires.ai_sdk.live import LiveSocket
from smoldesk.wires.ai_sdk.options import options_of
from smoldesk.wires.ai_sdk.request_handling import Turns
from smoldesk.wires.ai_sdk.run_stream import Following
from smoldesk.wires.ai_sdk.sse import as_response, read_body

STOPPED = "Stopped by the person"


def router(
    runs: Runs, agents: DeskAgents, buildings: ChatBuildings, message_limit: int, file_limit: int
) -> APIRouter:
    """The limits are of a person's message and of a file in it, in bytes."""
    routes = APIRouter(include_in_schema=False)  # a protocol of its own, told in spec/reference/ui_stream.md
    turns = Turns(runs, Attachments(runs.store, agents, file_limit), message_limit)
    following = Following(runs, agents, buildings)

    @routes.post("/stream")
    async def stream(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        options = options_of(request, agents.listed, "together")
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
        await LiveSocket(socket, turns, following, agents.listed).serve()

    return routes
