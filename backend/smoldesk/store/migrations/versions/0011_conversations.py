"""Projects, members and their conversations"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

LIVE = sa.text("state IN ('pending', 'active', 'terminating')")


def upgrade() -> None:
    op.create_table(
        "project",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("removed_at", sa.Double(), nullable=True),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_project")),
    )
    op.create_table(
        "member",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("passkey_hash", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("removed_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_member")),
    )
    op.create_table(
        "membership",
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("joined_at", sa.Double(), nullable=False),
        sa.Column("removed_at", sa.Double(), nullable=True),
        sa.Column("received_seq", sa.Integer(), nullable=False),
        sa.Column("read_seq", sa.Integer(), nullable=False),
        *_references("membership", project_id="project", member_id="member"),
        sa.PrimaryKeyConstraint("project_id", "member_id", name=op.f("pk_membership")),
    )
    op.create_index("ix_membership_member_id", "membership", ["member_id"])
    op.create_table(
        "agent_session",
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        *_references("agent_session", project_id="project", member_id="member"),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_agent_session")),
    )
    op.create_index("ix_agent_session_expires_at", "agent_session", ["expires_at"])
    op.create_index("ix_agent_session_project_id_member_id", "agent_session", ["project_id", "member_id"])
    _conversations()
    _what_is_said()


def _conversations() -> None:
    op.create_table(
        "conversation",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("initiator_id", sa.String(), nullable=False),
        sa.Column("participant_id", sa.String(), nullable=False),
        sa.Column("pair", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=True),
        sa.Column("messages", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.Column("due_at", sa.Double(), nullable=True),
        sa.Column("ended_at", sa.Double(), nullable=True),
        sa.Column("ended_by", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        *_references("conversation", project_id="project", initiator_id="member", participant_id="member"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_conversation")),
    )
    op.create_index("ix_conversation_due_at", "conversation", ["due_at"])
    op.create_index("ix_conversation_project_id_seq", "conversation", ["project_id", "seq"])
    op.create_index("ix_conversation_project_id_state_seq", "conversation", ["project_id", "state", "seq"])
    op.create_index(
        "uq_conversation_live_pair",
        "conversation",
        ["project_id", "pair"],
        unique=True,
        sqlite_where=LIVE,
        postgresql_where=LIVE,
    )


def _what_is_said() -> None:
    op.create_table(
        "conversation_message",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("from_id", sa.String(), nullable=False),
        sa.Column("to_id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=True),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        *_references(
            "conversation_message",
            project_id="project",
            from_id="member",
            to_id="member",
            conversation_id="conversation",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_conversation_message")),
    )
    op.create_index(
        "ix_conversation_message_project_id_to_id_seq",
        "conversation_message",
        ["project_id", "to_id", "seq"],
    )
    op.create_index(
        "ix_conversation_message_conversation_id_seq", "conversation_message", ["conversation_id", "seq"]
    )
    op.create_table(
        "agent_event",
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        *_references("agent_event", project_id="project", member_id="member", conversation_id="conversation"),
        sa.PrimaryKeyConstraint("project_id", "seq", name=op.f("pk_agent_event")),
    )
    op.create_index(
        "ix_agent_event_project_id_member_id_seq", "agent_event", ["project_id", "member_id", "seq"]
    )
    op.create_table(
        "pending_agent_purpose",
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        *_references(
            "pending_agent_purpose", project_id="project", member_id="member", conversation_id="conversation"
        ),
        sa.PrimaryKeyConstraint("conversation_id", name=op.f("pk_pending_agent_purpose")),
    )
    op.create_index(
        "ix_pending_agent_purpose_project_id_member_id", "pending_agent_purpose", ["project_id", "member_id"]
    )


def _references(table: str, **columns: str) -> list[sa.ForeignKeyConstraint]:
    """Foreign keys of `table` to the ids of others, named as the models name them."""
    return [
        sa.ForeignKeyConstraint([column], [f"{other}.id"], name=op.f(f"fk_{table}_{column}_{other}"))
        for column, other in columns.items()
    ]


def downgrade() -> None:
    for table in (
        "pending_agent_purpose",
        "agent_event",
        "conversation_message",
        "conversation",
        "agent_session",
        "membership",
        "member",
        "project",
    ):
        op.drop_table(table)
