"""Shared views as rows: one object of a chat each, found by the hash of its key."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select

from smoldesk.errors import Conflict, NotFound
from smoldesk.store.chats import get_chat
from smoldesk.store.tables import SharedViewRow
from smoldesk.store.transaction import Tx

# Maximum views of one chat that have not expired.
MAX_VIEWS = 20
# Seconds for which an expired view's key is told that it expired; later it is unknown.
REMEMBERED_SECONDS = 30 * 24 * 3600


@dataclass(frozen=True)
class StoredView:
    """One row; times in seconds since the epoch, `pin` JSON."""

    id: str
    chat_id: str
    pin: str
    created_at: float
    expires_at: float


def hash_of(key: str) -> str:
    """Return what a key is found by. Keys are random, so one round of SHA-256 is enough."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def add_view(tx: Tx, chat_id: str, pin: str, seconds: float) -> tuple[StoredView, str]:
    """Add a view and return it with its key, which is not stored. Raises NotFound, Conflict for too many views."""
    get_chat(tx.connection, chat_id)
    tx.execute(delete(SharedViewRow).where(SharedViewRow.expires_at < tx.now - REMEMBERED_SECONDS))
    count = select(func.count()).where(SharedViewRow.chat_id == chat_id, SharedViewRow.expires_at > tx.now)
    if tx.execute(count).scalar_one() >= MAX_VIEWS:
        raise Conflict(
            f"A chat has at most {MAX_VIEWS} shared views.", "Revoke one first.", code="too_many_views"
        )
    key = secrets.token_urlsafe(32)
    view = StoredView(f"v_{secrets.token_hex(12)}", chat_id, pin, tx.now, tx.now + seconds)
    tx.execute(insert(SharedViewRow), {**vars(view), "key_hash": hash_of(key)})
    tx.audit("shared_view.added", view.id, chat_id=chat_id)
    return view, key


def find_view(connection: Connection, key: str) -> StoredView | None:
    """Return the view of a key, also an expired one; None for an unknown key."""
    return next(iter(_views(connection, SharedViewRow.key_hash == hash_of(key))), None)


def views_of(connection: Connection, chat_id: str) -> Sequence[StoredView]:
    """Return the views of a chat, also expired ones, newest first. Raises NotFound."""
    get_chat(connection, chat_id)
    return _views(connection, SharedViewRow.chat_id == chat_id)


def delete_view(tx: Tx, chat_id: str, view_id: str) -> None:
    """Delete a view: its key is unknown from now on. Raises NotFound."""
    where = (SharedViewRow.chat_id == chat_id, SharedViewRow.id == view_id)
    if not tx.execute(delete(SharedViewRow).where(*where).returning(SharedViewRow.id)).all():
        raise NotFound("This chat has no such shared view.", "Expected the id of one of its views.")
    tx.audit("shared_view.deleted", view_id, chat_id=chat_id)


def _views(connection: Connection, which: ColumnElement[bool]) -> Sequence[StoredView]:
    row = SharedViewRow
    query = select(row.id, row.chat_id, row.pin, row.created_at, row.expires_at).where(which)
    return [StoredView(*values) for values in connection.execute(query.order_by(row.created_at.desc()))]
