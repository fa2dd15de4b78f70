"""State of a task and its updates, folded from the events of the store on the store's threads.

Small pieces of text are joined: a token stream would otherwise be thousands of parts.
"""

import asyncio
import math
import time
from collections.abc import AsyncGenerator, Generator, Iterable, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import takewhile

from a2a.types import a2a_pb2 as pb

from smoldesk import events as e
from smoldesk.errors import DeskError, NotFound
from smoldesk.events import StoredEvent
from smoldesk.messages import Text
from smoldesk.runs import RunRecord, Runs
from smoldesk.wires.a2a.encoder import TaskForm
from smoldesk.wires.a2a.models import Turn
from smoldesk.wires.event_stream import events_of_run
from smoldesk.wires.task_projection import (
    TASK_EVENTS,
    ArtifactUpdate,
    StatusUpdate,
    TaskProjection,
    TaskSnapshot,
    Update,
)

# Minimum seconds between two pieces; one after a longer pause is sent at once.
HOLD_SECONDS = 0.2
# Characters from which a piece is sent at once.
LONGEST = 2_048


@dataclass
class _BufferedUpdate:
    index: int
    append: bool
    pieces: list[str]
    size: int


class UpdateCoalescer:
    """Joins consecutive small text updates without changing text or order. Pure: callers pass the time."""

    def __init__(self, hold_seconds: float = HOLD_SECONDS) -> None:
        self._buffered: _BufferedUpdate | None = None
        self._hold_seconds = hold_seconds
        self._free_at = -math.inf

    @property
    def flush_at(self) -> float | None:
        """The time at which `flush` must be called; None without buffered text, or if time does not count."""
        return self._free_at if self._buffered and self._free_at < math.inf else None

    def take(self, update: Update, now: float) -> list[Update]:
        """Return the updates to send after the next one arrived."""
        if not isinstance(update, ArtifactUpdate) or not isinstance(update.message, Text):
            gone = self.flush(now)
            if isinstance(update, StatusUpdate) and self._hold_seconds == math.inf:
                self._free_at = (
                    -math.inf
                )  # a coalescer that starts here after a restart joins the same pieces
            return [*gone, update]
        piece, buffered = update.message.content, self._buffered
        if buffered is not None and update.append and buffered.index == update.index:
            buffered.pieces.append(piece)
            buffered.size += len(piece)
            is_due = update.is_final or buffered.size >= LONGEST or now >= self._free_at
            return self.flush(now, update.is_final) if is_due else []
        gone = self.flush(now)
        if update.is_final:
            return [*gone, update]
        if len(piece) >= LONGEST or now >= self._free_at:
            self._free_at = now + self._hold_seconds
            return [*gone, update]
        self._buffered = _BufferedUpdate(update.index, update.append, [piece], len(piece))
        return gone

    def flush(self, now: float, is_final: bool = False) -> list[Update]:
        """Return the buffered update, if any; `is_final`: its text is complete."""
        buffered, self._buffered = self._buffered, None
        if buffered is None:
            return []
        self._free_at = now + self._hold_seconds
        message = Text(content="".join(buffered.pieces))
        return [ArtifactUpdate(buffered.index, message, append=buffered.append, is_final=is_final)]


# Maximum events that a stream buffers while its client does not read.
PAGE = 50


@dataclass
class ViewedTask:
    """A task up to the event `seq` of its chat."""

    record: RunRecord
    seq: int
    fold: TaskProjection = field(default_factory=TaskProjection)
    snapshot: TaskSnapshot = field(default_factory=TaskSnapshot)
    turns: list[Turn] = field(default_factory=list[Turn])
    asks: dict[str, e.Ask] = field(default_factory=dict[str, e.Ask])

    def take(self, stored: StoredEvent) -> list[Update]:
        """Fold the next event of the run; return the updates it causes."""
        self.seq = max(self.seq, stored.seq)
        self.snapshot.note(stored)
        match stored.event:
            case e.AskOpened(ask=ask):
                self.asks[ask.id] = ask
                self.turns.append(Turn(ask))
            case e.AskClosed(ask_id=ask_id) as closed if ask_id in self.asks:
                self.turns.append(Turn(self.asks[ask_id], closed))
            case _:
                pass
        updates = self.fold.take(stored)
        for update in updates:
            self.snapshot.add(update)
        return updates

    @property
    def status(self) -> StatusUpdate:
        at = self.snapshot.updated_at or datetime.fromtimestamp(self.record.created_at, UTC)
        return self.snapshot.status or StatusUpdate("submitted", at)

    def note_answered(self, ask_id: str) -> None:
        """Note that the open question has its answer, though the run has not continued yet."""
        if self.status.ask is not None and self.status.ask.id == ask_id:
            self.snapshot.add(StatusUpdate("working", datetime.now(UTC)))

    def task(self, base: str, artifacts: bool = True) -> pb.Task:
        """Return the task in the protocol's form."""
        outputs = self.snapshot.outputs() if artifacts else None
        return TaskForm(self.record, base).task(self.status, self.turns, outputs)


def is_last(update: Update, answered: str | None = None) -> bool:
    """Return whether a stream ends with it: the task is over, or asks for something other than what was `answered`."""
    if not isinstance(update, StatusUpdate):
        return False
    asks = update.state == "input_required" and update.ask is not None and update.ask.id != answered
    return update.is_end or asks


class TaskView:
    """Reader of the tasks of one desk."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs

    async def record(self, task_id: str) -> RunRecord:
        """Return a run. Raises NotFound."""
        with _as_task(task_id):
            return await self._runs.records.get(task_id)

    async def view(self, task_id: str, types: Sequence[str] = TASK_EVENTS) -> ViewedTask:
        """Return the current task. Raises NotFound."""
        with _as_task(task_id):
            return await self._runs.records.folded(task_id, types, build_viewed_task)

    async def view_at(self, task_id: str, seq: int) -> ViewedTask:
        """Return the task as it was after the event `seq` of its chat. Raises NotFound."""
        with _as_task(task_id):
            return await self._runs.records.folded(
                task_id,
                TASK_EVENTS,
                lambda record, _, events: build_viewed_task(
                    record, seq, takewhile(lambda stored: stored.seq <= seq, events)
                ),
            )

    async def updates(self, viewed_task: ViewedTask) -> AsyncGenerator[Update, None]:
        """Yield updates to the task's end, and apply them to `viewed_task`. Ends early when the desk closes."""
        record, seq = viewed_task.record, viewed_task.seq
        async with aclosing(events_of_run(self._runs, record.chat_id, record.id, seq, PAGE)) as batches:
            async for batch in batches:
                for stored in batch:
                    for update in viewed_task.take(stored):
                        yield update
                        if isinstance(update, StatusUpdate) and update.is_end:
                            return

    async def merged(
        self, viewed_task: ViewedTask, hold_seconds: float = HOLD_SECONDS
    ) -> AsyncGenerator[Update, None]:
        """Yield the same updates with small pieces of text joined, at most `hold_seconds` later.

        If that is infinite, the same events give the same updates each time; text that is incomplete when the desk closes
        is left out.
        """
        merging = UpdateCoalescer(hold_seconds)
        updates = self.updates(viewed_task)
        next_update = asyncio.ensure_future(anext(updates, None))
        try:
            while True:
                wait = None if merging.flush_at is None else max(0.0, merging.flush_at - time.monotonic())
                done, _ = await asyncio.wait({next_update}, timeout=wait)
                update = next_update.result() if done else None
                now = time.monotonic()
                if done and update is None and hold_seconds == math.inf:
                    return
                ready = merging.flush(now) if update is None else merging.take(update, now)
                for ready_update in ready:
                    yield ready_update
                if done and update is None:
                    return
                if done:
                    next_update = asyncio.ensure_future(anext(updates, None))
        finally:
            next_update.cancel()
            await asyncio.gather(next_update, return_exceptions=True)
            await updates.aclose()

    async def settled(self, viewed_task: ViewedTask, answered: str | None = None) -> None:
        """Follow a task until it is over or asks for something other than what was `answered`."""
        async with aclosing(self.updates(viewed_task)) as updates:
            async for update in updates:
                if is_last(update, answered):
                    return
        raise DeskError("The desk is shutting down.", "Ask for the task again in a moment.", code="closing")


def build_viewed_task(record: RunRecord, seq: int, events: Iterable[StoredEvent]) -> ViewedTask:
    """Build a task from the relevant events of a run, up to the seq `seq`. Pure."""
    viewed = ViewedTask(record, seq)
    for stored in events:
        viewed.take(stored)
    return viewed


@contextmanager
def _as_task(task_id: str) -> Generator[None]:
    """Translate NotFound of an unknown run to this protocol's error."""
    try:
        yield
    except NotFound:
        raise NotFound(f"There is no task {task_id[:40]!r}.", code="no_task") from None
