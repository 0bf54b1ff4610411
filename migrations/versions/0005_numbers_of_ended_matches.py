"""Ended matches have a number, which the export follows."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("match_listing", sa.Column("number", sa.BigInteger(), nullable=True))
    op.create_index(
        "uq_match_listing_number",
        "match_listing",
        ["number"],
        unique=True,
        postgresql_where=sa.text("number IS NOT NULL"),
    )
    op.create_index(
        "ix_match_listing_unnumbered",
        "match_listing",
        ["finished_at", "match_id"],
        unique=False,
        postgresql_where=sa.text("number IS NULL AND status <> 'RUNNING'"),
    )


def downgrade() -> None:
    op.drop_index(
        "ix_match_listing_unnumbered",
        table_name="match_listing",
        postgresql_where=sa.text("number IS NULL AND status <> 'RUNNING'"),
    )
    op.drop_index(
        "uq_match_listing_number",
        table_name="match_listing",
        postgresql_where=sa.text("number IS NOT NULL"),
    )
    op.drop_column("match_listing", "number")
