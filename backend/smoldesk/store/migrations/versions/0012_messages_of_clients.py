"""What clients call the messages they send, so that one that is sent again is known"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.add_column(sa.Column("client_message_id", sa.String(), nullable=True))
        batch_op.create_index("ix_run_client_message_id", ["client_message_id"], unique=True)


def downgrade() -> None:
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.drop_index("ix_run_client_message_id")
        batch_op.drop_column("client_message_id")
