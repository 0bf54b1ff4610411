"""Accounts, rooms and matches."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("display_name", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
    )
    op.create_table(
        "game_clock",
        sa.Column("id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("anchor_ms", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_game_clock_one_row")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game_clock")),
    )
    op.create_table(
        "match",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("room_id", sa.Uuid(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("seats", sa.SmallInteger(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("seed_commitment", sa.LargeBinary(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("allow_spectators", sa.Boolean(), nullable=False),
        sa.Column("open_replay", sa.Boolean(), nullable=False),
        sa.Column("verifiable", sa.Boolean(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.Column("deadline_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.CheckConstraint(
            "status IN ('RUNNING', 'FINISHED', 'ABANDONED')", name=op.f("ck_match_status")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match")),
    )
    op.create_index(
        "ix_match_due",
        "match",
        ["deadline_at"],
        unique=False,
        postgresql_where=sa.text("status = 'RUNNING'"),
    )
    op.create_index("ix_match_history", "match", ["started_at", "id"], unique=False)
    op.create_index("ix_match_room", "match", ["room_id", "started_at"], unique=False)
    op.create_table(
        "account_session",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("renewed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_account_session_account_id_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_session")),
    )
    op.create_index("ix_account_session_account", "account_session", ["account_id"], unique=False)
    op.create_index("ix_account_session_end", "account_session", ["ends_at"], unique=False)
    op.create_table(
        "match_log",
        sa.Column("match_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=True),
        sa.Column("idempotency_key", sa.Text(), nullable=True),
        sa.Column("action", sa.JSON(), nullable=True),
        sa.Column("events", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "actor IN ('SEAT', 'TIMER', 'HOST', 'SYSTEM')", name=op.f("ck_match_log_actor")
        ),
        sa.ForeignKeyConstraint(
            ["match_id"], ["match.id"], name=op.f("fk_match_log_match_id_match")
        ),
        sa.PrimaryKeyConstraint("match_id", "version", name=op.f("pk_match_log")),
    )
    op.create_index(
        "uq_match_log_key",
        "match_log",
        ["match_id", "seat", "idempotency_key"],
        unique=True,
        postgresql_where=sa.text("idempotency_key IS NOT NULL"),
    )
    op.create_table(
        "match_seat",
        sa.Column("match_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_match_seat_account_id_account")
        ),
        sa.ForeignKeyConstraint(
            ["match_id"], ["match.id"], name=op.f("fk_match_seat_match_id_match")
        ),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_match_seat")),
    )
    op.create_index("ix_match_seat_account", "match_seat", ["account_id", "match_id"], unique=False)
    op.create_table(
        "room",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("seats", sa.SmallInteger(), nullable=False),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column("allow_spectators", sa.Boolean(), nullable=False),
        sa.Column("open_replay", sa.Boolean(), nullable=False),
        sa.Column("verifiable", sa.Boolean(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("joins", sa.Integer(), nullable=False),
        sa.Column("host_id", sa.Uuid(), nullable=False),
        sa.Column("match_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status IN ('WAITING', 'PLAYING', 'FINISHED', 'CLOSED')", name=op.f("ck_room_status")
        ),
        sa.CheckConstraint("visibility IN ('PUBLIC', 'PRIVATE')", name=op.f("ck_room_visibility")),
        sa.ForeignKeyConstraint(["host_id"], ["account.id"], name=op.f("fk_room_host_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_room")),
    )
    op.create_index(
        "ix_room_lobby",
        "room",
        ["created_at", "id"],
        unique=False,
        postgresql_where=sa.text("visibility = 'PUBLIC' AND status <> 'CLOSED'"),
    )
    op.create_index(
        "ix_room_playing",
        "room",
        ["match_id"],
        unique=False,
        postgresql_where=sa.text("status = 'PLAYING'"),
    )
    op.create_index(
        "uq_room_code",
        "room",
        ["code"],
        unique=True,
        postgresql_where=sa.text("status <> 'CLOSED'"),
    )
    op.create_table(
        "room_ban",
        sa.Column("room_id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_room_ban_account_id_account")
        ),
        sa.ForeignKeyConstraint(["room_id"], ["room.id"], name=op.f("fk_room_ban_room_id_room")),
        sa.PrimaryKeyConstraint("room_id", "account_id", name=op.f("pk_room_ban")),
    )
    op.create_table(
        "room_member",
        sa.Column("room_id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("ready", sa.Boolean(), nullable=False),
        sa.CheckConstraint("role IN ('PLAYER', 'SPECTATOR')", name=op.f("ck_room_member_role")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_room_member_account_id_account")
        ),
        sa.ForeignKeyConstraint(["room_id"], ["room.id"], name=op.f("fk_room_member_room_id_room")),
        sa.PrimaryKeyConstraint("room_id", "account_id", name=op.f("pk_room_member")),
        sa.UniqueConstraint("room_id", "number", name=op.f("uq_room_member_room_id_number")),
    )
    op.create_index("ix_room_member_account", "room_member", ["account_id"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_room_member_account", table_name="room_member")
    op.drop_table("room_member")
    op.drop_table("room_ban")
    op.drop_index("uq_room_code", table_name="room", postgresql_where=sa.text("status <> 'CLOSED'"))
    op.drop_index(
        "ix_room_playing", table_name="room", postgresql_where=sa.text("status = 'PLAYING'")
    )
    op.drop_index(
        "ix_room_lobby",
        table_name="room",
        postgresql_where=sa.text("visibility = 'PUBLIC' AND status <> 'CLOSED'"),
    )
    op.drop_table("room")
    op.drop_index("ix_match_seat_account", table_name="match_seat")
    op.drop_table("match_seat")
    op.drop_index(
        "uq_match_log_key",
        table_name="match_log",
        postgresql_where=sa.text("idempotency_key IS NOT NULL"),
    )
    op.drop_table("match_log")
    op.drop_index("ix_account_session_end", table_name="account_session")
    op.drop_index("ix_account_session_account", table_name="account_session")
    op.drop_table("account_session")
    op.drop_index("ix_match_room", table_name="match")
    op.drop_index("ix_match_history", table_name="match")
    op.drop_index(
        "ix_match_due", table_name="match", postgresql_where=sa.text("status = 'RUNNING'")
    )
    op.drop_table("match")
    op.drop_table("game_clock")
    op.drop_table("account")
