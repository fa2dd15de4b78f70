"""Tables of agent-to-agent conversations: projects, their members, and messages between members.

Rows of projects, members, conversations and messages are never deleted: removed ones have a `removed_at`, ended ones
an `ended_at`. Each change in a project takes its place from `project.last_seq`, whose row is locked until the commit,
so places follow the order of commits and not the clocks.
"""

from typing import Any

from sqlalchemy import Connection, ForeignKey, Index, Table, Text, event, text
from sqlalchemy.orm import Mapped, mapped_column

from smoldesk.store.tables import Base

# Condition of a live conversation; two members of a project have at most one.
LIVE = "state IN ('pending', 'active', 'terminating')"


class ProjectRow(Base):
    """One project; `last_seq` is the place of the last thing that happened in it."""

    __tablename__ = "project"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    created_at: Mapped[float]
    removed_at: Mapped[float | None]
    last_seq: Mapped[int] = mapped_column(default=0)


class MemberRow(Base):
    """Member of projects, `kind` ai or human; only the hash of its passkey is stored (conversations/sessions.py).

    `agent` names the desk's own agent behind it, if any: the desk acts for it, and no client has its passkey.
    """

    __tablename__ = "member"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    kind: Mapped[str]
    passkey_hash: Mapped[str] = mapped_column(Text)
    created_at: Mapped[float]
    removed_at: Mapped[float | None]
    agent: Mapped[str | None]


class MembershipRow(Base):
    """A member in a project. `received_seq` and `read_seq`: the last action and the last message sent to it.

    `chat_id` is the chat in which an agent of the desk works for this project.
    """

    __tablename__ = "membership"

    project_id: Mapped[str] = mapped_column(ForeignKey("project.id"), primary_key=True)
    member_id: Mapped[str] = mapped_column(ForeignKey("member.id"), primary_key=True)
    joined_at: Mapped[float]
    removed_at: Mapped[float | None]
    received_seq: Mapped[int] = mapped_column(default=0)
    read_seq: Mapped[int] = mapped_column(default=0)
    chat_id: Mapped[str | None] = mapped_column(index=True)

    __table_args__ = (Index("ix_membership_member_id", "member_id"),)


class AgentSessionRow(Base):
    """A member's login to one project; only the hash of its token is kept."""

    __tablename__ = "agent_session"

    token_hash: Mapped[str] = mapped_column(primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("project.id"))
    member_id: Mapped[str] = mapped_column(ForeignKey("member.id"))
    purpose: Mapped[str]
    created_at: Mapped[float]
    expires_at: Mapped[float] = mapped_column(index=True)

    __table_args__ = (Index("ix_agent_session_project_id_member_id", "project_id", "member_id"),)


class ConversationRow(Base):
    """One conversation; `pair` is its two members' ids in order, `seq` its place in the project.

    `messages` counts what was said in it, `updated_at` is when something last happened to it, `due_at` when its state runs
    out, None once it is over. `ended_by` is a member; a time-out and a person have none. `depth`: conversations/rules.py.
    """

    __tablename__ = "conversation"

    id: Mapped[str] = mapped_column(primary_key=True)
    seq: Mapped[int]
    project_id: Mapped[str] = mapped_column(ForeignKey("project.id"))
    initiator_id: Mapped[str] = mapped_column(ForeignKey("member.id"))
    participant_id: Mapped[str] = mapped_column(ForeignKey("member.id"))
    pair: Mapped[str]
    state: Mapped[str]
    purpose: Mapped[str | None] = mapped_column(Text)
    depth: Mapped[int] = mapped_column(default=0, server_default="0")
    messages: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[float]
    updated_at: Mapped[float]
    due_at: Mapped[float | None] = mapped_column(index=True)
    ended_at: Mapped[float | None]
    ended_by: Mapped[str | None]
    reason: Mapped[str | None]

    __table_args__ = (
        Index(
            "uq_conversation_live_pair",
            "project_id",
            "pair",
            unique=True,
            sqlite_where=text(LIVE),  # as `_partial` says on PostgreSQL
        ),
        Index("ix_conversation_project_id_seq", "project_id", "seq"),  # the newest of a project
        Index("ix_conversation_project_id_state_seq", "project_id", "state", "seq"),
    )


@event.listens_for(ConversationRow.__table__, "before_create")
def _partial(table: Table, connection: Connection, **_: Any) -> None:  # pyright: ignore[reportUnusedFunction]
    """Set the condition of the live pairs' index on PostgreSQL. In the index itself it would import that dialect on
    SQLite, too.
    """
    if connection.dialect.name == "postgresql":
        live = next(index for index in table.indexes if index.name == "uq_conversation_live_pair")
        live.dialect_options["postgresql"]["where"] = text(LIVE)


class ConversationMessageRow(Base):
    """Message from a member to another; `conversation_id` is None outside a conversation."""

    __tablename__ = "conversation_message"

    id: Mapped[str] = mapped_column(primary_key=True)
    seq: Mapped[int]
    project_id: Mapped[str] = mapped_column(ForeignKey("project.id"))
    from_id: Mapped[str] = mapped_column(ForeignKey("member.id"))
    to_id: Mapped[str] = mapped_column(ForeignKey("member.id"))
    conversation_id: Mapped[str | None] = mapped_column(ForeignKey("conversation.id"))
    content: Mapped[str] = mapped_column(Text)
    created_at: Mapped[float]

    __table_args__ = (
        Index("ix_conversation_message_project_id_to_id_seq", "project_id", "to_id", "seq"),
        Index("ix_conversation_message_conversation_id_seq", "conversation_id", "seq"),
    )


class AgentEventRow(Base):
    """Event for a member about a conversation: `kind` conversation_request or conversation_ended."""

    __tablename__ = "agent_event"

    project_id: Mapped[str] = mapped_column(ForeignKey("project.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    member_id: Mapped[str] = mapped_column(ForeignKey("member.id"))
    kind: Mapped[str]
    conversation_id: Mapped[str] = mapped_column(ForeignKey("conversation.id"))
    created_at: Mapped[float]

    __table_args__ = (Index("ix_agent_event_project_id_member_id_seq", "project_id", "member_id", "seq"),)


class PendingAgentPurposeRow(Base):
    """Purpose of a conversation that a member has not been notified of yet."""

    __tablename__ = "pending_agent_purpose"

    conversation_id: Mapped[str] = mapped_column(ForeignKey("conversation.id"), primary_key=True)
    member_id: Mapped[str] = mapped_column(ForeignKey("member.id"))
    project_id: Mapped[str] = mapped_column(ForeignKey("project.id"))
    purpose: Mapped[str]
    created_at: Mapped[float]

    __table_args__ = (Index("ix_pending_agent_purpose_project_id_member_id", "project_id", "member_id"),)
