"""Events of one run as the chunks of one response."""

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing

from smoldesk.agents import DeskAgents
from smoldesk.chats import Buildings, Chats, Files
from smoldesk.errors import (
    DeskError,
)
from smoldesk.events import (
    AskOpened,
    RunCancelled,
    RunFailed,
    RunFinished,
    RunWaiting,
    StoredEvent,
)
from smoldesk.runs import NO_CHOICE, Runs
from smoldesk.wires.ai_sdk import models as c
from smoldesk.wires.ai_sdk.encoder import ChunkEncoder, Mode
from smoldesk.wires.ai_sdk.models import Chunk
from smoldesk.wires.ai_sdk.request_handling import ResponsePlan
from smoldesk.wires.client_work import answer_for_client
from smoldesk.wires.event_stream import events_of_run
from smoldesk.wires.inline_images import image_url

log = logging.getLogger(__name__)

UNREADABLE = "The desk could not read its data. Try again in a moment."
CLOSING = "The stream was closed: the desk is closing, or the chat was deleted."


class RunStream:
    """Factory of response streams."""

    def __init__(
        self, runs: Runs, agents: DeskAgents, chats: Chats, files: Files, buildings: Buildings
    ) -> None:
        self._runs = runs
        self._chats = chats
        self._files = files
        self._agents = agents
        self._buildings = buildings

    async def chunks(self, turn: ResponsePlan, mode: Mode) -> AsyncGenerator[list[Chunk], None]:
        """Yield the chunks of a response in batches, as events arrive; the last batch ends the response."""
        fold = await self.encoder(turn, mode)
        refused = [c.output_error(call_id, text) for call_id, text in turn.refused.items()]
        first_chunks = [*fold.begin(turn.message_id, turn.run_id), *refused]
        if turn.run_id is None:
            yield [*first_chunks, *fold.pause()]
            return
        yield first_chunks
        try:
            following = events_of_run(self._runs, turn.chat_id, turn.run_id, turn.first)
            async with aclosing(following) as batches:
                async for batch in batches:
                    new_chunks, is_over = await self._fold(batch, fold, turn, mode)
                    if new_chunks:
                        yield new_chunks
                    if is_over:
                        return
            text = CLOSING
        except (DeskError, OSError) as fault:
            log.error("a response failed (%s)", type(fault).__name__)
            text = UNREADABLE
        yield fold.fail(text)

    async def encoder(self, turn: ResponsePlan, mode: Mode) -> ChunkEncoder:
        """Return an encoder for the turn's run, before its first event."""
        building = await self._buildings.view(turn.chat_id)
        return ChunkEncoder(mode, await self._model(turn), building.definition, turn.chat_id)

    async def _model(self, turn: ResponsePlan) -> str:
        """Return the name of the model for the message's metadata; empty for a program in a terminal."""
        run_id = turn.run_id
        if run_id is None:
            return self._agents.who(NO_CHOICE).get("model", "")
        options = (await self._runs.records.get(run_id)).options
        chat = await self._chats.get(turn.chat_id)
        who = {"agent": options.agent or chat.agent, "model": options.model or chat.model}
        return self._agents.who(options.model_copy(update=who)).get("model", "")

    async def _fold(
        self, batch: list[StoredEvent], fold: ChunkEncoder, turn: ResponsePlan, mode: Mode
    ) -> tuple[list[Chunk], bool]:
        """Return the chunks of a batch that are new to the client, and whether the response ends with them."""
        chunks: list[Chunk] = []
        for stored in batch:
            # Earlier events are folded for their state only: the client has their chunks from the last response.
            is_new = stored.seq > turn.after
            encoded = fold.take(stored, await image_url(self._files, stored) if is_new else None)
            if is_new:
                chunks += encoded
            match stored.event:
                case AskOpened(ask=ask) if is_new:
                    await answer_for_client(self._runs, turn.chat_id, ask, turn.outputs)
                case RunWaiting(ask_ids=ids) if mode == "sse" and await self._waits(ids):
                    return [*chunks, *fold.pause()], True
                case RunFinished() | RunFailed() | RunCancelled():
                    return chunks, True
                case _:
                    pass
        return chunks, False

    async def _waits(self, ask_ids: list[str]) -> bool:
        """Return whether the run waits for this client: all asks are open, and one is not an input."""
        open_asks = await self._runs.ask_records.still_open(ask_ids)
        return len(open_asks) == len(ask_ids) and any(ask.kind != "input" for ask in open_asks)

    async def answer_early(self, turn: ResponsePlan) -> None:
        """Answer asks that the open stream has passed already with the turn's outputs."""
        for state in await self._runs.ask_records.ask_states(turn.chat_id):
            if state.run_id == turn.run_id and state.ask.call_id in turn.outputs:
                await answer_for_client(self._runs, turn.chat_id, state.ask, turn.outputs)
