"""An answer as its pieces, from the log: as they come, or all that there are now."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

from smoldesk.buildings.building import Building
from smoldesk.chats import Buildings, Files
from smoldesk.errors import Conflict, DeskError, NotFound
from smoldesk.events import AskOpened, StoredEvent
from smoldesk.runs import Answer, RunRecord, Runs
from smoldesk.wires.event_stream import events_of_run
from smoldesk.wires.inline_images import picture_of
from smoldesk.wires.openai_api.encoder import AnswerEncoder
from smoldesk.wires.openai_api.models import AnswerEnd, Piece, ResponsePosition, client_name
from smoldesk.wires.openai_api.picture_addresses import picture_address

log = logging.getLogger(__name__)

UNREADABLE = "The desk could not read its data. Ask again in a moment."
CLOSING = "The answer broke off: the desk is closing, or the chat was deleted."
NOT_HERE = "The client that asked runs no such tool"
# Events with pieces of an answer.
EVENTS = (
    *("run_queued", "run_started", "step_started", "delta", "tool_called", "tool_failed", "tool_progress"),
    *("ask_opened", "ask_closed", "run_waiting", "run_resumed", "printed", "shown", "step_finished"),
    *("nested", "run_finished", "run_failed", "run_cancelled"),
)


class AnswerFollower:
    """Answers of one desk."""

    def __init__(self, runs: Runs, files: Files, buildings: Buildings, inline_pictures: bool) -> None:
        """With `inline_pictures` they are sent in the answer itself."""
        self._runs = runs
        self._files = files
        self._buildings = buildings
        self._inline_pictures = inline_pictures

    async def pieces(
        self, place: ResponsePosition, record: RunRecord, base: str
    ) -> AsyncGenerator[list[Piece]]:
        """Yield the answer's pieces as they become known; the last one is its AnswerEnd."""
        try:
            fold = await self._encoder(record, place, base)
            first = await self._runs.records.seq_before(record.chat_id, record.id)
            following = events_of_run(self._runs, record.chat_id, record.id, first)
            async with aclosing(following) as batches:
                async for batch in batches:
                    pieces: list[Piece] = []
                    for stored in batch:
                        if picture_of(stored) is not None or fold.is_drawing(stored):
                            pieces += await asyncio.to_thread(self._event_pieces, fold, stored, place, base)
                        else:
                            pieces += self._event_pieces(fold, stored, place, base)
                        if pieces and isinstance(pieces[-1], AnswerEnd):
                            yield pieces
                            return
                        await self._refuse_foreign(fold, stored)
                    if pieces:
                        yield pieces
            message = CLOSING
        except (DeskError, OSError) as fault:
            log.error("an answer broke off (%s)", type(fault).__name__)
            message = UNREADABLE
        yield [AnswerEnd("failed", record.changed_at, code="stream_closed", message=message)]

    async def now(self, place: ResponsePosition, record: RunRecord, base: str) -> list[Piece]:
        """Return all pieces that there are now; without an AnswerEnd when the answer is not over."""
        fold = await self._encoder(record, place, base)

        def folded(events: list[StoredEvent]) -> list[Piece]:
            pieces: list[Piece] = []
            for stored in events:
                pieces += self._event_pieces(fold, stored, place, base)
                if pieces and isinstance(pieces[-1], AnswerEnd):
                    break
            return pieces

        # Drawing a map takes a process, for which no connection to the database waits.
        events = await self._runs.records.folded(record.id, EVENTS, lambda _record, _seq, events: [*events])
        return await asyncio.to_thread(folded, events)

    async def _encoder(self, record: RunRecord, place: ResponsePosition, base: str) -> AnswerEncoder:
        view = await self._buildings.view(record.chat_id, place.after)
        building: Building = view.building
        tools = {tool.name: client_name(tool) for tool in record.options.client_tools or []}
        return AnswerEncoder(record.chat_id, base, building, tools, record.options.answer_format)

    def _event_pieces(
        self, fold: AnswerEncoder, stored: StoredEvent, place: ResponsePosition, base: str
    ) -> list[Piece]:
        """Return the pieces of an event. Reads a picture's file: call it outside the event loop for one that shows any."""
        if stored.seq <= place.after:
            fold.skip(stored)
            return []
        return fold.take(stored, picture_address(stored, base, self._files.path, self._inline_pictures))

    async def _refuse_foreign(self, fold: AnswerEncoder, stored: StoredEvent) -> None:
        """Refuse client work that this client cannot do: otherwise the run would wait forever."""
        if isinstance(stored.event, AskOpened) and not fold.is_of_client(stored.event.ask):
            with suppress(Conflict, NotFound):
                await self._runs.answer(stored.event.ask.id, Answer(False, reason=NOT_HERE), stored.chat_id)
