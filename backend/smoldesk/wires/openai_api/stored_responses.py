"""Responses that are asked for again: their input, their cancelling, their end."""

import asyncio
from collections.abc import Iterator
from contextlib import aclosing, suppress

from smoldesk.chats import Chats
from smoldesk.errors import Conflict, NotFound
from smoldesk.events import AskClosed, AskOpened, RunWaiting, StoredEvent
from smoldesk.runs import CLOSING, OPEN_STATES, RunRecord, Runs
from smoldesk.wires.client_turns import ClientTurns
from smoldesk.wires.event_stream import events_of_run
from smoldesk.wires.openai_api.models import Object, ResponsePosition, call_name
from smoldesk.wires.openai_api.question_handling import QuestionHandler
from smoldesk.wires.serialization import json_text

# Seconds that a cancel waits for the run's end.
END_SECONDS = 5.0


class StoredResponses:
    """The responses of one desk. Methods raise NotFound."""

    def __init__(self, runs: Runs, chats: Chats, questions: QuestionHandler, turns: ClientTurns) -> None:
        self._runs = runs
        self._chats = chats
        self._questions = questions
        self._turns = turns

    async def cancel(self, place: ResponsePosition, reason: str) -> None:
        """Stop the run of a response and wait, not for ever, for its end; one that is over stays what it is."""
        record = await self._questions.response(place)
        if record.state not in OPEN_STATES:
            return
        await self._turns.cancel(record.id, reason)
        with suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS):
                following = events_of_run(self._runs, record.chat_id, record.id, place.after)
                async with aclosing(following) as batches:
                    async for batch in batches:
                        if any(stored.event.type in CLOSING for stored in batch):
                            return

    async def delete(self, place: ResponsePosition) -> None:
        """Delete the chat of a response. Raises Conflict when there is more in it, or it is not over."""
        record = await self._questions.response(place)
        first = await self._runs.records.newest(2, None, None, record.chat_id, CLOSING, _id)
        if len(first) > 1:
            hint = "Delete the chat on the desk's page, or by DELETE /api/chats/{id}."
            raise Conflict("Other answers of the chat go on from this one.", hint, code="response_in_use")
        await self._chats.delete(record.chat_id)

    async def discard(self, record: RunRecord) -> None:
        """Delete the chat of an answer that is not stored; an open one stays."""
        with suppress(Conflict, NotFound):
            await self._chats.delete(record.chat_id)

    async def input_items(self, place: ResponsePosition) -> Object:
        """Return the input items of a response as a list."""
        record = await self._questions.response(place)
        if place.after == await self._runs.records.seq_before(record.chat_id, record.id):
            content = [{"type": "input_text", "text": record.message}]
            files = [{"type": "input_file", "filename": name} for name in record.options.attachments or []]
            data = [_message(place, [*content, *files])]
        else:
            types = ("ask_opened", "ask_closed", "run_waiting", *CLOSING)
            data = await self._runs.records.folded(
                record.id, types, lambda _record, _seq, events: list(_answers(place, events))
            )
        ids = [item["id"] for item in data]
        ends = {"first_id": ids[0] if ids else None, "last_id": ids[-1] if ids else None}
        return {"object": "list", "data": data, "has_more": False, **ends}


def _id(record: RunRecord, _seq: int, _events: Iterator[StoredEvent]) -> str:
    return record.id


def _message(place: ResponsePosition, content: list[Object]) -> Object:
    about = {"id": f"msg_{place.named('in')}", "type": "message", "role": "user", "status": "completed"}
    return about | {"content": content}


def _answers(place: ResponsePosition, events: Iterator[StoredEvent]) -> Iterator[Object]:
    """Yield the answers that continued a response: those right after its place, up to the next wait."""
    asks: dict[str, str] = {}
    for stored in events:
        match stored.event:
            case AskOpened(ask=ask):
                asks[ask.id] = ask.kind
            case RunWaiting() if stored.seq > place.after:
                return
            case AskClosed() as closed if stored.seq > place.after:
                if asks.get(closed.ask_id) == "client_tool":
                    name = call_name(closed.ask_id)
                    about = {"id": f"fco_{name}", "type": "function_call_output", "status": "completed"}
                    value = closed.value if isinstance(closed.value, str) else json_text(closed.value)
                    yield about | {"call_id": name, "output": value}
                else:
                    words = "yes" if closed.granted else "no"
                    text = closed.value if isinstance(closed.value, str) else words
                    yield _message(place, [{"type": "input_text", "text": text}])
            case _:
                pass
