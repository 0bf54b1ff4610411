"""The budget of the one who asks, as clients see it."""

from datetime import UTC, datetime

import strawberry

from api.context import Info


@strawberry.type(
    description="The budget that operations are paid from: one for each account or API key, one "
    "for each address of those who are not signed in. An operation costs the values that its "
    "answer may hold at most: each field selected is one, and counts for each item of the list or "
    "page it lies in; aliases are fields. What is spent comes back within a minute. An operation "
    "that costs more than what is left is refused with RATE_LIMITED and `retryAfter`, in seconds, "
    "and costs nothing."
)
class RateLimit:
    cost: int = strawberry.field(description="What this operation cost.")
    limit: int = strawberry.field(description="The whole budget of a minute.")
    remaining: int = strawberry.field(description="What is left of it now.")
    reset_at: datetime = strawberry.field(
        description="When all of it will be back if nothing more is spent, in real time."
    )


@strawberry.type
class BudgetQuery:
    @strawberry.field(description="How much the one who asks may still ask for.")
    async def rate_limit(self, info: Info) -> RateLimit | None:
        context = info.context
        left = await context.services.rates.left(*context.budget)
        return RateLimit(
            cost=context.cost,
            limit=left.limit,
            remaining=left.remaining,
            reset_at=datetime.fromtimestamp(left.reset_at, UTC),
        )
