"""Who is connected: shown in seats and members, told without a version, right over two devices."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from engines.marble import ENGINE
from tests.api.client import Client, Socket
from tests.api.conftest import StartServer
from tests.api.server import ServerProcess
from tests.api.table import Table

SEATS = """
subscription U($id: ID!, $after: Int) {
  matchUpdates(matchId: $id, after: $after) {
    fromVersion version events { index } seats { index connected }
  }
}
"""
MEMBERS = """
subscription R($id: ID!) {
  roomUpdates(roomId: $id) { revision members { player { displayName } connected } }
}
"""
PATIENCE = 10.0


@pytest.fixture
async def table(server: ServerProcess) -> AsyncIterator[Table]:
    table = Table(ENGINE, "Marble", server.base_url, seed=0)
    await table.gather(3, options={"turnSeconds": None})
    await table.start()
    yield table
    await table.close()


class Following:
    """One subscription to a match, read until its seats are as they should be."""

    def __init__(self, socket: Socket, match_id: str, after: int | None = None) -> None:
        self.items = socket.subscribe(SEATS, {"id": match_id, "after": after})
        self.updates: list[Any] = []

    async def until(self, *connected: bool) -> Any:
        async with asyncio.timeout(PATIENCE):
            while True:
                update = (await anext(self.items))["matchUpdates"]
                self.updates.append(update)
                if [seat["connected"] for seat in update["seats"]] == list(connected):
                    return update


async def connected_of(client: Client, table: Table) -> list[bool]:
    return [seat["connected"] for seat in (await table.match(client))["seats"]]


async def test_coming_and_going_is_told_without_a_version(table: Table) -> None:
    first, second, third = table.players
    assert await connected_of(third, table) == [False, False, False]
    async with first.socket() as socket:
        watching = Following(socket, table.match_id)
        await watching.until(True, False, False)
        async with second.socket() as other:
            following = Following(other, table.match_id, after=1)
            await following.until(True, True, False)
            update = await watching.until(True, True, False)
            assert (update["fromVersion"], update["version"], update["events"]) == (1, 1, [])
            await following.items.aclose()
        update = await watching.until(True, False, False)
        assert update["version"] == 1
        assert await connected_of(third, table) == [True, False, False]
        await watching.items.aclose()


async def test_a_seat_with_two_devices_is_there_while_one_is(table: Table) -> None:
    watcher, player, _ = table.players
    async with watcher.socket() as socket:
        watching = Following(socket, table.match_id)
        await watching.until(True, False, False)
        async with player.socket() as phone:
            phone_feed = Following(phone, table.match_id)
            await phone_feed.until(True, True, False)
            async with player.socket() as tablet:
                tablet_feed = Following(tablet, table.match_id)
                await tablet_feed.until(True, True, False)
                await tablet_feed.items.aclose()
            await watching.until(True, True, False)
            assert await connected_of(watcher, table) == [True, True, False]
            await phone_feed.items.aclose()
        await watching.until(True, False, False)
        told = [[seat["connected"] for seat in u["seats"]] for u in watching.updates]
        assert [True, False, False] not in told[1:-1]
        await watching.items.aclose()


async def test_an_old_socket_that_closes_late_takes_nobody_away(
    table: Table, server: ServerProcess
) -> None:
    """The phone's new connection is up before the old one is found dead."""
    watcher, player, _ = table.players
    async with watcher.socket() as socket:
        watching = Following(socket, table.match_id)
        await watching.until(True, False, False)
        old = player.socket()
        old_feed = Following(await old.__aenter__(), table.match_id)
        await old_feed.until(True, True, False)
        async with player.socket() as new:
            new_feed = Following(new, table.match_id)
            await new_feed.until(True, True, False)
            await old.__aexit__(None, None, None)
            assert await connected_of(watcher, table) == [True, True, False]
            await new_feed.items.aclose()
        await watching.until(True, False, False)
        await watching.items.aclose()


async def test_a_room_shows_who_follows_it(table: Table) -> None:
    first, second, _ = table.players
    async with first.socket() as socket:
        items = socket.subscribe(MEMBERS, {"id": table.room_id})
        room = (await anext(items))["roomUpdates"]
        assert [m["connected"] for m in room["members"]] == [True, False, False, False]
        async with second.socket() as other:
            following = Following(other, table.match_id)
            await following.until(True, True, False)
            async with asyncio.timeout(PATIENCE):
                again = (await anext(items))["roomUpdates"]
            assert [m["connected"] for m in again["members"]] == [True, True, False, False]
            assert again["revision"] == room["revision"]
            await following.items.aclose()
        await items.aclose()


async def test_a_killed_process_takes_its_people_with_it(start_server: StartServer) -> None:
    """Presence crosses processes, and that of a crashed one expires."""
    one, two = start_server(), start_server()
    table = Table(ENGINE, "Marble", one.base_url, seed=0)
    await table.gather(2, options={"turnSeconds": None})
    await table.start()
    first, second = table.players
    first.base_url = two.base_url
    async with first.socket() as socket:
        watching = Following(socket, table.match_id)
        await watching.until(True, False)
        async with second.socket() as doomed:
            following = Following(doomed, table.match_id)
            await following.until(True, True)
            await watching.until(True, True)
            one.kill()
            async with asyncio.timeout(30):
                while True:
                    update = (await anext(watching.items))["matchUpdates"]
                    if [seat["connected"] for seat in update["seats"]] == [True, False]:
                        break
        await watching.items.aclose()
    await table.close()
