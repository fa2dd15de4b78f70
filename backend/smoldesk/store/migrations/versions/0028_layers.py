"""Live layers"""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "layer",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("chat_id", sa.String(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("building_id", sa.String(), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["chat_id"], ["chat.id"], name=op.f("fk_layer_chat_id_chat"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_layer")),
    )
    op.create_index(op.f("ix_layer_chat_id"), "layer", ["chat_id"])
    op.create_table(
        "layer_frame",
        sa.Column("layer_id", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["layer_id"], ["layer.id"], name=op.f("fk_layer_frame_layer_id_layer"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("layer_id", "at", name=op.f("pk_layer_frame")),
    )


def downgrade() -> None:
    op.drop_table("layer_frame")
    op.drop_index(op.f("ix_layer_chat_id"), table_name="layer")
    op.drop_table("layer")
