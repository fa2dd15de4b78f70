"""Models that chats chose, and those that people added"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("chat", schema=None) as batch_op:
        batch_op.add_column(sa.Column("model", sa.String(), nullable=True))
    op.create_table(
        "model",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("base_url", sa.Text(), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=True),
        sa.Column("context", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_model")),
    )


def downgrade() -> None:
    op.drop_table("model")
    with op.batch_alter_table("chat", schema=None) as batch_op:
        batch_op.drop_column("model")
