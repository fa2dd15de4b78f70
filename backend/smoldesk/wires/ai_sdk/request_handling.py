"""Execution of requests: start a run, answer the asks of a run, or resume its stream.

The stored asks decide. A client's tool part counts only if it names an ask of the same chat together with its call; the
call then runs once, with the stored arguments. Every other part is refused, and its call never runs.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from smoldesk.chats import PastTurn
from smoldesk.chats.chats import derived
from smoldesk.desk import Desk
from smoldesk.errors import BadInput, Conflict
from smoldesk.events import AskClosed, StoredEvent
from smoldesk.runs import Answer, AskState, IdempotencyKey, RunOptions
from smoldesk.wires.ai_sdk.answers import Answers, read_answers
from smoldesk.wires.ai_sdk.encoder import Mode
from smoldesk.wires.ai_sdk.requests import EXPECTED, ChatRequest, ClientMessage
from smoldesk.wires.attachments import FilePart
from smoldesk.wires.bodies import check_text
from smoldesk.wires.client_turns import ClientRun, ClientTurns
from smoldesk.wires.history import past_turns

# Namespace for the hashes of client ids.
WIRE = "ui_stream"
NO_OUTPUT = "The client sent no output of this tool"
# Repeats of an approval without the client's output before the ask is denied.
MAX_REPEATS = 3
# Maximum asks with counted repeats. Answered ones are not removed, so the oldest are dropped above this number.
MAX_COUNTED = 1_000
# Maximum calls in a continued message: their ids are parameters of one query, which databases limit.
MAX_CALLS = 2_000
# Seconds that a repeat waits for the output, so that a client which resends at once does not loop.
HOLD_SECONDS = 2.0


@dataclass(frozen=True)
class NewMessage:
    """New message of a request; an empty `message` requests another answer to the last one.

    `history`, the turns before it, is for a new chat only.
    """

    message: str
    files: list[FilePart] = field(default_factory=list[FilePart])
    history: list[PastTurn] = field(default_factory=list[PastTurn])


def read_new_message(request: ChatRequest, message_limit: int) -> NewMessage:
    """Return the last user message. Raises BadInput if it has neither text nor files, or over `message_limit` bytes."""
    messages = request.messages
    last = next((at for at in range(len(messages) - 1, -1, -1) if messages[at].role == "user"), None)
    anew = request.trigger == "regenerate-message"
    if last is None:
        if anew:
            return NewMessage("")
        raise BadInput("`messages` has no message of a user.", EXPECTED, code="empty")
    last_message = messages[last]
    if not last_message.text.strip() and not last_message.files and not anew:
        raise BadInput("The last message is empty.", "Expected text or a file.", code="empty")
    check_text(last_message.text, message_limit)
    history = past_turns(((message.role, message.text) for message in messages[:last]), message_limit)
    return NewMessage(last_message.text, [] if anew else last_message.files, history)


@dataclass
class ResponsePlan:
    """Plan of one response: the events of a run after the seq `after`; the run's events have seqs above `first`.

    `message_id` is the message that the client continues. `outputs` are early results of its tools by call, `refused` calls
    without an ask, with the error text of each. Without a run, the response ends after those.
    """

    chat_id: str
    run_id: str | None
    message_id: str | None = None
    first: int = 0
    after: int = 0
    outputs: dict[str, Answer] = field(default_factory=dict[str, Answer])
    refused: Mapping[str, str] = field(default_factory=dict[str, str])


class RequestHandler:
    """Handler of all requests of this wire."""

    def __init__(self, desk: Desk) -> None:
        self._runs = desk.runs
        self._turns = ClientTurns(desk, WIRE)
        self._message_limit = desk.settings.message_limit
        self._owed: dict[str, int] = {}

    async def begin(self, request: ChatRequest, options: RunOptions, mode: Mode) -> ResponsePlan:
        """Execute a request and return the plan of its response. Raises BadInput, Conflict, NotFound."""
        message = continued_message(request)
        if message is None:
            return await self._start_run(request, options)
        return await self._continue_run(request, message, mode)

    async def resume(self, client_id: str) -> ResponsePlan | None:
        """Return the plan of the running response of a chat, from its first event, or None."""
        chat_id, runs = await self._turns.open_runs(client_id)
        return (
            _plan_from_start(await self._turns.locate_run(chat_id, runs[0].id)) if chat_id and runs else None
        )

    async def stop(self, client_id: str, reason: str) -> None:
        """Cancel all open runs of a chat."""
        await self._turns.stop(client_id, reason)

    async def cancel(self, run_id: str, reason: str) -> None:
        """Cancel a run; a closed run stays as it is."""
        await self._turns.cancel(run_id, reason)

    async def has_open_ask(self, turn: ResponsePlan) -> bool:
        """Return whether the run waits for an answer of this client."""
        rows = await self._runs.ask_records.ask_states(turn.chat_id)
        return any(row.run_id == turn.run_id and row.ask.kind != "input" for row in rows)

    # --- a new run ---------------------------------------------------------------------------------------------------

    async def _start_run(self, request: ChatRequest, options: RunOptions) -> ResponsePlan:
        opening = read_new_message(request, self._message_limit)
        files = await self._turns.read_files(opening.files)
        chat_id = await self._turns.open_chat(request.chat_id, opening.history)
        message, name = opening.message, request.messages[-1].id
        regenerates = request.trigger == "regenerate-message"
        # Read before the new run starts, which would be among the open ones.
        open_before = await self._runs.records.open_in(chat_id)
        key = None
        if name is not None and not regenerates:
            # Clients resend a message after a broken connection; the same id and text return the same run.
            key = IdempotencyKey.of(WIRE, chat_id, name, message, while_open=True)
            if (earlier_run := await self._turns.find_sent_run(key)) is not None:
                return _plan_from_start(earlier_run)
        attachments = await self._turns.store_files(chat_id, files)
        named = next((message.id for message in reversed(request.messages) if message.role == "user"), None)
        options = options.model_copy(update={"attachments": attachments, "client_message_id": named})
        if regenerates:
            message, options = await self._message_to_regenerate(chat_id, message, options)
        if open_before and (open_before[0].state == "waiting" or regenerates):
            await self._turns.cancel(open_before[0].id)
        return _plan_from_start(await self._turns.start(chat_id, message, options, key))

    async def _message_to_regenerate(
        self, chat_id: str, message: str, options: RunOptions
    ) -> tuple[str, RunOptions]:
        """Return the message to answer again: the last one with its files, unless the client sent an edited one."""
        run = await self._runs.records.last_in(chat_id)
        if run is not None and (not message.strip() or message == run.message):
            attachments = run.options.attachments
            return run.message, options.model_copy(update={"attachments": attachments})
        if not message.strip():
            raise BadInput("The chat has no message to answer again.", "Send a message first.", code="empty")
        return message, options

    # --- a continued run -----------------------------------------------------------------------------------------------

    async def _continue_run(self, request: ChatRequest, message: ClientMessage, mode: Mode) -> ResponsePlan:
        if len(message.tools) > MAX_CALLS:
            raise BadInput("The message has too many calls.", f"At most {MAX_CALLS}.", code="too_large")
        chat_id = await self._resolve_chat(request, message)
        ids = {part.approval_id for part in message.tools if part.approval_id is not None}
        rows = await self._runs.ask_records.ask_states(chat_id, ids)
        answers = read_answers(message.tools, rows)
        if not answers.concerned:
            if not answers.refused:
                hint = "Send a message, or the answer to an open ask."
                raise BadInput("The request continues no open run.", hint, code="nothing_to_continue")
            return ResponsePlan(chat_id, None, message.id, refused=answers.refused)
        run_id = answers.run_id
        concerned = {state.ask.id for state in answers.concerned if state.run_id == run_id}
        after = await self._runs.ask_records.last_seq_of(chat_id, run_id, concerned)
        await self._answer_all(chat_id, answers)
        if mode == "sse":
            for state in answers.owed:
                await self._limit_repeats(state, after)
        first = (await self._turns.locate_run(chat_id, run_id)).first
        return ResponsePlan(chat_id, run_id, message.id, first, after, answers.outputs, answers.refused)

    async def _resolve_chat(self, request: ChatRequest, message: ClientMessage) -> str:
        """Return the id of the continued chat, by the client's id or else by the asks that the message answers."""
        if request.chat_id is not None:
            return await self._turns.find_chat(request.chat_id) or derived(request.chat_id, WIRE)
        ids = {part.approval_id for part in message.tools if part.approval_id is not None}
        chat_id = await self._runs.ask_records.chat_of(ids)
        if chat_id is None:
            raise BadInput(
                "The request has no `id`.", "Expected the chat's id of the first request.", code="no_chat"
            )
        return chat_id

    async def _answer_all(self, chat_id: str, answers: Answers) -> None:
        """Store all answers at once, so that the run resumes once; one by one if some asks are closed already."""
        try:
            await self._runs.answer_all(answers.replies, chat_id)
        except Conflict:
            for reply in answers.replies:
                with suppress(Conflict):  # the first answer counts, and the stream has it
                    await self._runs.answer_all([reply], chat_id)

    async def _limit_repeats(self, owed: AskState, after: int) -> None:
        """Wait HOLD_SECONDS for the output of an approved call. Deny the ask after MAX_REPEATS requests without it."""
        ask_id = owed.ask.id
        if len(self._owed) > MAX_COUNTED:
            del self._owed[next(iter(self._owed))]
        self._owed[ask_id] = self._owed.get(ask_id, 0) + 1
        if self._owed[ask_id] >= MAX_REPEATS:
            del self._owed[ask_id]
            with suppress(Conflict):
                await self._runs.answer(ask_id, Answer(False, reason=NO_OUTPUT), owed.chat_id)
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(HOLD_SECONDS):
                async for event in self._events(owed.chat_id, after):
                    if isinstance(event.event, AskClosed) and event.event.ask_id == ask_id:
                        return

    async def _events(self, chat_id: str, after: int) -> AsyncIterator[StoredEvent]:
        async for batch in self._runs.follow(chat_id, after):
            for item in batch:
                if isinstance(item, StoredEvent):
                    yield item


def _plan_from_start(run: ClientRun) -> ResponsePlan:
    """Return the plan of a response with all events of a run."""
    return ResponsePlan(run.chat_id, run.run_id, message_id=run.run_id, first=run.first)


def continued_message(request: ChatRequest) -> ClientMessage | None:
    """Return the assistant's message that a request continues, or None if it starts a run."""
    if request.trigger == "regenerate-message":
        return None
    for message in request.messages:
        if message.role == "assistant" and message.id is not None and message.id == request.message_id:
            return message
    last = request.messages[-1]
    return last if last.role == "assistant" else None
