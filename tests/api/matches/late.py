"""Matches of the small game whose first turn ended long ago, with nobody having looked since."""

from uuid import UUID

from api.matches import service as matches
from api.matches.live import Live
from api.matches.loading import load
from api.matches.writing import Command, Log, append
from api.services import Services
from engines.protocol import SYSTEM, ShiftDeadline
from tests.api.in_process import person
from tests.extra_games.engines.coin_race import ENGINE

HOUR_MS = 3_600_000


def shift(by: int) -> Command:
    """What moves a deadline, by ms."""
    return Command(ShiftDeadline(by), SYSTEM, "SYSTEM")


async def write(services: Services, log: Log, live: Live, command: Command) -> Live:
    """Perform a command that cannot fail; the match after it."""
    moved = await append(log, live, command, services.database.game_now())
    assert moved is not None
    return moved[0]


async def deal_late(services: Services) -> tuple[Live, UUID]:
    """A match of two at version 2, its deadline an hour ago, and who holds the first seat."""
    people = (await person(services, "가온"), await person(services, "나래"))
    async with services.database.transaction() as session:
        match_id = await matches.start(
            services,
            session,
            room_id=UUID(int=0),
            engine_id=ENGINE.id,
            options={"turnSeconds": 15},
            accounts=people,
            public=True,
            allow_spectators=True,
            open_replay=False,
            verifiable=False,
        )
    live = await load(services, match_id)
    assert live is not None
    return await write(services, services.commits, live, shift(-HOUR_MS)), people[0]
