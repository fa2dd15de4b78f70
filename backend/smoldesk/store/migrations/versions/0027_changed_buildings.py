"""Changes of buildings"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("building", sa.Column("changed_at", sa.Double(), nullable=True))
    op.add_column("building", sa.Column("deleted_at", sa.Double(), nullable=True))


def downgrade() -> None:
    op.drop_column("building", "deleted_at")
    op.drop_column("building", "changed_at")
