"""Tasks as the store has them: one with its artifacts, or a page of a list. Reads on the store's threads."""

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager

from smoldesk.errors import NotFound
from smoldesk.events import StoredEvent
from smoldesk.runs import RunRecord
from smoldesk.runs.records import RunRecords
from smoldesk.wires.serialization import json_text
from smoldesk.wires.task_projection import (
    RUN_STATES,
    STATUS_EVENTS,
    TASK_EVENTS,
    State,
    StatusUpdate,
    TaskProjection,
    TaskSnapshot,
)
from smoldesk.wires.tasks.encoder import Object, artifact_of, task_json
from smoldesk.wires.tasks.errors import task_not_found
from smoldesk.wires.tasks.models import EVENT_END, TaskPosition


class TaskQueries:
    """Looks tasks up."""

    def __init__(self, records: RunRecords) -> None:
        self._records = records

    async def record(self, task_id: str) -> RunRecord:
        """Return a run. Raises NotFound."""
        with _as_task():
            return await self._records.get(task_id)

    async def first(self, record: RunRecord) -> int:
        """Return the seq after which the task's events start."""
        return await self._records.seq_before(record.chat_id, record.id)

    async def is_delivered(self, record: RunRecord, place: TaskPosition) -> bool:
        """Return whether the task is over and all of it lies before this place."""
        return await self._records.is_over_before(
            record, place.seq if place.part == EVENT_END else place.seq - 1
        )

    async def status(self, record: RunRecord) -> StatusUpdate:
        """Return its state now. Raises NotFound when its chat was deleted meanwhile."""
        with _as_task():
            status, _ = await self._records.folded(record.id, STATUS_EVENTS, _snapshot)
        return status

    async def answer(self, task_id: str) -> bytes:
        """`{"task_id", "task"}` as JSON. Raises NotFound."""
        return b'{"task_id":%b,"task":%b}' % (json.dumps(task_id).encode(), await self.task(task_id))

    async def task(self, task_id: str) -> bytes:
        """Return the task as JSON. Raises NotFound."""
        with _as_task():
            return await self._records.folded(task_id, TASK_EVENTS, _task)

    async def page(
        self, limit: int, before: str | None, state: State | None, context: str | None, artifacts: bool
    ) -> bytes:
        """`{"tasks": [...]}` as JSON, newest first. Raises NotFound for an unknown `before` or context."""
        if before is not None:
            await self.record(before)
        types = TASK_EVENTS if artifacts else STATUS_EVENTS
        run_state = RUN_STATES[state] if state is not None else None
        fold = _task if artifacts else _task_alone
        tasks = await self._records.newest(limit, before, run_state, context, types, fold)
        return b'{"tasks":[' + b",".join(tasks) + b"]}"


@contextmanager
def _as_task() -> Generator[None]:
    """Translate NotFound of an unknown run to this protocol's error."""
    try:
        yield
    except NotFound:
        raise task_not_found() from None


def _task(record: RunRecord, seq: int, events: Iterator[StoredEvent]) -> bytes:
    status, snapshot = _snapshot(record, seq, events)
    artifacts = [artifact_of(message, record.chat_id) for message in snapshot.outputs()]
    return _json(record, status, snapshot, artifacts)


def _task_alone(record: RunRecord, seq: int, events: Iterator[StoredEvent]) -> bytes:
    """Without its artifacts."""
    return _json(record, *_snapshot(record, seq, events), None)


def _json(
    record: RunRecord, status: StatusUpdate, snapshot: TaskSnapshot, artifacts: list[Object] | None
) -> bytes:
    return json_text(task_json(record, status, snapshot.updated_at or status.at, artifacts)).encode(
        "utf-8", "replace"
    )


def _snapshot(_: RunRecord, __: int, events: Iterator[StoredEvent]) -> tuple[StatusUpdate, TaskSnapshot]:
    fold, snapshot = TaskProjection(), TaskSnapshot()
    for stored in events:
        snapshot.note(stored)
        for update in fold.take(stored):
            snapshot.add(update)
    if snapshot.updated_at is None:
        raise task_not_found()  # deleted in this moment
    return snapshot.status or StatusUpdate("submitted", snapshot.updated_at), snapshot
