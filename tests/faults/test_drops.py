"""Devices that lose their connection again and again miss nothing and are told nothing twice."""

import asyncio
from contextlib import aclosing
from itertools import pairwise
from typing import Any

import pytest

from engines.marble import ENGINE as MARBLE
from engines.number_tiles import ENGINE as NUMBER_TILES
from engines.protocol import Engine
from tests.api.conftest import StartServer
from tests.api.marble.bot import keen as keen_at_marble
from tests.api.number_tiles.bot import keen as keen_on_tiles
from tests.api.table import Bot
from tests.api.watcher import Watcher
from tests.faults.crowd import reset
from tests.faults.extent import ACTIONS, FIRST_SEED
from tests.faults.service import Service
from tests.faults.survivors import TriedTable, until

PATIENCE = 900.0
MOST_UPDATES = 6
"""That one connection lasts for."""


class DroppingTable(TriedTable):
    """A table in the worst of networks."""

    drops = 0

    async def look(self, watcher: Watcher) -> None:
        """Watch for some updates, or none; then the connection is reset or closed."""
        variables = {"id": self.match_id, "after": watcher.version or None}
        async with (
            watcher.client.socket() as socket,
            aclosing(socket.subscribe(self.docs.updates, variables)) as updates,
        ):
            for _ in range(self.rnd.randint(0, MOST_UPDATES)):
                update = await anext(updates, None)
                if update is None:
                    watcher.over = True
                    watcher.fresh.set()
                    return
                watcher.take(update["matchUpdates"])
            if self.rnd.random() < 0.5:
                reset(socket.connection.transport)
        self.drops += 1
        raise ConnectionResetError


@pytest.mark.parametrize(
    ("engine", "prefix", "bot"),
    [(MARBLE, "Marble", keen_at_marble), (NUMBER_TILES, "NumberTiles", keen_on_tiles)],
    ids=["marble", "number_tiles"],
)
async def test_devices_that_drop_and_resume(
    start_server: StartServer, engine: Engine[Any], prefix: str, bot: Bot
) -> None:
    environ = {"BOARD_BUDGET": "100000000"}  # people lose their connection less often than this
    service = Service(start_server, 2, BOARD_BUS_URL="postgres", **environ)
    done = drops = seed = 0
    async with asyncio.timeout(PATIENCE):
        while done < ACTIONS:
            seed += 1
            async with DroppingTable(engine, prefix, service, FIRST_SEED + seed) as table:
                await table.gather(2, 1, options={"turnSeconds": 60})
                enough = ACTIONS - done
                watchers = await table.play_and_judge(
                    until(lambda: len(table.told) >= enough, bot)  # noqa: B023
                )
            for watcher in watchers:
                assert all(a["version"] == b["fromVersion"] for a, b in pairwise(watcher.seen))
            done += watchers[-1].version
            drops += table.drops
    assert drops > ACTIONS // MOST_UPDATES
    assert service.errors() == []
