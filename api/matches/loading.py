"""Matches as the database has them now, decoded anew only where their version is not at hand."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from api.matches import store
from api.matches.live import Live
from api.matches.records import decode_live
from api.services import Services


async def load(services: Services, match_id: UUID) -> Live | None:
    """The match as the database has it now, remembered for later."""
    live = await read(services, services.database, match_id)
    if live is not None:
        services.recent.put(live)
    return live


async def load_many(services: Services, ids: Collection[UUID]) -> list[Live]:
    """These matches as the database has them now, in any order; unknown ones are missing."""
    found = [decoded(services, r) for r in await store.load_many(services.database, ids)]
    for live in found:
        services.recent.put(live)
    return found


async def read(services: Services, connection: store.Connection, match_id: UUID) -> Live | None:
    """The match as `connection` sees it; decoded anew only where its version is not at hand."""
    record = await store.load(connection, match_id)
    return None if record is None else decoded(services, record)


def decoded(services: Services, record: Any) -> Live:
    """A match as a record has it, decoded anew only where its version is not at hand."""
    known = services.recent.get(record["id"])
    if known and (known.version, known.status) == (record["version"], record["status"]):
        return known
    engine = services.games[record["game"]].rules(record["rules_version"])
    return decode_live(engine, record)
