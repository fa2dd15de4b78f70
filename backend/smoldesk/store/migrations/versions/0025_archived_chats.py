"""Archived chats"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("chat", sa.Column("archived_at", sa.Double(), nullable=True))


def downgrade() -> None:
    op.drop_column("chat", "archived_at")
