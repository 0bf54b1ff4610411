"""Two hundred sockets reset at once leave nothing behind."""

import asyncio
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosedError
from websockets.frames import Close

from tests.api.client import Client
from tests.api.conftest import server
from tests.api.server import ServerProcess
from tests.faults.crowd import Device, EventStream, gather, measured

__all__ = ["server"]

SOCKETS = 200
STREAMS = 20
SECONDS = 5.0
WATCH = "subscription W($id: ID!) { roomUpdates(roomId: $id) { id } }"


@pytest.fixture(scope="module")
def server_environ() -> dict[str, str]:
    """Exactly as many places as are taken: a session that stayed would keep one."""
    return {"BOARD_SOCKETS_PER_ACCOUNT": str(SOCKETS + STREAMS)}


async def gather_crowd(client: Client, room: dict[str, Any]) -> list[Device | EventStream]:
    """Every place of the account taken by somebody who watches the room."""
    devices = await gather(Device.watching(client, WATCH, room) for _ in range(SOCKETS))
    streams = await gather(EventStream.watching(client, WATCH, room) for _ in range(STREAMS))
    return [*devices, *streams]


async def test_nothing_stays_of_sockets_that_were_reset(server: ServerProcess) -> None:
    client = await Client(server.base_url).sign_in("Crowd")
    created = await client.do("createRoom", "room { id }", game="marble", seats=2)
    room = {"id": created["room"]["id"]}
    before = await measured(server)

    crowd = await gather_crowd(client, room)
    during = await measured(server)
    assert during["board_sockets websocket"] == SOCKETS
    assert during["board_sockets events"] == STREAMS
    assert during["board_subscriptions roomUpdates"] == SOCKETS + STREAMS
    with pytest.raises(ConnectionClosedError) as one_more:
        await Device.watching(client, WATCH, room)
    assert one_more.value.rcvd == Close(1013, "TOO_MANY_SOCKETS")

    for device in crowd:
        device.reset()
    async with asyncio.timeout(SECONDS):
        while not is_forgotten(before, await measured(server)):
            pass

    for device in await gather_crowd(client, room):
        device.reset()
    await client.close()


def is_forgotten(before: dict[str, float], now: dict[str, float]) -> bool:
    """Whether no socket, subscription, task or connection of the crowd is left."""
    left = [
        now["board_sockets websocket"],
        now["board_sockets events"],
        now["board_subscriptions roomUpdates"],
        now["board_pool_connections raw in_use"],
        now["board_pool_connections sessions in_use"],
    ]
    return not any(left) and now["board_tasks"] <= before["board_tasks"]
