"""All SQL of history: which matches a list holds.

A list is a union of branches, each read in order from one index and cut to the page's size, so
that neither the depth of a page nor the size of the history is paid for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    DateTime,
    Integer,
    Select,
    SQLColumnExpression,
    Text,
    Uuid,
    bindparam,
    exists,
    func,
    literal,
    or_,
    select,
    text,
    union,
)
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.orm import aliased
from sqlalchemy.types import TypeEngine
from sqlmodel import col

from api.history.models import MatchListing
from api.matches import store as matches
from api.matches.live import ABANDONED, FINISHED, RUNNING
from api.matches.models import Match, MatchSeat
from api.pages import Window
from api.rooms.models import Room, RoomMember
from api.rooms.store import fixed

DIALECT = PGDialect_asyncpg()  # type: ignore[no-untyped-call]
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


async def page(
    connection: matches.Connection,
    wanted: Filter,
    account_id: UUID | None,
    window: Window,
    *,
    whole: bool,
) -> Sequence[Any]:
    """Records of the matches that an account may read, in the order of the window, with one more
    if others follow; with their states if `whole`. Without an account: the ended ones of public
    rooms.
    """
    statement, values = page_query(wanted, account_id, window, whole=whole)
    return await connection.fetch(statement, *values)


def page_query(
    wanted: Filter, account_id: UUID | None, window: Window, *, whole: bool = False
) -> tuple[str, list[Any]]:
    """The statement of a page, and its values. What differs in values only is written once."""
    values: dict[str, Any] = {
        "size": window.size,
        "reader": account_id,
        "own": account_id if wanted.player == account_id else None,
        **{name: getattr(wanted, name) for name in BOUND},
    }
    for name, position in (("after", window.after), ("before", window.before)):
        values[f"{name}_at"], values[f"{name}_id"] = position or (None, None)
    asked = frozenset(name for name, value in values.items() if value is not None)
    games = wanted.games if wanted.end_reason is not None else ()
    text_, names, constants = _written(asked, wanted.statuses, games, window.backward, whole)
    return text_, [constants[name] if name in constants else values[name] for name in names]


BOUND: Mapping[str, TypeEngine[Any]] = {
    "game": Text(),
    "player": Uuid(),
    "end_reason": Text(),
    "started_after": DateTime(timezone=True),
    "started_before": DateTime(timezone=True),
    "finished_after": DateTime(timezone=True),
    "finished_before": DateTime(timezone=True),
}
"""The parts of a filter that are values of its statement, not part of its text."""


@lru_cache(maxsize=256)
def _written(
    asked: frozenset[str],
    statuses: frozenset[str] | None,
    games: tuple[str, ...],
    backward: bool,
    whole: bool,
) -> tuple[str, tuple[str, ...], Mapping[str, Any]]:
    """The text of a page's statement, the names of its values in order, and those that are fixed.

    `asked` names the values there will be. SQLAlchemy takes longer to compose a statement than
    PostgreSQL to carry it out.
    """

    def bound(name: str, type_: TypeEngine[Any]) -> Any:
        return bindparam(name, None, type_) if name in asked else None

    def position(name: str) -> Any:
        at = bound(f"{name}_at", DateTime(timezone=True))
        return None if at is None else (at, bound(f"{name}_id", Uuid()))

    parts = {name: bound(name, type_) for name, type_ in BOUND.items()}
    wanted = Filter(statuses=statuses, games=games, **parts)
    reader = wanted.player if "own" in asked else bound("reader", Uuid())
    window = Window(bound("size", Integer()), backward, position("after"), position("before"))
    compiled = _statement(wanted, reader, window, whole=whole).compile(
        dialect=DIALECT, compile_kwargs={"render_postcompile": True}
    )
    names = tuple(compiled.positiontup or ())
    return str(compiled), names, {n: v for n, v in compiled.params.items() if v is not None}


def _statement(
    wanted: Filter, account_id: UUID | None, window: Window, *, whole: bool
) -> Select[*tuple[Any, ...]]:
    """A page, from branches that are each read in order and no further than needed."""
    cut = (_cut(each, window) for each in _branches(wanted, account_id))
    found = union(*cut).subquery("found")
    ids = window.select(select(found), found.c.started_at, found.c.match_id).subquery("page")
    match = aliased(Match, name="m")
    at, id_ = ids.c.started_at, ids.c.match_id
    return (
        select(text(matches.WHOLE if whole else matches.HEAD))
        .select_from(ids)
        .join(match, col(match.id) == id_)
        .order_by(*((at, id_) if window.backward else (at.desc(), id_.desc())))
    )


def _cut(branch: Branch, window: Window) -> Branch:
    """The part of a branch that can be on the page."""
    columns = branch.selected_columns
    return window.select(branch, columns.started_at, columns.match_id)


def _branches(wanted: Filter, account_id: UUID | None) -> list[Branch]:
    """Selects of (match_id, started_at) that together hold all that is asked for."""
    if account_id is None:
        statuses = ENDED if wanted.statuses is None else wanted.statuses & ENDED
        return _public(replace(wanted, statuses=statuses))
    watched = col(MatchListing.match_id).in_(_watched(account_id))
    if wanted.player is None:
        return [*_listed(wanted), _of_seat(wanted, account_id), _of_listing(wanted, watched)]
    if wanted.player is account_id:
        return [_of_seat(wanted, account_id)]
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
    then = span.op("@>", is_comparison=True)(moment)
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
