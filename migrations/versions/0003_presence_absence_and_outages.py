"""Presence, absence and outages."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "outage",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_outage")),
    )
    op.create_table(
        "presence",
        sa.Column("room_id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("process_id", sa.Uuid(), nullable=False),
        sa.Column("connected", sa.Boolean(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("requested_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("room_id", "account_id", "process_id", name=op.f("pk_presence")),
    )
    op.create_index(op.f("ix_presence_process_id"), "presence", ["process_id"], unique=False)
    op.create_table(
        "presence_revision",
        sa.Column("room_id", sa.Uuid(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("room_id", name=op.f("pk_presence_revision")),
    )
    op.create_table(
        "process",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_process")),
    )
    op.create_table(
        "pulse",
        sa.Column("id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_pulse_one_row")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pulse")),
    )
    op.create_table(
        "absence_question",
        sa.Column("match_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("room_id", sa.Uuid(), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("asked_version", sa.Integer(), nullable=False),
        sa.Column("asked_unit", sa.Integer(), nullable=False),
        sa.Column("continued_unit", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"], ["match.id"], name=op.f("fk_absence_question_match_id_match")
        ),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_absence_question")),
    )
    op.create_index(
        op.f("ix_absence_question_room_id"), "absence_question", ["room_id"], unique=False
    )
    op.add_column(
        "match", sa.Column("outages", sa.Integer(), server_default=sa.text("0"), nullable=False)
    )
    op.create_index(
        "ix_match_outages",
        "match",
        ["outages"],
        unique=False,
        postgresql_where=sa.text("status = 'RUNNING'"),
    )
    op.add_column("match_log", sa.Column("unit", sa.Integer(), nullable=True))
    op.add_column("match_log", sa.Column("awaited", sa.SmallInteger(), nullable=True))
    op.add_column("match_log", sa.Column("absent", sa.Boolean(), nullable=True))


def downgrade() -> None:
    op.drop_column("match_log", "absent")
    op.drop_column("match_log", "awaited")
    op.drop_column("match_log", "unit")
    op.drop_index(
        "ix_match_outages", table_name="match", postgresql_where=sa.text("status = 'RUNNING'")
    )
    op.drop_column("match", "outages")
    op.drop_index(op.f("ix_absence_question_room_id"), table_name="absence_question")
    op.drop_table("absence_question")
    op.drop_table("pulse")
    op.drop_table("process")
    op.drop_table("presence_revision")
    op.drop_index(op.f("ix_presence_process_id"), table_name="presence")
    op.drop_table("presence")
    op.drop_table("outage")
