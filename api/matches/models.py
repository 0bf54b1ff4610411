"""Matches as stored: the row that moves, its seats, and the log that is the truth."""

from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import JSON, CheckConstraint, Index, LargeBinary, SmallInteger, Text, text
from sqlmodel import Field, SQLModel

STATUSES = ("RUNNING", "FINISHED", "ABANDONED")
ACTORS = ("SEAT", "TIMER", "HOST", "SYSTEM")


def one_of(column: str, values: tuple[str, ...]) -> str:
    """A CHECK that `column` is one of `values`; text and a check age better than a native enum."""
    return f"{column} IN ({', '.join(repr(v) for v in values)})"


class Match(SQLModel, table=True):
    """One match. `state` is a cache of the log; `version` counts the log's rows.

    `outages` is the number of the last outage that its deadline makes up for.
    """

    __tablename__ = "match"
    __table_args__ = (
        CheckConstraint(one_of("status", STATUSES), name="status"),
        Index("ix_match_due", "deadline_at", postgresql_where=text("status = 'RUNNING'")),
        Index("ix_match_outages", "outages", postgresql_where=text("status = 'RUNNING'")),
    )

    id: UUID = Field(default_factory=uuid4, primary_key=True)
    room_id: UUID
    game: str = Field(sa_type=Text)
    rules_version: int
    options: Any = Field(sa_type=JSON)
    seats: int = Field(sa_type=SmallInteger)
    seed: bytes = Field(sa_type=LargeBinary)
    seed_commitment: bytes = Field(sa_type=LargeBinary)
    public: bool
    allow_spectators: bool
    open_replay: bool
    verifiable: bool
    status: str = Field(default="RUNNING", sa_type=Text)
    version: int
    state: Any = Field(sa_type=JSON)
    deadline_at: datetime | None
    outages: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    started_at: datetime
    finished_at: datetime | None = None
    result: Any | None = Field(default=None, sa_type=JSON)


class MatchSeat(SQLModel, table=True):
    """Who sits where in a match; it outlives the room's membership.

    `game` and `started_at` are the match's, repeated so that a person's matches are read in order.
    """

    __tablename__ = "match_seat"
    __table_args__ = (
        Index("ix_match_seat_account", "account_id", "started_at", "match_id"),
        Index("ix_match_seat_account_game", "account_id", "game", "started_at", "match_id"),
    )

    match_id: UUID = Field(primary_key=True, foreign_key="match.id")
    seat: int = Field(primary_key=True, sa_type=SmallInteger)
    account_id: UUID = Field(foreign_key="account.id")
    game: str = Field(sa_type=Text)
    started_at: datetime


class MatchLog(SQLModel, table=True):
    """One accepted action and the events it caused. Row 1 is the setup; rows never change.

    `awaited` is the seat that was waited for when it came and `unit` the stretch of play it came
    in, as the game counts absence; `absent` says of a time-out whether that seat was disconnected.
    """

    __tablename__ = "match_log"
    __table_args__ = (
        CheckConstraint(one_of("actor", ACTORS), name="actor"),
        Index(
            "uq_match_log_key",
            "match_id",
            "seat",
            "idempotency_key",
            unique=True,
            postgresql_where=text("idempotency_key IS NOT NULL"),
        ),
    )

    match_id: UUID = Field(primary_key=True, foreign_key="match.id")
    version: int = Field(primary_key=True)
    actor: str = Field(sa_type=Text)
    seat: int | None = Field(default=None, sa_type=SmallInteger)
    idempotency_key: str | None = Field(default=None, sa_type=Text)
    action: Any | None = Field(default=None, sa_type=JSON)
    events: Any = Field(sa_type=JSON)
    at: datetime
    unit: int | None = None
    awaited: int | None = Field(default=None, sa_type=SmallInteger)
    absent: bool | None = None
