"""When the service was there for nobody: the pulse of the cluster, and its gaps."""

from datetime import datetime

from sqlalchemy import CheckConstraint, SmallInteger
from sqlmodel import Field, SQLModel


class Pulse(SQLModel, table=True):
    """One row: when any process last said that the service is up."""

    __tablename__ = "pulse"
    __table_args__ = (CheckConstraint("id = 1", name="one_row"),)

    id: int = Field(
        default=1,
        primary_key=True,
        sa_type=SmallInteger,
        sa_column_kwargs={"autoincrement": False},
    )
    seen_at: datetime


class Outage(SQLModel, table=True):
    """A gap in the pulse, numbered from 1. Running matches make up for each exactly once."""

    __tablename__ = "outage"

    number: int | None = Field(default=None, primary_key=True)
    began_at: datetime
    ended_at: datetime
