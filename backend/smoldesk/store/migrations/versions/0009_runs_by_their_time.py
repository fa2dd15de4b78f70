"""Runs of all chats, newest first"""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_run_created_at_id", "run", ["created_at", "id"])
    op.create_index("ix_run_state_created_at_id", "run", ["state", "created_at", "id"])
    op.drop_index("ix_run_state", table_name="run")


def downgrade() -> None:
    op.create_index("ix_run_state", "run", ["state"])
    op.drop_index("ix_run_state_created_at_id", table_name="run")
    op.drop_index("ix_run_created_at_id", table_name="run")
