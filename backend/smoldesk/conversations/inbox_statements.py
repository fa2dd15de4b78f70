"""What is asked at every look and every word that is given, as ready statements (store/prepared.py says why).

`project`, `member`: whose inbox it is; `start`: the place after which it begins.
"""

from sqlalchemy import bindparam, or_, select, update

from smoldesk.conversations.models import Message
from smoldesk.store.conversation_tables import (
    AgentEventRow,
    ConversationMessageRow,
    ConversationRow,
    MembershipRow,
    ProjectRow,
)
from smoldesk.store.statements import CompiledStatement

MOST_AT_ONCE = 100
"""Messages that are given in one go."""
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
        # nobody is asked to a conversation that is over
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
WORDS = CompiledStatement(
    select(ConversationMessageRow.seq, ConversationMessageRow.from_id, ConversationMessageRow.conversation_id)
    .where(*_TO_ME)
    .order_by(ConversationMessageRow.seq)
    .limit(1)
)
UNREAD = CompiledStatement(MESSAGE.where(*_TO_ME).order_by(ConversationMessageRow.seq).limit(MOST_AT_ONCE))
GIVE_CHAT = CompiledStatement(
    update(MembershipRow)
    .where(*_THERE, MembershipRow.received_seq < bindparam("seq"), MembershipRow.read_seq < bindparam("seq"))
    .values(received_seq=bindparam("seq"))
    .returning(MembershipRow.member_id)
)
TAKE = CompiledStatement(
    update(MembershipRow)
    .where(*_THERE, MembershipRow.read_seq < bindparam("first"))
    .values(read_seq=bindparam("last"))
    .returning(MembershipRow.member_id)
)
RECEIVED = CompiledStatement(update(MembershipRow).where(*_MINE).values(received_seq=bindparam("seq")))
