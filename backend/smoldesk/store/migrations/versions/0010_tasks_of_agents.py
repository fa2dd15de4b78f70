"""When a run's state changed, and who is told of it"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.add_column(sa.Column("changed_at", sa.Double(), nullable=True))
    op.execute("UPDATE run SET changed_at = created_at")
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.alter_column("changed_at", existing_type=sa.Double(), nullable=False)
    op.create_index("ix_run_changed_at_id", "run", ["changed_at", "id"])
    op.create_table(
        "push_config",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("chat_id", sa.String(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("scheme", sa.Text(), nullable=False),
        sa.Column("credentials", sa.Text(), nullable=False),
        sa.Column("base", sa.Text(), nullable=False),
        sa.Column("told_seq", sa.Integer(), nullable=False),
        sa.Column("is_over", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["chat_id"], ["chat.id"], name=op.f("fk_push_config_chat_id_chat"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "id", name=op.f("pk_push_config")),
    )
    op.create_index("ix_push_config_is_over", "push_config", ["is_over"])
    op.create_index("ix_push_config_chat_id", "push_config", ["chat_id"])


def downgrade() -> None:
    op.drop_table("push_config")
    op.drop_index("ix_run_changed_at_id", table_name="run")
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.drop_column("changed_at")
