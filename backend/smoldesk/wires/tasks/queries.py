"""Tasks as the store has them: one with its artifacts, or a page of a list. Reads on the store's threads."""

import json
from collections.abc import Sequence

from sqlalchemy import Connection

from smoldesk.errors import NotFound
from smoldesk.store import chats, event_log, run_lists
from smoldesk.store.run_lists import CLOSING, RunRecord
from smoldesk.store.run_rows import OPEN_STATES
from smoldesk.store.store import Store
from smoldesk.wires.task_projection import (
    Folding,
    State,
    StatusUpdate,
    Whole,
)
from smoldesk.wires.tasks.artifacts import artifact_of
from smoldesk.wires.tasks.encoder import Object, TaskFacts, task_json
from smoldesk.wires.tasks.errors import task_not_found
from smoldesk.wires.tasks.requests import WHOLE, Place

OF_STATUS = ("run_queued", "run_started", "run_waiting", "run_resumed", "ask_opened", "ask_closed", *CLOSING)
OF_TASK = (*OF_STATUS, "delta", "shown")
RUN_STATES: dict[State, str] = {
    "submitted": "queued",
    "working": "running",
    "input_required": "waiting",
    "completed": "finished",
    "failed": "failed",
    "canceled": "cancelled",
}


class Reading:
    """Looks tasks up."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def record(self, task_id: str) -> RunRecord:
        """Raises NotFound."""
        return await self._store.aread(lambda connection: _record(connection, task_id))

    async def first(self, record: RunRecord) -> int:
        """The seq after which the task's events begin."""
        return await self._store.aread(
            lambda connection: event_log.seq_before_run(connection, record.chat_id, record.id)
        )

    async def is_told(self, record: RunRecord, place: Place) -> bool:
        """Whether the task is over and all of it lies before this place."""
        if record.state in OPEN_STATES:
            return False
        after = place.seq if place.part == WHOLE else place.seq - 1

        def look(connection: Connection) -> bool:
            left = run_lists.events_of_run(connection, record.chat_id, record.id, after, CLOSING)
            return next(left, None) is None

        return await self._store.aread(look)

    async def status(self, record: RunRecord) -> StatusUpdate:
        """Its state now. Raises NotFound when its chat was deleted meanwhile."""

        def look(connection: Connection) -> StatusUpdate:
            return _folded(connection, record, OF_STATUS)[0]

        return await self._store.aread(look)

    async def answer(self, task_id: str) -> bytes:
        """`{"task_id", "task"}` as JSON. Raises NotFound."""

        def look(connection: Connection) -> bytes:
            return as_bytes(
                {"task_id": task_id, "task": _task(connection, _record(connection, task_id), True)}
            )

        return await self._store.aread(look)

    async def task(self, task_id: str) -> bytes:
        """The task itself as JSON. Raises NotFound."""
        return await self._store.aread(
            lambda connection: as_bytes(_task(connection, _record(connection, task_id), True))
        )

    async def page(
        self, limit: int, before: str | None, state: State | None, context: str | None, artifacts: bool
    ) -> bytes:
        """`{"tasks": [...]}` as JSON, newest first. Raises NotFound for an unknown `before` or context."""

        def look(connection: Connection) -> bytes:
            if context is not None:
                chats.get_chat(connection, context)
            if before is not None:
                _record(connection, before)
            kept = RUN_STATES[state] if state is not None else None
            records = run_lists.newest_runs(connection, limit, before, kept, context)
            return as_bytes({"tasks": [_task(connection, record, artifacts) for record in records]})

        return await self._store.aread(look)


def _record(connection: Connection, task_id: str) -> RunRecord:
    try:
        return run_lists.run_record(connection, task_id)
    except NotFound:
        raise task_not_found() from None


def _task(connection: Connection, record: RunRecord, artifacts: bool) -> Object:
    status, whole = _folded(connection, record, OF_TASK if artifacts else OF_STATUS)
    facts = TaskFacts(
        record.id, record.chat_id, record.message, record.created_at, record.options.metadata or {}
    )
    shown = [artifact_of(message, record.chat_id) for message in whole.shown()] if artifacts else None
    return task_json(facts, status, whole.updated_at or status.at, shown)


def _folded(connection: Connection, record: RunRecord, types: Sequence[str]) -> tuple[StatusUpdate, Whole]:
    first = event_log.seq_before_run(connection, record.chat_id, record.id)
    fold, whole = Folding(), Whole()
    for stored in run_lists.events_of_run(connection, record.chat_id, record.id, first, types):
        whole.note(stored)
        for update in fold.take(stored):
            whole.add(update)
    if whole.updated_at is None:
        raise task_not_found()  # deleted in this moment
    return whole.status or StatusUpdate("submitted", whole.updated_at), whole


def as_bytes(value: Object) -> bytes:
    """JSON in UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
