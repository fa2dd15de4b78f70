"""Chats without activity: which of them a retention time deletes, and deleting one once, whichever server does it."""

from sqlalchemy import ColumnElement, Connection, and_, exists, select

from smoldesk.store.chats import IS_THERE, erase_chat
from smoldesk.store.conversation_tables import MembershipRow
from smoldesk.store.run_rows import IS_OPEN
from smoldesk.store.tables import AskRow, ChatRow, LayerFrameRow, LayerRow, RunRow, SharedViewRow
from smoldesk.store.transaction import Tx


def inactive_chats(connection: Connection, before: float, now: float) -> list[str]:
    """Return the chats without activity since a moment that nothing needs."""
    return list(connection.execute(select(ChatRow.id).where(_is_inactive(before, now))).scalars())


def erase_inactive(tx: Tx, chat_id: str, before: float, now: float) -> list[str] | None:
    """Remove all rows of a chat and return the ids of its files; None if it is in use again, or already removed."""
    # On PostgreSQL, another server that removes it, or starts a run in it, comes first or waits.
    tx.hold(chat_id)
    is_inactive = select(ChatRow.id).where(ChatRow.id == chat_id, _is_inactive(before, now))
    return None if tx.execute(is_inactive).first() is None else erase_chat(tx, chat_id)


def _is_inactive(before: float, now: float) -> ColumnElement[bool]:
    """Return the condition: nothing happened since `before`, and the chat is not pinned, shared or at work."""
    return and_(
        IS_THERE,
        ChatRow.updated_at < before,
        ChatRow.pinned_at.is_(None),
        ~exists().where(RunRow.chat_id == ChatRow.id, IS_OPEN),
        ~exists().where(AskRow.chat_id == ChatRow.id, AskRow.state == "open"),
        ~exists().where(SharedViewRow.chat_id == ChatRow.id, SharedViewRow.expires_at > now),
        # Values that programs post into a layer are no events of the chat.
        ~exists().where(
            LayerRow.chat_id == ChatRow.id, LayerFrameRow.layer_id == LayerRow.id, LayerFrameRow.at >= before
        ),
        # The chat in which an agent of the desk works for a project is its memory of it.
        ~exists().where(MembershipRow.chat_id == ChatRow.id, MembershipRow.removed_at.is_(None)),
    )
