"""Spectators share one answer, and nobody is told through it what is another's."""

import asyncio
from typing import Any

from engines.marble import ENGINE
from tests.api.client import Client
from tests.api.server import ServerProcess
from tests.api.table import Move, Table

WHOLE = """
subscription U($id: ID!) {
  matchUpdates(matchId: $id) {
    version at seats { index player { displayName } }
    view { serverTime ... on MarbleView { yourSeat available choices { offersLeft } } }
  }
}
"""
PERSONAL = """
subscription U($id: ID!) {
  matchUpdates(matchId: $id) {
    version seats { index player { matches(first: 5) { nodes { id yourSeat } } } }
  }
}
"""


async def after_a_roll(table: Table, document: str, *watchers: Client) -> list[Any]:
    """What each is told of one roll, all of them watching before it."""
    async with asyncio.TaskGroup() as group:
        ready: list[asyncio.Event] = []

        async def watch(client: Client, told: asyncio.Event) -> Any:
            async with client.socket() as socket:
                stream = socket.subscribe(document, {"id": table.match_id})
                update = (await anext(stream))["matchUpdates"]
                before = update["version"]
                told.set()
                while update["version"] == before:
                    update = (await anext(stream))["matchUpdates"]
                await stream.aclose()
                return update

        tasks = []
        for client in watchers:
            ready.append(asyncio.Event())
            tasks.append(group.create_task(watch(client, ready[-1])))
        for event in ready:
            await event.wait()
        mover = table.players[(await table.match(table.players[0]))["view"]["current"]]
        payload = await table.act(mover, Move("Roll", {}))
        assert payload["userErrors"] == []
    return [task.result() for task in tasks]


async def test_spectators_share_what_no_seat_is_told(server: ServerProcess) -> None:
    table = Table(ENGINE, "Marble", server.base_url, seed=0)
    await table.gather(2, spectators=2, options={"turnSeconds": None})
    await table.start()
    first, second, *seats = await after_a_roll(table, WHOLE, *table.spectators, *table.players)
    assert first == second
    assert first["view"]["yourSeat"] is None
    assert (first["view"]["available"], first["view"]["choices"]) == ([], None)
    assert [seat["view"]["yourSeat"] for seat in seats] == [0, 1]
    assert all("CONCEDE" in seat["view"]["available"] for seat in seats)
    assert sum(seat["view"]["choices"] is not None for seat in seats) == 1
    await table.close()


async def test_what_depends_on_who_asks_is_each_ones_own(server: ServerProcess) -> None:
    table = Table(ENGINE, "Marble", server.base_url, seed=1)
    await table.gather(2, spectators=2, visibility="PRIVATE", options={"turnSeconds": None})
    await table.start()
    # One of the spectators has played with a player before, where only they may look.
    other = Table(ENGINE, "Marble", server.base_url, seed=2)
    other.players = [table.players[0], table.spectators[0]]
    await rematch(other)
    insider, outsider = await after_a_roll(table, PERSONAL, *table.spectators)
    seen = [
        {match["id"]: match["yourSeat"] for match in told["seats"][0]["player"]["matches"]["nodes"]}
        for told in (insider, outsider)
    ]
    assert seen == [{other.match_id: 1, table.match_id: None}, {table.match_id: None}]
    await table.close()


async def rematch(table: Table) -> None:
    """A private match of the two people at a table."""
    host, guest = table.players
    created = await host.do(
        "createRoom",
        "room { id code }",
        game="marble",
        seats=2,
        options=[],
        visibility="PRIVATE",
        allowSpectators=False,
    )
    room = table.room_id = created["room"]["id"]
    await guest.do("joinRoom", "room { id }", code=created["room"]["code"], role="PLAYER")
    for client in table.players:
        await client.do("setReady", "room { id }", roomId=room, ready=True)
    await table.start()
