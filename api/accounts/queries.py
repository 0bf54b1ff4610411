"""Who am I, who are they."""

from typing import Annotated

import strawberry

from api.accounts.types import Player, player_of
from api.context import Info
from api.relay import read_id


@strawberry.type
class AccountsQuery:
    @strawberry.field(
        description="The one who asks; null when no token is sent. A token that is not valid is "
        "answered with UNAUTHENTICATED."
    )
    async def me(self, info: Info) -> Player | None:
        if info.context.session is None and info.context.fault is None:
            return None
        return await player_of(info, info.context.require_account())

    @strawberry.field(
        description="A person's public profile, for those who are signed in; null if unknown or "
        "deleted."
    )
    async def player(
        self,
        info: Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="The player's id.")],
    ) -> Player | None:
        info.context.require_reader()
        id_ = read_id("Player", id)
        found = await player_of(info, id_) if id_ else None
        return None if found is None or found.deleted else found
