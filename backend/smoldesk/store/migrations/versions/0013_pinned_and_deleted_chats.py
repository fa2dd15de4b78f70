"""Chats that are pinned, and chats that are deleted but can be had back"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("chat", schema=None) as batch_op:
        batch_op.add_column(sa.Column("pinned_at", sa.Double(), nullable=True))
        batch_op.add_column(sa.Column("deleted_at", sa.Double(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("chat", schema=None) as batch_op:
        batch_op.drop_column("deleted_at")
        batch_op.drop_column("pinned_at")
