"""One run's events as those of one response, as long as the response lasts."""

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from functools import partial

from ag_ui.core import BaseEvent, CustomEvent, Message, MessagesSnapshotEvent, RunErrorEvent

from smoldesk.chats import Buildings, Chats, Files
from smoldesk.errors import DeskError
from smoldesk.events import (
    AskOpened,
    RunCancelled,
    RunFailed,
    RunFinished,
    StateShared,
    StoredEvent,
)
from smoldesk.runs import Runs
from smoldesk.wires.agui.encoder import RunEncoder
from smoldesk.wires.agui.models import ResponsePlan, RunRequest
from smoldesk.wires.agui.shared_state import TYPES, SharedState
from smoldesk.wires.agui.thread import MAX_RUNS, conversation, messages_of
from smoldesk.wires.agui.thread import TYPES as MESSAGE_TYPES
from smoldesk.wires.client_work import answer_for_client
from smoldesk.wires.event_stream import events_of_chat
from smoldesk.wires.inline_images import image_url

log = logging.getLogger(__name__)
UNREADABLE = "The desk could not read its data. Ask again in a moment."
CLOSING = "The stream was closed: the desk is closing, or the chat was deleted."
ALL = 2**62


def refused(fault: DeskError) -> list[BaseEvent]:
    """Return a response that only refuses."""
    return [RunErrorEvent(message=str(fault), code=fault.code)]


def _is_display_event(event: BaseEvent) -> bool:
    return isinstance(event, CustomEvent) and event.name != "printed"


def _instructions(request: RunRequest) -> list[Message]:
    """Return the messages that only the client has: a snapshot without them would take them away."""
    messages = conversation(request.sent or [], []) or []
    return [message for message in messages if message.role in ("system", "developer")]


class RunStream:
    """Responses of one desk."""

    def __init__(self, runs: Runs, chats: Chats, files: Files, buildings: Buildings) -> None:
        self._runs = runs
        self._chats = chats
        self._files = files
        self._buildings = buildings

    async def events(self, plan: ResponsePlan, request: RunRequest) -> AsyncGenerator[list[BaseEvent], None]:
        """Yield the response's events as they become known; the last batch ends it."""
        if plan.chat_id is None:
            state = SharedState("", [StateShared(state=request.state.client_state)])
            encoder = RunEncoder("", request.thread_id, request.run_id, state)
            snapshot = MessagesSnapshotEvent(messages=_instructions(request))
            yield [*encoder.begin(), snapshot, *encoder.nothing_runs()]
            return
        try:
            encoder = await self._encoder(plan, plan.chat_id, request)
            thread = [await self._thread(plan, plan.chat_id, request)] if plan.includes_thread else []
        except DeskError as fault:
            yield refused(fault)
            return
        yield [*encoder.begin(plan.after > 0), *thread, *([] if plan.run_id else encoder.nothing_runs())]
        if plan.run_id is None:
            return
        code, message = "stream_closed", CLOSING
        try:
            async with aclosing(events_of_chat(self._runs, plan.chat_id, plan.first)) as batches:
                async for stored in batches:
                    events_, is_over = await self._fold(stored, encoder, plan, request)
                    if events_:
                        yield events_
                    if is_over:
                        return
        except (DeskError, OSError) as fault:
            log.error("a response broke off (%s)", type(fault).__name__)
            code, message = "store_fault", UNREADABLE
        yield encoder.broken(message, code)

    async def _encoder(self, plan: ResponsePlan, chat_id: str, request: RunRequest) -> RunEncoder:
        building = await self._buildings.view(chat_id)
        before = plan.first if plan.run_id else ALL
        state = await self._chats.folded(chat_id, TYPES, before, lambda events: SharedState(chat_id, events))
        return RunEncoder(chat_id, request.thread_id, request.run_id, state, building.definition)

    async def _thread(self, plan: ResponsePlan, chat_id: str, request: RunRequest) -> BaseEvent:
        """Return the messages of a thread up to the response's start, after the client's own instructions."""
        return MessagesSnapshotEvent(messages=await self._messages_before(plan, chat_id, request, plan.after))

    async def _conversation(
        self, plan: ResponsePlan, request: RunRequest, stored: StoredEvent
    ) -> MessagesSnapshotEvent | None:
        """Return the messages of the client's conversation when the run waits; None if it has them or they cannot be
        read.
        """
        if plan.includes_thread and stored.seq <= plan.after:
            return None
        if plan.includes_thread:
            messages = await self._messages_before(plan, stored.chat_id, request, stored.seq)
        elif request.sent is None or plan.run_id is None:
            return None
        else:
            fold = partial(messages_of, before=stored.seq)
            turns = await self._runs.records.folded(plan.run_id, MESSAGE_TYPES, fold)
            messages = conversation(request.sent, turns)
        return None if messages is None else MessagesSnapshotEvent(messages=messages)

    async def _messages_before(
        self, plan: ResponsePlan, chat_id: str, request: RunRequest, before: int
    ) -> list[Message]:
        records = self._runs.records
        runs = await records.newest(MAX_RUNS, plan.run_id, None, chat_id, MESSAGE_TYPES, messages_of)
        messages = _instructions(request) + [message for run in reversed(runs) for message in run]
        if plan.run_id is not None:
            fold = partial(messages_of, before=before)
            messages += await records.folded(plan.run_id, MESSAGE_TYPES, fold)
        return messages

    async def _fold(
        self, batch: Sequence[StoredEvent], encoder: RunEncoder, plan: ResponsePlan, request: RunRequest
    ) -> tuple[list[BaseEvent], bool]:
        """Return the events that the client does not have yet, and whether the response ends with them."""
        events_: list[BaseEvent] = []
        for stored in batch:
            is_new = stored.seq > plan.after
            new_events, is_over = await self._client_events(stored, encoder, plan, request, is_new)
            events_ += new_events
            if not is_over and stored.seq == plan.after:
                events_ += encoder.go_on()
            if not is_over and stored.seq >= plan.after and encoder.waiting:
                is_over = await self._all_open(encoder.waiting)
                if is_over:
                    asks = encoder.interrupts
                    events_ += encoder.pause(
                        await self._conversation(plan, request, stored) if asks else None
                    )
                encoder.waiting = []
            if is_over:
                return events_, True
        return events_, False

    async def _client_events(
        self,
        stored: StoredEvent,
        encoder: RunEncoder,
        plan: ResponsePlan,
        request: RunRequest,
        is_new: bool,
    ) -> tuple[list[BaseEvent], bool]:
        """Return the client's events for one event, and whether it closes the run."""
        if stored.run_id not in (plan.run_id, None):
            return encoder.encode_other_run(stored) if is_new else [], False
        needs_image = is_new or plan.includes_thread
        encoded = encoder.take(stored, await image_url(self._files, stored) if needs_image else None)
        if isinstance(stored.event, RunFinished | RunFailed | RunCancelled):
            return encoded if is_new else encoder.ended(encoded), True
        if isinstance(stored.event, AskOpened) and is_new:
            offered = frozenset(tool.name for tool in request.tools)
            await answer_for_client(self._runs, stored.chat_id, stored.event.ask, plan.outputs, offered)
        if is_new:
            return encoded, False
        # messages do not contain displays, so a client that reconnects gets them again
        return [event for event in encoded if _is_display_event(event)] if plan.includes_thread else [], False

    async def _all_open(self, ask_ids: Sequence[str]) -> bool:
        """Return whether the run still waits with all of these asks open."""
        return len(await self._runs.ask_records.still_open(ask_ids)) == len(ask_ids)
