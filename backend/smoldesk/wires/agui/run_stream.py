"""One run's events as those of one response, as long as the response lasts."""

import asyncio
import base64
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress

from ag_ui.core import BaseEvent, Message, MessagesSnapshotEvent, RunErrorEvent

from smoldesk.chats import Buildings, Chats, Files
from smoldesk.errors import BadInput, Conflict, DeskError, NotFound
from smoldesk.events import (
    Ask,
    AskOpened,
    RunCancelled,
    RunFailed,
    RunFinished,
    RunWaiting,
    Shown,
    StoredEvent,
)
from smoldesk.messages import Chart, Image
from smoldesk.runs import Answer, Runs
from smoldesk.wires.agui.encoder import RunEncoder
from smoldesk.wires.agui.models import ResponsePlan, RunRequest
from smoldesk.wires.agui.shared_state import TYPES, SharedState
from smoldesk.wires.agui.thread import MOST_RUNS, messages_of, user_message
from smoldesk.wires.agui.thread import TYPES as MESSAGE_TYPES
from smoldesk.wires.serialization import image_type

log = logging.getLogger(__name__)
INLINE_BYTES = 1_000_000
"""Images up to this size are sent whole: a front end on another port may show nothing it would have to fetch."""
UNREADABLE = "The desk could not read its data. Ask again in a moment."
CLOSING = "The stream was closed: the desk is closing, or the chat was deleted."
ALL = 2**62
DONE_BY_THE_CLIENT = "change_bgm"
"""A tool that a client runs when it sees the call; unless it brings it as its own, nothing comes back."""


def refused(fault: DeskError) -> list[BaseEvent]:
    """A response that is a refusal alone."""
    return [RunErrorEvent(message=str(fault), code=fault.code)]


class RunStream:
    """Responses of one desk."""

    def __init__(self, runs: Runs, chats: Chats, files: Files, buildings: Buildings) -> None:
        self._runs = runs
        self._chats = chats
        self._files = files
        self._buildings = buildings

    async def events(self, plan: ResponsePlan, request: RunRequest) -> AsyncGenerator[list[BaseEvent], None]:
        """The response's events, in the pieces in which they become known; the last piece ends it."""
        if plan.chat_id is None:
            nobody = RunEncoder("", request.thread_id, request.run_id)
            yield [*nobody.begin(), MessagesSnapshotEvent(messages=[]), *nobody.nothing_runs()]
            return
        encoder = await self._encoder(plan, plan.chat_id, request)
        thread = [await self._thread(plan, plan.chat_id)] if plan.tells_thread else []
        yield [*encoder.begin(plan.after > 0), *thread, *([] if plan.run_id else encoder.nothing_runs())]
        if plan.run_id is None:
            return
        offered = {tool.name for tool in request.tools}
        code, words = "stream_closed", CLOSING
        try:
            async with aclosing(self._runs.follow(plan.chat_id, plan.first)) as batches:
                async for batch in batches:
                    stored = [one for one in batch if isinstance(one, StoredEvent)]
                    said, is_over = await self._fold(stored, encoder, plan, offered)
                    if said:
                        yield said
                    if is_over:
                        return
        except (DeskError, OSError) as fault:
            log.error("a response broke off (%s)", type(fault).__name__)
            code, words = "store_fault", UNREADABLE
        yield encoder.broken(words, code)

    async def _encoder(self, plan: ResponsePlan, chat_id: str, request: RunRequest) -> RunEncoder:
        building = await self._buildings.shown(chat_id)
        before = plan.first if plan.run_id else ALL
        state = await self._chats.folded(chat_id, TYPES, before, lambda events: SharedState(chat_id, events))
        return RunEncoder(chat_id, request.thread_id, request.run_id, state, building.definition)

    async def _thread(self, plan: ResponsePlan, chat_id: str) -> BaseEvent:
        """The messages before the run that follows, and what it was asked."""
        records = self._runs.records
        runs = await records.newest(MOST_RUNS, plan.run_id, None, chat_id, MESSAGE_TYPES, messages_of)
        messages: list[Message] = [message for run in reversed(runs) for message in run]
        if plan.run_id is not None:
            messages.append(user_message(await records.get(plan.run_id)))
        return MessagesSnapshotEvent(messages=messages)

    async def _fold(
        self, batch: Sequence[StoredEvent], encoder: RunEncoder, plan: ResponsePlan, offered: set[str]
    ) -> tuple[list[BaseEvent], bool]:
        """The events that the client has not got yet, and whether the response ends with them."""
        said: list[BaseEvent] = []
        for stored in batch:
            is_new = stored.seq > plan.after
            if stored.run_id not in (plan.run_id, None):
                said += encoder.beside(stored) if is_new else []
                continue
            made = encoder.take(stored, await self._image_url(stored) if is_new else None)
            if is_new:
                said += made
            elif stored.seq == plan.after:
                said += encoder.go_on()
            match stored.event:
                case AskOpened(ask=ask) if is_new:
                    await self._answer_for_client(ask, plan, offered)
                case RunWaiting(ask_ids=ids) if is_new and await self._all_open(ids):
                    return [*said, *encoder.pause()], True
                case RunFinished() | RunFailed() | RunCancelled():
                    return said, True
                case _:
                    pass
        return said, False

    async def _all_open(self, ask_ids: list[str]) -> bool:
        """Whether the run still waits: nobody has answered any of it."""
        return len(await self._runs.ask_records.still_open(ask_ids)) == len(ask_ids)

    async def _answer_for_client(self, ask: Ask, plan: ResponsePlan, offered: set[str]) -> None:
        """A client's tool whose result is here already: it came with the approval, or there is none to come."""
        if ask.kind != "client_tool" or ask.call_id is None:
            return
        answer = plan.outputs.pop(ask.call_id, None)
        if answer is None and ask.tool == DONE_BY_THE_CLIENT and ask.tool not in offered:
            words = f"The front end runs {ask.tool}."
            answer = Answer(True, {"success": True, **ask.arguments, "message": words})
        if answer is not None:
            with suppress(Conflict, NotFound):
                try:
                    await self._runs.answer(ask.id, answer, plan.chat_id)
                except BadInput as fault:  # nobody is there any more to send another
                    await self._runs.answer(ask.id, Answer(False, reason=str(fault)), plan.chat_id)

    async def _image_url(self, stored: StoredEvent) -> str | None:
        """An image as a data URL; None when it is too large or not here."""
        match stored.event:
            case Shown(message=Chart(content=chart)):
                file_id, media_type = chart.image_id, "image/png"
            case Shown(message=Image(file_id=file_id, format=kind)):
                media_type = image_type(kind)
            case _:
                return None
        path = self._files.path(file_id)

        def read() -> str | None:
            try:
                data = path.read_bytes() if path.stat().st_size <= INLINE_BYTES else None
            except FileNotFoundError:  # made by another server that keeps it
                return None
            return data and f"data:{media_type};base64,{base64.b64encode(data).decode()}"

        return await asyncio.to_thread(read)
