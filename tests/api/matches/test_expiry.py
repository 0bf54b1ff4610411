"""Time-outs that come by themselves, many at once."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from uuid import UUID

import pytest

from api.bus import Hub, carrier
from api.clock import Chores
from api.config import Config
from api.downtime.service import keep_pulse
from api.games.binding import Binding
from api.matches.expiry import Burst, Expired
from api.matches.live import Recent
from api.services import Services
from tests.api.counting import Counting
from tests.api.in_process import games
from tests.api.matches.late import deal_late

__all__ = ["games"]


@pytest.fixture
async def database(config: Config) -> AsyncIterator[Counting]:
    async with Counting(config) as counting:
        yield counting


@pytest.fixture
async def services(
    config: Config, database: Counting, games: Mapping[str, Binding]
) -> AsyncIterator[Services]:
    made = Services(config, database, Hub(carrier(config.bus)), games)
    async with made.hub.running():
        await keep_pulse(made)
        yield made


async def deal(services: Services, count: int) -> list[UUID]:
    return [(await deal_late(services))[0].facts.id for _ in range(count)]


async def logged(services: Services, ids: list[UUID]) -> list[list[str]]:
    """Who wrote each row of these logs after the deadlines were put into the past."""
    rows = await services.database.fetch(
        "SELECT match_id, actor FROM match_log WHERE match_id = ANY($1) AND version > 2 "
        "ORDER BY version",
        ids,
    )
    return [[row["actor"] for row in rows if row["match_id"] == match_id] for match_id in ids]


async def expire(services: Services, ids: list[UUID]) -> list[Expired | None]:
    burst = Burst(services)
    return await asyncio.gather(*map(burst.expire, ids))


async def test_a_burst_of_any_size_takes_a_handful_of_statements(
    services: Services, database: Counting
) -> None:
    spent = []
    for count in (3, 40):
        ids = await deal(services, count)
        before = database.statements
        expired = await expire(services, ids)
        spent.append(database.statements - before)
        assert [(e.before.version, e.after.version) for e in expired if e] == [(2, 3)] * count
        assert await logged(services, ids) == [["TIMER"]] * count
    # pulse, outages, matches, one write alone and one of all others
    assert spent[0] == spent[1] <= 7


async def test_two_bursts_expire_each_match_once(services: Services) -> None:
    ids = await deal(services, 12)
    first, second = await asyncio.gather(expire(services, ids), expire(services, ids))
    assert [(a is None) + (b is None) for a, b in zip(first, second, strict=True)] == [1] * 12
    assert await logged(services, ids) == [["TIMER"]] * 12


async def test_a_broken_match_keeps_no_other_from_its_time_out(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    ids = await deal(services, 5)
    await services.database.fetch("UPDATE match SET state = '[]' WHERE id = $1", ids[2])
    await Chores().by_deadline(replace(services, recent=Recent()))  # as another process sees it
    assert await logged(services, ids) == [["TIMER"], ["TIMER"], [], ["TIMER"], ["TIMER"]]
    assert [r.match_id for r in caplog.records if r.levelname == "ERROR"] == [str(ids[2])]  # type: ignore[attr-defined]
