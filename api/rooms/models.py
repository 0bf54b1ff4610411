"""Rooms as stored: who sits together, what they are about to play, and which match it became."""

from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import JSON, CheckConstraint, Index, SmallInteger, Text, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from api.matches.models import one_of

WAITING = "WAITING"
PLAYING = "PLAYING"
FINISHED = "FINISHED"
CLOSED = "CLOSED"
STATUSES = (WAITING, PLAYING, FINISHED, CLOSED)
PUBLIC = "PUBLIC"
PRIVATE = "PRIVATE"
VISIBILITIES = (PUBLIC, PRIVATE)
PLAYER = "PLAYER"
SPECTATOR = "SPECTATOR"
ROLES = (PLAYER, SPECTATOR)


class Room(SQLModel, table=True):
    """A room. `options` is complete, `match_id` the match now played or played last.

    `revision` counts changes of anything a member sees; `joins` counts all who ever joined. A room
    is CLOSED when its last member has left; its code is then free for others.
    """

    __tablename__ = "room"
    __table_args__ = (
        CheckConstraint(one_of("status", STATUSES), name="status"),
        CheckConstraint(one_of("visibility", VISIBILITIES), name="visibility"),
        Index("uq_room_code", "code", unique=True, postgresql_where=text("status <> 'CLOSED'")),
        Index(
            "ix_room_lobby",
            "created_at",
            "id",
            postgresql_where=text("visibility = 'PUBLIC' AND status <> 'CLOSED'"),
        ),
        Index("ix_room_playing", "match_id", postgresql_where=text("status = 'PLAYING'")),
    )

    id: UUID = Field(default_factory=uuid4, primary_key=True)
    code: str = Field(sa_type=Text)
    game: str = Field(sa_type=Text)
    options: Any = Field(sa_type=JSON)
    seats: int = Field(sa_type=SmallInteger)
    visibility: str = Field(sa_type=Text)
    allow_spectators: bool
    open_replay: bool
    verifiable: bool
    status: str = Field(default=WAITING, sa_type=Text)
    revision: int = 1
    joins: int = 0
    host_id: UUID = Field(foreign_key="account.id")
    match_id: UUID | None = None
    created_at: datetime


class RoomMember(SQLModel, table=True):
    """Who is in a room at present; `number` is the order of joining, never reused in a room."""

    __tablename__ = "room_member"
    __table_args__ = (
        CheckConstraint(one_of("role", ROLES), name="role"),
        UniqueConstraint("room_id", "number"),
        Index("ix_room_member_account", "account_id"),
    )

    room_id: UUID = Field(primary_key=True, foreign_key="room.id")
    account_id: UUID = Field(primary_key=True, foreign_key="account.id")
    role: str = Field(sa_type=Text)
    number: int
    ready: bool = False


class RoomBan(SQLModel, table=True):
    """Someone the host removed; does not come back into this room."""

    __tablename__ = "room_ban"

    room_id: UUID = Field(primary_key=True, foreign_key="room.id")
    account_id: UUID = Field(primary_key=True, foreign_key="account.id")
