"""Accounts can be deleted."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("account", sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("account", sa.Column("erased_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index(
        "ix_account_unerased",
        "account",
        ["deleted_at"],
        unique=False,
        postgresql_where=sa.text("deleted_at IS NOT NULL AND erased_at IS NULL"),
    )


def downgrade() -> None:
    op.drop_index(
        "ix_account_unerased",
        table_name="account",
        postgresql_where=sa.text("deleted_at IS NOT NULL AND erased_at IS NULL"),
    )
    op.drop_column("account", "erased_at")
    op.drop_column("account", "deleted_at")
