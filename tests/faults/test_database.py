"""The database cuts its connections, stops, dies, comes back: nothing is lost, doubled or late."""

import asyncio
from random import Random
from typing import Any

import asyncpg
import httpx
import pytest

from engines.marble import ENGINE as MARBLE
from engines.number_tiles import ENGINE as NUMBER_TILES
from tests.api.conftest import StartServer
from tests.api.marble.bot import keen
from tests.api.number_tiles.bot import draw
from tests.api.number_tiles.bot import keen as keen_on_tiles
from tests.faults.extent import CUTS, OUTAGE_SECONDS
from tests.faults.postgres import Postgres
from tests.faults.service import Service
from tests.faults.survivors import TriedTable, until

PATIENCE = 600.0
LONGEST_LAG = 0.02
CUT = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
LOBBY = "subscription { lobbyUpdates { snapshot } }"


async def test_connections_that_are_terminated(start_server: StartServer) -> None:
    service = Service(start_server, 2, BOARD_BUS_URL="postgres")
    rnd = Random(1)
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        cutting = group.create_task(cut(service, rnd))
        while not cutting.done():
            async with TriedTable(MARBLE, "Marble", service, rnd.randrange(1 << 32)) as table:
                await table.gather(3, 1, options={"turnSeconds": 60})
                await table.play_and_judge(until(cutting.done, keen))
    assert service.errors() == []


async def cut(service: Service, rnd: Random) -> None:
    """End all connections of both servers while an action is under way, again and again."""
    connection = await asyncpg.connect(service.database_url)
    for _ in range(CUTS):
        await service.moments.nth(rnd.randint(1, 8))
        await asyncio.sleep(rnd.uniform(0, LONGEST_LAG))
        assert await connection.fetch(CUT) != []
    await connection.close()


@pytest.mark.parametrize("end", [Postgres.stop, Postgres.crash], ids=["stopped", "killed"])
async def test_postgres_that_is_away(
    postgres: Postgres, start_server: StartServer, end: Any
) -> None:
    """Everybody is told to come back in a second, does, and nobody is punished (W-12).

    It is no bug of ours: nothing is logged with a traceback, by whoever looks meanwhile.
    """
    service = Service(start_server, 2, DATABASE_URL=postgres.url, BOARD_BUS_URL="postgres")

    async def outage() -> None:
        for number in range(1, 3):
            await service.moments.nth(7)
            end(postgres)
            await asyncio.sleep(OUTAGE_SECONDS)  # the outage itself
            for home in service.homes:
                assert await readiness(home) == (503, "unavailable")
            postgres.start()
            # The match makes up for it within a beat of the clock, and goes on meanwhile; two
            # outages within one beat would be made up for together.
            while len(await table.log("SYSTEM")) <= number:
                await service.moments.nth(1)
        await service.moments.nth(7)

    async with TriedTable(MARBLE, "Marble", service, seed=2) as table:
        await table.gather(3, 1, options={"turnSeconds": 60})
        async with table.spectators[0].socket() as socket:
            lobby = socket.subscribe(LOBBY)
            await anext(lobby)
            async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
                breaking = group.create_task(outage())
                await table.play_and_judge(until(breaking.done, keen))
            await lobby.aclose()
        told = [seconds for client in table.survivors for seconds in client.turned_away]
        assert set(told) == {1.0}
        assert [row["type"] for row in await table.log("SYSTEM")] == [None, *["ShiftDeadline"] * 2]
        assert await table.log("TIMER") == []
    assert service.errors() == []


async def test_a_turn_that_an_outage_outlasts(
    postgres: Postgres, start_server: StartServer
) -> None:
    """W-12: whoever was to move when the database went away still is, with the time left then."""
    scale = 60 / (OUTAGE_SECONDS - 1)  # the turn of a minute lasts a second less than the outage
    service = Service(start_server, 2, DATABASE_URL=postgres.url, BOARD_GAME_TIME_SCALE=str(scale))
    async with (
        asyncio.timeout(PATIENCE),
        TriedTable(NUMBER_TILES, "NumberTiles", service, seed=3) as table,
    ):
        await table.gather(2, 1, options={"turnSeconds": 60})
        await table.start()
        async with table.watched() as watchers:
            postgres.stop()
            await asyncio.sleep(OUTAGE_SECONDS)  # the outage itself
            postgres.start()
            mover = next(watcher for watcher in watchers if watcher.view.draft is not None)
            payload = await table.act(mover.client, draw(mover.view))
            assert payload["userErrors"] == []
            await table.play(watchers, until(lambda: True, keen_on_tiles))
            for watcher in watchers:
                await watcher.settled()
        await table.judge(watchers)
        assert [row["type"] for row in await table.log("SYSTEM")] == [None, "ShiftDeadline"]
        assert await table.log("TIMER") == []
    assert service.errors() == []


async def readiness(home: str) -> tuple[int, Any]:
    async with httpx.AsyncClient() as http:
        answer = await http.get(f"{home}/ready")
    return answer.status_code, answer.json()["status"]
