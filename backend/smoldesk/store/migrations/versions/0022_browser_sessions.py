"""What browsers' sessions are signed with, and those that were signed out"""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    table = op.create_table(
        "session_secret",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_session_secret"),
    )
    op.create_table(
        "signed_out",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_signed_out"),
    )
    # here, so that servers that start together share one: migrations run one after the other
    op.bulk_insert(table, [{"id": 1, "value": secrets.token_hex(32)}])


def downgrade() -> None:
    op.drop_table("signed_out")
    op.drop_table("session_secret")
