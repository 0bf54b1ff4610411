"""Reading matches."""

from typing import Annotated

import strawberry

from api.context import Info
from api.matches.types import Match, match_id_of, match_of


@strawberry.type
class MatchesQuery:
    @strawberry.field(description="A match by id; null if it is unknown or not yours to see.")
    async def match(
        self,
        info: Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="The match's id.")],
    ) -> Match | None:
        match_id = match_id_of(id)
        return None if match_id is None else await match_of(info, match_id)
