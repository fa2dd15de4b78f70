"""The dialect of the WebSocket transport that comes with ai 7: many responses on one socket, told apart by request ids.

Each response is what POST /stream would give, chunk by chunk: it ends where the run waits, and the answer is a request
of its own. A run outlives the socket, and is taken up again by `resume`, from its beginning.
"""

import asyncio
import contextlib
from dataclasses import dataclass
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect

from smoldesk.agents import AgentList
from smoldesk.errors import BadInput, DeskError
from smoldesk.wires.ai_sdk import client_frames as f
from smoldesk.wires.ai_sdk import models as c
from smoldesk.wires.ai_sdk.options import options_of
from smoldesk.wires.ai_sdk.request_handling import RequestHandler, ResponsePlan
from smoldesk.wires.ai_sdk.run_stream import RunStream

STOPPED = "Stopped by the person"
MOST_REQUESTS = 32
"""Responses that may be under way on one socket."""


@dataclass
class _UnderWay:
    is_sent: bool
    """Whether the client began it, rather than came back to it."""
    task: "asyncio.Task[None] | None" = None
    turn: ResponsePlan | None = None
    is_aborted: bool = False
    """Given up before it had a turn: what it begins is stopped at once."""


class FramedDialect:
    """One client, and the requests it has made."""

    def __init__(
        self, socket: WebSocket, turns: RequestHandler, following: RunStream, listed: AgentList
    ) -> None:
        self._socket = socket
        self._listed = listed
        self._turns = turns
        self._following = following
        self._requests: dict[str, _UnderWay] = {}

    async def obey(self, frame: f.ClientFrame) -> None:
        match frame:
            case f.Send() | f.Resume():
                if frame.request_id in self._requests or len(self._requests) >= MOST_REQUESTS:
                    fault = BadInput(
                        "Too many requests are under way, or this one already is.",
                        f"At most {MOST_REQUESTS}, each with an id of its own.",
                        code="too_many_requests",
                    )
                    raise f.BadFrame(frame.request_id, fault)
                under_way = _UnderWay(isinstance(frame, f.Send))
                under_way.task = asyncio.create_task(self._respond(frame, under_way))
                self._requests[frame.request_id] = under_way
            case f.Abort(request_id):
                await self._abort(request_id)
            case _:
                raise AssertionError(f"{frame} is not of this dialect")

    async def _abort(self, request_id: str) -> None:
        """The person stopped a response: its run too, when it was asked for here."""
        under_way = self._requests.pop(request_id, None)
        if under_way is None or under_way.task is None:
            return
        if under_way.is_sent and under_way.turn is None:
            under_way.is_aborted = True  # it may be about to begin a run, whose id we need
        else:
            under_way.task.cancel()
        await asyncio.gather(under_way.task, return_exceptions=True)
        if under_way.is_sent and under_way.turn is not None and under_way.turn.run_id is not None:
            await self._turns.cancel(under_way.turn.run_id, STOPPED)

    async def _respond(self, frame: f.Send | f.Resume, under_way: _UnderWay) -> None:
        request_id = frame.request_id
        try:
            turn = under_way.turn = await self._turn(frame)
            if under_way.is_aborted:
                return
            if turn is None:
                await self._say("no-active", request_id)
                return
            await self._say("start", request_id)
            sequence = 0
            async with contextlib.aclosing(self._following.chunks(turn, "sse")) as pieces:
                async for piece in pieces:
                    for chunk in piece:
                        await self._say("chunk", request_id, sequence=sequence, chunk=chunk)
                        sequence += 1
            await self._say("end", request_id)
        except DeskError as fault:
            await self._say("error", request_id, errorText=str(fault))
        except (WebSocketDisconnect, RuntimeError):
            pass  # gone: the reader hears of it, too
        finally:
            self._requests.pop(request_id, None)

    async def _turn(self, frame: f.Send | f.Resume) -> ResponsePlan | None:
        match frame:
            case f.Send(_, request):
                return await self._turns.begin(
                    request, options_of(self._socket, self._listed, "together"), "sse"
                )
            case f.Resume(_, chat_id):
                return await self._turns.resume(chat_id)

    async def refuse(self, fault: DeskError) -> None:
        request_id = fault.request_id if isinstance(fault, f.BadFrame) else ""
        await self._say("error", request_id, errorText=str(fault))

    async def _say(self, kind: str, request_id: str, **facts: Any) -> None:
        await self._socket.send_text(c.as_json({"type": kind, "requestId": request_id, **facts}))

    async def leave(self) -> None:
        tasks = [under_way.task for under_way in self._requests.values() if under_way.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
