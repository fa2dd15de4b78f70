"""The first tables"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "chat",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("lease_until", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat")),
    )
    with op.batch_alter_table("chat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_chat_updated_at"), ["updated_at"], unique=False)

    op.create_table(
        "ask",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("chat_id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["chat_id"], ["chat.id"], name=op.f("fk_ask_chat_id_chat"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ask")),
    )
    with op.batch_alter_table("ask", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_ask_chat_id"), ["chat_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_ask_run_id"), ["run_id"], unique=False)

    op.create_table(
        "event",
        sa.Column("chat_id", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("run_id", sa.String(), nullable=True),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["chat_id"], ["chat.id"], name=op.f("fk_event_chat_id_chat"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("chat_id", "seq", name=op.f("pk_event")),
    )
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.create_index("ix_event_chat_id_type_seq", ["chat_id", "type", "seq"], unique=False)

    op.create_table(
        "file",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("chat_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("media_type", sa.String(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["chat_id"], ["chat.id"], name=op.f("fk_file_chat_id_chat"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_file")),
    )
    with op.batch_alter_table("file", schema=None) as batch_op:
        batch_op.create_index("ix_file_chat_id_name", ["chat_id", "name"], unique=False)

    op.create_table(
        "run",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("chat_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("cancel_reason", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["chat_id"], ["chat.id"], name=op.f("fk_run_chat_id_chat"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
    )
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.create_index("ix_run_chat_id_position", ["chat_id", "position"], unique=False)
        batch_op.create_index("ix_run_chat_id_state", ["chat_id", "state"], unique=False)
        batch_op.create_index("ix_run_state", ["state"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.drop_index("ix_run_state")
        batch_op.drop_index("ix_run_chat_id_state")
        batch_op.drop_index("ix_run_chat_id_position")

    op.drop_table("run")
    with op.batch_alter_table("file", schema=None) as batch_op:
        batch_op.drop_index("ix_file_chat_id_name")

    op.drop_table("file")
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.drop_index("ix_event_chat_id_type_seq")

    op.drop_table("event")
    with op.batch_alter_table("ask", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_ask_run_id"))
        batch_op.drop_index(batch_op.f("ix_ask_chat_id"))

    op.drop_table("ask")
    with op.batch_alter_table("chat", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_chat_updated_at"))

    op.drop_table("chat")
