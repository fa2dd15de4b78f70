"""Watches of answers, their firings and deliveries"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "watch",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("chat_id", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.Double(), nullable=True),
        sa.Column("inputs", sa.Text(), nullable=False),
        sa.Column("last", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["chat_id"], ["chat.id"], name=op.f("fk_watch_chat_id_chat"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_watch")),
    )
    op.create_index(op.f("ix_watch_chat_id"), "watch", ["chat_id"])
    op.create_index("ix_watch_state_next_at", "watch", ["state", "next_at"])
    op.create_table(
        "watch_turn",
        sa.Column("watch_id", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("is_seen", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["watch_id"], ["watch.id"], name=op.f("fk_watch_turn_watch_id_watch"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("watch_id", "turn", name=op.f("pk_watch_turn")),
    )
    op.create_index("ix_watch_turn_state_at", "watch_turn", ["state", "at"])
    op.create_table(
        "watch_delivery",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("watch_id", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.Double(), nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["watch_id"], ["watch.id"], name=op.f("fk_watch_delivery_watch_id_watch"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_watch_delivery")),
    )
    op.create_index(op.f("ix_watch_delivery_watch_id"), "watch_delivery", ["watch_id"])
    op.create_index("ix_watch_delivery_state_next_at", "watch_delivery", ["state", "next_at"])


def downgrade() -> None:
    op.drop_table("watch_delivery")
    op.drop_table("watch_turn")
    op.drop_table("watch")
