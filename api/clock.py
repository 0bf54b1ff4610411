"""The loop that lets time act: matches whose deadline has passed are expired, ended ones settled.

A late loop only delays: every action checks the deadline itself. Any number of processes may run
it side by side.
"""

import asyncio
import logging
from uuid import UUID

from api import metrics
from api.errors import fault_of
from api.matches import store
from api.matches.live import to_datetime
from api.matches.service import expire
from api.rooms.service import settle_finished
from api.services import Services

log = logging.getLogger(__name__)

TICK_SECONDS = 0.1
BATCH = 100
SETTLE_EVERY = 20
"""Rooms are settled once in so many ticks; whoever reads a room settles it sooner."""

BACK_OFF_TICKS = 300
"""How long a match whose time-out failed is left alone."""


async def run(services: Services) -> None:
    """Expire and settle until cancelled; a failing database or match is logged and retried."""
    tick = 0
    failed: dict[UUID, int] = {}
    while True:
        await asyncio.sleep(TICK_SECONDS)
        tick += 1
        failed = {match_id: until for match_id, until in failed.items() if until > tick}
        try:
            for match_id in await _due(services):
                if match_id not in failed and not await _expired(services, match_id):
                    failed[match_id] = tick + BACK_OFF_TICKS
            metrics.ticked()
            if tick % SETTLE_EVERY == 0:
                await settle_finished(services)
        except Exception:
            log.warning("the clock missed a tick", exc_info=True)


async def _due(services: Services) -> list[UUID]:
    now = to_datetime(services.database.game_now())
    return await store.due(services.database, now, BATCH)


async def _expired(services: Services, match_id: UUID) -> bool:
    """False if this match's time-out is broken; an absent database is no fault of the match."""
    try:
        await expire(services, match_id)
    except Exception as error:
        if fault_of(error):
            raise
        log.exception("the time-out of match %s failed", match_id)
        return False
    return True
