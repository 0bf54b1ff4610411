"""`matchUpdates`: from any version, without gap or repeat, to those who may see it."""

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import pytest

from engines.marble import ENGINE
from tests.api.client import Client, Failed
from tests.api.marble.bot import keen
from tests.api.server import ServerProcess
from tests.api.table import Move, Table
from tests.api.watcher import Watcher

SHORT = """
subscription U($id: ID!, $after: Int) {
  matchUpdates(matchId: $id, after: $after) {
    fromVersion version status events { version index __typename } view { version } deadline { at }
  }
}
"""


@pytest.fixture(scope="module")
async def played(server: ServerProcess) -> AsyncIterator[tuple[Table, list[Watcher]]]:
    """A match played to its end, and those who watched it."""
    table = Table(ENGINE, "Marble", server.base_url, seed=5)
    await table.gather(2, options={"turnSeconds": None, "maxRounds": 30, "trade": True})
    await table.start()
    async with table.watched() as watchers:
        await table.play(watchers, keen)
    yield table, watchers
    await table.close()


async def collect(client: Client, match_id: str, after: int | None = None) -> list[Any]:
    async with client.socket() as socket:
        variables = {"id": match_id, "after": after}
        return [item["matchUpdates"] async for item in socket.subscribe(SHORT, variables)]


async def test_from_any_version(played: tuple[Table, list[Watcher]]) -> None:
    table, watchers = played
    last = watchers[0].version
    whole = [(e["version"], e["index"]) for u in watchers[0].seen for e in u["events"]]
    for after in (0, 1, 7, last - 1, last):
        updates = await collect(table.players[0], table.match_id, after)
        assert updates[0]["fromVersion"] == after
        for update, following in pairwise(updates):
            assert following["fromVersion"] == update["version"]
        assert updates[-1]["version"] == last
        assert updates[-1]["view"] == {"version": last}
        assert updates[-1]["status"] == "FINISHED"
        places = [(e["version"], e["index"]) for u in updates for e in u["events"]]
        assert [place for place in places if place[0] > 1] == [p for p in whole if p[0] > after]


async def test_a_long_catch_up_comes_in_parts(played: tuple[Table, list[Watcher]]) -> None:
    table, watchers = played
    updates = await collect(table.players[0], table.match_id, 0)
    # one more may tell that a player's connection came or went
    parts = [update for update in updates if update["fromVersion"] < update["version"]]
    assert watchers[0].version > 100
    assert len(parts) == -(-watchers[0].version // 100)
    assert [part["view"] is None for part in parts] == [True] * (len(parts) - 1) + [False]


async def test_without_after_the_match_as_it_is(played: tuple[Table, list[Watcher]]) -> None:
    table, watchers = played
    (update,) = await collect(table.spectators[0], table.match_id)
    assert update["fromVersion"] == update["version"] == watchers[0].version
    assert update["events"] == []
    assert update["deadline"] is None


@pytest.mark.parametrize("after", [-1, 10_000])
async def test_after_must_be_a_version(played: tuple[Table, list[Watcher]], after: int) -> None:
    table, _ = played
    with pytest.raises(Failed) as failed:
        await collect(table.players[0], table.match_id, after)
    assert failed.value.codes == ["BAD_REQUEST"]


async def test_what_may_not_be_seen_is_as_if_it_were_not(server: ServerProcess) -> None:
    table = Table(ENGINE, "Marble", server.base_url, seed=0)
    await table.gather(2, spectators=0, allowSpectators=False)
    await table.start()
    stranger = await Client(server.base_url).sign_in("stranger")
    query = "query($id: ID!) { match(id: $id) { id } }"
    assert (await stranger.run(query, {"id": table.match_id})) == {"match": None}
    assert await collect(stranger, table.match_id) == []
    assert await collect(stranger, "TWF0Y2g6bm9uc2Vuc2U") == []
    await stranger.close()
    await table.close()


async def test_watchers_on_one_socket_do_not_mix(server: ServerProcess) -> None:
    """Two devices of one player and a spectator hear of the same action at the same version."""
    table = Table(ENGINE, "Marble", server.base_url, seed=0)
    await table.gather(2)
    await table.start()
    async with table.players[0].socket() as socket, table.spectators[0].socket() as other:
        streams = [
            socket.subscribe(SHORT, {"id": table.match_id}),
            socket.subscribe(SHORT, {"id": table.match_id, "after": 0}),
            other.subscribe(SHORT, {"id": table.match_id}),
        ]
        first = [(await anext(stream))["matchUpdates"] for stream in streams]
        assert [update["version"] for update in first] == [1, 1, 1]
        assert [len(update["events"]) > 0 for update in first] == [False, True, False]
        mover = table.players[(await table.match(table.players[0]))["view"]["current"]]
        payload = await table.act(mover, Move("Roll", {}))
        second = await asyncio.gather(*(anext(stream) for stream in streams))
        assert [item["matchUpdates"]["version"] for item in second] == [payload["version"]] * 3
        for stream in streams:
            await stream.aclose()
    await table.close()
