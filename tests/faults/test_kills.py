"""Servers killed at any moment of play: an action cut off is sent again, and has one effect."""

import asyncio
from random import Random

import pytest

from engines.marble import ENGINE
from tests.api.conftest import StartServer
from tests.api.marble.bot import keen
from tests.faults.extent import KILLS_EACH, SEEDS
from tests.faults.service import Service
from tests.faults.survivors import TriedTable, until

PATIENCE = 60.0 * KILLS_EACH
SOON = 12
"""Most actions before the one that the next kill cuts off."""

LONGEST_LAG = 0.02
"""Seconds from the sending of an action to the kill; many have been answered after so long."""


@pytest.mark.parametrize("seed", SEEDS)
async def test_servers_that_are_killed(start_server: StartServer, seed: int) -> None:
    service = Service(start_server, 2, BOARD_BUS_URL="postgres")
    rnd, cut_off = Random(seed), 0
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        killing = group.create_task(kill(service, rnd))
        while not killing.done():
            async with TriedTable(ENGINE, "Marble", service, rnd.randrange(1 << 32)) as table:
                await table.gather(3, 1, options={"turnSeconds": 60})
                await table.play_and_judge(until(killing.done, keen))
            cut_off += sum(client.cut_off for client in table.survivors)
    assert cut_off > 0
    assert service.errors() == []


async def kill(service: Service, rnd: Random) -> None:
    """Kill the server an action goes to, now and then all of them; they come back."""
    for _ in range(KILLS_EACH):
        home = await service.moments.nth(rnd.randint(1, SOON))
        await asyncio.sleep(rnd.uniform(0, LONGEST_LAG))
        victims = [home] if rnd.random() < 0.8 else service.homes
        service.kill(victims)
        await service.restart(victims)
