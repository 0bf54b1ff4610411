"""Those who follow one match through one process: told together, each what is theirs."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from api.accounts import service as accounts
from api.accounts import store
from api.matches.live import Facts
from api.matches.sitting import Sitters
from api.services import Services
from engines.marble import ENGINE
from tests.api.client import Client, Failed
from tests.api.in_process import games, person, services
from tests.api.server import ServerProcess
from tests.api.table import Move, Table

__all__ = ["games", "services"]

FOLLOW = """
subscription F($id: ID!) {
  matchUpdates(matchId: $id) { fromVersion version seats { index player { displayName } } }
}
"""
PATIENCE = 10.0


@pytest.fixture
async def table(server: ServerProcess) -> AsyncIterator[Table]:
    table = Table(ENGINE, "Marble", server.base_url, seed=0)
    await table.gather(
        2, spectators=2, visibility="PRIVATE", options={"turnSeconds": None, "maxRounds": 0}
    )
    await table.start()
    yield table
    await table.close()


class Follower:
    """One who follows until the match is no longer theirs to see."""

    def __init__(self, client: Client, match_id: str) -> None:
        self.updates: asyncio.Queue[Any] = asyncio.Queue()
        self._task = asyncio.create_task(self._follow(client, match_id))

    async def told(self, version: int) -> Any:
        """The update that leads to this version."""
        async with asyncio.timeout(PATIENCE):
            while (update := await self.updates.get()) is not None:
                if update["version"] == version:
                    return update
        raise AssertionError("the feed has ended")

    async def ended(self) -> list[Any]:
        """What is still told until the end."""
        async with asyncio.timeout(PATIENCE):
            await self._task
        left = [self.updates.get_nowait() for _ in range(self.updates.qsize())]
        return left[:-1]

    async def stop(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _follow(self, client: Client, match_id: str) -> None:
        async with client.socket() as socket:
            async for item in socket.subscribe(FOLLOW, {"id": match_id}):
                self.updates.put_nowait(item["matchUpdates"])
        self.updates.put_nowait(None)


async def roll(table: Table) -> int:
    """One accepted action; the version it led to."""
    match = await table.match(table.players[0])
    current = table.players[match["view"]["current"]]
    payload = await table.act(current, Move("Roll", {}))
    assert payload["userErrors"] == []
    version: int = payload["version"]
    return version


async def test_names_are_those_of_the_moment(table: Table) -> None:
    """They are at hand, not read for each update; a new one is there with the next."""
    followers = [Follower(c, table.match_id) for c in (table.spectators[0], table.players[1])]
    for follower in followers:
        first = await follower.told(1)
        assert first["seats"][0]["player"]["displayName"] == "Marble 0"
    await table.players[0].do("updateProfile", "player { id }", displayName="새 이름")
    version = await roll(table)
    for follower in followers:
        names = [seat["player"]["displayName"] for seat in (await follower.told(version))["seats"]]
        assert names == ["새 이름", "Marble 1"]
        await follower.stop()


async def test_who_may_no_longer_watch_is_parted_with_alone(table: Table) -> None:
    leaver, stayer = table.spectators
    one, other = Follower(leaver, table.match_id), Follower(stayer, table.match_id)
    await one.told(1)
    await other.told(1)
    await leaver.do("leaveRoom", "room { id }", roomId=table.room_id)
    version = await roll(table)
    assert (await other.told(version))["fromVersion"] == 1
    assert await one.ended() == []
    await other.stop()


async def test_nobody_follows_unknown(server: ServerProcess, table: Table) -> None:
    stranger = Client(server.base_url)
    async with stranger.socket(token=None) as socket:
        with pytest.raises(Failed) as failed:
            await anext(socket.subscribe(FOLLOW, {"id": table.match_id}))
    assert failed.value.codes == ["UNAUTHENTICATED"]
    await stranger.close()


async def test_a_name_changed_elsewhere_is_found_by_the_poll(services: Services) -> None:
    """Nothing wakes this process, but the account's revision has moved."""
    account = await person(services)
    facts = Facts(
        account, account, "marble", 1, None, (account,), b"", True, True, True, False, None
    )  # type: ignore[arg-type]
    changed = asyncio.Event()
    services.hub.probe("account", lambda ids: accounts.revisions(services, ids))
    sitters = Sitters(services, facts, changed.set)
    await sitters.read()
    before = sitters.sitting
    assert before.profiles[account].display_name == "가온"
    assert sitters.sitting is before
    changed.clear()
    async with services.database.transaction() as transaction:
        found = await store.lock(transaction, account)
        assert found is not None
        found.display_name, found.revision = "나온", found.revision + 1
    async with asyncio.timeout(PATIENCE):
        await changed.wait()
    await sitters.read()
    assert sitters.sitting.profiles[account].display_name == "나온"
    sitters.leave()
    assert services.hub.watched("account") == []
