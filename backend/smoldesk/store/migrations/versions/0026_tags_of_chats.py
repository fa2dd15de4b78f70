"""Tags of chats"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "chat_tag",
        sa.Column("chat_id", sa.String(), sa.ForeignKey("chat.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("key", sa.Text(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
    )
    op.create_index("ix_chat_tag_key", "chat_tag", ["key"])


def downgrade() -> None:
    op.drop_index("ix_chat_tag_key", "chat_tag")
    op.drop_table("chat_tag")
