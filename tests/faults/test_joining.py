"""A thousand sockets that arrive at once are all let in and told, and keep nobody waiting."""

import asyncio
from collections.abc import Sequence
from typing import Any

from engines.marble import ENGINE
from tests.api.client import Client
from tests.api.conftest import StartServer
from tests.api.table import Table
from tests.faults.crowd import Device, measured

SOCKETS = 1000
PATIENCE = 120.0
MATCH = """
subscription M($id: ID!, $after: Int) { matchUpdates(matchId: $id, after: $after) { version } }
"""
ROOM = "subscription R($id: ID!) { roomUpdates(roomId: $id) { id } }"


async def test_a_thousand_at_once(start_server: StartServer) -> None:
    """On two connections to the database, so that any machine has them wait."""
    server = start_server(BOARD_POOL_SIZE="2", BOARD_SOCKETS_PER_ACCOUNT=str(SOCKETS))
    table = Table(ENGINE, "Marble", server.base_url, 1)
    await table.gather(2, 1, options={"turnSeconds": None})
    await table.start()
    match, room = {"id": table.match_id}, {"id": table.room_id}
    asked: list[tuple[str, dict[str, Any]]] = [
        (MATCH, match),
        (MATCH, {**match, "after": 0}),
        (MATCH, {**match, "after": 1}),
        (ROOM, room),
    ]
    async with asyncio.timeout(PATIENCE):
        crowd = asyncio.gather(
            *(Device.watching(table.spectators[0], *asked[n % 4]) for n in range(SOCKETS))
        )
        waited = await ask_until(crowd, table.players)
        devices = await crowd
    assert waited > 0
    now = await measured(server)
    assert now["board_subscriptions matchUpdates"] == SOCKETS * 3 / 4
    assert now["board_subscriptions roomUpdates"] == SOCKETS / 4
    assert [entry["message"] for entry in server.entries() if entry["level"] != "info"] == []
    for device in devices:
        device.reset()
    await table.close()


async def ask_until(over: asyncio.Future[Any], people: Sequence[Client]) -> int:
    """People ask for who they are, one after the other, and are answered; how often."""
    asked = 0
    while not over.done():
        for client in people:
            assert (await client.run("{ me { id } }"))["me"]["id"] == client.player_id
            asked += 1
    return asked
