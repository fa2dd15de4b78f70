"""Wallets: a purse for each chat and currency, and the payments made from them"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "purse",
        sa.Column("chat_id", sa.String(), nullable=False),
        sa.Column("currency", sa.String(), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("balance >= 0", name=op.f("ck_purse_balance")),
        sa.ForeignKeyConstraint(
            ["chat_id"], ["chat.id"], name=op.f("fk_purse_chat_id_chat"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("chat_id", "currency", name=op.f("pk_purse")),
    )
    op.create_table(
        "payment",
        sa.Column("chat_id", sa.String(), nullable=False),
        sa.Column("call_id", sa.String(), nullable=False),
        sa.Column("transaction_id", sa.String(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.String(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["chat_id"], ["chat.id"], name=op.f("fk_payment_chat_id_chat"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("chat_id", "call_id", name=op.f("pk_payment")),
        sa.UniqueConstraint("transaction_id", name=op.f("uq_payment_transaction_id")),
    )


def downgrade() -> None:
    op.drop_table("payment")
    op.drop_table("purse")
