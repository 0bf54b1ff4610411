"""All SQL of the players' records: how often a person took a place in a game."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import delete, select
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from api.history.models import PlayerPlaces
from api.matches.store import Connection

COUNT_FINISHED = """
WITH due AS (
    SELECT match_id FROM match_listing WHERE status = 'FINISHED' AND NOT counted
    ORDER BY finished_at LIMIT $1 FOR UPDATE SKIP LOCKED
), counted AS (
    UPDATE match_listing SET counted = true WHERE match_id IN (SELECT match_id FROM due)
    RETURNING match_id, game
), people AS (
    -- A share of each account, so that none is deleted while its record is added to.
    SELECT id FROM account
    WHERE deleted_at IS NULL AND id IN (
        SELECT s.account_id FROM match_seat s JOIN counted c ON c.match_id = s.match_id
    )
    ORDER BY id FOR SHARE
), placed AS (
    SELECT s.account_id, c.game, (p.place->>'rank')::smallint AS rank, count(*) AS matches
    FROM counted c
    JOIN match m ON m.id = c.match_id
    CROSS JOIN LATERAL json_array_elements(m.result->'ranking') AS p (place)
    JOIN match_seat s ON s.match_id = c.match_id AND s.seat = (p.place->>'seat')::smallint
    JOIN people ON people.id = s.account_id
    GROUP BY 1, 2, 3
), added AS (
    INSERT INTO player_places (account_id, game, rank, matches)
    SELECT * FROM placed ORDER BY 1, 2, 3
    ON CONFLICT (account_id, game, rank)
    DO UPDATE SET matches = player_places.matches + excluded.matches
)
SELECT count(*) AS matches FROM counted
"""


@dataclass(frozen=True, slots=True)
class Place:
    """How often a person took a place in a game."""

    game: str
    rank: int
    matches: int


async def count_finished(connection: Connection, limit: int) -> int:
    """Add finished matches to their players' records, each exactly once; how many were added."""
    row = await connection.fetchrow(COUNT_FINISHED, limit)
    return int(row["matches"])


async def forget_person(session: AsyncSession, account_id: UUID) -> None:
    """Delete the records of somebody who is no more."""
    await session.exec(delete(PlayerPlaces).where(col(PlayerPlaces.account_id) == account_id))


async def places(session: AsyncSession, ids: Iterable[UUID]) -> Mapping[UUID, list[Place]]:
    """The records of these people, by game and place; who has none is missing."""
    connection = await session.connection()
    rows = await connection.execute(
        select(PlayerPlaces)
        .where(col(PlayerPlaces.account_id).in_(list(ids)))
        .order_by(col(PlayerPlaces.game), col(PlayerPlaces.rank))
    )
    found: dict[UUID, list[Place]] = {}
    for row in rows:
        found.setdefault(row.account_id, []).append(Place(row.game, row.rank, row.matches))
    return found
