"""Matches in GraphQL: the match, its seats and deadline, its events, and what subscribers get."""

from collections.abc import Sequence
from datetime import datetime
from enum import Enum
from typing import Any, cast
from uuid import UUID

import strawberry
from strawberry.dataloader import DataLoader

from api.accounts.types import Player, player_of, shown
from api.context import Info
from api.games.types import ChosenOption, Game, chosen_options, game_of
from api.history.log import told
from api.history.played import AfterVersion, FirstVersions, PlayedMatch
from api.matches.feed import BATCH, Seen, Update, read_rows
from api.matches.live import Facts, Live, to_datetime
from api.matches.loading import load_many
from api.matches.service import watchable
from api.matches.views import MatchEvent, MatchResult, MatchView
from api.presence.types import connected_in
from api.projection import READS, kept_by
from api.relay import Node, global_id, read_id
from api.sharing import Alike
from engines.protocol import Deadline, Viewer

OF_STATE = frozenset({"view", "viewAt", "deadline"})
"""The fields of `Match` that need its state; lists read it for them alone."""


@strawberry.enum(description="Whether a match is still being played.")
class MatchStatus(Enum):
    RUNNING = strawberry.enum_value("RUNNING", description="It is being played.")
    FINISHED = strawberry.enum_value("FINISHED", description="It has ended with a result.")
    ABANDONED = strawberry.enum_value(
        "ABANDONED", description="It was closed without a result because nobody was left."
    )


@strawberry.type(description="A seat of a match and who holds it. Seats are numbered from 0.")
class MatchSeat:
    account_id: strawberry.Private[UUID]
    room_id: strawberry.Private[UUID]
    at_hand: "strawberry.Private[tuple[bool, Player | None] | None]"
    """Whether they are connected, and who they are, where it is known already."""

    index: int = strawberry.field(description="The seat's number, as views and events use it.")

    @strawberry.field(
        description="Whether a device of theirs follows the match or its room right now.",
        metadata=READS,
    )
    def connected(self, info: Info) -> bool:
        if self.at_hand is not None:
            return self.at_hand[0]
        return cast(bool, self._connected(info))

    @strawberry.field(description="Who holds the seat.", metadata=READS)
    def player(self, info: Info) -> Player | None:
        if self.at_hand is not None:
            return self.at_hand[1]
        return cast(Player | None, player_of(info, self.account_id))

    async def _connected(self, info: Info) -> bool:
        return self.account_id in await connected_in(info, self.room_id)


@strawberry.type(
    description="What the match is waiting for. At `at` the game acts by itself, and nothing else "
    "is accepted from then on."
)
class MatchDeadline:
    started_at: datetime = strawberry.field(description="Since when, in game time.")
    at: datetime | None = strawberry.field(
        description="Until when, in game time; null if there is no limit."
    )
    seat: int | None = strawberry.field(
        description="The seat waited for; null if it is nobody's turn, as between two games."
    )


@strawberry.type(description="A page of a match's events, in the order they happened.")
class MatchEvents:
    nodes: list[MatchEvent] = strawberry.field(
        description="The events that the one who asks may see, oldest first."
    )
    version: int = strawberry.field(
        description="The version up to which this page goes: `after` for the next one."
    )
    has_next_page: bool = strawberry.field(description="Whether there are newer versions.")


@strawberry.type(
    description="One match: a game played once, from the deal to its result. Readable by its "
    "players; by others as the room's flags say."
)
class Match(PlayedMatch, Node):
    @classmethod
    def of(cls, info: Info, live: Live) -> "Match":
        """A match that the one who asks may read."""
        viewer = live.facts.seat_of(info.context.account_id)
        return cls(id=global_id("Match", live.facts.id), live=live, viewer=viewer)

    @classmethod
    async def resolve_nodes(cls, info: Info, keys: Sequence[str]) -> "Sequence[Match | None]":
        ids = cls.read_keys(keys)
        found = iter(await matches(info).load_many([id_ for id_ in ids if id_]))
        return [next(found) if id_ else None for id_ in ids]

    @strawberry.field(description="The game that is played.")
    def game(self, info: Info) -> Game:
        found = game_of(info, self.live.facts.game)
        assert found is not None
        return found

    @strawberry.field(description="The options it is played by, in the order of `Game.options`.")
    def options(self) -> list[ChosenOption]:
        return chosen_options(self.live.engine, self.live.facts.options)

    @strawberry.field(description="Whether it is still being played.")
    def status(self) -> MatchStatus:
        return MatchStatus(self.live.status)

    @strawberry.field(description="Version of the rules it is played by.")
    def rules_version(self) -> int:
        return self.live.facts.rules_version

    @strawberry.field(description="When it was dealt, in game time.")
    def started_at(self) -> datetime:
        return self.live.facts.started_at

    @strawberry.field(description="When it ended, in game time; null while it runs.")
    def finished_at(self) -> datetime | None:
        return self.live.finished_at

    @strawberry.field(
        description="Number of accepted actions so far, the deal included. Send it as "
        "`expectedVersion`, and as `after` when you resume `matchUpdates`."
    )
    def version(self) -> int:
        return self.live.version

    @strawberry.field(description="All seats and who holds them, by number.")
    def seats(self) -> list[MatchSeat]:
        return seats_of(self.live.facts)

    @strawberry.field(description="The seat of the one who asks; null for those who only watch.")
    def your_seat(self) -> int | None:
        return self.viewer

    @strawberry.field(description="What it is waiting for; null once it has ended.")
    def deadline(self) -> MatchDeadline | None:
        return deadline_of(self.live.deadline)

    @strawberry.field(description="All that the one who asks may know of the match now.")
    def view(self, info: Info) -> MatchView:
        return view_of(info, self.live, self.viewer)

    @strawberry.field(
        description="What happened after a version, as the one who asks may see it. Versions "
        "whose events are all hidden are left out. Once the match has ended nothing is hidden from "
        "anybody if the room was made with `openReplay` or `verifiable`."
    )
    async def events(
        self,
        info: Info,
        after: AfterVersion = 0,
        first: FirstVersions = BATCH,
    ) -> MatchEvents:
        live = self.live
        limit = max(1, min(first, BATCH))
        start = max(0, min(after, live.version))
        rows = await read_rows(info.context.services, live, start, limit)
        reached = rows[-1].version if rows else start
        return MatchEvents(
            nodes=events_of(info, live, told(live, rows, self.viewer)),
            version=reached,
            has_next_page=reached < live.version,
        )

    @strawberry.field(description="How it ended; null while it runs and if it was abandoned.")
    def result(self, info: Info) -> MatchResult | None:
        live = self.live
        if live.result is None:
            return None
        binding = info.context.services.games[live.facts.game]
        return binding.result(live.result, live.facts)

    @strawberry.field(
        description="SHA-256 of the match's 32-byte seed in hexadecimal, published at the start: "
        "all chance in the match follows from the seed that it commits to."
    )
    def seed_commitment(self) -> str:
        return self.live.facts.seed_commitment.hex()


@strawberry.type(
    description="What happened in a match after `fromVersion` up to `version`. If `fromVersion` "
    "is not the version you saw last, you missed something: subscribe again with `after`."
)
class MatchUpdate:
    update: strawberry.Private[Update]
    alike: strawberry.Private[Alike | None] = None
    """Shared by all who are told the same, see `api.sharing`."""

    def __post_init__(self) -> None:
        # Spectators share what they are told, seats do not.
        self.alike = Alike() if self.update.viewer is None else None

    @strawberry.field(
        description="The version that the update before this one led to.", metadata=READS
    )
    def from_version(self) -> int:
        return self.update.from_version

    @strawberry.field(description="The version that this update leads to.", metadata=READS)
    def version(self) -> int:
        return self.update.version

    @strawberry.field(description="When the update was made, in game time.", metadata=READS)
    def at(self) -> datetime:
        return self.update.at

    @property
    def of_sight(self) -> dict[Any, Any]:
        """Where the answers stay that are the same as long as the events are."""
        return self.update.sight.answers

    @property
    def of_sitting(self) -> dict[Any, Any]:
        """As long as the same people sit there."""
        return self.update.sitting.answers

    @property
    def of_completion(self) -> dict[Any, Any]:
        """As long as nothing is played; of an early part of a long catch-up, no longer."""
        return self.update.newest.answers if self.update.complete else {}

    @strawberry.field(
        description="What happened, as the one who asks may see it.", metadata=kept_by("of_sight")
    )
    def events(self, info: Info) -> list[MatchEvent]:
        return events_of(info, self.update.newest, self.update.sight.seen)

    @strawberry.field(
        description="The view as of `version`; null in the earlier parts of a long catch-up.",
        metadata=READS,
    )
    def view(self, info: Info) -> MatchView | None:
        update = self.update
        if not update.complete:
            return None
        live = update.newest
        return info.context.services.games[live.facts.game].view(live, update.viewer, update.at)

    @strawberry.field(
        description="What the match is waiting for; null once it has ended, and in the earlier "
        "parts of a long catch-up.",
        metadata=kept_by("of_completion"),
    )
    def deadline(self) -> MatchDeadline | None:
        update = self.update
        return deadline_of(update.newest.deadline) if update.complete else None

    @strawberry.field(
        description="All seats and who holds them, by number.", metadata=kept_by("of_sitting")
    )
    def seats(self, info: Info) -> list[MatchSeat]:
        sitting, language = self.update.sitting, info.context.locale
        if language not in sitting.shown:
            sitting.shown[language] = [
                MatchSeat(
                    index=seat.index,
                    account_id=seat.account_id,
                    room_id=seat.room_id,
                    at_hand=(
                        seat.account_id in sitting.connected,
                        shown(info, sitting.profiles.get(seat.account_id)),
                    ),
                )
                for seat in seats_of(self.update.newest.facts)
            ]
        seats: list[MatchSeat] = sitting.shown[language]
        return seats

    @strawberry.field(description="Whether the match is still being played.", metadata=READS)
    def status(self) -> MatchStatus:
        return MatchStatus(self.update.newest.status)


def matches(info: Info) -> DataLoader[UUID, Match | None]:
    """Loads the matches asked for in one tick together; remembers none, so a socket may keep it."""

    async def load(ids: list[UUID]) -> list[Match | None]:
        services, account = info.context.services, info.context.account_id
        found = await load_many(services, set(ids))
        if info.context.reads_public_history:
            found = [live for live in found if live.facts.public and not live.running]
        else:
            found = await watchable(services, found, account)
        by_id = {live.facts.id: live for live in found}
        return [Match.of(info, by_id[id_]) if id_ in by_id else None for id_ in ids]

    loader: DataLoader[UUID, Match | None] = info.context.loaders.setdefault(
        "matches", DataLoader(load_fn=load, cache=False)
    )
    return loader


async def match_of(info: Info, match_id: UUID) -> Match | None:
    """A match by id for the one who asks; None if unknown, or not theirs to see."""
    return await matches(info).load(match_id)


def match_id_of(value: str) -> UUID | None:
    """The id of a match behind its global id; None for anything else."""
    return read_id("Match", value)


def now(info: Info) -> datetime:
    """The game clock."""
    return to_datetime(info.context.services.database.game_now())


def view_of(info: Info, live: Live, viewer: Viewer) -> MatchView:
    """The view of a match for a viewer, as its game's type."""
    return info.context.services.games[live.facts.game].view(live, viewer, now(info))


def events_of(info: Info, live: Live, seen: Sequence[Seen]) -> list[Any]:
    """Redacted events, as their game's types."""
    binding = info.context.services.games[live.facts.game]
    for each in seen:
        if each.presented is None:
            each.presented = binding.event(each, live.facts)
    return [each.presented for each in seen]


def seats_of(facts: Facts) -> list[MatchSeat]:
    """The seats of a match by number."""
    return [
        MatchSeat(index=i, account_id=account, room_id=facts.room_id, at_hand=None)
        for i, account in enumerate(facts.accounts)
    ]


def deadline_of(deadline: Deadline | None) -> MatchDeadline | None:
    """A deadline with its times as dates."""
    if deadline is None:
        return None
    until = deadline.until
    return MatchDeadline(
        started_at=to_datetime(deadline.since),
        at=None if until is None else to_datetime(until),
        seat=deadline.seat,
    )
