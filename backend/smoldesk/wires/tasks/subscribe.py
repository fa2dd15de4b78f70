"""One task's updates as events of one response: what was before, then what comes, to its end."""

import logging
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing

from smoldesk.errors import DeskError
from smoldesk.events import StoredEvent
from smoldesk.runs import RunRecord, Runs
from smoldesk.wires.event_stream import event_text, events_of_run
from smoldesk.wires.serialization import json_text
from smoldesk.wires.task_projection import StatusUpdate, TaskProjection, Update
from smoldesk.wires.tasks.encoder import update_data
from smoldesk.wires.tasks.models import TaskPosition

log = logging.getLogger(__name__)

# Milliseconds after which a disconnected client reconnects.
RETRY_MS = 2_000
# Maximum events that a stream buffers while its client does not read.
PAGE = 50
# Approximate bytes per write.
PIECE = 64 * 1024
UNREADABLE = "The desk could not read its data. Subscribe again in a moment."
CLOSING = "The stream was closed: the desk is closing, or the context was deleted."


class TaskStream:
    """Streams of one desk."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs

    async def pieces(self, record: RunRecord, first: int, after: TaskPosition) -> AsyncGenerator[bytes, None]:
        """Yield the updates of a task after a position, as text; its events start after the seq `first`.

        The last one is the task's end. A stream that has to end before it sends an `error` without an id.
        """
        yield event_text(retry=RETRY_MS)
        fold = TaskProjection()
        try:
            following = events_of_run(self._runs, record.chat_id, record.id, first, PAGE)
            async with aclosing(following) as batches:
                async for batch in batches:
                    buffer: list[bytes] = []
                    size = 0
                    for stored in batch:
                        updates = fold.take(stored)
                        for text in _events(record, stored, updates, after):
                            buffer.append(text)
                            size += len(text)
                        if any(isinstance(update, StatusUpdate) and update.is_end for update in updates):
                            yield b"".join(buffer)
                            return
                        if size > PIECE:
                            yield b"".join(buffer)
                            buffer, size = [], 0
                    if buffer:
                        yield b"".join(buffer)
            message = CLOSING
        except (DeskError, OSError) as fault:
            log.error("a stream of a task broke off (%s)", type(fault).__name__)
            message = UNREADABLE
        data = {"taskId": record.id, "code": "stream_closed", "message": message}
        yield event_text(json_text(data), event="error")


def _events(
    record: RunRecord, stored: StoredEvent, updates: list[Update], after: TaskPosition
) -> Iterator[bytes]:
    """Yield the updates of one event, except those that the client has."""
    for part, update in enumerate(updates, 1):
        place = TaskPosition(stored.seq, part) if part < len(updates) else TaskPosition(stored.seq)
        if place > after:
            name, data = update_data(update, record.id, record.chat_id)
            yield event_text(json_text(data), event=name, id=str(place))
