"""Inbox of a member: actions and messages. Reading changes nothing; delivery moves the member's markers.

Both are ordered by their places in the project, not by a clock. Requests and ends are rows of agent_event; unread messages
are found in the messages themselves.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, or_, select, update

from smoldesk.conversations import conversation_rows, rules
from smoldesk.conversations.errors import INVALID_SESSION, AgentFault
from smoldesk.conversations.models import Action, AgentSession, Message
from smoldesk.conversations.rules import Conversation
from smoldesk.conversations.unit_of_work import Change
from smoldesk.store.conversation_tables import (
    AgentEventRow,
    ConversationMessageRow,
    ConversationRow,
    MembershipRow,
    ProjectRow,
)
from smoldesk.store.statements import CompiledStatement

# Queries of every poll and every delivery are compiled once (store/statements.py says why). Parameters: `project` and
# `member` of the inbox, `start`: the place after which it is read.

# Messages of one delivery.
MAX_AT_ONCE = 100
MESSAGE = select(*(getattr(ConversationMessageRow, name) for name in Message.model_fields))
_MINE = (MembershipRow.project_id == bindparam("project"), MembershipRow.member_id == bindparam("member"))
_THERE = (*_MINE, MembershipRow.removed_at.is_(None))

MARKS = CompiledStatement(
    select(MembershipRow.received_seq, MembershipRow.read_seq, ProjectRow.last_seq)
    .join(ProjectRow, ProjectRow.id == MembershipRow.project_id)
    .where(*_THERE, ProjectRow.removed_at.is_(None))
)
EVENT = CompiledStatement(
    select(AgentEventRow.seq, AgentEventRow.kind, AgentEventRow.conversation_id)
    .join(ConversationRow, ConversationRow.id == AgentEventRow.conversation_id)
    .where(
        AgentEventRow.project_id == bindparam("project"),
        AgentEventRow.member_id == bindparam("member"),
        AgentEventRow.seq > bindparam("start"),
        # a request for a conversation that has ended is skipped
        or_(
            AgentEventRow.kind != "conversation_request",
            ConversationRow.state == "pending",
            ConversationRow.state == "active",
        ),
    )
    .order_by(AgentEventRow.seq)
    .limit(1)
)
_TO_ME = (
    ConversationMessageRow.project_id == bindparam("project"),
    ConversationMessageRow.to_id == bindparam("member"),
    ConversationMessageRow.seq > bindparam("start"),
)
# A message is an action of kind "chat" until it is read; it needs no row of agent_event.
FIRST_UNREAD = CompiledStatement(
    select(ConversationMessageRow.seq, ConversationMessageRow.from_id, ConversationMessageRow.conversation_id)
    .where(*_TO_ME)
    .order_by(ConversationMessageRow.seq)
    .limit(1)
)
UNREAD = CompiledStatement(MESSAGE.where(*_TO_ME).order_by(ConversationMessageRow.seq).limit(MAX_AT_ONCE))
MARK_RECEIVED = CompiledStatement(
    update(MembershipRow)
    .where(*_THERE, MembershipRow.received_seq < bindparam("seq"), MembershipRow.read_seq < bindparam("seq"))
    .values(received_seq=bindparam("seq"))
    .returning(MembershipRow.member_id)
)
CLAIM = CompiledStatement(
    update(MembershipRow)
    .where(*_THERE, MembershipRow.read_seq < bindparam("first"))
    .values(read_seq=bindparam("last"))
    .returning(MembershipRow.member_id)
)
RECEIVED = CompiledStatement(update(MembershipRow).where(*_MINE).values(received_seq=bindparam("seq")))


# Bytes of one delivery, beyond one message; further messages come with the next one.
BYTES_AT_ONCE = 1_000_000
_WAIT = Action(action="wait")


@dataclass(frozen=True)
class ReadMarkers:
    """Progress of a member: places of the last received action, of the last read message, and of the project."""

    received: int
    read: int
    last: int


def _marks(connection: Connection, session: AgentSession) -> ReadMarkers:
    rows = MARKS.rows(connection, _who(session))
    if not rows:
        raise AgentFault(INVALID_SESSION)
    return ReadMarkers(*rows[0])


def _who(session: AgentSession) -> dict[str, str]:
    return {"project": session.project_id, "member": session.member_id}


def next_action(
    connection: Connection, session: AgentSession, after: int | None, now: float
) -> Action | None:
    """Return the first action after a place, by default after the last received one; `wait` when there is none.

    None: something must be written first, an expired conversation or progress up to `after`. Raises invalid_session.
    """
    marks = _marks(connection, session)
    if after is not None and _place(after, marks) > marks.received:
        return None
    if conversation_rows.has_expired(connection, session.project_id, session.member_id, now):
        return None
    return _first_action(connection, session, marks, after)


def _first_action(
    connection: Connection, session: AgentSession, marks: ReadMarkers, after: int | None
) -> Action:
    start = marks.received if after is None else _place(after, marks)
    events = EVENT.rows(connection, {**_who(session), "start": start})
    messages = FIRST_UNREAD.rows(connection, {**_who(session), "start": max(start, marks.read)})
    if messages and (not events or messages[0][0] < events[0][0]):
        seq, from_id, conversation_id = messages[0]
        return Action(action="chat", event_id=seq, conversation_id=conversation_id, from_agent_id=from_id)
    if not events:
        return _WAIT
    seq, kind, conversation_id = events[0]
    return _conversation_action(seq, kind, conversation_rows.get(connection, conversation_id), session)


def _conversation_action(seq: int, kind: str, conversation: Conversation, session: AgentSession) -> Action:
    is_over = kind == "conversation_ended"
    return Action(
        action="conversation_ended" if is_over else "conversation_request",
        event_id=seq,
        conversation_id=conversation.id,
        from_agent_id=conversation.other(session.member_id),
        purpose=conversation.purpose,
        ended_by=conversation.ended_by if is_over else None,
        reason=conversation.reason if is_over else None,
    )


def _place(after: int, marks: ReadMarkers) -> int:
    """Limit a place that a client sent to existing ones."""
    return min(max(after, 0), marks.last)


def deliver_message(change: Change, session: AgentSession, action: Action, after: int | None) -> bool:
    """Note the delivery of a message that `next_action` found, by compare-and-set; False when the inbox changed meanwhile.

    A message changes no conversation, so the project is not locked.
    """
    if after is not None:  # `next_action` saw that the marker is there already
        return True
    return bool(MARK_RECEIVED.rows(change.tx.connection, {**_who(session), "seq": action.event_id}))


def deliver(change: Change, session: AgentSession, after: int | None) -> Action:
    """Deliver the first action and take the steps that follow: a request activates the conversation, an end is confirmed.

    Without `after` the action counts as received; with it, everything up to `after` does, and later actions come again.
    """
    change.hold_for(session)
    for conversation in conversation_rows.live_of(
        change.tx.connection, session.project_id, session.member_id
    ):
        change.in_time(conversation)
    marks = _marks(change.tx.connection, session)
    action = _first_action(change.tx.connection, session, marks, after)
    received = action.event_id if after is None else _place(after, marks)
    if received is not None and received > marks.received:
        RECEIVED.run(change.tx.connection, {**_who(session), "seq": received})
    if action.conversation_id is None or action.action == "chat":
        return action
    before = conversation_rows.get(change.tx.connection, action.conversation_id)
    if action.action == "conversation_request":
        change.step(before, rules.activate(before, change.now, change.times))
    elif before.ended_by != session.member_id:
        change.step(before, rules.confirm_end(before, change.now, change.times))
    return action


def unread(connection: Connection, session: AgentSession) -> list[Message]:
    """Return unread messages, one delivery of them. Raises invalid_session."""
    marks = _marks(connection, session)
    rows = UNREAD.rows(connection, {**_who(session), "start": marks.read})
    return _one_delivery(
        Message.model_validate(dict(zip(Message.model_fields, row, strict=True))) for row in rows
    )


def received(connection: Connection, session: AgentSession) -> int:
    """Return the place of the last received action. Raises invalid_session."""
    return _marks(connection, session).received


def mark_read(change: Change, session: AgentSession, seq: int) -> None:
    """Mark a member's messages as read up to a place."""
    change.tx.execute(
        update(MembershipRow)
        .where(MembershipRow.project_id == session.project_id, MembershipRow.member_id == session.member_id)
        .where(MembershipRow.read_seq < seq)
        .values(read_seq=seq)
    )


def claim_messages(change: Change, session: AgentSession, messages: list[Message]) -> bool:
    """Mark the messages of `unread` as read; False when one of them was delivered elsewhere meanwhile."""
    places = {"first": messages[0].seq, "last": messages[-1].seq}
    return bool(CLAIM.rows(change.tx.connection, {**_who(session), **places}))


def read_messages(
    connection: Connection,
    conversation_id: str,
    limit: int,
    after: int | None = None,
    before: int | None = None,
) -> list[Message]:
    """Return messages of a conversation in order: the first ones after a place, else the last ones (before a place)."""
    row = ConversationMessageRow
    query = MESSAGE.where(row.conversation_id == conversation_id)
    if after is not None:
        query = query.where(row.seq > after)
    if before is not None:
        query = query.where(row.seq < before)
    query = query.order_by(row.seq if after is not None else row.seq.desc()).limit(limit)
    messages = [Message.model_validate(dict(mapping)) for mapping in connection.execute(query).mappings()]
    return messages if after is not None else messages[::-1]


def newest_messages(connection: Connection, conversation_id: str) -> list[Message]:
    """Return the last messages of a conversation, in order, one delivery of them."""
    return _one_delivery(read_messages(connection, conversation_id, MAX_AT_ONCE)[::-1])[::-1]


def _one_delivery(messages: Iterable[Message]) -> list[Message]:
    """Return the first messages, at least one, up to BYTES_AT_ONCE."""
    batch: list[Message] = []
    size = 0
    for message in messages:
        size += len(message.content.encode())
        if batch and size > BYTES_AT_ONCE:
            break
        batch.append(message)
    return batch
