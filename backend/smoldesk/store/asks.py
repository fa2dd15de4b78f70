"""Rows of asks: opened by a run's thread, closed by the first answer, stored as the record of what was allowed."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, cast

from pydantic import JsonValue
from sqlalchemy import Connection, bindparam, insert, select, update

from smoldesk.errors import Conflict, NotFound
from smoldesk.events import Ask, AskCloser, AskScope
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.tables import AskRow, ChatRow
from smoldesk.store.transaction import Tx, plain


@dataclass(frozen=True)
class Answer:
    """End of an ask; `value` is the entered value, or the edited arguments.

    `source_message` is the client's message, if its protocol has to return it.
    """

    granted: bool
    value: JsonValue = None
    reason: str = ""
    scope: AskScope = "call"
    by: AskCloser = "person"
    source_message: dict[str, JsonValue] | None = None


@dataclass(frozen=True)
class AskRecord:
    """An ask with its chat and its end; times in seconds since the epoch, `answer` None while it is open."""

    ask: Ask
    chat_id: str
    chat_title: str
    run_id: str
    opened_at: float | None
    closed_at: float | None
    answer: Answer | None


def open_asks(tx: Tx, chat_id: str, run_id: str, asks: Sequence[Ask]) -> None:
    """Write rows of asks that wait for an answer."""
    tx.asks_changed = True
    tx.execute(insert(AskRow), [_row(tx, chat_id, run_id, ask) for ask in asks])


def record_closed(tx: Tx, chat_id: str, run_id: str, ask: Ask, answer: Answer) -> None:
    """Write the row of a call that was decided without asking a person."""
    tx.execute(insert(AskRow), _row(tx, chat_id, run_id, ask) | _closing(tx, answer))
    _audit(tx, chat_id, ask.id, ask, answer)


def read_open(connection: Connection, ask_id: str, now: float, chat_id: str | None = None) -> Ask:
    """Return an open ask.

    Raises NotFound for one that does not exist (or belongs to another chat, if `chat_id` is given), Conflict for one
    that is closed or has expired: the first answer wins.
    """
    query = select(AskRow.chat_id, AskRow.state, AskRow.body, AskRow.expires_at).where(AskRow.id == ask_id)
    row = connection.execute(query).first()
    if row is None or (chat_id is not None and row[0] != chat_id):
        raise _unknown(ask_id)
    if row[1] != "open":
        raise _closed()
    if row[3] <= now:
        raise Conflict("This ask has expired.", "It counts as denied.", code="ask_closed")
    return Ask.model_validate_json(row[2])


def close_ask(tx: Tx, ask_id: str, answer: Answer) -> str:
    """Close an open ask and return its chat's id. Raises Conflict if it was closed before."""
    row = tx.execute(
        update(AskRow)
        # Two people may answer at the same time: only the first update finds the row open.
        .where(AskRow.id == ask_id, AskRow.state == "open")
        .values(**_closing(tx, answer))
        .returning(AskRow.chat_id, AskRow.body)
    ).first()
    if row is None:
        raise _closed()
    chat_id = row[0]
    _audit(tx, chat_id, ask_id, Ask.model_validate_json(row[1]), answer)
    tx.touched.add(chat_id)
    tx.asks_changed = True
    return chat_id


def forget_value(tx: Tx, ask_id: str) -> None:
    """Erase the entered value: a password is not kept once its run has it."""
    tx.execute(update(AskRow).where(AskRow.id == ask_id).values(value="null"))
    # The old value is still in SQLite's write-ahead log, which has to be emptied.
    tx.erased = True


def read_answers(connection: Connection, ask_ids: Collection[str]) -> dict[str, Answer]:
    """Return the answers of the closed ones of these asks."""
    query = select(
        AskRow.id, AskRow.state, AskRow.value, AskRow.reason, AskRow.scope, AskRow.closed_by, AskRow.said
    )
    rows = connection.execute(query.where(AskRow.id.in_(ask_ids), AskRow.state != "open"))
    return {row[0]: _answer(*row[1:]) for row in rows}


def deny_open(
    tx: Tx, run_id: str, reason: str, by: AskCloser = "stop", unheard: Collection[str] = ()
) -> None:
    """Deny what a run still asks, and `unheard` asks of it: answered, but the run ended before it acted on that."""
    values = {"run": run_id, "why": plain(reason), "who": by, "now": tx.now}
    denial = Answer(False, reason=reason, by=by)
    rows = _DENY_OPEN.rows(tx.connection, values)
    if rows:
        tx.asks_changed = True
    if unheard:
        which = (AskRow.run_id == run_id, AskRow.id.in_(unheard))
        denied = update(AskRow).where(*which).values(**_closing(tx, denial))
        rows += tx.execute(denied.returning(AskRow.id, AskRow.chat_id, AskRow.body)).all()
    for ask_id, chat_id, body in rows:
        _audit(tx, chat_id, ask_id, Ask.model_validate_json(body), denial)


def asks_of_chat(
    connection: Connection, chat_id: str, before: str | None = None, limit: int = 200
) -> list[AskRecord]:
    """Return a chat's asks, newest first; with `before`, those after that ask in this order. Raises NotFound.

    Asks of one step have the same opening time, so the order uses their ids, too.
    """
    query = _RECORDS.where(AskRow.chat_id == chat_id)
    if before is not None:
        place = select(AskRow.opened_at).where(AskRow.id == before, AskRow.chat_id == chat_id)
        row = connection.execute(place).first()
        if row is None:
            raise _unknown(before)
        further = AskRow.id > before
        if row[0] is None:
            query = query.where(_UNTIMED, further)
        else:
            query = query.where(
                (AskRow.opened_at == row[0]) & further | (AskRow.opened_at < row[0]) | _UNTIMED
            )
    # Explicitly last: in descending order PostgreSQL puts NULL first, SQLite last.
    rows = connection.execute(query.order_by(AskRow.opened_at.desc().nulls_last(), AskRow.id).limit(limit))
    return [_record(row) for row in rows]


def open_asks_everywhere(connection: Connection, limit: int = 500) -> list[AskRecord]:
    """Return the open asks of all chats, oldest first."""
    query = _RECORDS.where(AskRow.state == "open").order_by(AskRow.opened_at, AskRow.id).limit(limit)
    return [_record(row) for row in connection.execute(query)]


# Rows older than this column; they sort last.
_UNTIMED = AskRow.opened_at.is_(None)
_RECORDS = select(
    AskRow.body,
    AskRow.chat_id,
    ChatRow.title,
    AskRow.run_id,
    AskRow.opened_at,
    AskRow.closed_at,
    AskRow.state,
    AskRow.value,
    AskRow.reason,
    AskRow.scope,
    AskRow.closed_by,
    AskRow.said,
).join(ChatRow, ChatRow.id == AskRow.chat_id)

_DENY_OPEN = CompiledStatement(
    update(AskRow)
    .where(AskRow.run_id == bindparam("run"), AskRow.state == "open")
    .values(
        state="denied",
        reason=bindparam("why"),
        closed_by=bindparam("who"),
        closed_at=bindparam("now"),
        scope="call",
        value="null",
    )
    .returning(AskRow.id, AskRow.chat_id, AskRow.body)
)


def _record(row: Any) -> AskRecord:
    answer = None if row[6] == "open" else _answer(*row[6:])
    return AskRecord(Ask.model_validate_json(row[0]), row[1], row[2], row[3], row[4], row[5], answer)


def _answer(
    state: str,
    value: str | None,
    reason: str,
    scope: str | None,
    by: str | None,
    source_message_json: str | None,
) -> Answer:
    """Return the answer of a row. Those older than `scope` and `closed_by` were for one call, usually by a person."""
    return Answer(
        state == "granted",
        json.loads(value or "null"),
        reason,
        cast("AskScope", scope or "call"),
        cast("AskCloser", by or "person"),
        json.loads(source_message_json or "null"),
    )


def _audit(tx: Tx, chat_id: str, ask_id: str, ask: Ask, answer: Answer) -> None:
    """Add the end of an ask to the audit log, without its reason and value: they are what a person typed."""
    action = "ask.allowed" if answer.granted else "ask.refused"
    tx.audit(action, ask_id, ask.tool or ask.kind, chat_id, f"by {answer.by}, for the {answer.scope}")


def _row(tx: Tx, chat_id: str, run_id: str, ask: Ask) -> dict[str, Any]:
    return {
        "id": ask.id,
        "chat_id": chat_id,
        "run_id": run_id,
        "state": "open",
        "body": ask.model_dump_json(),
        "reason": "",
        "expires_at": ask.expires_at.timestamp(),
        "opened_at": tx.now,
    }


def _closing(tx: Tx, answer: Answer) -> dict[str, Any]:
    return {
        "state": "granted" if answer.granted else "denied",
        "value": json.dumps(answer.value),
        "reason": plain(answer.reason),
        "scope": answer.scope,
        "closed_by": answer.by,
        "said": None if answer.source_message is None else json.dumps(answer.source_message),
        "closed_at": tx.now,
    }


def _unknown(ask_id: str) -> NotFound:
    return NotFound(f"There is no ask {ask_id[:40]!r} in this chat.")


def _closed() -> Conflict:
    return Conflict("This ask was already answered.", "The first answer counts.", code="ask_closed")
