"""Time-outs that come by themselves: past a deadline, or past the grace of a seat that is gone.

Each match is expired on its own, but what is asked side by side in one burst is read together, and
written together: a burst of any size is a handful of round trips.
"""

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from strawberry.dataloader import DataLoader

from api.downtime import store as downtime
from api.downtime.service import keep_pulse
from api.matches import store
from api.matches.grace import Whereabouts, grace_over
from api.matches.live import Live
from api.matches.loading import decoded
from api.matches.outages import make_up
from api.matches.writing import TIME_OUT, announce, append, overdue
from api.services import Services


@dataclass(frozen=True, slots=True)
class Expired:
    """A time-out performed: the match before and after it, and whether the seat was away."""

    before: Live
    after: Live
    away: bool


class Burst:
    """Matches that may be due at one moment, from before anything is asked about them."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._now = services.database.game_now()
        self._owing = DataLoader(load_fn=self._read_owing)
        self._records = DataLoader(load_fn=self._read_records)
        self._whereabouts = Whereabouts(services)

    async def expire(self, match_id: UUID) -> Expired | None:
        """Perform the time-out of a match that is due, by its deadline or by a seat's grace.

        None if nothing is due or somebody was faster.
        """
        services = self._services
        if await self._owing.load(match_id):
            await make_up(services, match_id)
            return None
        record = await self._records.load(match_id)
        live = None if record is None else decoded(services, record)
        if live is None or not live.running:
            return None
        services.recent.put(live)
        gone = await self._whereabouts.gone_since(live)
        # By the time before the outages were read: a process that slept since proves nothing.
        if not overdue(live, self._now) and not grace_over(live, gone, self._now):
            return None
        absent = None if live.engine.absence is None else gone is not None
        command = replace(TIME_OUT, absent=absent)
        moved = await append(services.commits, live, command, services.database.game_now())
        if moved is None:
            return None
        await announce(services, *moved)
        return Expired(live, moved[0], gone is not None)

    async def _read_owing(self, ids: list[UUID]) -> list[bool]:
        """Whether matches have outages to make up for; until then a deadline proves nothing."""
        await keep_pulse(self._services)
        owing = await downtime.owing(self._services.database, ids)
        return [match_id in owing for match_id in ids]

    async def _read_records(self, ids: list[UUID]) -> list[Any]:
        found = await store.load_many(self._services.database, ids)
        records = {record["id"]: record for record in found}
        return [records.get(match_id) for match_id in ids]
