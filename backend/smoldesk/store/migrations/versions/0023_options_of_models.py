"""Options of models that people added"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("model", sa.Column("options", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("model", "options")
