"""What servers of one database share: wrong tries, tickets, sessions of MCP clients, a secret"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "wrong_tries",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("last_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_wrong_tries")),
    )
    op.create_index(op.f("ix_wrong_tries_last_at"), "wrong_tries", ["last_at"])
    op.create_table(
        "ticket",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ticket")),
    )
    op.create_index(op.f("ix_ticket_expires_at"), "ticket", ["expires_at"])
    op.create_table(
        "mcp_session",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("opening", sa.Text(), nullable=False),
        sa.Column("used_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mcp_session")),
    )
    op.create_index(op.f("ix_mcp_session_used_at"), "mcp_session", ["used_at"])
    op.create_table(
        "shared_secret",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shared_secret")),
    )


def downgrade() -> None:
    op.drop_table("shared_secret")
    op.drop_index(op.f("ix_mcp_session_used_at"), table_name="mcp_session")
    op.drop_table("mcp_session")
    op.drop_index(op.f("ix_ticket_expires_at"), table_name="ticket")
    op.drop_table("ticket")
    op.drop_index(op.f("ix_wrong_tries_last_at"), table_name="wrong_tries")
    op.drop_table("wrong_tries")
