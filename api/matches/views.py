"""The GraphQL interfaces that every game's views, events and results implement."""

from datetime import datetime

import strawberry

from api.accounts.types import players
from api.context import Info
from api.matches.live import Facts


@strawberry.interface(
    description="What the one who asks may know of a match at one version. "
    "Each game has a type of its own; nothing hidden from the viewer is in it."
)
class MatchView:
    version: int = strawberry.field(description="The match's version that this view shows.")
    server_time: datetime = strawberry.field(
        description="The server's game clock when the view was read, to align deadlines with."
    )


@strawberry.interface(
    description="A fact that an accepted action brought about, as the viewer may see it. "
    "Events are ordered by (version, index); the same event always has the same pair."
)
class MatchEvent:
    version: int = strawberry.field(description="The match's version that this event belongs to.")
    index: int = strawberry.field(description="The event's place within its version, from 0.")
    at: datetime = strawberry.field(description="When it happened, in game time.")


@strawberry.interface(
    description="What was done, as the viewer may see it. Each game has a type for each of its "
    "actions; those of the server, such as `TimeOutAction`, belong to all games."
)
class MatchAction:
    action_name: str = strawberry.field(
        description="The action's name within its game: `Roll` for what `marbleRoll` does."
    )


@strawberry.interface(description="One row of a match's ranking.")
class MatchPlacing:
    rank: int = strawberry.field(
        description="The place, 1 is best; equal places share a rank and the next rank skips."
    )
    seat: int = strawberry.field(description="The seat that took this place.")


@strawberry.interface(
    description="How a match ended. Money and points in it are a record, never a balance."
)
class MatchResult:
    facts: strawberry.Private[Facts]
    ranking: list[MatchPlacing] = strawberry.field(
        description="All seats from the first place to the last."
    )
    winners: list[int] = strawberry.field(description="The seats that share the first place.")

    @strawberry.field(description="Why it ended, as text; the game's own type has it as an enum.")
    def reason_code(self) -> str:
        return str(self.reason.name)  # type: ignore[attr-defined]

    @strawberry.field(description="The result in one sentence, in the reader's language.")
    async def summary(self, info: Info) -> str:
        services = info.context.services
        engine = services.games[self.facts.game].rules(self.facts.rules_version)
        found = await players(info).load_many(list(self.facts.accounts))
        return info.context.say(
            engine.summary(self, [player.display_name if player else "?" for player in found])
        )
