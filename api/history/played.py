"""What a match keeps of its past: the log, the views at earlier versions, and the seed."""

from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Annotated, ClassVar
from uuid import UUID

import strawberry
from strawberry.dataloader import DataLoader

from api.context import Info
from api.errors import forbidden
from api.history import replays
from api.history.log import may_open, redacted
from api.matches import models, store
from api.matches.feed import BATCH, read_rows
from api.matches.live import Live, to_datetime
from api.matches.views import MatchAction, MatchView
from api.pages import bad_input
from engines.protocol import Viewer
from engines.texts import Text

if TYPE_CHECKING:
    from api.rooms.types import Room

REPLAY_WEIGHT = 500
"""What a look into the past costs, in values of an answer: the log must be folded for it."""

AfterVersion = Annotated[
    int, strawberry.argument(description="Version to begin behind; 0 is the beginning.")
]
FirstVersions = Annotated[
    int, strawberry.argument(description=f"At most so many versions, 1 to {BATCH}.")
]

SEAT, TIMER, HOST, SYSTEM = models.ACTORS


@strawberry.enum(description="Who brought a version of a match about.")
class MatchActor(Enum):
    SEAT = strawberry.enum_value(SEAT, description="The player of a seat.")
    TIMER = strawberry.enum_value(TIMER, description="Nobody: the time had run out.")
    HOST = strawberry.enum_value(HOST, description="The host of the room.")
    SYSTEM = strawberry.enum_value(
        SYSTEM, description="The server: the deal, leaving, absence, repairs."
    )


@strawberry.type(description="One version of a match: an accepted action, or the deal.")
class MatchLogEntry:
    version: int = strawberry.field(description="The version that it led to; 1 is the deal.")
    actor: MatchActor = strawberry.field(description="Who brought it about.")
    seat: int | None = strawberry.field(
        description="The seat that acted or was acted upon; null for the deal, a time-out, and "
        "a host who does not play."
    )
    at: datetime = strawberry.field(description="When it was accepted, in game time.")
    action: MatchAction | None = strawberry.field(
        description="What was done, as the one who asks may see it. Null for the deal, and for "
        "what only its seat may know, such as changes of a draft; once the match has ended it is "
        "complete for all if the room was made with `openReplay` or `verifiable`."
    )


@strawberry.type(description="A page of a match's log, in the order it was written.")
class MatchLog:
    is_page: ClassVar[bool] = True
    nodes: list[MatchLogEntry] = strawberry.field(description="The versions, oldest first.")
    version: int = strawberry.field(
        description="The version up to which this page goes: `after` for the next one."
    )
    has_next_page: bool = strawberry.field(description="Whether there are newer versions.")


@strawberry.type
class PlayedMatch:
    live: strawberry.Private[Live]
    viewer: strawberry.Private[Viewer]

    @strawberry.field(
        description="The room it is played in; null for those who may not see that room now."
    )
    async def room(
        self, info: Info
    ) -> Annotated["Room", strawberry.lazy("api.rooms.types")] | None:
        from api.rooms.types import room_of  # rooms know matches; this is the one way back

        return await room_of(info, self.live.facts.room_id)

    @strawberry.field(
        description="All that was done, version by version, as the one who asks may see it."
    )
    async def log(
        self,
        info: Info,
        after: AfterVersion = 0,
        first: FirstVersions = BATCH,
    ) -> MatchLog:
        live = self.live
        binding = info.context.services.games[live.facts.game]
        start = max(0, min(after, live.version))
        limit = max(1, min(first, BATCH))
        rows = await read_rows(info.context.services, live, start, limit)
        nodes = []
        for row in rows:
            action = redacted(live, row, self.viewer)
            nodes.append(
                MatchLogEntry(
                    version=row.version,
                    actor=MatchActor(row.actor),
                    seat=row.seat,
                    at=row.at,
                    action=None if action is None else binding.action(action, live.facts),
                )
            )
        reached = rows[-1].version if rows else start
        return MatchLog(nodes=nodes, version=reached, has_next_page=reached < live.version)

    @strawberry.field(
        description="The match as it was at a version: for a player as the own seat saw it, for "
        "others as spectators did. It is played again from its log by its own rules. "
        "RULES_UNAVAILABLE if these are not at hand any more.",
        metadata={"weight": REPLAY_WEIGHT},
    )
    async def view_at(
        self,
        info: Info,
        version: Annotated[
            int, strawberry.argument(description="A version from 1, the deal, to the present one.")
        ],
        seat: Annotated[
            int | None,
            strawberry.argument(
                description="See it as this seat did. Others' seats only once the match has ended, "
                "and if the room was made with `openReplay` or `verifiable`; FORBIDDEN otherwise."
            ),
        ] = None,
    ) -> MatchView | None:
        live = self.live
        viewer = self.viewer if seat is None else seat
        if not 1 <= version <= live.version:
            raise bad_input(
                f"`version`은 1~{live.version}이어야 해요.",
                f"`version` must lie between 1 and {live.version}.",
            )
        if viewer is not None and not 0 <= viewer < len(live.facts.accounts):
            raise bad_input("그런 자리가 없어요.", "There is no such seat.")
        if viewer != self.viewer and not may_open(live):
            raise forbidden(
                Text(
                    "다른 자리의 시점은 볼 수 없어요.",
                    "This match may not be seen as another seat saw it.",
                )
            )
        services = info.context.services
        then = await replays.at_version(services, live, version)
        now = to_datetime(services.database.game_now())
        return services.games[live.facts.game].view(then, viewer, now)

    @strawberry.field(
        description="The match's 32-byte seed in hexadecimal, from which all chance in it follows; "
        "null while it runs, and if the room was not made `verifiable`."
    )
    async def seed(self, info: Info) -> str | None:
        live = self.live
        if live.running or not live.facts.verifiable:
            return None
        return (await _seeds(info).load(live.facts.id)).hex()


def _seeds(info: Info) -> DataLoader[UUID, bytes]:
    """Loads the seeds asked for in one tick together."""

    async def load(ids: list[UUID]) -> list[bytes]:
        found = await store.seeds(info.context.services.database, ids)
        return [found[id_] for id_ in ids]

    loader: DataLoader[UUID, bytes] = info.context.loaders.setdefault(
        "seeds", DataLoader(load_fn=load, cache=False)
    )
    return loader
