"""Rows of conversations: read as values of the rules, written by compare-and-set on their state."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, or_, select, text, update

from smoldesk.conversations.errors import no_such_conversation
from smoldesk.conversations.models import PendingAgentPurpose
from smoldesk.conversations.rules import (
    LIVE_STATES,
    Conversation,
    State,
    pair_of,
)
from smoldesk.store.conversation_tables import LIVE, ConversationRow, PendingAgentPurposeRow
from smoldesk.store.statements import CompiledStatement, insert_or_leave
from smoldesk.store.transaction import Tx

_COLUMNS = [getattr(ConversationRow, name) for name in Conversation.model_fields]
_ALL = select(*_COLUMNS)
_IS_LIVE = ConversationRow.state.in_(LIVE_STATES)
# Columns that steps of the rules change; the others never change.
_CHANGING = ("state", "messages", "updated_at", "due_at", "ended_at", "ended_by", "reason")

# queries of every message and every poll are compiled once (store/statements.py says why)
_ONE = CompiledStatement(_ALL.where(ConversationRow.id == bindparam("id")))
_BETWEEN = CompiledStatement(
    _ALL.where(
        ConversationRow.project_id == bindparam("project"),
        # A pair's key has its members in sorted order, so one index serves both directions.
        ConversationRow.pair == bindparam("both"),
        # The text of the partial unique index's condition: with bound values SQLite and PostgreSQL would not use that index.
        text(LIVE),
    )
)
_DUE_OF = CompiledStatement(
    select(ConversationRow.id)
    .where(
        ConversationRow.due_at <= bindparam("now"),
        ConversationRow.project_id == bindparam("project"),
        or_(
            ConversationRow.initiator_id == bindparam("member"),
            ConversationRow.participant_id == bindparam("member"),
        ),
    )
    .limit(1)
)
_CHANGE = CompiledStatement(
    update(ConversationRow)
    .where(ConversationRow.id == bindparam("changed"), ConversationRow.state == bindparam("from_state"))
    .values({name: bindparam(f"new_{name}") for name in _CHANGING})
    .returning(ConversationRow.id)
)


def read(row: Any) -> Conversation:
    """Read a row. Raises ValidationError for an invalid one, such as an unknown state."""
    return Conversation.model_validate(dict(row))


def _prepared(
    connection: Connection, statement: CompiledStatement, **values: str | float
) -> list[Conversation]:
    rows = statement.rows(connection, values)
    return [read(zip(Conversation.model_fields, row, strict=True)) for row in rows]


def _every(connection: Connection, query: Any) -> list[Conversation]:
    return [read(row) for row in connection.execute(query).mappings()]


def get(connection: Connection, conversation_id: str) -> Conversation:
    """Return a conversation. Raises NotFound."""
    conversations = _prepared(connection, _ONE, id=conversation_id)
    if not conversations:
        raise no_such_conversation(conversation_id)
    return conversations[0]


def live_between(connection: Connection, project_id: str, member_id: str, other: str) -> Conversation | None:
    """Return the live conversation of two members, in either direction; there is one at most."""
    conversations = _prepared(connection, _BETWEEN, project=project_id, both=pair_of(member_id, other))
    return conversations[0] if conversations else None


def live_of(connection: Connection, project_id: str, member_id: str | None = None) -> list[Conversation]:
    """Return the live conversations of a project, or of one member in it, oldest first."""
    query = _ALL.where(ConversationRow.project_id == project_id, _IS_LIVE)
    if member_id is not None:
        query = query.where(_of(member_id))
    return _every(connection, query.order_by(ConversationRow.seq))


def expired(connection: Connection, now: float, limit: int) -> list[Conversation]:
    """Return conversations whose time has run out, longest ago first."""
    query = _ALL.where(ConversationRow.due_at <= now).order_by(ConversationRow.due_at).limit(limit)
    return _every(connection, query)


def has_expired(connection: Connection, project_id: str, member_id: str, now: float) -> bool:
    """Return whether the time of one of a member's conversations has run out."""
    return bool(_DUE_OF.rows(connection, {"now": now, "project": project_id, "member": member_id}))


def with_invalid_deadline(connection: Connection, now: float, lasts: float, limit: int) -> list[Conversation]:
    """Return conversations that are due later than any state may last, because the clock went back."""
    return _every(connection, _ALL.where(ConversationRow.due_at > now + lasts).limit(limit))


def newest(
    connection: Connection,
    project_id: str,
    states: Sequence[State] = (),
    before: str | None = None,
    limit: int = 50,
) -> list[Conversation]:
    """Return a project's conversations in these states (none: any state), newest first; with `before`, those older than it.

    Raises NotFound for an unknown `before`.
    """
    query = _ALL.where(ConversationRow.project_id == project_id)
    if before is not None:
        query = query.where(ConversationRow.seq < get(connection, before).seq)
    query = query.order_by(ConversationRow.seq.desc()).limit(limit)
    if not states:
        return _every(connection, query)
    # one query for each state: the index is ordered within a state
    conversations = [
        conversation
        for state in states
        for conversation in _every(connection, query.where(ConversationRow.state == state))
    ]
    return sorted(conversations, key=lambda conversation: -conversation.seq)[:limit]


def add(tx: Tx, conversation: Conversation) -> bool:
    """Insert a new conversation; False when its members have a live one already, which a unique index prevents."""
    pair = pair_of(conversation.initiator_id, conversation.participant_id)
    row = conversation.model_dump() | {"pair": pair}
    added = insert_or_leave(tx.connection, ConversationRow, row).returning(ConversationRow.id)
    return tx.execute(added).first() is not None


def change(tx: Tx, before: Conversation, after: Conversation) -> bool:
    """Write a step if the state is still that of `before`; False when another change came first."""
    new = {f"new_{name}": getattr(after, name) for name in _CHANGING}
    return bool(_CHANGE.rows(tx.connection, {"changed": before.id, "from_state": before.state, **new}))


def add_pending_purpose(tx: Tx, conversation: Conversation, now: float) -> None:
    """Note that the participant is wanted for a conversation."""
    row = PendingAgentPurpose(
        member_id=conversation.participant_id,
        project_id=conversation.project_id,
        purpose="chat",
        conversation_id=conversation.id,
        created_at=now,
    )
    tx.execute(insert(PendingAgentPurposeRow), row.model_dump())


def delete_pending_purposes(tx: Tx, conversation_id: str) -> None:
    """Delete the notes by which agents are wanted for a conversation."""
    mine = PendingAgentPurposeRow.conversation_id == conversation_id
    tx.execute(delete(PendingAgentPurposeRow).where(mine))


def pending_purposes(
    connection: Connection, project_id: str, member_id: str | None = None
) -> list[PendingAgentPurpose]:
    """Return the wanted members of a project, oldest first."""
    query = select(
        *(getattr(PendingAgentPurposeRow, name) for name in PendingAgentPurpose.model_fields)
    ).where(PendingAgentPurposeRow.project_id == project_id)
    if member_id is not None:
        query = query.where(PendingAgentPurposeRow.member_id == member_id)
    rows = connection.execute(query.order_by(PendingAgentPurposeRow.created_at)).mappings()
    return [PendingAgentPurpose.model_validate(dict(row)) for row in rows]


def _of(member_id: str) -> Any:
    return or_(ConversationRow.initiator_id == member_id, ConversationRow.participant_id == member_id)
