"""RunWatch: follows one run for a tool call until it waits or ends, and reports its steps as progress."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable
from contextlib import suppress
from typing import Protocol, TypeVar

from smoldesk import events as e
from smoldesk.errors import Conflict
from smoldesk.events import Ask, StoredEvent
from smoldesk.messages import StepOutput
from smoldesk.runs import RunRecord, Runs
from smoldesk.wires.event_stream import events_of_run
from smoldesk.wires.task_projection import StatusUpdate, TaskProjection, TaskSnapshot

T = TypeVar("T")


class ProgressPort(Protocol):
    """Receiver of progress; it drops reports if the client did not request them."""

    async def report_progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None: ...


class RunWatch:
    """Follower of a run from its first event; the first `notices_sent` notices are not sent again."""

    def __init__(self, runs: Runs, record: RunRecord, progress: ProgressPort, notices_sent: int = 0) -> None:
        self.record = record
        self.asks: list[Ask] = []
        self.notices = 0
        self._notices_sent = notices_sent
        self._runs = runs
        self._progress = progress
        self._fold = TaskProjection()
        self._snapshot = TaskSnapshot()
        self._open: dict[str, Ask] = {}
        self._events: AsyncGenerator[list[StoredEvent], None] | None = None
        self._pending_batch: asyncio.Task[list[StoredEvent] | None] | None = None

    @property
    def notices_sent(self) -> int:
        """Number of notices that the client has received."""
        return max(self.notices, self._notices_sent)

    @property
    def status(self) -> StatusUpdate | None:
        return self._snapshot.status

    def outputs(self) -> list[StepOutput]:
        """Return the output of the run so far."""
        return self._snapshot.outputs()

    async def wait_for_ask_or_end(self) -> bool:
        """Wait until the run waits for `asks` (return True) or has ended (return False)."""
        while True:
            status = self.status
            if status is not None and status.is_end:
                self.asks = []
                return False
            if status is not None and status.state == "input_required":
                # Read from the store: another client may have answered since the event.
                self.asks = await self._runs.ask_records.still_open(list(self._open))
                if self.asks:
                    return True
            await self._take(await self._next())

    async def wait_for_reply(self, ask: Ask, asking: Awaitable[T]) -> T | None:
        """Wait for the client's answer. Return None if the ask is closed first."""
        task = asyncio.ensure_future(asking)
        try:
            while ask.id in self._open:
                coming = self._ensure_pending()
                await asyncio.wait([task, coming], return_when=asyncio.FIRST_COMPLETED)
                if task.done():
                    return task.result()
                await self._take(await self._next())
            return None
        finally:
            await _cancel(task)

    async def close(self) -> None:
        """Stop following."""
        if self._pending_batch is not None:
            await _cancel(self._pending_batch)
        if self._events is not None:
            await self._events.aclose()

    def _ensure_pending(self) -> "asyncio.Task[list[StoredEvent] | None]":
        if self._pending_batch is None:
            self._events = self._events or self._from_the_start()
            self._pending_batch = asyncio.create_task(_next_of(self._events))
        return self._pending_batch

    async def _from_the_start(self) -> AsyncGenerator[list[StoredEvent], None]:
        first = await self._runs.records.seq_before(self.record.chat_id, self.record.id)
        async for batch in events_of_run(self._runs, self.record.chat_id, self.record.id, first):
            yield batch

    async def _next(self) -> list[StoredEvent]:
        """Return the next events. Raises Conflict if the desk closes or the chat is deleted."""
        # Shielded: a cancelled read would close the generator and lose its position in the log.
        batch = await asyncio.shield(self._ensure_pending())
        self._pending_batch = None
        if batch is None:
            raise Conflict("The desk is shutting down, or the chat was deleted.", code="run_gone")
        return batch

    async def _take(self, batch: list[StoredEvent]) -> None:
        for stored in batch:
            self._snapshot.note(stored)
            for update in self._fold.take(stored):
                self._snapshot.add(update)
            match stored.event:
                case e.AskOpened(ask=ask):
                    self._open[ask.id] = ask
                case e.AskClosed(ask_id=ask_id):
                    self._open.pop(ask_id, None)
                case _:
                    pass
            if notice := notice_of(stored.event):
                self.notices += 1
                # A later call reads the run from its start again, to rebuild the state.
                if self.notices > self._notices_sent:
                    await self._progress.report_progress(self.notices, message=notice)


def notice_of(event: e.RunEvent | e.ChatEvent) -> str | None:
    """Return the progress text of an event, or None."""
    match event:
        case e.StepStarted():
            return f"Step {event.step}"
        case e.ToolCalled():
            return f"Calls {event.tool}"
        case e.RunWaiting():
            return "Waits for an answer"
        case e.RunQueued(ahead=ahead) if ahead:
            return f"Waits for {ahead} earlier questions"
        case _:
            return None


async def _next_of(events: AsyncGenerator[list[StoredEvent], None]) -> list[StoredEvent] | None:
    return await anext(events, None)


async def _cancel(task: "asyncio.Future[T]") -> None:
    task.cancel()
    with suppress(asyncio.CancelledError, Exception):
        await task
