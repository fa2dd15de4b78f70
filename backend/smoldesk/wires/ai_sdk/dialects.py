"""The two dialects of `WS /live`: one stream of text events, and responses with request ids."""

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
GONE = "The client disconnected while its answer was awaited"


class Dialect(ABC):
    """Protocol of one client on its socket."""

    def __init__(
        self, socket: WebSocket, turns: RequestHandler, following: RunStream, agent_list: AgentList
    ) -> None:
        self._socket = socket
        self._agent_list = agent_list
        self._turns = turns
        self._following = following

    @abstractmethod
    async def handle_frame(self, frame: f.ClientFrame) -> None:
        """Execute a frame. Raises DeskError."""

    @abstractmethod
    async def refuse(self, fault: DeskError) -> None:
        """Send the error of a frame; the socket stays open."""

    @abstractmethod
    async def close(self) -> None:
        """Clean up after the client has disconnected."""


class PlainDialect(Dialect):
    """Dialect with one stream per socket: events as text, one per frame, turn after turn.

    A step is closed around each approval, so that the client can answer, and the same stream continues. If the client
    disconnects while an approval is open, its run is cancelled: only this client was asked, and the tool must not run.
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
                # clients with the oldest envelope send no id: one chat per socket
                if request.chat_id is None:
                    request = replace(request, chat_id=self._chat)
                # Read before the answers are stored: the run that they release may end at once.
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
        """Queue a new turn, or add the outputs of a continued one to its open stream.

        `before` are the turns that were open when the frame arrived.
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
            await self._send(turn)  # the open stream is silent until its ask is answered
            return
        self._waiting.append(turn)
        self._more.set()

    def _open_turns(self) -> list[ResponsePlan]:
        return [*([self._current] if self._current else []), *self._waiting]

    async def refuse(self, fault: DeskError) -> None:
        """Send a protocol error, into the open stream if there is one, else as a stream of its own."""
        ended = c.DONE if not self._open_turns() else None
        await self._socket.send_text(c.as_event(c.error(str(fault))))
        if ended is not None:
            await self._socket.send_text(ended)

    async def _send_turns(self) -> None:
        with contextlib.suppress(
            WebSocketDisconnect, RuntimeError
        ):  # disconnected; the reading task notices too
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
# Maximum open responses of one socket.
MAX_REQUESTS = 32


@dataclass
class _Response:
    is_sent: bool
    """True for a `send`, False for a `resume`."""
    task: "asyncio.Task[None] | None" = None
    turn: ResponsePlan | None = None
    is_aborted: bool = False
    """True if it was aborted before its run had an id; the run is cancelled as soon as it has one."""


class FramedDialect(Dialect):
    """Dialect of the WebSocket transport of ai 7: responses by request id.

    Each response has the chunks of POST /stream: it ends where the run waits, and the answer is another request. A run
    continues after the socket closes; `resume` streams it from its beginning.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._requests: dict[str, _Response] = {}

    async def handle_frame(self, frame: f.ClientFrame) -> None:
        match frame:
            case f.Send() | f.Resume():
                if frame.request_id in self._requests or len(self._requests) >= MAX_REQUESTS:
                    fault = BadInput(
                        "The request id is in use, or too many requests are open.",
                        f"Expected a new id, and at most {MAX_REQUESTS} open requests.",
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
        """Stop a response, and cancel its run if this socket started it."""
        response = self._requests.pop(request_id, None)
        if response is None or response.task is None:
            return
        if response.is_sent and response.turn is None:
            response.is_aborted = True  # its run may be starting, and needs an id to be cancelled
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
            pass  # disconnected; the reading task notices too
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
