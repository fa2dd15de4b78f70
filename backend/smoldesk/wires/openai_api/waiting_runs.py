"""Requests that continue a waiting run: outputs of the client's tools, and the answer to a run's ask.

The desk's own rows decide. An ask is answered only by a request with its id, which cannot be guessed and is known
only to the client that was asked.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from smoldesk.errors import BadInput, Conflict
from smoldesk.events import Ask, AskClosed, AskOpened, RunWaiting, StoredEvent
from smoldesk.runs import CLOSING, Answer, AskState, RunRecord, Runs
from smoldesk.runs.records import Fold
from smoldesk.wires.answers import NO, YES, AnswerInput, parse_answer
from smoldesk.wires.openai_api.models import Question, ResponsePosition, ask_of, no_call
from smoldesk.wires.openai_api.question_handling import QuestionHandler


class WaitingRuns:
    """The runs that wait for clients of this wire."""

    def __init__(self, runs: Runs, questions: QuestionHandler) -> None:
        self._runs = runs
        self._questions = questions

    async def go_on(self, question: Question) -> ResponsePosition | None:
        """Answer what a run waits for; where its answer goes on, None for a question of its own. Raises BadParameter."""
        if question.outputs:
            return await self._give_outputs(question)
        ask_id = question.asked or await self._ask_of_response(question.previous)
        return await self._reply(ask_id, question.text) if ask_id is not None and not question.files else None

    async def _give_outputs(self, question: Question) -> ResponsePosition:
        """Give a waiting run what the client's tools gave; sent again, the rest of the answer as it became."""
        outputs = {ask_of(output.call_id): output for output in question.outputs}
        chat_id = await self._runs.ask_records.chat_of(outputs)
        rows = await self._runs.ask_records.ask_states(chat_id, outputs) if chat_id is not None else []
        rows_by_id = {
            row.ask.id: row for row in rows if row.ask.id in outputs and row.ask.kind == "client_tool"
        }
        for ask_id, output in outputs.items():
            if ask_id not in rows_by_id:
                raise no_call(output.call_id)
        run_id = rows_by_id[next(reversed(outputs))].run_id
        place = await self._after(chat_id or "", run_id, list(outputs))
        for ask_id, output in outputs.items():
            if rows_by_id[ask_id].is_open:
                with suppress(Conflict):  # the first answer counts, and the stream tells it
                    await self._runs.answer(ask_id, Answer(True, output.value), chat_id)
        return place

    async def _after(self, chat_id: str, run_id: str, ask_ids: Sequence[str]) -> ResponsePosition:
        return ResponsePosition(run_id, await self._runs.ask_records.last_seq_of(chat_id, run_id, ask_ids))

    async def _reply(self, ask_id: str, text: str) -> ResponsePosition | None:
        """Return where the answer continues if the text answers the ask; None if it is a new message."""
        row = await self._row(ask_id)
        if row is None or row.ask.kind == "client_tool":
            return None
        try:
            answer = parse_answer(row.ask, AnswerInput(text))
        except BadInput:
            return None
        if row.is_open:
            place = await self._after(row.chat_id, row.run_id, [ask_id])
            with suppress(Conflict):  # answered on the page in this moment
                await self._runs.answer(ask_id, answer, row.chat_id)
            return place
        is_plain = text.strip().casefold() in YES | NO
        return await self._after(row.chat_id, row.run_id, [ask_id]) if is_plain and row.run_goes_on else None

    async def _row(self, ask_id: str) -> AskState | None:
        chat_id = await self._runs.ask_records.chat_of([ask_id])
        rows = await self._runs.ask_records.ask_states(chat_id, [ask_id]) if chat_id is not None else []
        return next((row for row in rows if row.ask.id == ask_id), None)

    async def _ask_of_response(self, previous: str | None) -> str | None:
        """Return the ask at the end of a response: the one in its text, at the run's next wait after its start."""
        if previous is None:
            return None
        place = ResponsePosition.of(previous)
        record = await self._questions.response(place)
        types = ("ask_opened", "ask_closed", "run_waiting", *CLOSING)
        return await self._runs.records.folded(record.id, types, _first_ask_after(place.after))


def _first_ask_after(after: int) -> Fold[str | None]:
    """Return a fold that finds the first ask of a person that the run waited for after a seq."""

    def find_ask(record: RunRecord, _seq: int, events: Iterator[StoredEvent]) -> str | None:
        tools = {tool.name for tool in record.options.client_tools or []}
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

    return find_ask
