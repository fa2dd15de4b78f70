"""Actions of requests: a new run, answers to a run's asks, or following a run again.

The desk's own rows decide. A resume counts only if it names an ask of this very thread, and a tool's result only if
it names a call that this thread waits for; other requests are refused and change nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import JsonValue

from smoldesk.desk import Desk
from smoldesk.errors import BadInput, Conflict, NotFound
from smoldesk.runs import Answer, AskRecord, IdempotencyKey, RunInfo, RunOptions
from smoldesk.wires.agui.ask_interrupts import answer_of, is_the_same
from smoldesk.wires.agui.client_state import ClientState
from smoldesk.wires.agui.models import WIRE, ClientMessage, ResponsePlan, RunRequest
from smoldesk.wires.agui.requests import output_of
from smoldesk.wires.bodies import check_text
from smoldesk.wires.client_turns import ClientRun, ClientTurns
from smoldesk.wires.history import past_turns


@dataclass
class _Answers:
    """Answers of a request: `replies` to open asks, the asks it `concerned`, `outputs` that came before their asks."""

    replies: list[tuple[str, Answer]] = field(default_factory=list[tuple[str, Answer]])
    concerned: list[AskRecord] = field(default_factory=list[AskRecord])
    outputs: dict[str, Answer] = field(default_factory=dict[str, Answer])


class RequestHandler:
    """The requests of all clients of this wire."""

    def __init__(self, desk: Desk) -> None:
        self._runs = desk.runs
        self._chats = desk.chats
        self._selections = desk.selections
        self._turns = ClientTurns(desk, WIRE)
        self._message_limit = desk.settings.message_limit

    async def begin(self, request: RunRequest, options: RunOptions) -> ResponsePlan:
        """Do what a request asks for. Raises BadInput, Conflict, NotFound."""
        last = request.messages[-1] if request.messages else ClientMessage("")
        if request.resume:
            plan = await self._go_on(request)
            if last.role != "user" or await self._is_initial_message(plan, last):
                return plan
            if plan.run_id and all(entry.is_cancelled for entry in request.resume):
                await self._turns.cancel(plan.run_id)
        elif last.role != "user":
            return await self._go_on(request)
        return await self._ask_anew(request, options)

    async def _is_initial_message(self, plan: ResponsePlan, client_message: ClientMessage) -> bool:
        """Return whether a message started the run of a response, instead of accompanying a resume."""
        record = None if plan.run_id is None else await self._runs.records.get(plan.run_id)
        return record is None or _is_run_message(record.options, record.message, client_message)

    async def connect(self, request: RunRequest) -> ResponsePlan:
        """Return a thread and its running run. The initial state of a new client is merged into the thread's."""
        chat_id = await self._turns.find_chat(request.thread_id)
        if chat_id is None:
            return ResponsePlan(None, None, includes_thread=True)
        if request.state.client_state and not request.state.is_full_state:
            await self._chats.share_state(chat_id, request.state.client_state, replace=False)
        open_runs = await self._runs.records.open_in(chat_id)
        if not open_runs:
            return ResponsePlan(chat_id, None, includes_thread=True)
        return await self._again(await self._turns.locate_run(chat_id, open_runs[0].id))

    async def stop(self, thread_id: str, reason: str) -> bool:
        """Stop what runs in a thread; whether anything did."""
        return await self._turns.stop(thread_id, reason)

    async def _again(self, run: ClientRun) -> ResponsePlan:
        """Return a run after the messages of the thread: the client may have some of them, or none."""
        last = (await self._chats.get(run.chat_id)).last_seq
        return ResponsePlan(run.chat_id, run.run_id, run.first, last, includes_thread=True)

    # --- a new run ---------------------------------------------------------------------------------------------------

    async def _ask_anew(self, request: RunRequest, options: RunOptions) -> ResponsePlan:
        message = request.messages[-1]
        if not message.text.strip() and not message.files:
            raise BadInput("The last message is empty.", "Expected text or a file.", code="empty")
        check_text(message.text, self._message_limit)
        files = await self._turns.read_files(message.files)
        turns = past_turns(
            ((message.role, message.text) for message in request.messages[:-1]), self._message_limit
        )
        chat_id = await self._turns.open_chat(request.thread_id, turns)
        key = IdempotencyKey.of(WIRE, chat_id, request.run_id)
        previous = await self._runs.records.sent_as(key)
        if previous is None:
            previous = await self._make_room(chat_id, message)
        elif previous.message != message.text:
            hint = "Give each run an id of its own."
            raise Conflict("Another message uses this runId.", hint, code="id_taken")
        if previous is not None:
            return await self._again(await self._turns.locate_run(chat_id, previous.id))
        shared = await self._share(chat_id, request.state)
        attachments = await self._turns.store_files(chat_id, files)
        options = options.model_copy(
            update={
                "attachments": attachments,
                "client_tools": request.tools or None,
                "context": request.context or None,
                "shared_state": shared or None,
                "metadata": {WIRE: {"messageId": message.id}},
            }
        )
        run = await self._turns.start(chat_id, message.text, options, key)
        return ResponsePlan(chat_id, run.run_id, run.first)

    async def _share(self, chat_id: str, state: ClientState) -> dict[str, JsonValue]:
        """Apply a client's state: select its rooms, store its own part, and return that. Raises BadInput for an unknown
        room.
        """
        if state.rooms is not None:
            await self._selections.set(chat_id, state.rooms)
        return await self._chats.share_state(chat_id, state.client_state, state.is_full_state)

    async def _make_room(self, chat_id: str, client_message: ClientMessage) -> RunInfo | None:
        """Return the open run that answers this very message already; end one that waits for the client's tools.

        Raises Conflict while an interrupt is open: the protocol requires its answer first.
        """
        open_runs = await self._runs.records.open_in(chat_id)
        for run in open_runs:
            if client_message.id and _is_run_message(
                RunOptions.read(run.options), run.message, client_message
            ):
                return run
        if open_runs and open_runs[0].state == "waiting":
            kinds = {
                ask_state.ask.kind
                for ask_state in await self._recent_asks(chat_id)
                if ask_state.answer is None
            }
            if kinds - {"client_tool"}:
                raise _pending()
            if kinds:  # else it was answered in this very moment, and goes on
                await self._turns.cancel(open_runs[0].id)
        return None

    # --- a run that goes on --------------------------------------------------------------------------------------------

    async def _recent_asks(self, chat_id: str) -> list[AskRecord]:
        """Return the newest asks of a thread, and all open ones: one step may open more than a page of them."""
        asks = page = await self._runs.ask_records.of_chat(chat_id)
        while page and any(ask_state.answer is None for ask_state in page):
            page = await self._runs.ask_records.of_chat(chat_id, page[-1].ask.id)
            asks = [*asks, *page]
        return asks

    async def _go_on(self, request: RunRequest) -> ResponsePlan:
        chat_id = await self._turns.find_chat(request.thread_id)
        if chat_id is None:
            raise NotFound(
                "There is no such thread.", "Send a message of a user to begin one.", code="no_thread"
            )
        answers = _read(request, await self._recent_asks(chat_id))
        if not answers.concerned:
            return await self._follow_again(chat_id, request)
        run_id = next(
            (ask_state.run_id for ask_state in answers.concerned if ask_state.answer is None),
            answers.concerned[0].run_id,
        )
        ids = {ask_state.ask.id for ask_state in answers.concerned if ask_state.run_id == run_id}
        after = await self._runs.ask_records.last_seq_of(chat_id, run_id, ids)
        if answers.replies:  # one that is sent again says nothing, and its state is an old one
            await self._share(chat_id, request.state)
            await self._runs.answer_all(answers.replies, chat_id)
        first = (await self._turns.locate_run(chat_id, run_id)).first
        return ResponsePlan(chat_id, run_id, first, after, answers.outputs)

    async def _follow_again(self, chat_id: str, request: RunRequest) -> ResponsePlan:
        """Return the running run, for a client without a new message."""
        key = IdempotencyKey.of(WIRE, chat_id, request.run_id)
        if (previous := await self._turns.find_sent_run(key)) is not None:
            return await self._again(previous)
        open_runs = await self._runs.records.open_in(chat_id)
        last = request.messages[-1] if request.messages else None
        stray = last is not None and last.role == "tool" and not _is_of(last.call_id, open_runs)
        if not open_runs or stray:
            hint = "Send a message, an interrupt's `resume`, or the result of a tool that was called."
            raise BadInput("There is nothing to continue.", hint, code="nothing_to_continue")
        return await self._again(await self._turns.locate_run(chat_id, open_runs[0].id))


def _is_run_message(options: RunOptions, message: str, client_message: ClientMessage) -> bool:
    return (options.metadata or {}).get(WIRE) == {
        "messageId": client_message.id
    } and message == client_message.text


def _is_of(call_id: str, runs: Iterable[RunInfo]) -> bool:
    return any(call_id.startswith(f"{run.id}.") for run in runs)


def _read(request: RunRequest, records: list[AskRecord]) -> _Answers:
    """Return the answers of a request to its thread's asks. Raises BadInput, Conflict. Pure."""
    answers = _Answers()
    interrupts = {row.ask.id: row for row in records if row.ask.kind != "client_tool"}
    unanswered = {name for name, row in interrupts.items() if row.answer is None}
    for entry in request.resume:
        record = interrupts.get(entry.ask_id)
        if record is None:
            hint = "Expected the id of an interrupt of this thread."
            raise BadInput(f"There is no interrupt {entry.ask_id[:80]!r}.", hint, code="unknown_interrupt")
        answer = answer_of(record.ask, entry)
        if record.answer is None:
            answers.replies.append((record.ask.id, answer))
            unanswered.discard(record.ask.id)
        elif not is_the_same(record.ask, answer, record.answer):
            raise Conflict(
                "This interrupt was answered already.", "The first answer counts.", code="ask_closed"
            )
        answers.concerned.append(record)
    works = {row.ask.call_id: row for row in records if row.ask.kind == "client_tool"}
    allowed = {row.ask.call_id for row in answers.concerned if row.ask.kind == "approval"}
    for message in request.results:
        work = works.get(message.call_id)
        if work is not None:
            answers.concerned.append(work)
            if work.answer is None:
                answers.replies.append((work.ask.id, _result(message)))
        elif message.call_id in allowed:
            answers.outputs[message.call_id] = _result(message)
    if answers.replies and unanswered:
        raise _pending()
    return answers


def _result(message: ClientMessage) -> Answer:
    source = {"wire": WIRE, "id": message.id or f"{message.call_id}.result"}
    if message.error is not None:
        return Answer(
            False, reason=message.error[:2000] or "The client's tool failed", source_message={**source}
        )
    return Answer(True, output_of(message.text), source_message={**source})


def _pending() -> Conflict:
    return Conflict(
        "The thread has interrupts that are not answered.",
        "Expected a `resume` that names each of them, as resolved or as cancelled.",
        code="interrupts_pending",
    )
