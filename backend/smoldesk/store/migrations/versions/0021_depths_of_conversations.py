"""How deep conversations of the desk's agents lie in each other"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("conversation", sa.Column("depth", sa.Integer(), server_default="0", nullable=False))


def downgrade() -> None:
    op.drop_column("conversation", "depth")  # no batch: that drops the table, to which messages refer
