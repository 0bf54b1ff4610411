"""§8.3, V-01 to V-08: no tile reaches anybody before its time, by whatever way; nor does the seed.

The same test finds leaks in every one of these ways in a game that keeps no secret.
"""

import asyncio
import json
import re
from typing import Any

import pytest

from engines.number_tiles import ENGINE
from engines.number_tiles.state import State
from engines.number_tiles.tiles import ids_of
from engines.number_tiles.views import View
from engines.protocol import Engine
from tests.api.client import Client
from tests.api.documents import schema_of, selection
from tests.api.number_tiles.bot import draw, given, improved, set_draft, table_of
from tests.api.number_tiles.leaky.api.tiles import ENGINE as LEAKY
from tests.api.number_tiles.tap import TappedTable, leaks
from tests.api.records import keeps_secret, replayed, stored
from tests.api.server import ServerProcess
from tests.api.table import Move, Table
from tests.api.watcher import SHARED
from tests.engines.number_tiles.player import packed

CHEAP = {"initialMeldPoints": 0}
LOG = """
query L($id: ID!, $after: Int!) { match(id: $id) { log(after: $after, first: 20) {
  version hasNextPage nodes { version seat action { LOGGED } }
} } }
"""
PAST = """
query P($id: ID!, $version: Int!, $seat: Int) { match(id: $id) {
  viewAt(version: $version, seat: $seat) { ... on PREFIXView { VIEW } }
} }
"""
NODE = """
query N($id: ID!) { node(id: $id) { ... on Match { version view { ... on PREFIXView { VIEW } } } } }
"""
ROOM = """
subscription R($id: ID!) { roomUpdates(roomId: $id) { revision match { view { version } } } }
"""


@pytest.fixture(scope="module")
def server_environ() -> dict[str, str]:
    return {
        "BOARD_GAME_PACKAGES": "tests.api.number_tiles.leaky",
        "BOARD_BUDGET": "100000000",
    }


class Listening:
    """A match that is played a while and ended, with everybody asking for all there is."""

    def __init__(self, engine: Engine[Any], prefix: str, server: ServerProcess) -> None:
        self.table = TappedTable(engine, prefix, server.base_url, seed=0)
        self.database_url = server.database_url
        self.errors: list[str] = []

    async def play(self, turns: int, **options: Any) -> None:
        """So many turns; each lays if it can, after drafts, probes and second thoughts."""
        table = self.table
        await table.gather(3, 1, options)
        await table.start()
        self.documents = await documents_of(table)
        async with asyncio.TaskGroup() as group:
            for client in (*table.players, *table.spectators):
                group.create_task(self.follow(client))
            for turn in range(turns):
                await self.turn(probe=turn % 4 == 0)
                if turn == turns // 2:
                    await self.look_back()
            await table.act(table.players[1], Move("Concede", {}))
            await table.act(table.players[2], Move("Concede", {}))
        await self.look_back()

    async def steps(self) -> list[Any]:
        """The whole truth of the match so far."""
        match, log = await stored(self.database_url, self.table)
        return replayed(self.table, match, log)

    async def follow(self, client: Client) -> None:
        table = self.table
        async with client.socket() as socket:
            room = socket.subscribe(ROOM, {"id": table.room_id})
            await anext(room)
            async for _ in socket.subscribe(table.docs.updates, {"id": table.match_id, "after": 0}):
                pass
            await room.aclose()

    async def turn(self, probe: bool) -> None:
        """One turn: a tile laid open, taken back; then what can be laid, or a tile drawn."""
        table, state = self.table, (await self.steps())[-1].state
        mover, view = table.players[state.current], ENGINE.view(state, state.current)
        if probe:
            await self.probe(mover, state, view)
        await table.act(mover, set_draft(view, (*table_of(view), packed(view.rack[:1]))))
        await table.act(mover, Move("UndoDraft", {"turn": view.turn}))
        better = improved(view)
        if better is None:
            await table.act(mover, draw(view))
        else:
            payload = await table.act(mover, set_draft(view, better))
            rev = payload["view"]["draft"]["rev"]
            await table.act(mover, Move("Commit", {"turn": view.turn, "rev": rev}))

    async def probe(self, mover: Client, state: State, view: View) -> None:
        """Ask for a tile of another rack, for tiles of the pool, and for what is no tile."""
        kept = given(table_of(view))
        other = ids_of(state.racks[state.current - 1][:1])
        for tile_id in (*other, *ids_of(state.pool[:1] + state.pool[-1:]), "R14a", "x" * 30, ""):
            move = Move("SetDraft", {"turn": view.turn, "sets": [*kept, {"tileIds": [tile_id]}]})
            self.errors.append(json.dumps(await self.table.act(mover, move)))

    async def look_back(self) -> None:
        """Everybody reads the match, its events, its log and its past, in every way."""
        table, logged, past, node = self.table, *self.documents
        version = (await table.match(table.spectators[0]))["version"]
        for number, client in enumerate((*table.players, *table.spectators)):
            await table.match(client)
            await table.watcher(client).history()
            await client.run(node, {"id": table.match_id})
            for after in range(0, version, 20):
                await client.run(logged, {"id": table.match_id, "after": after})
            for seat in (None, *range(len(table.players))):
                asked = {"id": table.match_id, "version": version - number, "seat": seat}
                await client.ask(past, asked)


async def documents_of(table: Table) -> tuple[str, str, str]:
    """Documents for the log, the past and the node of a match, asking for all there is."""
    schema = await schema_of(table.players[0])

    def keep(type_name: str, field_name: str) -> bool:
        return type_name.startswith((table.prefix, "Match")) or type_name in SHARED

    shown = selection(schema, f"{table.prefix}View", keep=keep)
    return (
        LOG.replace("LOGGED", selection(schema, "MatchAction", keep=keep)),
        PAST.replace("PREFIX", table.prefix).replace("VIEW", shown),
        NODE.replace("PREFIX", table.prefix).replace("VIEW", shown),
    )


@pytest.mark.parametrize(("turns", "options"), [(12, {}), (5, {"showDraftToOthers": True})])
async def test_no_tile_reaches_anybody_before_its_time(
    server: ServerProcess, turns: int, options: dict[str, Any]
) -> None:
    """V-01 to V-05, D-03, S-06."""
    listening = Listening(ENGINE, "NumberTiles", server)
    await listening.play(turns, **CHEAP, **options)
    table = listening.table
    assert leaks(table, await listening.steps()) == []
    match, _ = await stored(server.database_url, table)
    for client in (*table.players, *table.spectators):
        keeps_secret(client.heard, match["seed"])
    (error,) = {*listening.errors}
    assert json.loads(error)["userErrors"] == [
        {
            "code": "TILE_NOT_AVAILABLE",
            "message": "That tile is not available to you.",
            "path": ["sets"],
        }
    ]
    await table.close()


async def test_leaks_are_found_wherever_they_are(server: ServerProcess) -> None:
    """The test above would fail for a leak in any one of these places."""
    listening = Listening(LEAKY, "LeakyTiles", server)
    await listening.play(3, **CHEAP)
    table = listening.table
    found = leaks(table, await listening.steps())
    assert {re.sub(r"leakyTiles\w+", "action", leak.channel) for leak in found} == {
        "action.userErrors",
        "action.view",
        "match.events",
        "match.log",
        "match.view",
        "match.viewAt",
        "matchUpdates.events",
        "matchUpdates.view",
        "node.view",
    }
    assert {leak.viewer for leak in found} == {0, 1, 2, None}
    await table.close()
