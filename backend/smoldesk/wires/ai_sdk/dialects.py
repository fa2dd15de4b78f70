"""The dialect of clients with one stream: a turn's events come as text, one event a frame, one turn after the other.

A step is closed around each approval, so that the client may answer; its answer goes on with the same stream. A client
that goes away while it is asked takes its run with it: nobody else was asked, and the tool must not run.
"""

import asyncio
import contextlib
from collections import deque
from dataclasses import replace

from fastapi import WebSocket, WebSocketDisconnect

from smoldesk.agents import AgentList
from smoldesk.errors import DeskError
from smoldesk.wires.ai_sdk import client_frames as f
from smoldesk.wires.ai_sdk import models as c
from smoldesk.wires.ai_sdk.options import options_of
from smoldesk.wires.ai_sdk.request_handling import RequestHandler, ResponsePlan
from smoldesk.wires.ai_sdk.run_stream import RunStream

INTERRUPTED = "Interrupted by the person"
GONE = "The client went away while it was asked"


class PlainDialect:
    """One client, and the turns it waits for."""

    def __init__(
        self, socket: WebSocket, turns: RequestHandler, following: RunStream, listed: AgentList
    ) -> None:
        self._socket = socket
        self._listed = listed
        self._turns = turns
        self._following = following
        self._waiting: deque[ResponsePlan] = deque()
        self._current: ResponsePlan | None = None
        self._more = asyncio.Event()
        self._chat: str | None = None
        self._sender = asyncio.create_task(self._send_turns())

    async def obey(self, frame: f.ClientFrame) -> None:
        match frame:
            case f.Message(request):
                options = options_of(self._socket, self._listed, "one_by_one")
                if request.chat_id is None:  # the oldest envelope has no id: the socket is the chat
                    request = replace(request, chat_id=self._chat)
                # looked at before the answers are given: the run they let go may be over a moment later
                under_way = self._turns_left()
                turn = await self._turns.begin(request, options, "bidi")
                self._chat = turn.chat_id
                await self._take(turn, under_way)
            case f.Ping(timestamp):
                await self._socket.send_text(c.as_json({"type": "pong", "timestamp": timestamp}))
            case f.Interrupt(reason):
                for turn in self._turns_left():
                    if turn.run_id is not None:
                        await self._turns.cancel(turn.run_id, reason or INTERRUPTED)
            case _:
                raise AssertionError(f"{frame} is not of this dialect")

    async def _take(self, turn: ResponsePlan, before: list[ResponsePlan]) -> None:
        """A new turn waits for its stream; what goes on with the present one is told there.

        `before` are the turns that were under way when it came.
        """
        for known in [*before, *self._turns_left()]:
            if turn.run_id is not None and turn.run_id == known.run_id:
                known.outputs.update(turn.outputs)
                await self._following.answer_early(known)
                for call_id, words in turn.refused.items():
                    await self._socket.send_text(c.as_event(c.output_error(call_id, words)))
                return
        if turn.run_id is None and self._current is not None and await self._turns.is_asked(self._current):
            await self._send(turn)  # the stream under way says nothing until it is answered
            return
        self._waiting.append(turn)
        self._more.set()

    def _turns_left(self) -> list[ResponsePlan]:
        return [*([self._current] if self._current else []), *self._waiting]

    async def refuse(self, fault: DeskError) -> None:
        """An error of the protocol; it ends the turn that was refused, or is told into the one under way."""
        ended = c.DONE if not self._turns_left() else None
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

    async def leave(self) -> None:
        left = self._turns_left()
        self._sender.cancel()
        await asyncio.gather(self._sender, return_exceptions=True)
        for turn in left:
            if turn.run_id is not None and await self._turns.is_asked(turn):
                await self._turns.cancel(turn.run_id, GONE)
