"""What the host is asked about seats that have been absent for long."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import SmallInteger
from sqlmodel import Field, SQLModel


class AbsenceQuestion(SQLModel, table=True):
    """Whether to remove an absent seat, asked once for each stretch of absence.

    `asked_version` is the match's when it was asked: an action of the seat's own behind it makes
    the question moot. `continued_unit` is the last unit of play that the host has forgiven.
    """

    __tablename__ = "absence_question"

    match_id: UUID = Field(primary_key=True, foreign_key="match.id")
    seat: int = Field(primary_key=True, sa_type=SmallInteger)
    room_id: UUID = Field(index=True)
    open: bool
    asked_at: datetime
    asked_version: int
    asked_unit: int
    continued_unit: int | None = None
