"""RunWatch: one run as a call of a tool follows it, until it waits for an answer or is over; its steps as progress."""

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
    """Where progress goes; a client that wants none is told none."""

    async def report_progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None: ...


class RunWatch:
    """Follows a run from its beginning; the first `notices_sent` of its notices are not sent again."""

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
        """How many notices the client has had."""
        return max(self.notices, self._notices_sent)

    @property
    def status(self) -> StatusUpdate | None:
        return self._snapshot.status

    def outputs(self) -> list[StepOutput]:
        """What the run shows so far."""
        return self._snapshot.outputs()

    async def wait_for_ask_or_end(self) -> bool:
        """True while it waits for `asks`, False once it is over."""
        while True:
            status = self.status
            if status is not None and status.is_end:
                self.asks = []
                return False
            if status is not None and status.state == "input_required":
                self.asks = await self._runs.ask_records.still_open(list(self._open))
                if self.asks:
                    return True
            await self._take(await self._next())

    async def wait_for_reply(self, ask: Ask, asking: Awaitable[T]) -> T | None:
        """What a client answers; None when the ask was closed before: then the client's answer is not waited for."""
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
        """Follow no more."""
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
        """The next events. Raises the desk's words when there will be none."""
        batch = await asyncio.shield(self._ensure_pending())
        self._pending_batch = None
        if batch is None:
            raise Conflict("The desk is closing, or the chat was deleted.", code="run_gone")
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
                if self.notices > self._notices_sent:
                    await self._progress.report_progress(self.notices, message=notice)


def notice_of(event: e.RunEvent | e.ChatEvent) -> str | None:
    """What is told of an event while the client waits."""
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
