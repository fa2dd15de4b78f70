"""The routes of this wire. The protocol's library is imported by the first request."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from functools import cached_property
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from smoldesk.desk import Desk
from smoldesk.errors import DeskError
from smoldesk.logs import log_refusal
from smoldesk.runs import RunOptions
from smoldesk.wires.base import Wire
from smoldesk.wires.bodies import read_bounded
from smoldesk.wires.event_stream import HEADERS, event_stream

if TYPE_CHECKING:
    from ag_ui.core import BaseEvent

    from smoldesk.wires.agui.models import RunRequest

STOPPED = "Stopped by the person"
DEFAULT_AGENT = "tools"
_HEADERS = {**HEADERS, "x-accel-buffering": "no"}


class AguiWire(Wire):
    """The wire of AG-UI front ends: `/agui`, and `/agents/{name}/agui` for one agent of the list."""

    name = "agui"

    def routes(self) -> Sequence[BaseRoute]:
        def post(path: str, endpoint: Any) -> list[BaseRoute]:
            return [
                Route(f"{base}{path}", endpoint, methods=["POST"])
                for base in ("/agui", "/agents/{name}/agui")
            ]

        return [
            *post("", self.run),
            *post("/connect", self.connect),
            *post("/stop/{thread_id:path}", self.stop),
        ]

    async def run(self, request: Request) -> Response:
        """Return the response to a RunAgentInput. Raises BadInput for an invalid body."""
        parts, given = await self._read(request)
        try:
            options = self._options(request, given)
            plan = await parts.handler.begin(given, options)
        except DeskError as fault:
            return self._refused(parts, fault)
        return self._stream(parts, parts.stream.events(plan, given))

    async def connect(self, request: Request) -> Response:
        """Return the messages and the state of a thread, and its running run."""
        parts, given = await self._read(request)
        try:
            plan = await parts.handler.connect(given)
        except DeskError as fault:
            return self._refused(parts, fault)
        return self._stream(parts, parts.stream.events(plan, given))

    async def stop(self, request: Request) -> Response:
        """Stop what runs in a thread."""
        parts = await self._parts()
        return JSONResponse({"stopped": await parts.handler.stop(request.path_params["thread_id"], STOPPED)})

    # ---------------------------------------------------------------------------------------------------------------

    async def _parts(self) -> "_Parts":
        return await asyncio.to_thread(lambda: self._cached_parts)

    @cached_property
    def _cached_parts(self) -> "_Parts":
        return _Parts(self.desk)

    async def _read(self, request: Request) -> "tuple[_Parts, RunRequest]":
        parts = await self._parts()
        body = await read_bounded(request, parts.body_limit)
        return parts, await asyncio.to_thread(parts.read, body)

    def _options(self, request: Request, run_request: "RunRequest") -> RunOptions:
        """Return the agent of the address, else of `forwardedProps`, and its model. Raises NotFound, Refused."""
        named = request.path_params.get("name") or request.query_params.get("agent")
        agents = self.desk.agents
        if run_request.model is not None:
            agents.models.check(run_request.model)
        name = agents.agent_list.get(named or run_request.agent or DEFAULT_AGENT).name
        return RunOptions(agent=name, model=run_request.model, order="together")

    def _refused(self, parts: "_Parts", fault: DeskError) -> Response:
        log_refusal(fault.code, status=200)

        async def error_events() -> "AsyncGenerator[list[BaseEvent], None]":
            yield parts.refused(fault)

        return self._stream(parts, error_events())

    def _stream(self, parts: "_Parts", events: "AsyncGenerator[list[BaseEvent], None]") -> Response:
        return event_stream(_encoded(parts, events), self.desk.settings.keep_alive_seconds, _HEADERS)


class _Parts:
    """Parts that need the protocol's library."""

    def __init__(self, desk: Desk) -> None:
        from ag_ui.encoder import EventEncoder

        from smoldesk.wires.agui.request_handling import RequestHandler
        from smoldesk.wires.agui.requests import BODY_LIMIT, read_request
        from smoldesk.wires.agui.run_stream import RunStream, refused

        self.handler = RequestHandler(desk)
        self.stream = RunStream(desk.runs, desk.chats, desk.files, desk.buildings)
        self.read = read_request
        self.refused = refused
        self.body_limit = BODY_LIMIT
        self.encode = EventEncoder().encode


async def _encoded(
    parts: _Parts, events: "AsyncGenerator[list[BaseEvent], None]"
) -> AsyncGenerator[bytes, None]:
    async with aclosing(events):
        async for piece in events:
            yield "".join(map(parts.encode, piece)).encode()
