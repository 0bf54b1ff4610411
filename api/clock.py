"""What happens by itself: time-outs, the pulse, absence, and what crashes may have left undone.

Jobs run side by side at a pace of their own; one that fails is logged and tried again. A late job
only delays: every action checks its deadline itself. Any number of processes may run them.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from api import metrics
from api.absence.service import after_time_out, awaited_but_gone, close_deserted
from api.accounts.deletion import finish_deletions
from api.downtime.service import keep_pulse
from api.errors import is_away
from api.matches import store
from api.matches.expiry import Burst
from api.matches.live import to_datetime
from api.matches.outages import behind, make_up
from api.rooms.service import settle_finished
from api.services import Services
from api.statistics.service import count_finished

log = logging.getLogger(__name__)

BATCH = 100
AT_A_TIME = 5
"""Matches seen to side by side: each holds a connection, and players need some, too."""

BACK_OFF_SECONDS = 30.0
"""How long a match is left alone after something done to it failed."""


class Chore(Protocol):
    """Something done to one match."""

    __name__: str

    async def __call__(self, services: Services, match_id: UUID, /) -> object: ...


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do every so many seconds, counted from the end of the last time."""

    every: float
    work: Callable[[Services], Awaitable[None]]


async def run(services: Services) -> None:
    """Do all jobs until cancelled."""
    chores = Chores()
    jobs = (
        Job(0.1, chores.by_deadline),
        Job(1.0, chores.beat),
        Job(1.0, chores.by_grace),
        Job(2.0, settle_finished),
        Job(2.0, count_finished),
        Job(5.0, close_deserted),
        Job(5.0, finish_deletions),
    )
    async with asyncio.TaskGroup() as group:
        for job in jobs:
            group.create_task(_repeat(services, job))


class Chores:
    """What is done to matches, to each on its own: a broken one stops no other."""

    def __init__(self) -> None:
        self._failed: dict[UUID, float] = {}

    async def beat(self, services: Services) -> None:
        """The pulse of the cluster; after a gap, every match makes up for it."""
        await keep_pulse(services)
        await self._each(services, await behind(services), make_up)

    async def by_deadline(self, services: Services) -> None:
        """Expire the matches whose deadline has passed."""
        now = to_datetime(services.database.game_now())
        await self._time_out(services, await store.due(services.database, now, BATCH))
        metrics.ticked()

    async def by_grace(self, services: Services) -> None:
        """Expire the matches whose awaited seat has been gone for too long."""
        await self._time_out(services, await awaited_but_gone(services))

    async def _time_out(self, services: Services, ids: list[UUID]) -> None:
        burst, places = Burst(services), asyncio.Semaphore(AT_A_TIME)

        async def time_out(services: Services, match_id: UUID) -> None:
            expired = await burst.expire(match_id)
            if expired is not None:
                async with places:
                    await after_time_out(services, expired.before, expired.after, expired.away)

        await self._each(services, ids, time_out, at_a_time=max(1, len(ids)))

    async def _each(
        self, services: Services, ids: list[UUID], chore: Chore, at_a_time: int = AT_A_TIME
    ) -> None:
        now = asyncio.get_running_loop().time()
        self._failed = {id_: until for id_, until in self._failed.items() if until > now}
        due = [match_id for match_id in ids if match_id not in self._failed]
        places = asyncio.Semaphore(at_a_time)

        async def one(match_id: UUID) -> None:
            async with places:
                await self._one(services, match_id, chore, now)

        outcomes = await asyncio.gather(*map(one, due), return_exceptions=True)
        for outcome in outcomes:
            if outcome is not None:
                raise outcome

    async def _one(self, services: Services, match_id: UUID, chore: Chore, now: float) -> None:
        try:
            await chore(services, match_id)
        except Exception as error:
            if is_away(error):
                raise  # an absent database is no fault of the match
            log.exception("%s failed", chore.__name__, extra={"match_id": str(match_id)})
            self._failed[match_id] = now + BACK_OFF_SECONDS


async def _repeat(services: Services, job: Job) -> None:
    """Do the job again and again; while what it needs stays away, say so once."""
    away = False
    while True:
        try:
            await job.work(services)
            away = False
        except Exception as error:
            known = is_away(error)
            if not (known and away):
                log.warning("%s failed: %r", job.work.__name__, error, exc_info=not known)
            away = known
        await asyncio.sleep(job.every)
