"""All SQL of API keys."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import func, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from api.db import Database
from api.keys.models import ApiKey

USE_NOTED_EVERY = timedelta(minutes=1)

LIVING = """
SELECT id, scopes, last_used_at FROM api_key
WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
"""

NOTE_USE = """
UPDATE api_key SET last_used_at = $2
WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)
"""


async def living(database: Database, hash_: bytes, now: datetime) -> Any:
    """Id, scopes and last use of the key with this hash, unless it is revoked or has expired."""
    return await database.fetchrow(LIVING, hash_, now)


async def note_use(database: Database, record: Any, now: datetime) -> None:
    """Note that a key is used, at most once in a while."""
    last, long_ago = record["last_used_at"], now - USE_NOTED_EVERY
    if last is None or last <= long_ago:
        await database.execute(NOTE_USE, record["id"], now, long_ago)


async def all_keys(session: AsyncSession) -> Sequence[ApiKey]:
    """Every key, the oldest first."""
    order = (col(ApiKey.created_at), col(ApiKey.id))
    return (await session.exec(select(ApiKey).order_by(*order))).all()


async def revoke(session: AsyncSession, id_: UUID, now: datetime) -> bool:
    """End a key; False if there is none. One that has been revoked keeps its date."""
    statement = (
        update(ApiKey)
        .where(col(ApiKey.id) == id_)
        .values(revoked_at=func.coalesce(col(ApiKey.revoked_at), now))
    )
    return bool((await session.exec(statement)).rowcount)
