"""The listing that history is read from, and the players' records."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

# A result's reason is stored by its value, `lastSurvivor`; the listing has its code, LAST_SURVIVOR.
FILL_LISTING = r"""
INSERT INTO match_listing (match_id, game, public, listed, status, started_at, finished_at,
                           end_reason, counted)
SELECT id, game, public, public AND (status <> 'RUNNING' OR allow_spectators), status, started_at,
       finished_at,
       upper(regexp_replace(result->>'reason', '([a-z0-9])([A-Z])', '\1_\2', 'g')), false
FROM match
"""

FILL_SEATS = """
UPDATE match_seat s SET game = m.game, started_at = m.started_at
FROM match m WHERE m.id = s.match_id
"""


def upgrade() -> None:
    op.create_table(
        "match_listing",
        sa.Column("match_id", sa.Uuid(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("end_reason", sa.Text(), nullable=True),
        sa.Column("counted", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["match.id"], name=op.f("fk_match_listing_match_id_match")
        ),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_match_listing")),
    )
    op.execute(FILL_LISTING)
    op.create_index(
        "ix_match_listing",
        "match_listing",
        ["started_at", "match_id"],
        unique=False,
        postgresql_where=sa.text("listed"),
    )
    op.create_index(
        "ix_match_listing_game",
        "match_listing",
        ["game", "started_at", "match_id"],
        unique=False,
        postgresql_where=sa.text("listed"),
    )
    op.create_index(
        "ix_match_listing_reason",
        "match_listing",
        ["end_reason", "game", "started_at", "match_id"],
        unique=False,
        postgresql_where=sa.text("listed AND end_reason IS NOT NULL"),
    )
    op.create_index(
        "ix_match_listing_span",
        "match_listing",
        [sa.literal_column("tstzrange(started_at, finished_at, '[]'::text)")],
        unique=False,
        postgresql_using="gist",
        postgresql_where=sa.text("listed AND finished_at IS NOT NULL"),
    )
    op.create_index(
        "ix_match_listing_status",
        "match_listing",
        ["status", "started_at", "match_id"],
        unique=False,
        postgresql_where=sa.text("listed AND status <> 'FINISHED'"),
    )
    op.create_index(
        "ix_match_listing_uncounted",
        "match_listing",
        ["finished_at"],
        unique=False,
        postgresql_where=sa.text("status = 'FINISHED' AND NOT counted"),
    )
    op.create_table(
        "player_places",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("rank", sa.SmallInteger(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_player_places_account_id_account")
        ),
        sa.PrimaryKeyConstraint("account_id", "game", "rank", name=op.f("pk_player_places")),
    )
    op.drop_index(op.f("ix_match_history"), table_name="match")
    op.add_column("match_seat", sa.Column("game", sa.Text()))
    op.add_column("match_seat", sa.Column("started_at", sa.DateTime(timezone=True)))
    op.execute(FILL_SEATS)
    op.alter_column("match_seat", "game", nullable=False)
    op.alter_column("match_seat", "started_at", nullable=False)
    op.drop_index(op.f("ix_match_seat_account"), table_name="match_seat")
    op.create_index(
        "ix_match_seat_account",
        "match_seat",
        ["account_id", "started_at", "match_id"],
        unique=False,
    )
    op.create_index(
        "ix_match_seat_account_game",
        "match_seat",
        ["account_id", "game", "started_at", "match_id"],
        unique=False,
    )


def downgrade() -> None:
    op.drop_index("ix_match_seat_account_game", table_name="match_seat")
    op.drop_index("ix_match_seat_account", table_name="match_seat")
    op.create_index(
        op.f("ix_match_seat_account"), "match_seat", ["account_id", "match_id"], unique=False
    )
    op.drop_column("match_seat", "started_at")
    op.drop_column("match_seat", "game")
    op.create_index(op.f("ix_match_history"), "match", ["started_at", "id"], unique=False)
    op.drop_table("player_places")
    op.drop_index(
        "ix_match_listing_uncounted",
        table_name="match_listing",
        postgresql_where=sa.text("status = 'FINISHED' AND NOT counted"),
    )
    op.drop_index(
        "ix_match_listing_status",
        table_name="match_listing",
        postgresql_where=sa.text("listed AND status <> 'FINISHED'"),
    )
    op.drop_index(
        "ix_match_listing_span",
        table_name="match_listing",
        postgresql_using="gist",
        postgresql_where=sa.text("listed AND finished_at IS NOT NULL"),
    )
    op.drop_index(
        "ix_match_listing_reason",
        table_name="match_listing",
        postgresql_where=sa.text("listed AND end_reason IS NOT NULL"),
    )
    op.drop_index(
        "ix_match_listing_game", table_name="match_listing", postgresql_where=sa.text("listed")
    )
    op.drop_index(
        "ix_match_listing", table_name="match_listing", postgresql_where=sa.text("listed")
    )
    op.drop_table("match_listing")
