"""Making, judging and ending API keys."""

import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from api import opaque
from api.db import Database
from api.errors import RequestFault, unauthenticated
from api.keys import store
from api.keys.models import ApiKey
from api.keys.scopes import PREFIX, Key, Scope
from api.matches.live import to_datetime
from engines.texts import Text

KEY_BYTES = 32


async def create(
    database: Database, name: str, scopes: Iterable[Scope], life: timedelta | None
) -> tuple[ApiKey, str]:
    """A new key and its text, which nobody can tell again."""
    text = PREFIX + opaque.encode(secrets.token_bytes(KEY_BYTES))
    now = to_datetime(database.now())
    key = ApiKey(
        name=name,
        scopes=sorted(set(scopes)),
        hash=_hash(text),
        created_at=now,
        expires_at=None if life is None else now + life,
    )
    async with database.transaction() as session:
        session.add(key)
    return key, text


async def authenticate(database: Database, text: str) -> Key | RequestFault:
    """The living key behind a text, or the fault to answer; its use is noted."""
    now = to_datetime(database.now())
    record = await store.living(database, _hash(text), now)
    if record is None:
        return unauthenticated(Text("API 키가 올바르지 않아요.", "This API key is not valid."))
    await store.note_use(database, record, now)
    return Key(record["id"], frozenset(scope for scope in Scope if scope in record["scopes"]))


async def all_keys(database: Database) -> Sequence[ApiKey]:
    """Every key ever made, the oldest first."""
    async with database.reading() as session:
        return await store.all_keys(session)


async def revoke(database: Database, id_: UUID) -> bool:
    """End a key from the next request on; False if there is none. Safe to repeat."""
    async with database.transaction() as session:
        return await store.revoke(session, id_, to_datetime(database.now()))


def state_of(key: ApiKey, now: datetime) -> str:
    """Whether a key is `active`, `expired` or `revoked`."""
    if key.revoked_at is not None:
        return "revoked"
    return "expired" if key.expires_at is not None and key.expires_at <= now else "active"


def _hash(text: str) -> bytes:
    """What is stored of a key. It is 32 bytes of chance, so no guess of it could be checked."""
    return sha256(text.encode(errors="surrogatepass")).digest()
