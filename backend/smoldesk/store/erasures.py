"""Erasures: what deleted chats may still have outside the database, as rows until it is gone.

A row is written with the deletion of a chat's rows, so that neither a crash nor an object store that is away leaves
anything behind. Erasing again what is gone does nothing, so servers may do it at the same time.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from smoldesk.errors import DeskError
from smoldesk.store.tables import TicketRow
from smoldesk.store.transaction import Tx

KIND = "erasure"
# Tickets expire; an erasure stays until it is done.
NEVER = 1e12


@dataclass(frozen=True)
class Erasure:
    """A deleted chat and its stored files."""

    chat_id: str
    file_ids: list[str]


def note_erasure(tx: Tx, erasure: Erasure) -> None:
    """Write what is to be erased after the commit, with what is still to be erased of an earlier chat with this id."""
    row_id = _id(erasure.chat_id)
    file_ids = {*erasure.file_ids, *_open_file_ids(tx.connection, erasure.chat_id)}
    tx.execute(delete(TicketRow).where(TicketRow.id == row_id))
    body = json.dumps([erasure.chat_id, sorted(file_ids)])
    tx.execute(insert(TicketRow), {"id": row_id, "kind": KIND, "body": body, "expires_at": NEVER})


def check_erased(connection: Connection, chat_id: str) -> None:
    """Raise DeskError while an earlier chat with this id is not erased: its erasure would take a new one's files."""
    if is_erasure_open(connection, chat_id):
        raise DeskError(
            "An earlier chat with this id was deleted, and its files are still being removed.",
            "Try again in a minute, or begin a chat with another id.",
            code="chat_not_erased",
        )


def is_erasure_open(connection: Connection, chat_id: str) -> bool:
    """Return whether something of a deleted chat may still be there."""
    return connection.execute(select(TicketRow.id).where(TicketRow.id == _id(chat_id))).first() is not None


def forget_erasure(tx: Tx, chat_id: str) -> None:
    """Forget an erasure that is done."""
    tx.execute(delete(TicketRow).where(TicketRow.id == _id(chat_id)))


def open_erasures(connection: Connection) -> list[Erasure]:
    """Return the erasures that are not done."""
    bodies = connection.execute(select(TicketRow.body).where(TicketRow.kind == KIND)).scalars()
    return [Erasure(*json.loads(body)) for body in bodies]


def _open_file_ids(connection: Connection, chat_id: str) -> Sequence[str]:
    body = connection.execute(select(TicketRow.body).where(TicketRow.id == _id(chat_id))).scalar()
    return [] if body is None else json.loads(body)[1]


def _id(chat_id: str) -> str:
    return hashlib.sha256(f"{KIND}\0{chat_id}".encode()).hexdigest()
