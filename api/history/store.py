"""All SQL of history: which matches a list holds, and the players' records.

A list is a union of branches, each read in order from one index and cut to the page's size, so
that neither the depth of a page nor the size of the history is paid for.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    DateTime,
    Select,
    SQLColumnExpression,
    Text,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    union,
)
from sqlalchemy.orm import aliased
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from api.history.models import MatchListing, PlayerPlaces
from api.matches import store as matches
from api.matches.live import ABANDONED, FINISHED, RUNNING
from api.matches.models import Match, MatchSeat
from api.pages import Window
from api.rooms.models import Room, RoomMember
from api.rooms.store import fixed

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


ENDED = frozenset((FINISHED, ABANDONED))
Branch = Select[UUID, datetime]
Condition = SQLColumnExpression[bool]


@dataclass(frozen=True, slots=True)
class Filter:
    """Which matches are asked for; None: whatever. Windows hold their first moment, not the last.

    `games` are those that `end_reason` may belong to.
    """

    game: str | None = None
    player: UUID | None = None
    statuses: frozenset[str] | None = None
    end_reason: str | None = None
    games: tuple[str, ...] = ()
    started_after: datetime | None = None
    started_before: datetime | None = None
    finished_after: datetime | None = None
    finished_before: datetime | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """How often a person took a place in a game."""

    game: str
    rank: int
    matches: int


async def page(
    session: AsyncSession, wanted: Filter, account_id: UUID | None, window: Window
) -> Sequence[Any]:
    """Records of the matches that an account may read, in the order of the window, with one more
    if others follow. Without an account: the ended ones of public rooms.
    """
    connection = await session.connection()
    statement = page_statement(wanted, account_id, window)
    ids = (await connection.execute(statement)).scalars().all()
    records = {r["id"]: r for r in await matches.load_many(matches.InSession(session), ids)}
    return [records[id_] for id_ in ids]


def page_statement(wanted: Filter, account_id: UUID | None, window: Window) -> Select[UUID]:
    """The ids of a page, from branches that are each read in order and no further than needed."""
    found = union(*(_cut(each, window) for each in _branches(wanted, account_id))).subquery()
    return window.select(select(found.c.match_id), found.c.started_at, found.c.match_id)


async def count_finished(connection: matches.Connection, limit: int) -> int:
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


def _cut(branch: Branch, window: Window) -> Branch:
    """The part of a branch that can be on the page."""
    columns = branch.selected_columns
    return window.select(branch, columns.started_at, columns.match_id)


def _branches(wanted: Filter, account_id: UUID | None) -> list[Branch]:
    """Selects of (match_id, started_at) that together hold all that is asked for."""
    if account_id is None:
        statuses = ENDED if wanted.statuses is None else wanted.statuses & ENDED
        return _public(replace(wanted, statuses=statuses))
    if wanted.player == account_id:
        return [_of_seat(wanted, account_id)]
    watched = col(MatchListing.match_id).in_(_watched(account_id))
    if wanted.player is None:
        return [*_listed(wanted), _of_seat(wanted, account_id), _of_listing(wanted, watched)]
    together = aliased(MatchSeat)
    both = exists().where(
        col(together.match_id) == col(MatchSeat.match_id),
        col(together.account_id) == account_id,
    )
    seen = or_(col(MatchListing.listed), both, watched)
    return [_of_seat(wanted, wanted.player).where(seen)]


def _public(wanted: Filter) -> list[Branch]:
    """What those may read who are not persons, of which nothing may be running."""
    if wanted.player is None:
        return _listed(wanted)
    return [_of_seat(wanted, wanted.player).where(col(MatchListing.listed))]


def _listed(wanted: Filter) -> list[Branch]:
    """What all may read; of a reason, game by game, as its index is in order within one."""
    if wanted.end_reason is not None and wanted.game is None:
        return [each for game in wanted.games for each in _listed(replace(wanted, game=game))]
    listed = col(MatchListing.listed)
    if wanted.finished_after is None:
        return [_of_listing(wanted, listed)]
    return _around(wanted, wanted.finished_after, listed)


def _around(wanted: Filter, moment: datetime, listed: Condition) -> list[Branch]:
    """What ended since a moment: the matches started since, and the few being played then."""
    listing = MatchListing
    start = col(listing.started_at)
    closed = literal("[]", Text(), literal_execute=True)  # as the index has it
    span = func.tstzrange(start, col(listing.finished_at), closed)
    then = span.op("@>", is_comparison=True)(literal(moment, DateTime(timezone=True)))
    few = (
        _of_listing(wanted, listed, then, start < moment)
        .cte(nesting=True)
        .prefix_with("MATERIALIZED")  # or else the planner walks back in time to sort for free
    )
    return [
        _of_listing(wanted, listed, start >= moment),
        select(few.c.match_id, few.c.started_at),
    ]


def _of_listing(wanted: Filter, *where: Condition) -> Branch:
    """Matches from the listing."""
    listing = MatchListing
    return select(col(listing.match_id), col(listing.started_at)).where(
        *where, *conditions(wanted, col(listing.game), col(listing.started_at))
    )


def _of_seat(wanted: Filter, player: UUID) -> Branch:
    """A person's matches, from the index of their seats."""
    seat = MatchSeat
    return (
        select(col(seat.match_id), col(seat.started_at))
        .join(MatchListing, col(MatchListing.match_id) == col(seat.match_id))
        .where(
            col(seat.account_id) == player,
            *conditions(wanted, col(seat.game), col(seat.started_at)),
        )
    )


def _watched(account_id: UUID) -> Select[UUID]:
    """The running matches of the rooms a person is in, where watching is allowed."""
    return (
        select(col(Match.id))
        .join(Room, col(Room.match_id) == col(Match.id))
        .join(RoomMember, col(RoomMember.room_id) == col(Room.id))
        .where(
            col(RoomMember.account_id) == account_id,
            col(Match.status) == fixed(RUNNING),
            col(Match.allow_spectators),
        )
    )


def conditions(
    wanted: Filter,
    game: SQLColumnExpression[str],
    started_at: SQLColumnExpression[datetime],
) -> list[ColumnElement[bool]]:
    """What is asked for, on the listing and on the columns that the branch is read by."""
    listing, found = MatchListing, list[ColumnElement[bool]]()
    if wanted.game is not None:
        found.append(game == wanted.game)
    if wanted.statuses is not None:
        found.append(col(listing.status).in_([fixed(each) for each in sorted(wanted.statuses)]))
    if wanted.end_reason is not None:
        found.append(col(listing.end_reason) == wanted.end_reason)
    if wanted.started_after is not None:
        found.append(started_at >= wanted.started_after)
    if wanted.started_before is not None:
        found.append(started_at < wanted.started_before)
    if wanted.finished_after is not None:
        found.append(col(listing.finished_at) >= wanted.finished_after)
    if wanted.finished_before is not None:
        found.append(col(listing.finished_at) < wanted.finished_before)
        found.append(started_at < wanted.finished_before)  # as it must; this one bounds the index
    return found
