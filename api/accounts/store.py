"""All SQL of accounts and sessions."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from sqlalchemy import delete, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from api.accounts.models import Account, AccountSession

PURGE_BATCH = 20

SESSION_ACCOUNT = "SELECT account_id FROM account_session WHERE id = $1 AND ends_at > $2"
SESSION_REVISIONS = """
SELECT s.id, a.revision FROM account_session s JOIN account a ON a.id = s.account_id
WHERE s.id = ANY($1) AND s.ends_at > $2
"""
PROFILES = """
SELECT id, display_name, created_at, deleted_at, revision FROM account WHERE id = ANY($1)
"""
REVISIONS = "SELECT id, revision FROM account WHERE id = ANY($1)"


class Profile(NamedTuple):
    """What others may know of an account."""

    id: UUID
    display_name: str
    created_at: datetime
    deleted_at: datetime | None
    revision: int


class Connection(Protocol):
    """What the hot reads need: a raw connection, or the database itself."""

    async def fetch(self, statement: str, *args: object) -> list[Any]: ...
    async def fetchrow(self, statement: str, *args: object) -> Any: ...


async def session_account(connection: Connection, session_id: UUID, now: datetime) -> UUID | None:
    """The account of a living session."""
    row = await connection.fetchrow(SESSION_ACCOUNT, session_id, now)
    account_id: UUID | None = row and row["account_id"]
    return account_id


async def session_revisions(
    connection: Connection, ids: Iterable[UUID], now: datetime
) -> Mapping[UUID, int]:
    """The present revision of the account of each of these sessions that lives."""
    found = await connection.fetch(SESSION_REVISIONS, list(ids), now)
    return {row["id"]: row["revision"] for row in found}


async def revisions(connection: Connection, ids: Iterable[UUID]) -> Mapping[UUID, int]:
    """The present revision of each of these accounts."""
    return {r["id"]: r["revision"] for r in await connection.fetch(REVISIONS, list(ids))}


async def profiles(connection: Connection, ids: Iterable[UUID]) -> Mapping[UUID, Profile]:
    """These accounts' profiles by id; unknown ids are missing."""
    found = await connection.fetch(PROFILES, list(ids))
    return {row["id"]: Profile(*row) for row in found}


async def accounts(session: AsyncSession, ids: Iterable[UUID]) -> Mapping[UUID, Account]:
    """These accounts by id; unknown ids are missing."""
    found = await session.exec(select(Account).where(col(Account.id).in_(list(ids))))
    return {account.id: account for account in found}


async def lock(session: AsyncSession, account_id: UUID) -> Account | None:
    """The account, locked against changes of what is counted per account; None if deleted."""
    # FOR NO KEY UPDATE: rows that refer to the account can be written meanwhile.
    account = await session.get(Account, account_id, with_for_update={"key_share": True})
    return None if account is None or account.deleted_at else account


async def lock_session(session: AsyncSession, session_id: UUID) -> AccountSession | None:
    """The session, locked until the transaction ends."""
    return await session.get(AccountSession, session_id, with_for_update=True)


async def end_session(session: AsyncSession, session_id: UUID) -> UUID | None:
    """Delete a session and count it on its account, whose id it gives; None if it has ended."""
    statement = (
        delete(AccountSession)
        .where(col(AccountSession.id) == session_id)
        .returning(col(AccountSession.account_id))
    )
    account_id: UUID | None = (await session.exec(statement)).scalar_one_or_none()
    if account_id is not None:
        await session.exec(
            update(Account)
            .where(col(Account.id) == account_id)
            .values(revision=col(Account.revision) + 1)
        )
    return account_id


async def end_sessions(session: AsyncSession, account_id: UUID) -> None:
    """Delete all sessions of an account, whose revision the caller counts."""
    await session.exec(delete(AccountSession).where(col(AccountSession.account_id) == account_id))


async def unerased(session: AsyncSession, before: datetime, limit: int) -> Sequence[UUID]:
    """Accounts deleted before a moment of which not everything is gone, the oldest first."""
    found = await session.exec(
        select(Account.id)
        .where(col(Account.deleted_at) <= before, col(Account.erased_at).is_(None))
        .order_by(col(Account.deleted_at))
        .limit(limit)
    )
    return found.all()


async def erased(session: AsyncSession, account_id: UUID, now: datetime) -> None:
    """Note that nothing is left to do for a deleted account."""
    await session.exec(update(Account).where(col(Account.id) == account_id).values(erased_at=now))


async def purge_sessions(session: AsyncSession, now: datetime) -> None:
    """Delete a few sessions that ran out; called at each sign-in, so that none pile up."""
    ended = (
        select(col(AccountSession.id))
        .where(col(AccountSession.ends_at) <= now)
        .order_by(col(AccountSession.ends_at))
        .limit(PURGE_BATCH)
        .with_for_update(skip_locked=True)
    )
    await session.exec(delete(AccountSession).where(col(AccountSession.id).in_(ended)))
