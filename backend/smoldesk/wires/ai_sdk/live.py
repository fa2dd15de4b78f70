"""One socket of `WS /live`: it parses frames and passes them to the dialect of the first one."""

import asyncio
import logging

from fastapi import WebSocket, WebSocketDisconnect

from smoldesk.agents import AgentList
from smoldesk.errors import BadInput, DeskError
from smoldesk.logs import log_refusal
from smoldesk.wires.ai_sdk import client_frames as f
from smoldesk.wires.ai_sdk import models as c
from smoldesk.wires.ai_sdk.dialects import Dialect, FramedDialect, PlainDialect
from smoldesk.wires.ai_sdk.request_handling import RequestHandler
from smoldesk.wires.ai_sdk.requests import BODY_LIMIT
from smoldesk.wires.ai_sdk.run_stream import RunStream

log = logging.getLogger(__name__)
# Frames of at least this many characters are parsed in a thread, to keep the event loop free.
LARGE = 64_000


class LiveSocket:
    """Reader of one client's frames."""

    def __init__(
        self, socket: WebSocket, turns: RequestHandler, following: RunStream, agent_list: AgentList
    ) -> None:
        self._socket = socket
        self._agent_list = agent_list
        self._turns = turns
        self._following = following
        self._dialect: Dialect | None = None

    async def serve(self) -> None:
        """Handle frames until the client disconnects."""
        try:
            await self._read()
        except (WebSocketDisconnect, RuntimeError):
            pass  # disconnected during a send
        finally:
            if self._dialect is not None:
                await self._dialect.close()

    async def _read(self) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            try:
                frame = await _read_frame(message.get("text"), message.get("bytes"))
                if not isinstance(frame, f.SkippedFrame):
                    await self._choose_dialect(frame).handle_frame(frame)
            except DeskError as fault:
                log_refusal(fault.code, over="frame")
                await self._refuse(fault)

    async def _refuse(self, fault: DeskError) -> None:
        """Send an error in the socket's dialect, or in that of the frame if none is selected yet."""
        if self._dialect is not None:
            await self._dialect.refuse(fault)
        elif isinstance(fault, f.BadFrame):
            await FramedDialect(self._socket, self._turns, self._following, self._agent_list).refuse(fault)
        else:
            await self._socket.send_text(c.as_event(c.error(str(fault))))
            await self._socket.send_text(c.DONE)

    def _choose_dialect(self, frame: f.Plain | f.Framed) -> Dialect:
        """Return the socket's dialect, selected by its first frame. Raises BadInput for a frame of the other dialect."""
        framed = isinstance(frame, f.Framed)
        if self._dialect is None:
            kind = FramedDialect if framed else PlainDialect
            self._dialect = kind(self._socket, self._turns, self._following, self._agent_list)
        elif framed != isinstance(self._dialect, FramedDialect):
            raise BadInput(
                "The first frame of this socket selected the other transport.",
                "Open a separate socket for each transport.",
                code="other_dialect",
            )
        return self._dialect


async def _read_frame(text: str | None, data: bytes | None) -> f.ClientFrame:
    if text is None or len(text) < LARGE:
        return f.read_frame(text, data, BODY_LIMIT)
    return await asyncio.to_thread(f.read_frame, text, data, BODY_LIMIT)
