"""Rows of asks: opened by a run's thread, closed by whoever is first."""

import json
from dataclasses import dataclass, replace

from pydantic import JsonValue
from sqlalchemy import Connection, bindparam, insert, select, update

from backend.errors import Conflict, NotFound
from backend.events import Ask
from backend.store.prepared import Prepared
from backend.store.tables import AskRow
from backend.store.tx import Tx, plain


@dataclass(frozen=True)
class Answer:
    """How an ask ended; `value` is what was entered, or the edited arguments."""

    granted: bool
    value: JsonValue = None
    reason: str = ""


def open_ask(tx: Tx, chat_id: str, run_id: str, ask: Ask) -> None:
    row = {
        "id": ask.id,
        "chat_id": chat_id,
        "run_id": run_id,
        "state": "open",
        "body": ask.model_dump_json(),
        "reason": "",
        "expires_at": ask.expires_at.timestamp(),
    }
    tx.execute(insert(AskRow), row)


def answer_ask(tx: Tx, ask_id: str, answer: Answer, chat_id: str | None = None) -> str:
    """Close an open ask; returns its run's id.

    Raises NotFound for an ask that does not exist (or is another chat's, when `chat_id` is given), Conflict for one that
    is closed already: the first answer wins.
    """
    answer = replace(answer, reason=plain(answer.reason))
    row = tx.execute(select(AskRow.run_id, AskRow.chat_id).where(AskRow.id == ask_id)).first()
    if row is None or (chat_id is not None and row[1] != chat_id):
        raise NotFound(f"There is no ask {ask_id[:40]!r} in this chat.")
    changed = tx.execute(
        update(AskRow)
        .where(AskRow.id == ask_id, AskRow.state == "open")
        .values(
            state="granted" if answer.granted else "denied",
            value=json.dumps(answer.value),
            reason=answer.reason,
        )
        .returning(AskRow.id)
    ).scalar_one_or_none()
    if changed is None:
        raise Conflict("This ask was answered already.", "The first answer counts.", code="ask_closed")
    tx.touched.add(row[1])
    return row[0]


def read_answer(connection: Connection, ask_id: str) -> Answer | None:
    """The answer of an ask; None while it is open."""
    row = connection.execute(
        select(AskRow.state, AskRow.value, AskRow.reason).where(AskRow.id == ask_id)
    ).one()
    if row[0] == "open":
        return None
    return Answer(row[0] == "granted", json.loads(row[1] or "null"), row[2])


def deny_open(tx: Tx, run_id: str, reason: str) -> list[str]:
    """Deny what a run still asks; returns the ids of those asks."""
    return [row[0] for row in _DENY_OPEN.rows(tx.connection, {"run": run_id, "why": reason})]


_DENY_OPEN = Prepared(
    update(AskRow)
    .where(AskRow.run_id == bindparam("run"), AskRow.state == "open")
    .values(state="denied", reason=bindparam("why"))
    .returning(AskRow.id)
)
