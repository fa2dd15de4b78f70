"""Views of one object of a chat, shared by a key"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "shared_view",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("key_hash", sa.String(), nullable=False, unique=True),
        sa.Column("chat_id", sa.String(), sa.ForeignKey("chat.id", ondelete="CASCADE"), nullable=False),
        sa.Column("pin", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
    )
    op.create_index("ix_shared_view_chat_id", "shared_view", ["chat_id"])


def downgrade() -> None:
    op.drop_index("ix_shared_view_chat_id", "shared_view")
    op.drop_table("shared_view")
