"""The two ways clients speak on `WS /live`: one stream of text events, and responses told apart by request ids."""

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass, replace
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect

from smoldesk.agents import AgentList
from smoldesk.errors import BadInput, DeskError
from smoldesk.wires.ai_sdk import client_frames as f
from smoldesk.wires.ai_sdk import models as c
from smoldesk.wires.ai_sdk.request_handling import RequestHandler, ResponsePlan
from smoldesk.wires.ai_sdk.requests import run_options
from smoldesk.wires.ai_sdk.run_stream import RunStream
from smoldesk.wires.serialization import json_text

INTERRUPTED = "Interrupted by the person"
GONE = "The client went away while it was asked"


class Dialect(ABC):
    """How one client speaks on its socket."""

    def __init__(
        self, socket: WebSocket, turns: RequestHandler, following: RunStream, agent_list: AgentList
    ) -> None:
        self._socket = socket
        self._agent_list = agent_list
        self._turns = turns
        self._following = following

    @abstractmethod
    async def handle_frame(self, frame: f.ClientFrame) -> None:
        """Do what a frame asks for; raises DeskError."""

    @abstractmethod
    async def refuse(self, fault: DeskError) -> None:
        """Tell what was wrong with a frame; the socket stays open."""

    @abstractmethod
    async def close(self) -> None:
        """The client is gone."""


class PlainDialect(Dialect):
    """One client with one stream, and the turns it waits for: events come as text, one a frame, turn after turn.

    A step is closed around each approval, so that the client may answer; its answer goes on with the same stream. A client
    that goes away while it is asked takes its run with it: nobody else was asked, and the tool must not run.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._waiting: deque[ResponsePlan] = deque()
        self._current: ResponsePlan | None = None
        self._more = asyncio.Event()
        self._chat: str | None = None
        self._sender = asyncio.create_task(self._send_turns())

    async def handle_frame(self, frame: f.ClientFrame) -> None:
        match frame:
            case f.Message(request):
                options = run_options(self._socket, self._agent_list, "one_by_one")
                if request.chat_id is None:  # the oldest envelope has no id: the socket is the chat
                    request = replace(request, chat_id=self._chat)
                # looked at before the answers are given: the run they let go may be over a moment later
                open_turns = self._open_turns()
                turn = await self._turns.begin(request, options, "bidi")
                self._chat = turn.chat_id
                await self._take(turn, open_turns)
            case f.Ping(timestamp):
                await self._socket.send_text(json_text({"type": "pong", "timestamp": timestamp}))
            case f.Interrupt(reason):
                for turn in self._open_turns():
                    if turn.run_id is not None:
                        await self._turns.cancel(turn.run_id, reason or INTERRUPTED)
            case _:
                raise AssertionError(f"{frame} is not of this dialect")

    async def _take(self, turn: ResponsePlan, before: list[ResponsePlan]) -> None:
        """A new turn waits for its stream; what goes on with the present one is told there.

        `before` are the turns that were under way when it came.
        """
        for open_turn in [*before, *self._open_turns()]:
            if turn.run_id is not None and turn.run_id == open_turn.run_id:
                open_turn.outputs.update(turn.outputs)
                await self._following.answer_early(open_turn)
                for call_id, text in turn.refused.items():
                    await self._socket.send_text(c.as_event(c.output_error(call_id, text)))
                return
        if (
            turn.run_id is None
            and self._current is not None
            and await self._turns.has_open_ask(self._current)
        ):
            await self._send(turn)  # the stream under way says nothing until it is answered
            return
        self._waiting.append(turn)
        self._more.set()

    def _open_turns(self) -> list[ResponsePlan]:
        return [*([self._current] if self._current else []), *self._waiting]

    async def refuse(self, fault: DeskError) -> None:
        """An error of the protocol; it ends the turn that was refused, or is told into the one under way."""
        ended = c.DONE if not self._open_turns() else None
        await self._socket.send_text(c.as_event(c.error(str(fault))))
        if ended is not None:
            await self._socket.send_text(ended)

    async def _send_turns(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # gone: the reader hears of it, too
            while True:
                while self._waiting:
                    self._current = self._waiting.popleft()
                    await self._send(self._current)
                    self._current = None
                self._more.clear()
                await self._more.wait()

    async def _send(self, turn: ResponsePlan) -> None:
        async with contextlib.aclosing(self._following.chunks(turn, "bidi")) as pieces:
            async for piece in pieces:
                for chunk in piece:
                    await self._socket.send_text(c.as_event(chunk))
        await self._socket.send_text(c.DONE)

    async def close(self) -> None:
        open_turns = self._open_turns()
        self._sender.cancel()
        await asyncio.gather(self._sender, return_exceptions=True)
        for turn in open_turns:
            if turn.run_id is not None and await self._turns.has_open_ask(turn):
                await self._turns.cancel(turn.run_id, GONE)


STOPPED = "Stopped by the person"
# Responses that may be under way on one socket.
MOST_REQUESTS = 32


@dataclass
class _Response:
    is_sent: bool
    """Whether the client began it, rather than came back to it."""
    task: "asyncio.Task[None] | None" = None
    turn: ResponsePlan | None = None
    is_aborted: bool = False
    """Given up before it had a turn: what it begins is stopped at once."""


class FramedDialect(Dialect):
    """One client of the WebSocket transport that comes with ai 7, and the requests it has made.

    Each response is what POST /stream would give, chunk by chunk: it ends where the run waits, and the answer is a request
    of its own. A run outlives the socket, and is taken up again by `resume`, from its beginning.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._requests: dict[str, _Response] = {}

    async def handle_frame(self, frame: f.ClientFrame) -> None:
        match frame:
            case f.Send() | f.Resume():
                if frame.request_id in self._requests or len(self._requests) >= MOST_REQUESTS:
                    fault = BadInput(
                        "Too many requests are under way, or this one already is.",
                        f"At most {MOST_REQUESTS}, each with an id of its own.",
                        code="too_many_requests",
                    )
                    raise f.BadFrame(frame.request_id, fault)
                response = _Response(isinstance(frame, f.Send))
                response.task = asyncio.create_task(self._respond(frame, response))
                self._requests[frame.request_id] = response
            case f.Abort(request_id):
                await self._abort(request_id)
            case _:
                raise AssertionError(f"{frame} is not of this dialect")

    async def _abort(self, request_id: str) -> None:
        """The person stopped a response: its run too, when it was asked for here."""
        response = self._requests.pop(request_id, None)
        if response is None or response.task is None:
            return
        if response.is_sent and response.turn is None:
            response.is_aborted = True  # it may be about to begin a run, whose id we need
        else:
            response.task.cancel()
        await asyncio.gather(response.task, return_exceptions=True)
        if response.is_sent and response.turn is not None and response.turn.run_id is not None:
            await self._turns.cancel(response.turn.run_id, STOPPED)

    async def _respond(self, frame: f.Send | f.Resume, response: _Response) -> None:
        request_id = frame.request_id
        try:
            turn = response.turn = await self._turn(frame)
            if response.is_aborted:
                return
            if turn is None:
                await self._send_frame("no-active", request_id)
                return
            await self._send_frame("start", request_id)
            sequence = 0
            async with contextlib.aclosing(self._following.chunks(turn, "sse")) as pieces:
                async for piece in pieces:
                    for chunk in piece:
                        await self._send_frame("chunk", request_id, sequence=sequence, chunk=chunk)
                        sequence += 1
            await self._send_frame("end", request_id)
        except DeskError as fault:
            await self._send_frame("error", request_id, errorText=str(fault))
        except (WebSocketDisconnect, RuntimeError):
            pass  # gone: the reader hears of it, too
        finally:
            self._requests.pop(request_id, None)

    async def _turn(self, frame: f.Send | f.Resume) -> ResponsePlan | None:
        match frame:
            case f.Send(_, request):
                return await self._turns.begin(
                    request, run_options(self._socket, self._agent_list, "together"), "sse"
                )
            case f.Resume(_, chat_id):
                return await self._turns.resume(chat_id)

    async def refuse(self, fault: DeskError) -> None:
        request_id = fault.request_id if isinstance(fault, f.BadFrame) else ""
        await self._send_frame("error", request_id, errorText=str(fault))

    async def _send_frame(self, kind: str, request_id: str, **facts: Any) -> None:
        await self._socket.send_text(json_text({"type": kind, "requestId": request_id, **facts}))

    async def close(self) -> None:
        tasks = [response.task for response in self._requests.values() if response.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
