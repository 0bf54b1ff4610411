"""Finding matches."""

from typing import Annotated

import strawberry

from api.context import Info
from api.history.types import MatchConnection, MatchFilter, matches_page
from api.pages import After, Before, First, Last, window

FilterArgument = Annotated[
    MatchFilter | None, strawberry.argument(description="Which matches to give.")
]


@strawberry.type
class HistoryQuery:
    @strawberry.field(
        description="The matches that the one who asks may read, newest start first. Those are "
        "one's own, the ended ones of public rooms, and running ones that may be watched."
    )
    async def matches(
        self,
        info: Info,
        filter: FilterArgument = None,
        first: First = None,
        after: After = None,
        last: Last = None,
        before: Before = None,
    ) -> MatchConnection | None:
        return await matches_page(info, filter, window(first, after, last, before))
