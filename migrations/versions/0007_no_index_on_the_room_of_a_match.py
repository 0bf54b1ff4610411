"""No index on the room of a match."""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index(op.f("ix_match_room"), table_name="match")


def downgrade() -> None:
    op.create_index(op.f("ix_match_room"), "match", ["room_id", "started_at"], unique=False)
