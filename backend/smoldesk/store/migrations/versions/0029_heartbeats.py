"""Heartbeats of servers"""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "server",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("seen_at", sa.Double(), nullable=False),
        sa.Column("is_leaving", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_server")),
    )
    op.add_column("chat", sa.Column("is_held", sa.Boolean(), nullable=True))
    op.drop_column("chat", "lease_until")
    op.add_column("run", sa.Column("received_by", sa.String(), nullable=True))
    op.add_column("push_config", sa.Column("sender", sa.String(), nullable=True))


def downgrade() -> None:
    op.drop_column("push_config", "sender")
    op.drop_column("run", "received_by")
    op.add_column("chat", sa.Column("lease_until", sa.Double(), nullable=True))
    op.drop_column("chat", "is_held")
    op.drop_table("server")
