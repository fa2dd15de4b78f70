"""Inputs of clients: a message becomes a task; input for a waiting one is given once, and a task is cancelled."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import assert_never

from smoldesk import events as e
from smoldesk import messages as m
from smoldesk.agents import DeskAgents
from smoldesk.chats import Chats, Uploads
from smoldesk.errors import Conflict, NotFound
from smoldesk.events import Ask
from smoldesk.runs import Answer, IdempotencyKey, RunOptions, RunRecord, Runs
from smoldesk.wires.answers import AnswerInput, parse_answer
from smoldesk.wires.bodies import check_text
from smoldesk.wires.event_stream import events_of_run
from smoldesk.wires.tasks.errors import input_rejected, not_waiting
from smoldesk.wires.tasks.models import Malformed, NewTask
from smoldesk.wires.tasks.queries import TaskQueries


class TaskSender:
    """Begins tasks."""

    def __init__(
        self, runs: Runs, agents: DeskAgents, chats: Chats, uploads: Uploads, message_limit: int
    ) -> None:
        """`message_limit`: most bytes of a message's text."""
        self._runs = runs
        self._agents = agents
        self._chats = chats
        self._uploads = uploads
        self._message_limit = message_limit

    async def begin(self, task: NewTask) -> str:
        """Start a task and return its id. Raises NotFound for an unknown context, Conflict if too many tasks wait there."""
        check_text(task.text, self._message_limit)
        if task.agent is not None:
            self._check_agent(task.agent)
        key = IdempotencyKey.of("tasks", task.context or "", task.message_id) if task.message_id else None
        if key is not None and (previous := await self._runs.records.sent_as(key)) is not None:
            return previous.id
        chat_id = await self._chat(task.context)
        names = [await self._uploads.keep(chat_id, file.name, file.data) for file in task.files]
        options = RunOptions(agent=task.agent, metadata=task.metadata or None, attachments=names or None)
        if key is None:
            return await self._runs.start(chat_id, task.text, options)
        run_id, _ = await self._runs.start_once(chat_id, task.text, key, options)
        return run_id

    def _check_agent(self, name: str) -> None:
        try:
            self._agents.agent_list.get(name)
        except NotFound as fault:
            raise Malformed(fault.message, fault.hint, code=fault.code) from None

    async def _chat(self, context: str | None) -> str:
        try:
            return (await (self._chats.create() if context is None else self._chats.get(context))).id
        except NotFound:
            raise NotFound("Context not found", "Leave contextId out to begin a new one.") from None


# Seconds that the run is watched after an answer; a program without output in that time has accepted it.
ACCEPT_SECONDS = 1.0
# Seconds that a cancel waits for the run's end.
END_SECONDS = 5.0


class TaskInput:
    """Answers what tasks ask, and cancels them."""

    def __init__(self, runs: Runs, chats: Chats, reading: TaskQueries) -> None:
        self._runs = runs
        self._chats = chats
        self._reading = reading

    async def give(self, task_id: str, answer_input: AnswerInput) -> None:
        """Answer the question of a task: its current one, or the named open one.

        Raises NotFound, Conflict("not_waiting") without an open question or after an earlier answer, BadInput for a
        value that does not fit, DeskError("not_taken") if the run ended at once instead of continuing.
        """
        record = await self._reading.record(task_id)
        ask = await self._ask(record, answer_input.ask_id)
        answer = parse_answer(ask, answer_input)
        before = await self._last_seq(record)
        try:
            await self._runs.answer(ask.id, answer, record.chat_id)
        except (Conflict, NotFound):
            raise not_waiting() from None
        with suppress(TimeoutError):
            async with asyncio.timeout(ACCEPT_SECONDS):
                await self._wait_until_accepted(record, ask, answer, before)

    async def cancel(self, task_id: str, reason: str) -> None:
        """Stop a task and wait, not for ever, for its end. Raises NotFound, or Conflict for one that has ended."""
        record = await self._reading.record(task_id)
        before = await self._last_seq(record)
        try:
            await self._runs.cancel(task_id, reason)
        except Conflict:
            status = await self._reading.status(record)
            raise Conflict(f"Task is already {status.state}", code="run_closed") from None
        with suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS):
                async for event in self._events(record, before):
                    if isinstance(event, e.ClosingEvent):
                        return

    async def _ask(self, record: RunRecord, ask_id: str | None) -> Ask:
        if ask_id is None:
            status = await self._reading.status(record)
            if status.ask is None:
                raise not_waiting()
            return status.ask
        rows = await self._runs.ask_records.ask_states(record.chat_id, [ask_id])
        row = next((row for row in rows if row.ask.id == ask_id and row.run_id == record.id), None)
        if row is None or not row.is_open:
            raise not_waiting()
        return row.ask

    async def _last_seq(self, record: RunRecord) -> int:
        return (await self._chats.get(record.chat_id)).last_seq

    async def _wait_until_accepted(self, record: RunRecord, ask: Ask, answer: Answer, before: int) -> None:
        """Until the run says what became of the answer. Raises DeskError("not_taken")."""
        is_closed = False
        async for event in self._events(record, before):
            if isinstance(event, e.AskClosed) and event.ask_id == ask.id:
                is_closed = True
                if event.granted != answer.granted or event.by != "person":
                    raise input_rejected(event.reason)
            elif is_closed and was_accepted(event):
                return

    async def _events(self, record: RunRecord, after: int) -> AsyncIterator[e.RunEvent | e.ChatEvent]:
        async for batch in events_of_run(self._runs, record.chat_id, record.id, after):
            for stored in batch:
                yield stored.event


def was_accepted(event: e.RunEvent | e.ChatEvent) -> bool:
    """Return whether an event after a question's end says that its answer was taken; False when it says nothing yet. Pure.

    Raises DeskError("not_taken") for an event that says that it was not.
    """
    match event:
        case e.RunFailed():
            raise input_rejected(f"{event.message} {event.hint}".strip())
        case e.RunCancelled():
            raise input_rejected(event.reason)
        case e.AskClosed() | e.RunResumed():
            return False
        case e.Shown():
            return not isinstance(event.message, m.Error)  # which comes just before the run fails
        case (
            e.StepStarted()
            | e.Delta()
            | e.PromptProgress()
            | e.ModelCalled()
            | e.ToolCalled()
            | e.ToolReturned()
            | e.ToolFailed()
            | e.ToolProgress()
            | e.AskOpened()
            | e.RunWaiting()
            | e.Printed()
            | e.Nested()
            | e.StepFinished()
            | e.RunFinished()
        ):
            return True
        case e.RunQueued() | e.RunStarted() | e.ChatFact():
            return False
        case _:
            assert_never(event)
