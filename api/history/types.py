"""Lists of matches and players' records as clients see them."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

import strawberry
from strawberry.dataloader import DataLoader

from api.context import Info
from api.games.types import Game, game_of
from api.history import service
from api.history.store import Filter
from api.lookahead import asks_for
from api.matches.live import Live
from api.matches.types import OF_STATE, Match, MatchStatus
from api.pages import Connection, Window, bad_input
from api.relay import read_id
from api.statistics.service import Record
from api.statistics.service import records as records_of

MatchConnection = Connection[Match]


@strawberry.input(
    description="Input. Which matches to give; all if empty. `game`, `player`, `endReason`, the "
    "times, RUNNING and ABANDONED are looked up in an index; whatever comes on top of them is "
    "picked from what these find. Windows of time hold their first moment and not their last, so "
    "that they join without a gap."
)
class MatchFilter:
    game: strawberry.ID | None = strawberry.field(
        default=None, description="Only matches of this game, by its id."
    )
    player: strawberry.ID | None = strawberry.field(
        default=None, description="Only matches in which this player has or had a seat."
    )
    status: list[MatchStatus] | None = strawberry.field(
        default=None, description="Only matches in one of these states."
    )
    end_reason: str | None = strawberry.field(
        default=None, description="Only matches that ended so: a `MatchResult.reasonCode`."
    )
    started_after: datetime | None = strawberry.field(
        default=None, description="Only matches started then or later."
    )
    started_before: datetime | None = strawberry.field(
        default=None, description="Only matches started earlier than that."
    )
    finished_after: datetime | None = strawberry.field(
        default=None, description="Only matches that ended then or later."
    )
    finished_before: datetime | None = strawberry.field(
        default=None, description="Only matches that ended earlier than that."
    )


@strawberry.type(description="How often a player took a place in the finished matches of a game.")
class PlaceCount:
    rank: int = strawberry.field(description="The place, 1 is best; equal places share a rank.")
    count: int = strawberry.field(description="In how many matches.")


@strawberry.type(
    description="A player's finished matches of one game. Matches without a result do not count."
)
class PlayerStatistics:
    record: strawberry.Private[Record]

    @strawberry.field(description="The game; null if it is not played here any more.")
    def game(self, info: Info) -> Game | None:
        return game_of(info, self.record.game)

    @strawberry.field(description="Finished matches.")
    def played(self) -> int:
        return self.record.played

    @strawberry.field(description="Matches won; a shared first place is a win.")
    def won(self) -> int:
        return self.record.won

    @strawberry.field(description="The places taken, best first; those never taken are left out.")
    def places(self) -> list[PlaceCount]:
        return [PlaceCount(rank=each.rank, count=each.matches) for each in self.record.places]


async def matches_page(
    info: Info, given: MatchFilter | None, wanted: Window, player: UUID | None = None
) -> MatchConnection:
    """A page of the matches that pass a filter, and that the one who asks may read."""
    account = info.context.require_reader()
    games = info.context.services.games
    filter_ = read_filter(games, given or MatchFilter(), player)
    whole = asks_for(info, OF_STATE)
    found = await service.page(info.context.services, filter_, account, wanted, whole=whole)
    return wanted.connection(found, _position, lambda kept: (Match.of(info, each) for each in kept))


def statistics(info: Info) -> DataLoader[UUID, Sequence[PlayerStatistics]]:
    """Loads the records asked for in one tick together."""

    async def load(ids: list[UUID]) -> list[Sequence[PlayerStatistics]]:
        found = await records_of(info.context.services, set(ids))
        return [[PlayerStatistics(record=each) for each in found.get(id_, ())] for id_ in ids]

    loader: DataLoader[UUID, Sequence[PlayerStatistics]] = info.context.loaders.setdefault(
        "statistics", DataLoader(load_fn=load, cache=False)
    )
    return loader


def _position(live: Live) -> tuple[datetime, UUID]:
    return live.facts.started_at, live.facts.id


def read_filter(
    games: Collection[str], given: MatchFilter, player: UUID | None = None
) -> Filter | None:
    """The filter that a client asks for; None if nothing can pass it. Raises BAD_USER_INPUT."""
    if given.game is not None and given.game not in games:
        return None
    if given.player is not None:
        asked = read_id("Player", given.player)
        if asked is None or player not in (None, asked):
            return None
        player = asked
    return Filter(
        game=given.game,
        player=player,
        statuses=None if given.status is None else frozenset(s.name for s in given.status),
        end_reason=given.end_reason,
        games=tuple(games),
        **{
            name: _with_zone(name, getattr(given, name))
            for name in ("started_after", "started_before", "finished_after", "finished_before")
        },
    )


def _with_zone(name: str, at: datetime | None) -> datetime | None:
    if at is not None and at.tzinfo is None:
        first, second = name.split("_")
        public = first + second.capitalize()
        raise bad_input(
            f"`{public}`에는 시간대가 있어야 해요.", f"`{public}` needs a time zone, such as Z."
        )
    return at
