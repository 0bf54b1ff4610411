"""Accounts as stored, and their sessions. No token is stored in any form: see `tokens`."""

from datetime import datetime
from uuid import UUID, uuid4

from sqlalchemy import Index, Text, text
from sqlmodel import Field, SQLModel


class Account(SQLModel, table=True):
    """A person. `revision` counts the changes that others or the person's sockets must notice.

    A deleted account stays as a row without a name, for the matches it had seats in; it is erased
    once everything else of it is gone, too.
    """

    __tablename__ = "account"
    __table_args__ = (
        Index(
            "ix_account_unerased",
            "deleted_at",
            postgresql_where=text("deleted_at IS NOT NULL AND erased_at IS NULL"),
        ),
    )

    id: UUID = Field(default_factory=uuid4, primary_key=True)
    display_name: str = Field(sa_type=Text)
    revision: int = 1
    created_at: datetime
    deleted_at: datetime | None = None
    erased_at: datetime | None = None


class AccountSession(SQLModel, table=True):
    """One sign-in. `generation` counts its token pairs, `renewed_at` dates the newest of them.

    A session that has been ended is deleted; one nobody renews ends at `ends_at`.
    """

    __tablename__ = "account_session"
    __table_args__ = (
        Index("ix_account_session_account", "account_id"),
        Index("ix_account_session_end", "ends_at"),
    )

    id: UUID = Field(default_factory=uuid4, primary_key=True)
    account_id: UUID = Field(foreign_key="account.id")
    generation: int = 0
    renewed_at: datetime
    ends_at: datetime
