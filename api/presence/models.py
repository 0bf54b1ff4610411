"""Who is connected to which room, over all processes. Times here are real, never game time."""

from datetime import datetime
from uuid import UUID

from sqlmodel import Field, SQLModel


class Process(SQLModel, table=True):
    """A server process that is alive, as long as it says so."""

    __tablename__ = "process"

    id: UUID = Field(primary_key=True)
    seen_at: datetime


class Presence(SQLModel, table=True):
    """What one process knows of one person in one room.

    `changed_at` is when the last of the person's connections there came or went, None if there
    never was one; `requested_at` is when the person last asked for something without one.
    """

    __tablename__ = "presence"

    room_id: UUID = Field(primary_key=True)
    account_id: UUID = Field(primary_key=True)
    process_id: UUID = Field(primary_key=True, index=True)
    connected: bool
    changed_at: datetime | None = None
    requested_at: datetime | None = None


class PresenceRevision(SQLModel, table=True):
    """Counts the changes of presence in a room, so that a lost wake-up is noticed."""

    __tablename__ = "presence_revision"

    room_id: UUID = Field(primary_key=True)
    revision: int
