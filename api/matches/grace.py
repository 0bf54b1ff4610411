"""How long a seat that is gone is waited for. Computed whenever it is asked, never stored."""

from api.downtime import store as downtime
from api.matches.live import Live, to_ms
from api.presence import store as presence
from api.presence.store import Trace
from api.services import Services

REQUEST_MS = 30_000
"""How long somebody without a connection counts as present after a request, in real time."""


async def gone_since(services: Services, live: Live) -> int | None:
    """Since when the seat waited for is gone, in game ms; None while it is present.

    Also None where the game does not ask or nobody in particular is waited for. Nobody counts as
    gone before the end of the last outage.
    """
    deadline = live.deadline
    if live.engine.absence is None or deadline is None or deadline.seat is None:
        return None
    account = live.facts.accounts[deadline.seat]
    traces = await presence.traces(services.database, live.facts.room_id, [account])
    since = _gone(services, live, traces.get(account, Trace()))
    if since is None:
        return None
    outage = await downtime.last_end(services.database)
    return since if outage is None else max(since, services.database.game_at(to_ms(outage)))


def grace_over(live: Live, gone: int | None, now: int) -> bool:
    """Whether the time-out is due because the seat waited for has been gone for too long."""
    absence, deadline = live.engine.absence, live.deadline
    if absence is None or absence.grace is None or deadline is None or gone is None:
        return False
    return now >= max(deadline.since, gone) + absence.grace


def _gone(services: Services, live: Live, trace: Trace) -> int | None:
    if trace.connected:
        return None
    database = services.database
    came_or_went = None if trace.changed_at is None else to_ms(trace.changed_at)
    since = to_ms(live.facts.started_at)
    if came_or_went is not None:
        since = max(since, database.game_at(came_or_went))
    # A request counts only if it came after the last connection was lost.
    requested = None if trace.requested_at is None else to_ms(trace.requested_at)
    if requested is not None and (came_or_went is None or requested > came_or_went):
        until = requested + REQUEST_MS
        if database.now() < until:
            return None
        since = max(since, database.game_at(until))
    return since
