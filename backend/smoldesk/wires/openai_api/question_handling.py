"""What a request does at the desk: begins a run in its chat, or goes on with one that waits.

The desk's own rows decide. An ask is answered only by who names it: its id cannot be guessed, and was told to nobody but
the client that is asked.
"""

import asyncio
import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from smoldesk.agents import DeskAgents
from smoldesk.agents.entries import INTERPRETER
from smoldesk.chats import Chats, ToldTurn
from smoldesk.errors import BadInput, Conflict, NotFound
from smoldesk.events import Ask, AskClosed, AskOpened, RunFinished, RunWaiting, StoredEvent
from smoldesk.runs import CLOSING, Answer, Asked, IdempotencyKey, RunOptions, RunRecord, Runs
from smoldesk.runs.records import Fold
from smoldesk.wires.answers import NO, YES, GivenInput, answer_to
from smoldesk.wires.attachments import Attachments
from smoldesk.wires.bodies import check_text
from smoldesk.wires.openai_api.models import (
    OWN,
    BadParameter,
    Place,
    Question,
    ask_of,
    no_response,
)

WIRE = "openai"
"""Under this name the names of this wire's clients are hashed."""
DEFAULT = "smoldesk"
"""The model that is whatever agent answers in the chat."""
WENT_ON = "The person went on without answering"
MOST_ATTEMPTS = 100
"""How often the same question at the same place of a conversation is known as one that was asked before."""
RESERVED = frozenset([INTERPRETER, "final_answer"])


class QuestionHandler:
    """The requests of all clients of this wire."""

    def __init__(
        self, runs: Runs, agents: DeskAgents, chats: Chats, attachments: Attachments, message_limit: int
    ) -> None:
        """`message_limit`: most bytes of a person's message."""
        self._runs = runs
        self._agents = agents
        self._chats = chats
        self._attachments = attachments
        self._message_limit = message_limit

    async def begin(self, question: Question) -> Place:
        """Do what a request asks for; where its answer is. Raises BadInput, Conflict, NotFound."""
        agent = self._agent(question.model)
        await self._check_tools(question, agent)
        if question.outputs:
            return await self._give_outputs(question)
        check_text(question.text, self._message_limit)
        asked = question.asked or await self._asked_by(question.previous)
        if asked is not None and not question.files:
            place = await self._reply(asked, question.text)
            if place is not None:
                return place
        return await self._ask(question, agent)

    async def cancel(self, run_id: str, reason: str) -> None:
        """Stop a run; one that is closed already stays what it is."""
        with suppress(Conflict, NotFound):
            await self._runs.cancel(run_id, reason)

    async def response(self, place: Place) -> RunRecord:
        """The run of a response that its client may have again. Raises NotFound."""
        try:
            record = await self._runs.records.get(place.run_id)
        except NotFound:
            raise no_response(place.named("resp")) from None
        if not (record.options.metadata or {}).get(f"{OWN}store"):
            raise no_response(
                place.named("resp")
            )  # not to be had again, or a run of a page or of another wire
        return record

    # --- a new run ----------------------------------------------------------------------------------------------------

    def _agent(self, model: str) -> str | None:
        listed = self._agents.listed
        if model == DEFAULT and model not in listed.entries:
            return None
        try:
            return listed.get(model).name
        except NotFound as fault:
            message = f"The model {model[:80]!r} does not exist."
            raise NotFound(message, fault.hint, code="model_not_found") from None

    async def _check_tools(self, question: Question, agent: str | None) -> None:
        """Raises BadParameter for tools that the agent cannot call, and for those that would hide its own."""
        if not question.tools:
            return
        info = await asyncio.to_thread(self._agents.info, agent)
        if info.kind == "terminal":
            raise BadParameter(
                "tools", f"The agent {info.name!r} calls no tools.", "", "unsupported_parameter"
            )
        taken = RESERVED | set(info.tools)
        for index, tool in enumerate(question.tools):
            if tool.name in taken:
                hint = "Give it another name: the agent has one of this name."
                raise BadParameter(
                    f"tools[{index}].name", f"The tool {tool.name!r} hides one of the desk's.", hint
                )

    async def _check_form(self, question: Question, agent: str | None, chat_id: str | None) -> None:
        """Raises BadParameter where an answer is wanted by a schema, and who answers in the chat has none."""
        if question.form is None:
            return
        try:
            await asyncio.to_thread(self._agents.require_schema, agent, chat_id)
        except BadInput as fault:
            where = "text.format" if f"{OWN}store" in question.metadata else "response_format"
            raise BadParameter(where, fault.message, fault.hint, fault.code) from None

    async def _ask(self, question: Question, agent: str | None) -> Place:
        keys = _Keys(self._runs, question)
        if (known := await keys.sent_before()) is not None:
            return await self._first(known)
        there = await self._chat(question, keys)
        await self._check_form(question, agent, there)
        files = await self._attachments.read(question.files)
        is_named = question.previous is None and question.chat not in (None, there)
        chat_id = (
            there if there and not is_named else await self._begin(question)
        )  # a name stands for one chat
        names = await self._attachments.keep(chat_id, files)
        is_program = self._is_program(agent or await self._chats.agent_of(chat_id))
        options = RunOptions(
            agent=agent,
            metadata=question.metadata or None,
            attachments=names or None,
            context=None if is_program else question.instructions.strip()[: self._message_limit] or None,
            client_tools=list(question.tools) or None,
            answer_format=question.form,
        )
        for run in await self._runs.records.open_in(chat_id):
            if run.state == "waiting":
                await self.cancel(run.id, WENT_ON)
        key = await keys.own()
        if key is None:
            run_id = await self._runs.start(chat_id, question.text, options)
        else:
            run_id, _ = await self._runs.start_once(chat_id, question.text, key, options)
        return await self._first(await self._runs.records.get(run_id))

    def _is_program(self, agent: str | None) -> bool:
        entry = self._agents.listed.entries.get(agent or self._agents.listed.default)
        return entry is not None and entry.kind == "terminal"

    async def _first(self, record: RunRecord) -> Place:
        return Place(record.id, await self._runs.records.seq_before(record.chat_id, record.id))

    async def _chat(self, question: Question, keys: "_Keys") -> str | None:
        """The chat of a question, where there is one: the one it names, or the one it goes on from."""
        if question.previous is not None:
            found = [await self.response(Place.of(question.previous))]
        elif question.chat is not None:
            theirs = await self._chats.find(question.chat, WIRE)
            if theirs == question.chat:
                return theirs  # one of the desk's own page
            return await self._chats.find(_name(question) or "", WIRE)
        else:
            found = await keys.gone_on_from()
        for record in found:
            last = await self._runs.records.last_in(record.chat_id)
            if last is not None and last.id == record.id:
                return record.chat_id
        return None

    async def _begin(self, question: Question) -> str:
        """A new chat that is told what was said, up to the response that it goes on from, whose chat has gone on since."""
        if question.previous is None:
            return await self._chats.begin(_name(question), WIRE, question.told)
        told = await self._told_up_to(await self.response(Place.of(question.previous)))
        return await self._chats.begin(None, WIRE, [*told, *question.told])

    async def _told_up_to(self, record: RunRecord) -> Sequence[ToldTurn]:
        turns: list[ToldTurn] = []
        at: RunRecord | None = record
        while at is not None and len(turns) < MOST_ATTEMPTS:
            answer = await self._runs.records.folded(at.id, ("run_finished",), _answer)
            turns.insert(0, ToldTurn(at.message, answer))
            before = (at.options.metadata or {}).get(f"{OWN}previous")
            at = await self.response(Place.of(before)) if isinstance(before, str) else None
        return turns

    # --- a run that goes on -------------------------------------------------------------------------------------------

    async def _give_outputs(self, question: Question) -> Place:
        """Give a waiting run what the client's tools gave; sent again, the rest of the answer as it became."""
        given = {ask_of(one.call_id): one for one in question.outputs}
        chat_id = await self._runs.ask_records.chat_of(given)
        rows = await self._runs.ask_records.asked(chat_id, given) if chat_id is not None else []
        known = {row.ask.id: row for row in rows if row.ask.id in given and row.ask.kind == "client_tool"}
        for ask_id, output in given.items():
            if ask_id not in known:
                message = f"No call {output.call_id[:80]!r} waits for an output."
                raise BadParameter("tool_call_id", message, "Expected the id of a call of the last answer.")
        run_id = known[next(reversed(given))].run_id
        place = await self._after(chat_id or "", run_id, list(given))
        for ask_id, output in given.items():
            if known[ask_id].is_open:
                with suppress(Conflict):  # the first answer counts, and the stream tells it
                    await self._runs.answer(ask_id, Answer(True, output.value), chat_id)
        return place

    async def _after(self, chat_id: str, run_id: str, ask_ids: Sequence[str]) -> Place:
        return Place(run_id, await self._runs.ask_records.last_seq_of(chat_id, run_id, ask_ids))

    async def _reply(self, ask_id: str, text: str) -> Place | None:
        """Where the answer goes on when the text answers the ask; None when it is a message of its own."""
        row = await self._row(ask_id)
        if row is None or row.ask.kind == "client_tool":
            return None
        try:
            answer = answer_to(row.ask, GivenInput(text))
        except BadInput:
            return None
        if row.is_open:
            place = await self._after(row.chat_id, row.run_id, [ask_id])
            with suppress(Conflict):  # answered on the page in this moment
                await self._runs.answer(ask_id, answer, row.chat_id)
            return place
        is_plain = text.strip().casefold() in YES | NO
        return await self._after(row.chat_id, row.run_id, [ask_id]) if is_plain and row.run_goes_on else None

    async def _row(self, ask_id: str) -> Asked | None:
        chat_id = await self._runs.ask_records.chat_of([ask_id])
        rows = await self._runs.ask_records.asked(chat_id, [ask_id]) if chat_id is not None else []
        return next((row for row in rows if row.ask.id == ask_id), None)

    async def _asked_by(self, previous: str | None) -> str | None:
        """The ask that a response ended with: the one that its text told, by the run's next wait after its beginning."""
        if previous is None:
            return None
        place = Place.of(previous)
        record = await self.response(place)
        types = ("ask_opened", "ask_closed", "run_waiting", *CLOSING)
        return await self._runs.records.folded(record.id, types, _told_after(place.after))


def _name(question: Question) -> str | None:
    """What a client calls the question's chat, if it does."""
    return (
        question.chat
        if question.scope is None or question.chat is None
        else f"{question.scope}\0{question.chat}"
    )


def _answer(_record: RunRecord, _seq: int, events: Iterator[StoredEvent]) -> str:
    return next((one.event.text for one in events if isinstance(one.event, RunFinished)), "")


def _told_after(after: int) -> Fold[str | None]:
    """The first ask, of a person, that the run waited for after a seq."""

    def look(record: RunRecord, _seq: int, events: Iterator[StoredEvent]) -> str | None:
        tools = {given.name for given in record.options.client_tools or []}
        open_asks: dict[str, Ask] = {}
        for stored in events:
            match stored.event:
                case AskOpened(ask=ask):
                    open_asks[ask.id] = ask
                case AskClosed(ask_id=ask_id):
                    open_asks.pop(ask_id, None)
                case RunWaiting(ask_ids=ids) if stored.seq > after:
                    for ask_id in ids:
                        ask = open_asks.get(ask_id)
                        if ask is not None and (ask.kind != "client_tool" or ask.tool in tools):
                            return ask_id
                case _:
                    pass
        return None

    return look


class _Keys:
    """The names under which a client's question is known again, and those before it in its conversation.

    A client that keeps the conversation itself says whose it is (`scope`) and sends all of it each time: what its user
    said, in order, names a place in it. Without a scope nothing is known again, for two people may say the same.
    """

    def __init__(self, runs: Runs, question: Question) -> None:
        self._runs = runs
        self._question = question
        self._digests: dict[int, str] = {}

    async def sent_before(self) -> RunRecord | None:
        """The run of this very request, under the name its client gave it."""
        key = self._of_client()
        known = await self._runs.records.sent_as(key) if key is not None else None
        return None if known is None or known.state in ("failed", "cancelled") else known

    async def own(self) -> IdempotencyKey | None:
        """The name to begin the run under."""
        key = self._of_client()
        if key is not None:  # one without an answer gives its name to the next
            return replace(key, while_open=True)
        if self._question.scope is None:
            return None
        return self._key(self._question.said, len(await self._attempts(self._question.said)))

    async def gone_on_from(self) -> Sequence[RunRecord]:
        """The runs after which this question may come in their chats: the same asked before, else the one before it."""
        said = self._question.said
        if self._question.scope is None:
            return []
        found = [await self._attempts(said), await self._attempts(said[:-1]) if len(said) > 1 else []]
        return [attempts[-1] for attempts in found if attempts]

    def _of_client(self) -> IdempotencyKey | None:
        asked = self._question
        if asked.key is None:
            return None
        whose = (asked.scope or "", asked.chat or "", asked.previous or "")
        return IdempotencyKey.of(WIRE, "key", *whose, asked.model, asked.text, asked.key)

    async def _attempts(self, said: Sequence[str]) -> list[RunRecord]:
        found: list[RunRecord] = []
        while len(found) < MOST_ATTEMPTS:
            record = await self._runs.records.sent_as(self._key(said, len(found)))
            if record is None:
                break
            found.append(record)
        return found

    def _key(self, said: Sequence[str], attempt: int) -> IdempotencyKey:
        digest = self._digests.get(len(said))  # a talk may have megabytes, and is looked for often
        if digest is None:
            texts = [one.strip().encode("utf-8", "surrogatepass") for one in said]
            whole = hashlib.sha256(b"".join(b"%d:%s" % (len(text), text) for text in texts))
            digest = self._digests[len(said)] = whole.hexdigest()
        return IdempotencyKey.of(WIRE, "said", self._question.scope or "", str(attempt), digest)
