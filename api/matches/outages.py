"""Each running match makes up for every outage once, by one logged system action."""

from uuid import UUID

from api.downtime import store as downtime
from api.downtime.service import keep_pulse
from api.matches import store
from api.matches.loading import read
from api.matches.writing import Command, announce, append
from api.services import Services
from engines.protocol import SYSTEM, ShiftDeadline

BATCH = 100


async def behind(services: Services) -> list[UUID]:
    """Running matches that have outages to make up for, some at a time."""
    return await downtime.behind(services.database, BATCH)


async def make_up(services: Services, match_id: UUID) -> bool:
    """Move a match's deadline by the outages it has not made up for; False if there is none.

    Until this has been asked, a deadline that has passed proves nothing.
    """
    await keep_pulse(services)
    if await downtime.owed(services.database, match_id) is None:
        return False
    async with services.database.transaction() as session:
        connection = store.InSession(session)
        if not await store.claim(connection, match_id):
            return True  # another process is at it; whoever asks judges again
        owed = await downtime.owed(connection, match_id)
        live = await read(services, connection, match_id)
        if owed is None or live is None:
            return True
        number, real = owed
        shift = Command(ShiftDeadline(services.database.game_span(real)), SYSTEM, "SYSTEM")
        moved = await append(connection, live, shift, services.database.game_now())
        await downtime.settle(connection, match_id, number)
    if moved is not None and moved[0] is not live:
        await announce(services, *moved)
    return True
