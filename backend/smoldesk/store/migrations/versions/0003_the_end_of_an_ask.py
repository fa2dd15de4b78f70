"""The end of an ask: when it was opened and closed, by whom, and how far the answer goes"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("ask", schema=None) as batch_op:
        batch_op.add_column(sa.Column("opened_at", sa.Double(), nullable=True))
        batch_op.add_column(sa.Column("closed_at", sa.Double(), nullable=True))
        batch_op.add_column(sa.Column("closed_by", sa.String(), nullable=True))
        batch_op.add_column(sa.Column("scope", sa.String(), nullable=True))
        batch_op.drop_index(batch_op.f("ix_ask_chat_id"))
        batch_op.create_index("ix_ask_chat_id_opened_at", ["chat_id", "opened_at"], unique=False)
        batch_op.create_index("ix_ask_state_chat_id", ["state", "chat_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("ask", schema=None) as batch_op:
        batch_op.drop_index("ix_ask_state_chat_id")
        batch_op.drop_index("ix_ask_chat_id_opened_at")
        batch_op.create_index(batch_op.f("ix_ask_chat_id"), ["chat_id"], unique=False)
        batch_op.drop_column("scope")
        batch_op.drop_column("closed_by")
        batch_op.drop_column("closed_at")
        batch_op.drop_column("opened_at")
