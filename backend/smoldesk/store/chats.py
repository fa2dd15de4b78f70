"""Rows of chats: made, found, renamed and deleted, each inside one transaction; chat_lists.py lists them."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from smoldesk.errors import Conflict, NotFound
from smoldesk.store.erasures import Erasure, check_erased, note_erasure
from smoldesk.store.run_rows import open_runs
from smoldesk.store.statements import insert_or_leave
from smoldesk.store.tables import (
    AskRow,
    ChatRow,
    ChatTagRow,
    EventRow,
    FileRow,
    PaymentRow,
    PromptRow,
    PurseRow,
    PushConfigRow,
    ReportRow,
    RunRow,
)
from smoldesk.store.transaction import Tx, plain

# The names of a chat's tags, one a line: they have no control characters.
_TAGS = (
    select(func.aggregate_strings(ChatTagRow.name, "\n"))
    .where(ChatTagRow.chat_id == ChatRow.id)
    .scalar_subquery()
)
CHAT_COLUMNS = (
    ChatRow.id,
    ChatRow.title,
    ChatRow.created_at,
    ChatRow.updated_at,
    ChatRow.last_seq,
    ChatRow.building_id,
    ChatRow.agent,
    ChatRow.pinned_at,
    ChatRow.model,
    ChatRow.archived_at,
    _TAGS,
)
IS_THERE = ChatRow.deleted_at.is_(None)
_CHAT = select(*CHAT_COLUMNS).where(ChatRow.id == bindparam("chat"), IS_THERE)


@dataclass(frozen=True)
class ChatInfo:
    """A chat as lists and headers show it; times in seconds since the epoch, UTC.

    No `building_id`: the bundled one. No `agent`: the one the desk is served with. No `pinned_at`: not pinned. No
    `model`: the agent's own.
    """

    id: str
    title: str
    created_at: float
    updated_at: float
    last_seq: int
    building_id: str | None = None
    agent: str | None = None
    pinned_at: float | None = None
    model: str | None = None
    archived_at: float | None = None
    tags: tuple[str, ...] = ()


def new_chat(tx: Tx, title: str = "") -> ChatInfo:
    """Insert a new chat."""
    chat_id = f"c_{secrets.token_hex(12)}"
    title = plain(title)
    values = {
        "id": chat_id,
        "title": title,
        "created_at": tx.now,
        "updated_at": tx.now,
        "last_seq": 0,
        "epoch": 0,
    }
    tx.execute(insert(ChatRow), values)
    return ChatInfo(chat_id, title, tx.now, tx.now, 0)


def hidden_chat(tx: Tx, chat_id: str, like: str | None, seconds: float) -> None:
    """Insert a chat that no list or query returns, with the building and the selection of the chat `like`.

    It is erased like a deleted one when `seconds` are over.
    """
    building = selection = None
    if like is not None:
        row = tx.execute(select(ChatRow.building_id, ChatRow.selection).where(ChatRow.id == like)).first()
        building, selection = row if row is not None else (None, None)
    values: dict[str, Any] = {"id": chat_id, "title": "", "created_at": tx.now, "updated_at": tx.now}
    values |= {"last_seq": 0, "epoch": 0, "building_id": building, "selection": selection}
    tx.execute(insert(ChatRow), values | {"deleted_at": tx.now + seconds})


def begin_chat(tx: Tx, chat_id: str) -> ChatInfo:
    """Return the chat with this id, created if it does not exist. For ids that a wire derives from those of its clients.

    Raises DeskError while an earlier chat with this id is being erased.
    """
    values = {
        "id": chat_id,
        "title": "",
        "created_at": tx.now,
        "updated_at": tx.now,
        "last_seq": 0,
        "epoch": 0,
    }
    # Another server may be first. Where it is deleting the chat, the insert waits for that, so the check sees its erasure.
    if tx.execute(insert_or_leave(tx.connection, ChatRow, values)).rowcount:
        check_erased(tx.connection, chat_id)
    return get_chat(tx.connection, chat_id)


def get_chat(connection: Connection, chat_id: str) -> ChatInfo:
    """Return a chat. Raises NotFound."""
    row = connection.execute(_CHAT, {"chat": chat_id}).first()
    if row is None:
        raise no_such_chat(chat_id)
    return chat_of(row)


def chat_of(row: Sequence[Any]) -> ChatInfo:
    """Return a chat from its CHAT_COLUMNS, with its tags by name."""
    *facts, tags = row
    return ChatInfo(*facts, tags=tuple(sorted(tags.split("\n"), key=str.casefold)) if tags else ())


def last_seqs_of(connection: Connection, chat_ids: Collection[str]) -> dict[str, int]:
    """Return the last seq of each of these chats; deleted ones are left out."""
    query = select(ChatRow.id, ChatRow.last_seq).where(ChatRow.id.in_(chat_ids))
    return {row[0]: row[1] for row in connection.execute(query)}


def all_chat_ids(connection: Connection) -> set[str]:
    """Return the ids of all chats, also of those that can be restored."""
    return set(connection.execute(select(ChatRow.id)).scalars())


def no_such_chat(chat_id: str) -> NotFound:
    """Return the error for an unknown chat."""
    return NotFound(
        f"There is no chat {chat_id[:40]!r}.", "Open the page without a chat id to begin a new one."
    )


# A chat that was opened and never used: each new socket makes one.
EMPTY = (ChatRow.last_seq == 0) & (ChatRow.title == "")


def sweep_empty(tx: Tx, older_than_seconds: float = 86_400) -> None:
    """Delete chats that were never used and are older than that."""
    tx.execute(delete(ChatRow).where(EMPTY, ChatRow.updated_at < tx.now - older_than_seconds))


def rename_chat(tx: Tx, chat_id: str, title: str) -> ChatInfo:
    """Rename a chat. Raises NotFound."""
    get_chat(tx.connection, chat_id)
    tx.asks_changed = True  # the list of the open ones names their chats
    tx.execute(update(ChatRow).where(ChatRow.id == chat_id).values(title=plain(title)))
    return get_chat(tx.connection, chat_id)


def pin_chat(tx: Tx, chat_id: str, pinned: bool) -> ChatInfo:
    """Put a chat among the pinned ones, as the first, or take it from them. Raises NotFound."""
    chat = get_chat(tx.connection, chat_id)
    if pinned == (chat.pinned_at is None):
        tx.execute(update(ChatRow).where(ChatRow.id == chat_id).values(pinned_at=tx.now if pinned else None))
    return get_chat(tx.connection, chat_id)


def set_archived(tx: Tx, chat_id: str, archived: bool) -> ChatInfo:
    """Put a chat into the archive, no longer pinned, or take it out. Raises NotFound."""
    chat = get_chat(tx.connection, chat_id)
    if archived == (chat.archived_at is None):
        values = {"archived_at": tx.now, "pinned_at": None} if archived else {"archived_at": None}
        tx.execute(update(ChatRow).where(ChatRow.id == chat_id).values(values))
    return get_chat(tx.connection, chat_id)


def hide_chat(tx: Tx, chat_id: str) -> None:
    """Delete a chat so that it can be restored: no list or query returns it. Raises Conflict while a run is open."""
    _hold_idle(tx, chat_id)
    tx.execute(update(ChatRow).where(ChatRow.id == chat_id).values(deleted_at=tx.now))
    tx.audit("chat.deleted", chat_id=chat_id)


def restore_chat(tx: Tx, chat_id: str) -> ChatInfo:
    """Have a deleted chat back. Raises NotFound for one that is gone; one that was never deleted stays as it is."""
    was_deleted = (ChatRow.id == chat_id) & ChatRow.deleted_at.is_not(None)
    if tx.execute(update(ChatRow).where(was_deleted).values(deleted_at=None)).rowcount:
        tx.audit("chat.restored", chat_id=chat_id)
    return get_chat(tx.connection, chat_id)


def put_away_before(connection: Connection, then: float) -> list[str]:
    """Return the chats that were deleted before a moment, and still have their rows."""
    return list(connection.execute(select(ChatRow.id).where(ChatRow.deleted_at < then)).scalars())


def _hold_idle(tx: Tx, chat_id: str) -> None:
    tx.hold(chat_id)
    get_chat(tx.connection, chat_id)
    if open_runs(tx.connection, chat_id):
        raise Conflict("This chat is still working.", "Stop its runs first.", code="chat_busy")


def delete_chat(tx: Tx, chat_id: str) -> list[str]:
    """Remove a chat and all its rows; returns the ids of its files. Raises Conflict while a run is open."""
    _hold_idle(tx, chat_id)
    return erase_chat(tx, chat_id)


def erase_chat(tx: Tx, chat_id: str, is_audited: bool = True) -> list[str]:
    """Remove all rows of a chat that nothing works on; returns the ids of its files, which open_erasures names, too.

    Does nothing if another server has erased it. Hidden chats are not `is_audited`: nobody has seen them.
    """
    if tx.hold(chat_id) is None:
        return []
    files = list(tx.execute(select(FileRow.id).where(FileRow.chat_id == chat_id)).scalars())
    for table in (
        AskRow,
        ChatTagRow,
        EventRow,
        FileRow,
        PromptRow,
        RunRow,
        PaymentRow,
        PurseRow,
        PushConfigRow,
        ReportRow,
    ):
        tx.execute(delete(table).where(table.chat_id == chat_id))
    tx.execute(delete(ChatRow).where(ChatRow.id == chat_id))
    note_erasure(tx, Erasure(chat_id, files))
    if is_audited:
        tx.audit("chat.erased", chat_id=chat_id)
    return files
