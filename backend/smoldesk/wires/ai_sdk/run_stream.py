"""One run's events as the chunks of one response, as long as the response lasts."""

import asyncio
import base64
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Any

from smoldesk.agents import DeskAgents
from smoldesk.chats import Buildings, Chats, Files
from smoldesk.errors import (
    BadInput,
    Conflict,
    DeskError,
    NotFound,
)
from smoldesk.events import (
    Ask,
    AskOpened,
    RunCancelled,
    RunFailed,
    RunFinished,
    RunWaiting,
    Shown,
    StoredEvent,
    unnested,
)
from smoldesk.messages import Chart, Image
from smoldesk.runs import NO_CHOICE, Answer, Runs
from smoldesk.wires.ai_sdk import models as c
from smoldesk.wires.ai_sdk.encoder import ChunkEncoder, Mode
from smoldesk.wires.ai_sdk.models import Chunk
from smoldesk.wires.ai_sdk.request_handling import ResponsePlan
from smoldesk.wires.event_stream import events_of_run
from smoldesk.wires.serialization import image_type

log = logging.getLogger(__name__)

INLINE_BYTES = 1_000_000
"""Images up to this size are sent whole: a front end on another port may show nothing it would have to fetch."""
UNREADABLE = "The desk could not read its data. Ask again in a moment."
CLOSING = "The stream was closed: the desk is closing, or the chat was deleted."
DONE_BY_THE_CLIENT = frozenset(["change_bgm"])
"""Tools that a client runs when it sees the call: nothing comes back, so the wire says that it was taken."""


class RunStream:
    """Responses of one desk."""

    def __init__(
        self, runs: Runs, agents: DeskAgents, chats: Chats, files: Files, buildings: Buildings
    ) -> None:
        self._runs = runs
        self._chats = chats
        self._files = files
        self._agents = agents
        self._buildings = buildings

    async def chunks(self, turn: ResponsePlan, mode: Mode) -> AsyncGenerator[list[Chunk], None]:
        """The response's chunks, in the pieces in which they become known; the last piece ends it."""
        building = await self._buildings.shown(turn.chat_id)
        fold = ChunkEncoder(mode, await self._model(turn), building.definition, turn.chat_id)
        refused = [c.output_error(call_id, words) for call_id, words in turn.refused.items()]
        begun = [*fold.begin(turn.message_id, turn.run_id), *refused]
        if turn.run_id is None:
            yield [*begun, *fold.pause()]
            return
        yield begun
        try:
            following = events_of_run(self._runs, turn.chat_id, turn.run_id, turn.first)
            async with aclosing(following) as batches:
                async for batch in batches:
                    said, is_over = await self._fold(batch, fold, turn, mode)
                    if said:
                        yield said
                    if is_over:
                        return
            words = CLOSING
        except (DeskError, OSError) as fault:
            log.error("a response broke off (%s)", type(fault).__name__)
            words = UNREADABLE
        yield fold.broken(words)

    async def _model(self, turn: ResponsePlan) -> str:
        """The model that answers, for the metadata of the message; empty for a program in a terminal."""
        run_id = turn.run_id
        if run_id is None:
            return self._agents.who(NO_CHOICE).get("model", "")
        options = (await self._runs.records.get(run_id)).options
        agent = options.agent or await self._chats.agent_of(turn.chat_id)
        return self._agents.who(options.model_copy(update={"agent": agent})).get("model", "")

    async def _fold(
        self, batch: list[StoredEvent], fold: ChunkEncoder, turn: ResponsePlan, mode: Mode
    ) -> tuple[list[Chunk], bool]:
        """The chunks of a batch that the client has not got yet, and whether the response ends with them."""
        said: list[Chunk] = []
        for stored in batch:
            is_new = stored.seq > turn.after
            made = fold.take(stored, await self._image_url(stored) if is_new else None)
            if is_new:
                said += made
            match stored.event:
                case AskOpened(ask=ask) if is_new:
                    await self._answer_for_client(ask, turn)
                case RunWaiting(ask_ids=ids) if mode == "sse" and await self._waits(ids):
                    return [*said, *fold.pause()], True
                case RunFinished() | RunFailed() | RunCancelled():
                    return said, True
                case _:
                    pass
        return said, False

    async def _waits(self, ask_ids: list[str]) -> bool:
        """Whether the run waits for this client, and nobody has answered any of it."""
        left = await self._runs.ask_records.still_open(ask_ids)
        return len(left) == len(ask_ids) and any(ask.kind != "input" for ask in left)

    async def _answer_for_client(self, ask: Ask, turn: ResponsePlan) -> None:
        """A client's tool whose result is here already: it came with the approval, or there is none to come."""
        if ask.kind != "client_tool" or ask.call_id is None:
            return
        answer = turn.outputs.pop(ask.call_id, None)
        if answer is None and ask.tool in DONE_BY_THE_CLIENT:
            answer = Answer(True, taken(ask))
        if answer is not None:
            with suppress(Conflict, NotFound):
                try:
                    await self._runs.answer(ask.id, answer, turn.chat_id)
                except BadInput as fault:  # nobody is there any more to send another
                    refused = Answer(False, reason=str(fault))
                    await self._runs.answer(ask.id, refused, turn.chat_id)

    async def answer_early(self, turn: ResponsePlan) -> None:
        """Give outputs to asks that a stream under way has passed already."""
        for one in await self._runs.ask_records.asked(turn.chat_id):
            if one.run_id == turn.run_id and one.ask.call_id in turn.outputs:
                await self._answer_for_client(one.ask, turn)

    async def _image_url(self, stored: StoredEvent) -> str | None:
        """An image as a data URL; None when it is too large or not here."""
        event = unnested(stored.event)
        if not (isinstance(event, Shown) and isinstance(event.message, Image | Chart)):
            return None
        image = event.message
        is_chart = isinstance(image, Chart)
        path = self._files.path(image.content.image_id if is_chart else image.file_id)
        media_type = "image/png" if is_chart else image_type(image.format)

        def read() -> str | None:
            try:
                data = path.read_bytes() if path.stat().st_size <= INLINE_BYTES else None
            except FileNotFoundError:  # made by another server that keeps it
                return None
            if data is None:
                return None
            return f"data:{media_type};base64,{base64.b64encode(data).decode()}"

        return await asyncio.to_thread(read)


def taken(ask: Ask) -> dict[str, Any]:
    """What a tool returns that the client has run by itself."""
    return {"success": True, **ask.arguments, "message": f"The front end runs {ask.tool}."}
