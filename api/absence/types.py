"""The question about an absent player, as clients see it."""

from datetime import datetime
from enum import Enum
from uuid import UUID

import strawberry

from api.absence.store import Question
from api.accounts.types import Player, player_of
from api.context import Info


@strawberry.enum(description="What becomes of an absent player.")
class AbsenceDecision(Enum):
    KICK = strawberry.enum_value(
        "KICK", description="Remove the player for good: the seat concedes."
    )
    CONTINUE = strawberry.enum_value(
        "CONTINUE", description="Wait on; the absence is counted anew from here."
    )


@strawberry.type(
    description="A player of the running match has been absent for so long that the host is asked "
    "what to do. Play goes on by time-outs meanwhile; any action of the player's own withdraws it."
)
class RoomAbsence:
    question: strawberry.Private[Question]
    asked_id: strawberry.Private[UUID | None]
    seat: int = strawberry.field(description="The seat of the absent player.")
    asked_at: datetime = strawberry.field(description="When the question came up.")

    @strawberry.field(description="The absent player.")
    async def player(self, info: Info) -> Player | None:
        return await player_of(info, self.question.account_id)

    @strawberry.field(
        description="Who may answer with `resolveAbsence`: the host, or while the host is away the "
        "member who would follow."
    )
    async def asked(self, info: Info) -> Player | None:
        return None if self.asked_id is None else await player_of(info, self.asked_id)
