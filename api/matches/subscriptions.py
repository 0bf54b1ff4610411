"""Watching a match."""

from collections.abc import AsyncGenerator
from typing import Annotated, cast

import strawberry

from api.context import Info
from api.following import FOLLOWED
from api.matches.feed import Update
from api.matches.follower import MatchFeed
from api.matches.types import MatchUpdate, match_id_of


@strawberry.type
class MatchesSubscription:
    @strawberry.subscription(
        description="A match as it goes on, exactly what the one who asks may see. Without "
        "`after` the first item is the match as it is now; with it, all that was missed comes "
        "first, in order, without gap or repeat. Completes when the match has ended, and at once "
        "if there is no such match to be seen.",
        metadata={FOLLOWED: True},
    )
    def match_updates(
        self,
        info: Info,
        match_id: Annotated[strawberry.ID, strawberry.argument(description="The match's id.")],
        after: Annotated[
            int | None,
            strawberry.argument(description="The last version you have seen; 0 is the beginning."),
        ] = None,
    ) -> AsyncGenerator[MatchUpdate, None]:
        feed = MatchFeed(info.context, match_id_of(match_id), after, _told)
        return cast("AsyncGenerator[MatchUpdate, None]", feed)


def _told(update: Update) -> MatchUpdate:
    return MatchUpdate(update=update)
