"""The anchor from which scaled game time is counted."""

from sqlalchemy import BigInteger, CheckConstraint, SmallInteger
from sqlmodel import Field, SQLModel


class GameClock(SQLModel, table=True):
    """One row at most: the moment, in ms since 1970, at which game time and real time agree."""

    __tablename__ = "game_clock"
    __table_args__ = (CheckConstraint("id = 1", name="one_row"),)

    id: int = Field(
        default=1,
        primary_key=True,
        sa_type=SmallInteger,
        sa_column_kwargs={"autoincrement": False},
    )
    anchor_ms: int = Field(sa_type=BigInteger)
