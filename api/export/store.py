"""All SQL of the export: ended matches in the order of their numbers."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import and_, exists, select, text, true
from sqlalchemy.orm import aliased
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from api.history.models import MatchListing
from api.history.store import Filter, conditions
from api.matches.models import MatchSeat

LOCK = 0x6578706F7274  # "export"

ANY_ENDED = text("""
SELECT EXISTS (SELECT 1 FROM match_listing WHERE number IS NULL AND status <> 'RUNNING')
""")

TAKE_TURN = text("SELECT pg_advisory_xact_lock(:lock)").bindparams(lock=LOCK)

NUMBER = text("""
UPDATE match_listing l SET number = due.number
FROM (
    SELECT match_id, (SELECT coalesce(max(number), 0) FROM match_listing)
           + row_number() OVER (ORDER BY finished_at, match_id) AS number
    FROM (
        SELECT match_id, finished_at FROM match_listing
        WHERE number IS NULL AND status <> 'RUNNING'
        ORDER BY finished_at, match_id LIMIT :limit FOR UPDATE SKIP LOCKED
    ) AS ended
) AS due
WHERE l.match_id = due.match_id
""")


async def number_ended(session: AsyncSession, limit: int) -> int:
    """Give ended matches the next numbers, the first ended first; how many were given.

    One transaction at a time does so, and none waits for anything else meanwhile: whoever sees a
    number sees all smaller ones.
    """
    connection = await session.connection()
    if not (await connection.execute(ANY_ENDED)).scalar_one():
        return 0
    await connection.execute(TAKE_TURN)
    return (await connection.execute(NUMBER, {"limit": limit})).rowcount


async def scan(session: AsyncSession, wanted: Filter, after: int, limit: int) -> Sequence[Any]:
    """The next `limit` matches of all: number, match_id, and whether each is asked for, which is
    so of none but those that all may read.
    """
    listing = MatchListing
    asked = and_(
        col(listing.listed), *conditions(wanted, col(listing.game), col(listing.started_at))
    )
    statement = (
        select(col(listing.number), col(listing.match_id), asked.label("asked"))
        .where(col(listing.number) > after)
        .order_by(col(listing.number))
        .limit(limit)
    )
    connection = await session.connection()
    return (await connection.execute(statement)).all()


async def of_player(
    session: AsyncSession, wanted: Filter, player: UUID, reader: UUID | None, after: int, limit: int
) -> Sequence[Any]:
    """The next `limit` matches asked for in which `player` had a seat: number and match_id.

    Those in which `reader` had one as well; without a reader, those that all may read.
    """
    listing, seat = MatchListing, MatchSeat
    allowed = col(listing.listed) if reader is None else _seated(reader, player)
    statement = (
        select(col(listing.number), col(listing.match_id))
        .join(seat, col(seat.match_id) == col(listing.match_id))
        .where(
            col(seat.account_id) == player,
            col(listing.number) > after,
            allowed,
            *conditions(wanted, col(seat.game), col(seat.started_at)),
        )
        .order_by(col(listing.number))
        .limit(limit)
    )
    connection = await session.connection()
    return (await connection.execute(statement)).all()


def _seated(reader: UUID, player: UUID) -> Any:
    """That somebody had a seat in the match of `MatchSeat`, too."""
    if reader == player:
        return true()
    own = aliased(MatchSeat)
    return exists().where(
        col(own.match_id) == col(MatchSeat.match_id), col(own.account_id) == reader
    )
