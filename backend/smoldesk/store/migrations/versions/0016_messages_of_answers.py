"""Answers keep the message of the protocol they came as"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("ask", schema=None) as batch_op:
        batch_op.add_column(sa.Column("said", sa.Text(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("ask", schema=None) as batch_op:
        batch_op.drop_column("said")
