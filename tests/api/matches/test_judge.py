"""A late action is judged by what the log says in the end, whoever was at the match meanwhile."""

import asyncio
from uuid import UUID

import asyncpg
import pytest

from api.config import Config
from api.matches import service as matches
from api.matches import store
from api.matches.judge import Played
from api.matches.live import Live
from api.matches.reasons import MatchReason
from api.matches.writing import TIME_OUT, Command
from api.refusals import Refused
from api.services import Services
from engines.protocol import Illegal
from tests.api.in_process import games, services
from tests.api.matches.late import HOUR_MS, deal_late, shift, write
from tests.extra_games.engines.coin_race import ENGINE
from tests.extra_games.engines.coin_race.actions import Flip
from tests.extra_games.engines.coin_race.reasons import Reason

__all__ = ["games", "services"]

WAITING = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


class Late:
    """A match whose first racer's turn ended an hour ago, with nobody having looked since."""

    def __init__(self, services: Services, live: Live, racer: UUID) -> None:
        self.services = services
        self.live = live
        self.racer = racer

    @classmethod
    async def deal(cls, services: Services) -> "Late":
        return cls(services, *await deal_late(services))

    async def flip(self) -> Played:
        """What the racer sends, too late."""
        return await matches.play(self.services, ENGINE, self.racer, self.live.facts.id, Flip())

    async def log(self) -> list[tuple[int, str]]:
        """Who wrote each version after the match was dealt and its deadline put into the past."""
        rows = await store.rows(self.services.database, self.live.facts.id, 2, 99, 99)
        return [(row["row_version"], row["actor"]) for row in rows]


async def raced(late: Late, config: Config, first: Command) -> Played:
    """The racer's flip, whose time-out meets a row that is locked until `first` is in the log."""
    async with late.services.database.transaction() as session:
        connection = store.InSession(session)
        assert await store.claim(connection, late.live.facts.id)
        flip = asyncio.create_task(late.flip())
        watching = await asyncpg.connect(config.database_url)
        try:
            async with asyncio.timeout(20):
                while not await watching.fetchval(WAITING):
                    assert not flip.done()
        finally:
            await watching.close()
        await write(late.services, connection, late.live, first)
    return await flip


async def test_a_late_action_performs_the_time_out_and_is_told(services: Services) -> None:
    late = await Late.deal(services)
    with pytest.raises(Refused) as refused:
        await late.flip()
    assert refused.value.reason is MatchReason.TURN_EXPIRED
    assert await late.log() == [(3, "TIMER")]


async def test_a_deadline_moved_at_the_last_moment_has_not_passed(
    services: Services, config: Config
) -> None:
    late = await Late.deal(services)
    played = await raced(late, config, shift(2 * HOUR_MS))
    assert (played.row.version, played.row.actor, played.row.seat) == (4, "SEAT", 0)
    assert await late.log() == [(3, "SYSTEM"), (4, "SEAT")]


async def test_after_the_time_out_of_another_the_next_turn_is_judged(
    services: Services, config: Config
) -> None:
    late = await Late.deal(services)
    with pytest.raises(Illegal) as illegal:
        await raced(late, config, TIME_OUT)
    assert illegal.value.reason is Reason.NOT_YOUR_TURN
    assert await late.log() == [(3, "TIMER")]
