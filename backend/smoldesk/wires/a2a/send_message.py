"""Messages of clients: each starts a run, or answers an ask. A message that is sent again has no further effect."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any

from pydantic import JsonValue

from smoldesk.chats import Chats, Uploads
from smoldesk.errors import BadInput, Conflict, NotFound
from smoldesk.events import Ask
from smoldesk.runs import OPEN_STATES, Answer, IdempotencyKey, RunOptions, RunRecord, Runs
from smoldesk.stopping import shielded
from smoldesk.wires.a2a.models import IncomingMessage, context_of
from smoldesk.wires.a2a.task_view import TaskView
from smoldesk.wires.answers import LONGEST_REASON, AnswerInput, parse_answer
from smoldesk.wires.bodies import check_text
from smoldesk.wires.task_projection import STATUS_EVENTS

# Scope under which the context ids of clients are hashed.
WIRE = "a2a"
# Seconds in which a repeated message is recognised.
REPEAT_SECONDS = 600.0
# Cached answers for repeats. Memory suffices: a question does not outlive the server.
MAX_ANSWERS = 1_000


@dataclass(frozen=True)
class SentMessage:
    """The task of a message; `answered` is the ask that the message was the answer to."""

    task_id: str
    answered: str | None = None


class MessageSender:
    """Starts runs and answers asks from clients' messages."""

    def __init__(
        self,
        runs: Runs,
        chats: Chats,
        uploads: Uploads,
        task_view: TaskView,
        message_limit: int,
        repeat_seconds: float = REPEAT_SECONDS,
    ) -> None:
        """`message_limit`: maximum bytes of a message's text."""
        self._runs = runs
        self._chats = chats
        self._uploads = uploads
        self._task_view = task_view
        self._message_limit = message_limit
        self.repeat_seconds = repeat_seconds
        self.file_limit = uploads.limit
        self._pending: dict[str, asyncio.Task[SentMessage]] = {}
        self._answers: dict[str, tuple[float, SentMessage]] = {}

    async def send(self, incoming: IncomingMessage, agent: str | None) -> SentMessage:
        """Send a message. Raises BadInput, NotFound for an unknown task, Conflict for one that accepts no message now."""
        prompt = incoming.prompt()
        check_text(prompt, self._message_limit)
        is_known_again = bool(incoming.message_id and self.repeat_seconds)
        if incoming.task_id is not None:
            record = await self._task_view.record(incoming.task_id)
            if not is_known_again:
                return await self._answer_task(incoming, record)
            return await self._once(incoming.key, lambda: self._answer_once(incoming, record))
        if not is_known_again:
            return await self._begin(incoming, prompt, agent)
        return await self._once(
            f"{agent or ''}/{incoming.key}", lambda: self._begin_once(incoming, prompt, agent)
        )

    async def _once(self, key: str, do: Callable[[], Coroutine[Any, Any, SentMessage]]) -> SentMessage:
        """Call `do`, or wait for a pending call with this key. The call completes even if the client disconnects."""
        task = self._pending.get(key)
        if task is None:
            task = self._pending[key] = asyncio.create_task(do())
            task.add_done_callback(lambda _: self._pending.pop(key, None))
        return await shielded(task)

    async def _begin_once(self, incoming: IncomingMessage, message: str, agent: str | None) -> SentMessage:
        since = time.time() - self.repeat_seconds
        key = IdempotencyKey.of(WIRE, agent or "", incoming.key, since=since)
        before = await self._runs.records.sent_as(key)
        return (
            SentMessage(before.id) if before is not None else await self._begin(incoming, message, agent, key)
        )

    async def _begin(
        self, incoming: IncomingMessage, message: str, agent: str | None, key: IdempotencyKey | None = None
    ) -> SentMessage:
        chat_id = await self._chats.begin(incoming.context_id, WIRE)
        names = [await self._uploads.keep(chat_id, file.name, file.data) for file in incoming.files]
        options = RunOptions(agent=agent, metadata=incoming.run_metadata(), attachments=names or None)
        if key is None:
            return SentMessage(await self._runs.start(chat_id, message, options))
        run_id, _ = await self._runs.start_once(chat_id, message, key, options)
        return SentMessage(run_id)

    async def _answer_once(self, incoming: IncomingMessage, record: RunRecord) -> SentMessage:
        """Answer once: a repeated answer must not answer the next question."""
        now = time.monotonic()
        at, before = self._answers.get(incoming.key, (float("-inf"), None))
        if before is not None and now - at < self.repeat_seconds:
            return before
        sent = await self._answer_task(incoming, record)
        while len(self._answers) >= MAX_ANSWERS:
            del self._answers[next(iter(self._answers))]
        self._answers[incoming.key] = (now, sent)
        return sent

    async def _answer_task(self, incoming: IncomingMessage, record: RunRecord) -> SentMessage:
        context = context_of(record.options.metadata, record.chat_id)
        if incoming.context_id not in (None, context, record.chat_id):
            raise BadInput(
                f"Context {incoming.context_id[:80]!r} is not that of the task.",  # pyright: ignore[reportOptionalSubscript]
                f"Expected {context!r}, or none.",
                code="other_context",
            )
        if record.state not in OPEN_STATES:
            raise Conflict(
                "This task is over.", "Send the message without taskId, in its context.", code="run_closed"
            )
        status = (await self._task_view.view(record.id, STATUS_EVENTS)).status
        if status.ask is None:
            hint = "Wait for it, cancel it, or send the message without taskId: it is queued in the context."
            raise Conflict("This task does not wait for a message now.", hint, code="not_waiting")
        if incoming.files:
            raise BadInput("An answer takes no files.", "Expected text, or one data part.")
        ask, answer = self.answer(status.ask, incoming)
        message_json = dict(incoming.message_json)
        if ask.input_type == "password":
            message_json.pop("parts", None)
        answer = replace(answer, source_message=message_json)
        try:
            await self._runs.answer(ask.id, answer, record.chat_id)
        except NotFound as fault:
            raise Conflict(fault.message, fault.hint, code="not_waiting") from fault
        return SentMessage(record.id, ask.id)

    def answer(self, ask: Ask, incoming: IncomingMessage) -> tuple[Ask, Answer]:
        """Return the answer of a message to the open question. Raises BadInput; then the question stays open."""
        return ask, answer_of(ask, incoming)


def answer_of(ask: Ask, incoming: IncomingMessage) -> Answer:
    """Return the answer in a message: `{"askId"?, "granted"?, "value"?, "reason"?}` in a data part, else its text. Pure."""
    data = incoming.data[0] if len(incoming.data) == 1 else None
    if not incoming.data:
        return parse_answer(ask, AnswerInput(incoming.text))
    if incoming.text or not isinstance(data, dict):
        if ask.kind == "client_tool" and not incoming.text and len(incoming.data) == 1:
            return Answer(True, data)
        raise BadInput(
            "An answer is either text or one data part.", "Expected one of them.", code="bad_answer"
        )
    if ask.kind == "client_tool" and not {"askId", "granted", "value"} & set(data):
        return Answer(True, data)
    named = data.get("askId", ask.id)
    if named != ask.id:
        raise Conflict("That question is not open.", f"The open one is {ask.id}.", code="not_waiting")
    reason = data.get("reason")
    if data.get("granted") is False:
        return Answer(False, reason=reason[:LONGEST_REASON] if isinstance(reason, str) else "")
    value: JsonValue = data.get("value")
    if data.get("granted") is True and (value is None or ask.kind == "approval"):
        return Answer(True, value)
    return parse_answer(ask, AnswerInput(value))
