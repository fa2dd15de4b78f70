"""What people see of conversations: pages of a project's list and of a transcript, the newest first to be had."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from smoldesk.conversations import conversation_rows
from smoldesk.conversations.models import Member, Message
from smoldesk.conversations.project_rows import list_members
from smoldesk.conversations.rules import Conversation, State
from smoldesk.store.conversation_tables import ConversationMessageRow


def members_by_id(connection: Connection, project_id: str) -> dict[str, Member]:
    """Everybody who is or was in a project."""
    return {member.id: member for member in list_members(connection, project_id)}


def newest_in(
    connection: Connection, project_id: str, states: Sequence[State], before: str | None, limit: int
) -> list[Conversation]:
    """Those of a project that are in one of these states (none: in any), newest first. Raises NotFound for `before`."""
    if not states:
        return conversation_rows.newest(connection, project_id, None, before, limit)
    found = [
        conversation
        for state in states
        for conversation in conversation_rows.newest(connection, project_id, state, before, limit)
    ]
    return sorted(found, key=lambda conversation: -conversation.seq)[:limit]


def said(
    connection: Connection,
    conversation_id: str,
    limit: int,
    after: int | None = None,
    before: int | None = None,
) -> list[Message]:
    """What was said in a conversation, in order: the first messages after a seq, else the last ones (before a seq)."""
    row = ConversationMessageRow
    query = select(*(getattr(row, name) for name in Message.model_fields)).where(
        row.conversation_id == conversation_id
    )
    if after is not None:
        query = query.where(row.seq > after)
    if before is not None:
        query = query.where(row.seq < before)
    query = query.order_by(row.seq if after is not None else row.seq.desc()).limit(limit)
    found = [Message.model_validate(dict(one)) for one in connection.execute(query).mappings()]
    return found if after is not None else found[::-1]
