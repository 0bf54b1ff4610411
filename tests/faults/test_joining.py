"""Sockets that arrive in a crowd, or while the database is slow, wait; they are not sent away."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

import asyncpg
import pytest
from websockets.exceptions import ConnectionClosedError

from api.turns import PATIENCE, Kind
from engines.marble import ENGINE
from tests.api.client import Client
from tests.api.conftest import StartServer
from tests.api.table import Table
from tests.faults.crowd import Device
from tests.faults.extent import CROWD

SECONDS = 120.0
FEW = 20
MATCH = """
subscription M($id: ID!, $after: Int) { matchUpdates(matchId: $id, after: $after) { version } }
"""
ROOM = "subscription R($id: ID!) { roomUpdates(roomId: $id) { id } }"
SILENT = 4408


@asynccontextmanager
async def table_on_two_connections(start_server: StartServer) -> AsyncIterator[tuple[Any, Table]]:
    """A server and a match that has begun; any machine has a crowd wait for so small a pool."""
    server = start_server(BOARD_POOL_SIZE="2", BOARD_SOCKETS_PER_ACCOUNT=str(CROWD))
    table = Table(ENGINE, "Marble", server.base_url, 1)
    await table.gather(2, 1, options={"turnSeconds": None})
    await table.start()
    async with asyncio.timeout(SECONDS):
        yield server, table
    await table.close()


@pytest.mark.parametrize("table_locked", ["account_session", "match"])
async def test_who_arrives_while_the_database_is_slow_waits(
    start_server: StartServer, table_locked: str
) -> None:
    """Sockets to be admitted wait for the one table, subscriptions for the other."""
    async with table_on_two_connections(start_server) as (server, table):
        connection = await asyncpg.connect(server.database_url)
        async with connection.transaction():
            await connection.execute(f"LOCK TABLE {table_locked}")
            client, match = table.spectators[0], {"id": table.match_id}
            crowd = asyncio.gather(*(Device.watching(client, MATCH, match) for _ in range(FEW)))
            # Longer than a request waits for a connection, shorter than a statement may take.
            await connection.execute("SELECT pg_sleep($1)", PATIENCE[Kind.REQUEST] + 1)
        for device in await crowd:
            device.reset()
        await connection.close()


async def test_a_crowd_at_once(start_server: StartServer) -> None:
    async with table_on_two_connections(start_server) as (server, table):
        match, room = {"id": table.match_id}, {"id": table.room_id}
        asked = [(MATCH, match), (MATCH, {**match, "after": 0}), (ROOM, room)]
        crowd = asyncio.gather(
            *(join(table.spectators[0], *asked[n % len(asked)]) for n in range(CROWD))
        )
        assert await ask_until(crowd, table.players) > 0
        devices = await crowd
        told = [entry["message"] for entry in server.entries() if entry["level"] != "info"]
        assert told == []  # neither UNAVAILABLE, nor an outage that was none
        for device in devices:  # those who waited for the last ones are gone: they sent no pong
            device.connection.transport.abort()


async def join(client: Client, document: str, variables: dict[str, Any]) -> Device:
    """A socket that watches; on a machine too slow for its introduction it comes again."""
    while True:
        with suppress(TimeoutError):
            try:
                return await Device.watching(client, document, variables)
            except ConnectionClosedError as closed:
                if closed.rcvd is None or closed.rcvd.code != SILENT:
                    raise


async def ask_until(over: asyncio.Future[Any], people: Sequence[Client]) -> int:
    """People ask for who they are, one after the other, and are answered; how often."""
    asked = 0
    while not over.done():
        for client in people:
            assert (await client.run("{ me { id } }"))["me"]["id"] == client.player_id
            asked += 1
    return asked
