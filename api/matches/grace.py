"""How long a seat that is gone is waited for. Computed whenever it is asked, never stored."""

from uuid import UUID

from strawberry.dataloader import DataLoader

from api.downtime import store as downtime
from api.matches.live import Live, to_ms
from api.presence import store as presence
from api.presence.store import Trace
from api.services import Services

REQUEST_MS = 30_000
"""How long somebody without a connection counts as present after a request, in real time."""


class Whereabouts:
    """Where the seats are that matches wait for; what is asked side by side is read together."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._traces = DataLoader(load_fn=self._read_traces)
        self._outage = DataLoader(load_fn=self._read_outage)

    async def gone_since(self, live: Live) -> int | None:
        """Since when the seat waited for is gone, in game ms; None while it is present.

        Also None where the game does not ask or nobody in particular is waited for. Nobody counts
        as gone before the end of the last outage.
        """
        deadline = live.deadline
        if live.engine.absence is None or deadline is None or deadline.seat is None:
            return None
        seat = live.facts.room_id, live.facts.accounts[deadline.seat]
        since = _gone(self._services, live, await self._traces.load(seat))
        if since is None:
            return None
        outage = await self._outage.load(None)
        return since if outage is None else max(since, outage)

    async def _read_traces(self, seats: list[tuple[UUID, UUID]]) -> list[Trace]:
        found = await presence.traces(self._services.database, seats)
        return [found.get(seat, Trace()) for seat in seats]

    async def _read_outage(self, asked: list[None]) -> list[int | None]:
        """When the last outage ended, in game ms."""
        database = self._services.database
        ended_at = await downtime.last_end(database)
        return [None if ended_at is None else database.game_at(to_ms(ended_at))] * len(asked)


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
