"""Messages of prompts: kept once in their chat, named by their hash, and found again as calls of the model name them.

A message is JSON text `{role, content, tool_calls?}`, its name the first 128 bits of BLAKE2b over it, in base64url. Most of
its words are in the log already, as the memory of the step that they come from: they are deflated with that event's JSON
as the dictionary, so what a step adds to the prompts costs a few dozen bytes.
"""

import hashlib
import json
import zlib
from binascii import b2a_base64
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, bindparam, select, text

from smoldesk.errors import NotFound
from smoldesk.events import ModelCalled, Nested, StepFinished
from smoldesk.store.event_log import parsed
from smoldesk.store.statements import CompiledStatement, Values
from smoldesk.store.tables import EventRow, PromptRow
from smoldesk.store.transaction import Tx

# Bytes of deflate's window, which includes the dictionary.
WINDOW = 32_768
_URL_SAFE = bytes.maketrans(b"+/", b"-_")
# Maximum bytes of a message after decompression.
LARGEST = 64 * 2**20


@dataclass(frozen=True)
class StepBody:
    """The JSON of the event that ended a step, which messages are deflated against; `name` is its run and number."""

    name: str
    text: str

    @classmethod
    def of(cls, run_id: str, step: int, text: str) -> "StepBody":
        return cls(_name(run_id, step), text)


@dataclass(frozen=True)
class StoredMessage:
    """One message as its row has it."""

    id: str
    base: str | None
    body: bytes


@dataclass(frozen=True)
class StoredCall:
    """A call of the model with its place in the log, and the ids of its whole prompt."""

    seq: int
    event: ModelCalled
    prompt: list[str]


def message_id(text: str) -> str:
    """Return the id of a message: 22 characters of its hash."""
    digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
    return b2a_base64(digest, newline=False).translate(_URL_SAFE, b"=").decode()


def deflated(text: str, base: StepBody | None) -> StoredMessage:
    """Return a message compressed for storage."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=_dictionary(base))
    body = packer.compress(text.encode()) + packer.flush()
    return StoredMessage(message_id(text), base.name if base else None, body)


def inflated(message: StoredMessage, base: StepBody | None) -> str | None:
    """Return the message's text; None if it cannot be restored, for example after a step's event was edited by hand."""
    try:
        text = zlib.decompressobj(-15, zdict=_dictionary(base)).decompress(message.body, LARGEST).decode()
    except (zlib.error, ValueError):
        return None
    return text if message_id(text) == message.id else None


def _dictionary(base: StepBody | None) -> bytes:
    return base.text.encode()[-WINDOW:] if base else b""


_ADD_MESSAGE = CompiledStatement(
    text(
        "INSERT INTO prompt (chat_id, id, base, body) VALUES (:chat_id, :id, :base, :body) ON CONFLICT DO NOTHING"
    )
)
_KEPT_IDS = CompiledStatement(select(PromptRow.id).where(PromptRow.chat_id == bindparam("chat")))


def stored_ids(connection: Connection, chat_id: str) -> set[str]:
    """Return the ids of a chat's stored messages."""
    return {name for (name,) in _KEPT_IDS.rows(connection, {"chat": chat_id})}


def keep_messages(tx: Tx, chat_id: str, messages: Iterable[StoredMessage]) -> None:
    """Store messages that the chat may have already."""
    rows: list[Values] = [
        {"chat_id": chat_id, "id": message.id, "base": message.base, "body": message.body}
        for message in messages
    ]
    if rows:
        _ADD_MESSAGE.run_many(tx.unflushed, rows)


def read_messages(connection: Connection, chat_id: str, ids: Collection[str]) -> dict[str, str]:
    """Return the texts of messages by their ids; missing ones are left out."""
    texts: dict[str, str] = {}
    bases: dict[str, StepBody] = {}
    looked_into: set[str] = set()
    unique_ids = list(dict.fromkeys(ids))
    for begin in range(0, len(unique_ids), 500):
        some = select(PromptRow.id, PromptRow.base, PromptRow.body).where(PromptRow.chat_id == chat_id)
        some = some.where(PromptRow.id.in_(unique_ids[begin : begin + 500]))
        for stored in [StoredMessage(*row) for row in connection.execute(some)]:
            run_id = (stored.base or "").partition(" ")[0]
            if run_id and run_id not in looked_into:
                looked_into.add(run_id)
                bases |= _step_bodies(connection, chat_id, run_id)
            base = bases.get(stored.base or "")
            if stored.base is not None and base is None:
                continue
            text = inflated(stored, base)
            if text is not None:
                texts[stored.id] = text
    return texts


def read_message(connection: Connection, chat_id: str, message: str) -> str:
    """Return one message's text. Raises NotFound."""
    texts = read_messages(connection, chat_id, [message])
    if not texts:
        raise NotFound(f"There is no message {message[:40]!r} in this chat.")
    return texts[message]


def calls_of_run(
    connection: Connection, chat_id: str, run_id: str, within: str | None = None
) -> list[StoredCall]:
    """Return the model calls of a run, in order, each with its complete prompt; with `within`, those of a managed
    agent's call.
    """
    query = select(EventRow.seq, EventRow.body).where(EventRow.chat_id == chat_id)
    query = query.where(EventRow.run_id == run_id).order_by(EventRow.seq)
    of_agent = EventRow.type == "model_called" if within is None else _nested(within, "model_called")
    query = query.where(of_agent)
    calls: list[StoredCall] = []
    for seq, body in connection.execute(query):
        event = parsed(body)
        if isinstance(event, Nested) and event.within == within:
            event = event.event
        if isinstance(event, ModelCalled):
            before = calls[-1].prompt if calls else []
            calls.append(StoredCall(seq, event, [*before[: event.keep], *event.then]))
    return calls


def _nested(within: str, kind: str) -> ColumnElement[bool]:
    """Return the rows of what a managed agent did in a call, as far as text tells: a quote within a text is escaped there."""
    of_call = EventRow.body.contains(f'"within":{json.dumps(within)},', autoescape=True)
    return and_(EventRow.type == "nested", of_call, EventRow.body.contains(f'"event":{{"type":"{kind}"'))


def nested_step_finished(
    connection: Connection, chat_id: str, run_id: str, within: str, step: int
) -> StepFinished | None:
    """Return the end of a managed agent's step in a call; None as for `step_finished`."""
    query = select(EventRow.body).where(EventRow.chat_id == chat_id, EventRow.run_id == run_id)
    for body in connection.execute(query.where(_nested(within, "step_finished"))).scalars():
        nested = parsed(body)
        if isinstance(nested, Nested) and nested.within == within:
            event = nested.event
            if isinstance(event, StepFinished) and event.step == step:
                return event
    return None


def step_finished(connection: Connection, chat_id: str, run_id: str, step: int) -> StepFinished | None:
    """Return the end of a step; None while it runs, and for an unknown step."""
    body = _step_bodies(connection, chat_id, run_id).get(_name(run_id, step))
    event = parsed(body.text) if body else None
    return event if isinstance(event, StepFinished) else None


def _step_bodies(connection: Connection, chat_id: str, run_id: str) -> dict[str, StepBody]:
    """Return the end events of a run's steps by name; the first one of a step that ended twice."""
    query = select(EventRow.body).where(EventRow.chat_id == chat_id, EventRow.type == "step_finished")
    query = query.where(EventRow.run_id == run_id).order_by(EventRow.seq.desc())
    bodies = [
        StepBody.of(run_id, json.loads(body)["step"], body) for body in connection.execute(query).scalars()
    ]
    return {body.name: body for body in bodies}


def _name(run_id: str, step: int) -> str:
    return f"{run_id} {step}"
