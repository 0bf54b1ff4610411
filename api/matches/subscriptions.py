"""Watching a match."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated

import strawberry

from api.context import Info
from api.matches.feed import updates
from api.matches.types import MatchUpdate, match_id_of


@strawberry.type
class MatchesSubscription:
    @strawberry.subscription(
        description="A match as it goes on, exactly what the one who asks may see. Without "
        "`after` the first item is the match as it is now; with it, all that was missed comes "
        "first, in order, without gap or repeat. Completes when the match has ended, and at once "
        "if there is no such match to be seen."
    )
    async def match_updates(
        self,
        info: Info,
        match_id: Annotated[strawberry.ID, strawberry.argument(description="The match's id.")],
        after: Annotated[
            int | None,
            strawberry.argument(description="The last version you have seen; 0 is the beginning."),
        ] = None,
    ) -> AsyncGenerator[MatchUpdate, None]:
        account = info.context.require_account()
        found = match_id_of(match_id)
        if found is None:
            return
        async with aclosing(updates(info.context.services, found, account, after)) as feed:
            async for update in feed:
                yield MatchUpdate(update=update)
