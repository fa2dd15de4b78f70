"""Agents of the desk as members of projects"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("member", schema=None) as batch_op:
        batch_op.add_column(sa.Column("agent", sa.String(), nullable=True))
    with op.batch_alter_table("membership", schema=None) as batch_op:
        batch_op.add_column(sa.Column("chat_id", sa.String(), nullable=True))
    op.create_index("ix_membership_chat_id", "membership", ["chat_id"])


def downgrade() -> None:
    op.drop_index("ix_membership_chat_id", table_name="membership")
    with op.batch_alter_table("membership", schema=None) as batch_op:
        batch_op.drop_column("chat_id")
    with op.batch_alter_table("member", schema=None) as batch_op:
        batch_op.drop_column("agent")
