"""Messages of prompts"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "prompt",
        sa.Column("chat_id", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("base", sa.String(), nullable=True),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["chat_id"], ["chat.id"], name=op.f("fk_prompt_chat_id_chat"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("chat_id", "id", name=op.f("pk_prompt")),
    )


def downgrade() -> None:
    op.drop_table("prompt")
