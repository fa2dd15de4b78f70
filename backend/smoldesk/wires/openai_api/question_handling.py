"""Questions that begin a run: in the chat that they name or go on in, or in a new one."""

import asyncio
import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from smoldesk.agents.entries import INTERPRETER
from smoldesk.chats import PastTurn
from smoldesk.desk import Desk
from smoldesk.errors import BadInput, NotFound
from smoldesk.events import RunFinished, StoredEvent
from smoldesk.runs import IdempotencyKey, RunOptions, RunRecord, Runs
from smoldesk.wires.client_turns import ClientTurns
from smoldesk.wires.openai_api.models import (
    CALL,
    METADATA_PREFIX,
    BadParameter,
    Question,
    ResponsePosition,
    call_run,
    client_name,
    no_call,
    no_response,
)
from smoldesk.wires.serialization import json_text

# Scope under which the names of this wire's clients are hashed.
WIRE = "openai"
# The model name that stands for the chat's own agent.
DEFAULT = "smoldesk"
# Maximum repeats of a question at one place of a conversation that are recognised.
MAX_ATTEMPTS = 100
RESERVED = frozenset([INTERPRETER, "final_answer"])


class QuestionHandler:
    """The questions of all clients of this wire."""

    def __init__(self, desk: Desk, turns: ClientTurns) -> None:
        self._runs = desk.runs
        self._agents = desk.agents
        self._chats = desk.chats
        self._turns = turns
        self._message_limit = desk.settings.message_limit

    async def agent_of(self, question: Question) -> str | None:
        """Return the agent that a request names; None for the chat's own. Raises NotFound, BadParameter for its tools."""
        agent = self._agent(question.model)
        await self._check_tools(question, agent)
        return agent

    async def response(self, place: ResponsePosition) -> RunRecord:
        """Return the run of a stored response. Raises NotFound."""
        try:
            record = await self._runs.records.get(place.run_id)
        except NotFound:
            raise no_response(place.named("resp")) from None
        if not (record.options.metadata or {}).get(f"{METADATA_PREFIX}store"):
            raise no_response(
                place.named("resp")
            )  # not to be had again, or a run of a page or of another wire
        return record

    async def after_forced_call(self, question: Question) -> Question:
        """Return the question that the outputs of a forced call are, in its chat; other questions unchanged.

        The call was the whole answer, so no run waits for its output.
        """
        run_ids = [call_run(output.call_id) for output in question.outputs]
        if not run_ids or run_ids[-1] is None:
            return question
        record = await self.response_of_call(run_ids[-1], question.outputs[-1].call_id)
        name = (record.options.answer_format or {}).get("name")
        text = f"The tool {name} returned: {json_text(question.outputs[-1].value)}"
        return replace(question, text=text, outputs=(), chat=record.chat_id, previous=None)

    async def response_of_call(self, run_id: str, call_id: str) -> RunRecord:
        """Return the run whose answer was a forced call. Raises BadParameter."""
        with suppress(NotFound):
            record = await self._runs.records.get(run_id)
            if (record.options.answer_format or {}).get("type") == CALL:
                return record
        raise no_call(call_id)

    # --- a new run ----------------------------------------------------------------------------------------------------

    def _agent(self, model: str) -> str | None:
        agent_list = self._agents.agent_list
        if model == DEFAULT and model not in agent_list.entries:
            return None
        try:
            return agent_list.get(model).name
        except NotFound as fault:
            message = f"The model {model[:80]!r} does not exist."
            raise NotFound(message, fault.hint, code="model_not_found") from None

    async def _check_tools(self, question: Question, agent: str | None) -> None:
        """Raise BadParameter for tools that the agent cannot call, and for those that would hide its own."""
        if not question.tools:
            return
        info = await asyncio.to_thread(self._agents.info, agent)
        if info.kind == "terminal":
            raise BadParameter(
                "tools", f"The agent {info.name!r} calls no tools.", "", "unsupported_parameter"
            )
        used_names = RESERVED | set(info.tools)
        for index, tool in enumerate(question.tools):
            if tool.name in used_names:
                hint = "Give it another name: the agent has one of this name."
                raise BadParameter(
                    f"tools[{index}].name", f"The tool {tool.name!r} hides one of the desk's.", hint
                )

    async def _check_form(self, question: Question, agent: str | None, chat_id: str | None) -> None:
        """Raise BadParameter if a schema or a call is requested and the chat's agent supports none."""
        form = question.form
        if form is None and not question.must_call:
            return
        try:
            await asyncio.to_thread(self._agents.require_schema, agent, chat_id)
        except BadInput as fault:
            if form is None or form["type"] == CALL:
                tool = form["name"] if form else " or ".join(map(client_name, question.tools))
                message = f"{fault.message} So it cannot be made to call {tool} with fitting arguments."
                hint = f"Expected 'auto' or 'none', or another agent. {fault.hint}"
                raise BadParameter("tool_choice", message, hint, fault.code) from None
            where = "text.format" if f"{METADATA_PREFIX}store" in question.metadata else "response_format"
            raise BadParameter(where, fault.message, fault.hint, fault.code) from None

    async def ask(self, question: Question, agent: str | None) -> ResponsePosition:
        """Begin a run in the question's chat; where its answer is. Raises BadInput, Conflict, NotFound."""
        keys = _Keys(self._runs, question)
        if (previous := await keys.sent_before()) is not None:
            return ResponsePosition(
                previous.id, (await self._turns.locate_run(previous.chat_id, previous.id)).first
            )
        chat = await self._chat(question, keys)
        await self._check_form(question, agent, chat)
        files = await self._turns.read_files(question.files)
        is_named = question.previous is None and question.chat not in (None, chat)
        chat_id = chat if chat and not is_named else await self._begin(question)  # a name stands for one chat
        names = await self._turns.store_files(chat_id, files)
        is_program = self._is_program(agent or await self._chats.agent_of(chat_id))
        options = RunOptions(
            agent=agent,
            metadata=question.metadata or None,
            attachments=names,
            context=None if is_program else question.instructions.strip()[: self._message_limit] or None,
            client_tools=list(question.tools) or None,
            answer_format=question.form,
            must_call=question.must_call or None,
        )
        for run in await self._runs.records.open_in(chat_id):
            if run.state == "waiting":
                await self._turns.cancel(run.id)
        run = await self._turns.start(chat_id, question.text, options, await keys.new_run_key())
        return ResponsePosition(run.run_id, run.first)

    def _is_program(self, agent: str | None) -> bool:
        entry = self._agents.agent_list.entries.get(agent or self._agents.agent_list.default)
        return entry is not None and entry.kind == "terminal"

    async def _chat(self, question: Question, keys: "_Keys") -> str | None:
        """Return the existing chat of a question: the one it names, or the one it continues."""
        if question.previous is not None:
            records = [await self.response(ResponsePosition.of(question.previous))]
        elif question.chat is not None:
            theirs = await self._turns.find_chat(question.chat)
            if theirs == question.chat:
                return theirs  # one of the desk's own page
            return await self._turns.find_chat(_name(question) or "")
        else:
            records = await keys.gone_on_from()
        for record in records:
            last = await self._runs.records.last_in(record.chat_id)
            if last is not None and last.id == record.id:
                return record.chat_id
        return None

    async def _begin(self, question: Question) -> str:
        """Start a chat with the earlier turns, up to the response that it continues, whose chat has other turns since."""
        if question.previous is None:
            return await self._turns.open_chat(_name(question), question.told)
        turns = await self._turns_up_to(await self.response(ResponsePosition.of(question.previous)))
        return await self._turns.open_chat(None, [*turns, *question.told])

    async def _turns_up_to(self, record: RunRecord) -> Sequence[PastTurn]:
        turns: list[PastTurn] = []
        at: RunRecord | None = record
        while at is not None and len(turns) < MAX_ATTEMPTS:
            answer = await self._runs.records.folded(at.id, ("run_finished",), _answer)
            turns.insert(0, PastTurn(at.message, answer))
            before = (at.options.metadata or {}).get(f"{METADATA_PREFIX}previous")
            at = await self.response(ResponsePosition.of(before)) if isinstance(before, str) else None
        return turns


def _name(question: Question) -> str | None:
    """Return the client's name of the question's chat, or None."""
    return (
        question.chat
        if question.scope is None or question.chat is None
        else f"{question.scope}\0{question.chat}"
    )


def _answer(_record: RunRecord, _seq: int, events: Iterator[StoredEvent]) -> str:
    return next((event.event.text for event in events if isinstance(event.event, RunFinished)), "")


class _Keys:
    """Idempotency keys of a client's question and of the ones before it in its conversation.

    A client that stores the conversation itself names its user (`scope`) and sends all of it each time: the user's
    texts, in order, identify a place in it. Without a scope there are no keys, since two users may send the same.
    """

    def __init__(self, runs: Runs, question: Question) -> None:
        self._runs = runs
        self._question = question
        self._digests: dict[int, str] = {}

    async def sent_before(self) -> RunRecord | None:
        """Return the run of this very request, by the client's idempotency key."""
        key = self._of_client()
        record = await self._runs.records.sent_as(key) if key is not None else None
        return None if record is None or record.state in ("failed", "cancelled") else record

    async def new_run_key(self) -> IdempotencyKey | None:
        """Return the key to start the run with, or None."""
        key = self._of_client()
        if key is not None:  # one without an answer gives its name to the next
            return replace(key, while_open=True)
        if self._question.scope is None:
            return None
        return self._key(self._question.said, len(await self._attempts(self._question.said)))

    async def gone_on_from(self) -> Sequence[RunRecord]:
        """Return the runs that this question may follow in their chats: the same question before, else the one before
        it.
        """
        texts = self._question.said
        if self._question.scope is None:
            return []
        found = [await self._attempts(texts), await self._attempts(texts[:-1]) if len(texts) > 1 else []]
        return [attempts[-1] for attempts in found if attempts]

    def _of_client(self) -> IdempotencyKey | None:
        question = self._question
        if question.key is None:
            return None
        whose = (question.scope or "", question.chat or "", question.previous or "")
        return IdempotencyKey.of(WIRE, "key", *whose, question.model, question.text, question.key)

    async def _attempts(self, user_texts: Sequence[str]) -> list[RunRecord]:
        attempts: list[RunRecord] = []
        while len(attempts) < MAX_ATTEMPTS:
            record = await self._runs.records.sent_as(self._key(user_texts, len(attempts)))
            if record is None:
                break
            attempts.append(record)
        return attempts

    def _key(self, user_texts: Sequence[str], attempt: int) -> IdempotencyKey:
        digest = self._digests.get(len(user_texts))  # a talk may have megabytes, and is looked for often
        if digest is None:
            texts = [text.strip().encode("utf-8", "surrogatepass") for text in user_texts]
            whole = hashlib.sha256(b"".join(b"%d:%s" % (len(text), text) for text in texts))
            digest = self._digests[len(user_texts)] = whole.hexdigest()
        return IdempotencyKey.of(WIRE, "said", self._question.scope or "", str(attempt), digest)
