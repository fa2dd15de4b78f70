"""Routes of the four-pane wire: `WS /ws?chat=ID&after=SEQ&lines` (spec/reference/interfacespec.md).

A socket follows one chat. Client frames become calls on Runs; the socket sends the chat's log as messages.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import aclosing

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from fastapi.responses import StreamingResponse
from starlette.routing import BaseRoute

from smoldesk import messages as m
from smoldesk.chats import ChatInfo
from smoldesk.desk import Desk
from smoldesk.errors import BadInput, DeskError, NotFound
from smoldesk.events import (
    AgentChosen,
    Ask,
    BuildingChosen,
    FileRemoved,
    LayerShown,
    ModelChosen,
    RoomsSelected,
)
from smoldesk.logs import log_refusal
from smoldesk.runs import Answer, IdempotencyKey, RunOptions, StopRequested
from smoldesk.wires.answers import require_files
from smoldesk.wires.base import Wire
from smoldesk.wires.four_pane import requests
from smoldesk.wires.four_pane.layers import LayerSender
from smoldesk.wires.four_pane.message_lines import message_lines
from smoldesk.wires.four_pane.protocol_1_2 import read_reply
from smoldesk.wires.four_pane.socket_writer import SocketWriter
from smoldesk.wires.watch_notices import notices_message

log = logging.getLogger(__name__)

# Messages of a replay that are sent before other tasks of the event loop get a turn.
REPLAY_BATCH = 16


# Echo in place of a password.
HIDDEN = "••••••••"


def router(desk: Desk) -> APIRouter:
    """Return the router with the socket, and with the messages of a chat for replays."""
    routes = APIRouter()

    @routes.websocket("/ws")
    async def ws(socket: WebSocket) -> None:  # pyright: ignore[reportUnusedFunction]
        await socket.accept()
        await Connection(socket, desk).serve()

    @routes.get("/api/chats/{chat_id}/messages", include_in_schema=False)
    async def messages(chat_id: str) -> StreamingResponse:  # pyright: ignore[reportUnusedFunction]
        """Return all messages of this chat up to now, the input of a replay."""
        content = await chat_content(desk, await desk.chats.get(chat_id))
        return StreamingResponse(message_lines(desk, chat_id, content), media_type="application/jsonl")

    return routes


async def chat_content(desk: Desk, chat: ChatInfo) -> m.ChatContent:
    """Return the content of a chat message, without the end of the chat's log, its files and selection."""
    info = await asyncio.get_running_loop().run_in_executor(None, desk.agents.info, chat.agent, chat.model)
    node = desk.agents.node_of(chat.id) if info.kind != "terminal" else None
    is_in_sandbox = info.kind != "terminal" and info.isolation == desk.agents.isolation()
    return m.ChatContent(
        chat_id=chat.id,
        title=chat.title,
        model=info.model,
        agent=info.kind,
        agent_name=info.name,
        isolation=node.isolation if node else info.isolation,
        node=node.name if node else "",
        limits=_limits(desk) if is_in_sandbox else None,
        files=[],
        tools=info.tools,
        approvals=info.approvals,
        finds_models=desk.models.can_discover,
        message_limit=desk.settings.message_limit,
        upload_limit=desk.uploads.limit,
    )


def _limits(desk: Desk) -> m.CodeLimits:
    settings = desk.settings
    return m.CodeLimits(
        memory=settings.sandbox_memory_mb << 20,
        folder=settings.sandbox_folder_mb << 20,
        cell_seconds=settings.cell_seconds,
    )


class FourPaneWire(Wire):
    """Wire of the page and of clients of protocol 1.2."""

    name = "four_pane"

    def routes(self) -> Sequence[BaseRoute]:
        return router(self.desk).routes


class Connection:
    """One socket with two tasks: one reads frames, one sends the chat's log at the client's pace."""

    def __init__(self, socket: WebSocket, desk: Desk) -> None:
        self._socket = socket
        self._desk = desk
        self._runs = desk.runs
        self._chats = desk.chats
        self._buildings = desk.buildings
        self._message_limit = desk.settings.message_limit
        self._chat_id: str | None = None
        # Only clients of 2.0 send `chat` or `after`, or a frame with a type.
        is_2_0 = bool(socket.query_params.keys() & {"chat", "after"})
        self._out = SocketWriter(socket, desk.files, is_2_0, lines="lines" in socket.query_params)
        self._layers: LayerSender | None = None
        self._has_notices = False

    async def serve(self) -> None:
        """Serve the socket until the client disconnects or the desk closes."""
        try:
            after = await self._attach()
        except WebSocketDisconnect:
            return  # the client disconnected during the first messages
        await self._converse(after)

    async def _converse(self, after: int) -> None:
        reader = asyncio.create_task(self._read())
        tasks = {reader}
        side_tasks: set[asyncio.Task[None]] = set()  # their end does not close the socket
        if self._chat_id is not None:
            self._layers = LayerSender(self._desk.layers, self._chat_id, self._out)
            tasks.add(asyncio.create_task(self._follow(self._chat_id, after)))
            side_tasks.add(asyncio.create_task(self._send_open_asks()))
            side_tasks.add(asyncio.create_task(self._send_notices()))
            side_tasks.add(asyncio.create_task(self._layers.send()))
        try:
            # Either task ends the socket: a reader without a client, or a log that is closed or deleted.
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                fault = task.exception()
                if fault is not None and not isinstance(fault, WebSocketDisconnect | RuntimeError):
                    log.error("a four-pane socket failed", exc_info=fault)
            if reader not in done:
                await self._socket.close(1001)  # the desk or the chat closes
        except (WebSocketDisconnect, RuntimeError):
            pass  # the client has disconnected already
        finally:
            for task in tasks | side_tasks:
                task.cancel()
            await asyncio.gather(*tasks, *side_tasks, return_exceptions=True)

    # --- client to desk ------------------------------------------------------------------------------------------

    async def _read(self) -> None:
        while True:
            frame = await self._socket.receive()
            if frame["type"] == "websocket.disconnect":
                return
            try:
                client_frame = requests.read_frame(frame.get("text"), frame.get("bytes"), self._message_limit)
            except DeskError as fault:
                await self._refuse(fault)
                continue
            try:
                await self._handle_frame(client_frame)
            except DeskError as fault:
                await self._refuse(fault, client_frame)

    async def _options(self, chat_id: str, frame: requests.SendMessage | requests.BranchOff) -> RunOptions:
        about = frame.about
        if isinstance(about, m.TableSelection):
            about = await self._desk.result_tables.selected(chat_id, about)
        elif about is not None:
            await self._desk.files.find(chat_id, "", about.spec_id)
        await require_files(self._desk.files, chat_id, frame.attachments)
        return RunOptions(reading=frame.reading, about=about, attachments=frame.attachments)

    async def _begin(self, chat_id: str, frame: requests.SendMessage) -> None:
        options = await self._options(chat_id, frame)
        if frame.message_id is None:
            await self._runs.start(chat_id, frame.message, options)
        else:
            key = IdempotencyKey.of("chat", chat_id, frame.message_id)
            await self._runs.start_once(chat_id, frame.message, key, options)

    async def _run_code(self, chat_id: str, frame: requests.RunCode) -> None:
        await asyncio.to_thread(self._desk.agents.require_python, chat_id)
        named = frame.message_id
        key = None if named is None else IdempotencyKey.of("code", chat_id, named)
        await self._runs.run_code(chat_id, frame.code, key)

    async def _handle_frame(self, frame: requests.ClientFrame) -> None:
        if not (isinstance(frame, requests.SendMessage) and not frame.typed):
            await self._switch_to_2_0()
        chat_id = self._chat_id
        if chat_id is None:
            raise NotFound("This socket has no chat.", "Connect to /ws without `chat` to start a new one.")
        match frame:
            case requests.SendMessage():
                if not self._out.is_2_0 and self._out.questions.put is not None:
                    await self._take_reply(chat_id, self._out.questions.put, frame.message)
                else:
                    await self._begin(chat_id, frame)
            case requests.RunCode():
                await self._run_code(chat_id, frame)
            case requests.BranchOff():
                after = await self._options(chat_id, frame) if frame.after else None
                await self._desk.branches.begin(chat_id, frame.run_id, frame.message, frame.message_id, after)
            case requests.AnswerAgain():
                await self._desk.versions.start(chat_id, frame.run_id, frame.message, frame.message_id)
            case requests.ShowVersion():
                await self._desk.versions.show(chat_id, frame.run_id)
            case requests.Answer():
                answer = Answer(frame.granted, frame.value, frame.reason, frame.scope)
                await self._runs.answer(frame.ask_id, answer, chat_id)
            case requests.SetPolicy():
                await self._desk.policies.set(chat_id, frame.tool, frame.policy)
            case requests.Cancel():
                run = await self._runs.records.get(frame.run_id)
                if run.chat_id != chat_id:
                    raise NotFound(f"There is no run {frame.run_id[:40]!r} in this chat.")
                # The chat was compared above: a socket may stop runs of its own chat only.
                await self._runs.cancel(frame.run_id)
            case requests.SelectRooms():
                await self._desk.selections.set(chat_id, frame.rooms)
            case requests.ClearArrows():
                await self._chats.clear_arrows(chat_id)
            case requests.ChangeClosures():
                await self._desk.closures.change(chat_id, frame.close, frame.reopen)
            case requests.SelectLayer():
                await asyncio.to_thread(self._desk.layers.show, chat_id, frame.layer)
            case requests.KeepReading():
                await self._chats.keep_reading(chat_id, frame.run_id, frame.index)

    async def _switch_to_2_0(self) -> None:
        """Switch to protocol 2.0, and send the building again with the fields that 1.2 lacks."""
        if not self._out.is_2_0:
            self._out.is_2_0 = True
            await self._show_building(None)

    async def _take_reply(self, chat_id: str, ask: Ask, message: str) -> None:
        """Echo the message of a 1.2 client and use it as the answer to its current ask."""
        await self._out.send(m.UserMessage(content=HIDDEN if ask.input_type == "password" else message))
        await self._runs.answer(ask.id, read_reply(ask, message), chat_id)
        self._out.questions.mark_answered(ask.id)

    # --- desk to client ------------------------------------------------------------------------------------------

    async def _attach(self) -> int:
        """Find or create the chat, send its description, and return the seq to follow from.

        For an unknown chat the socket stays open without one.
        """
        requested_chat = self._socket.query_params.get("chat")
        try:
            if requested_chat is None:
                chat = await self._chats.create()
            else:
                chat = await self._chats.get(requested_chat)
        except DeskError as fault:
            await self._out.send_building(await self._buildings.by_id(None))
            await self._refuse(fault)
            return 0
        self._chat_id = chat.id
        after = 0
        # Sent after the chat's description, so that the page knows which chat the error belongs to.
        past_end: BadInput | None = None
        try:
            after = self._after(chat.last_seq)
        except BadInput as bad:
            past_end = bad
        await self._show_building(after)
        await self._introduce(chat)
        if past_end is not None:
            await self._refuse(past_end)
        return after

    def _after(self, last_seq: int) -> int:
        text = self._socket.query_params.get("after", "0")
        if not (text.isascii() and text.isdigit() and len(text) < 16):
            raise BadInput(
                f"`after` is {text[:40]!r}.", "Expected the seq of the last received message, 0 for all."
            )
        if int(text) > last_seq:
            raise BadInput(
                f"`after` is {text}, past the end of this chat.",
                f"Expected at most {last_seq}, its last message. The chat is sent from the beginning.",
                code="after_past_end",
            )
        return int(text)

    async def _show_building(self, at: int | None) -> None:
        """Send the building at a position in the log, on which the next drawings were made, or the current one.

        If that building was deleted, send the current one of the chat.
        """
        if self._chat_id is None:
            return
        try:
            building = await self._buildings.view(self._chat_id, at)
        except NotFound:
            building = await self._buildings.view(self._chat_id)
        await self._out.send_building(building)

    async def _change_building(self, seq: int) -> None:
        """Send the building that starts at this position, and the chat's current description."""
        assert self._chat_id is not None
        chat_id = self._chat_id
        await self._show_building(seq)
        await self._introduce(await self._chats.get(chat_id))

    async def _introduce(self, chat: ChatInfo) -> None:
        facts = {
            "last_seq": chat.last_seq,
            "files": [file.content() for file in await self._desk.files.of(chat.id)],
            "selection": await self._desk.selections.of(chat.id),
            "building_id": chat.building_id,
        }
        content = (await chat_content(self._desk, chat)).model_copy(update=facts)
        await self._out.send(m.Chat(content=content))

    async def _follow(self, chat_id: str, after: int) -> None:
        async for batch in self._runs.follow(chat_id, after):
            selected = False
            async with self._out.together():
                for number, item in enumerate(batch, 1):
                    if number % REPLAY_BATCH == 0:
                        await asyncio.sleep(0)  # send() to a fast reader never yields to the event loop
                    if isinstance(item, StopRequested):
                        await self._out.send(
                            m.Run(content=m.RunContent(run_id=item.run_id, state="stopping"))
                        )
                    elif isinstance(item.event, BuildingChosen):
                        await self._change_building(item.seq)
                        if self._layers is not None:
                            self._layers.refresh()
                    elif isinstance(item.event, FileRemoved | RoomsSelected | AgentChosen | ModelChosen):
                        selected = True
                    else:
                        await self._out.send_event(item)
                        if isinstance(item.event, LayerShown) and self._layers is not None:
                            self._layers.show(item.event.layer)
            if selected and self._out.is_2_0:  # the current state, once per batch
                await self._introduce(await self._chats.get(chat_id))

    async def _send_open_asks(self) -> None:
        """Send the open asks of all chats. A slow client gets only the latest list."""
        async with aclosing(self._runs.open_asks.follow()) as lists:
            async for now in lists:
                await self._out.send_open_asks(now)

    async def _send_notices(self) -> None:
        """Send the unread reports of watches. A slow client gets only the latest list."""
        async with aclosing(self._desk.watches.notices.follow()) as lists:
            async for now in lists:
                if now.count or self._has_notices:
                    self._has_notices = now.count > 0
                    await self._out.send(notices_message(now))

    async def _refuse(self, fault: DeskError, frame: requests.ClientFrame | None = None) -> None:
        """Send an error message, with the ids of the frame if it could be parsed."""
        log_refusal(fault.code, chat=self._chat_id, over="frame")
        ask_id = frame.ask_id if isinstance(frame, requests.Answer) else None
        message_id = None
        if isinstance(
            frame, requests.SendMessage | requests.RunCode | requests.BranchOff | requests.AnswerAgain
        ):
            message_id = frame.message_id
        await self._out.send(
            m.Error(
                content=str(fault),
                code=fault.code,
                hint=fault.hint,
                ask_id=ask_id,
                client_message_id=message_id,
            )
        )
