"""Files beyond 2 GiB"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("file", schema=None) as batch_op:
        batch_op.alter_column(
            "size", existing_type=sa.Integer(), type_=sa.BigInteger(), existing_nullable=False
        )


def downgrade() -> None:
    with op.batch_alter_table("file", schema=None) as batch_op:
        batch_op.alter_column(
            "size", existing_type=sa.BigInteger(), type_=sa.Integer(), existing_nullable=False
        )
