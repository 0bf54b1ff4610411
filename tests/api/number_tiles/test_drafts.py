"""§5.6, D, X: drafts live on the server, through lost sockets and killed servers, at a pace."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any

import asyncpg
import pytest

from engines.number_tiles import ENGINE
from tests.api.client import Failed
from tests.api.conftest import StartServer
from tests.api.number_tiles.bot import commit, draft_of, draw, improved, set_draft
from tests.api.number_tiles.conftest import Gather
from tests.api.number_tiles.script import scripted
from tests.api.records import judge_records, stored
from tests.api.server import ServerProcess
from tests.api.table import Move, Table

CHEAP = {"initialMeldPoints": 0}
PER_SECOND = 10
SCALE = 30
OUTAGE_SECONDS = 7.0
"""Longer than a turn of three minutes at that scale."""


def layout(draft: dict[str, Any]) -> list[list[str]]:
    """The tiles of a draft as GraphQL tells it."""
    return [each["tileIds"] for each in draft["sets"]]


async def test_a_lost_socket_loses_no_draft(gather: Gather) -> None:
    """§8.5: whoever comes back finds the draft, and can go back in it."""
    table = await gather(2, turnSeconds=180)
    await table.start()
    match = await table.match(table.spectators[0])
    player = table.players[match["view"]["current"]]
    rack = (await table.match(player))["view"]["rack"]
    turn = match["view"]["turn"]
    async with player.socket() as socket:
        updates = socket.subscribe(table.docs.updates, {"id": table.match_id})
        await anext(updates)
        for count in (1, 2, 3):
            sets = [{"tileIds": rack[:count]}]
            await table.act(player, Move("SetDraft", {"turn": turn, "sets": sets}))
        socket.connection.transport.abort()  # no goodbye
        await until_closed(updates)
    draft = (await table.match(player))["view"]["draft"]
    assert (layout(draft), draft["rev"], draft["undoDepth"]) == ([rack[:3]], 3, 3)
    payload = await table.act(player, Move("UndoDraft", {"turn": turn}))
    assert layout(payload["view"]["draft"]) == [rack[:2]]


async def test_a_killed_server_loses_no_draft_and_no_time(start_server: StartServer) -> None:
    """§5.6, W-12: after an outage the draft is there, three steps can be undone, time is left."""
    server = start_server(BOARD_GAME_TIME_SCALE=str(SCALE))
    table = Table(ENGINE, "NumberTiles", server.base_url, seed=0)
    await table.gather(2, options={"turnSeconds": 180})
    await table.start()
    match = await table.match(table.spectators[0])
    player, turn = table.players[match["view"]["current"]], match["view"]["turn"]
    rack = (await table.match(player))["view"]["rack"]
    for count in (1, 2, 3, 4):
        sets = [{"tileIds": rack[:count]}]
        await table.act(player, Move("SetDraft", {"turn": turn, "sets": sets}))
    server.kill()
    await table.close()
    await outage(server.database_url)
    server = start_server(BOARD_GAME_TIME_SCALE=str(SCALE))
    for client in (*table.players, *table.spectators):
        client.base_url = server.base_url
        client.reopen()
    draft = (await table.match(player))["view"]["draft"]
    assert (layout(draft), draft["rev"], draft["undoDepth"]) == ([rack[:4]], 4, 4)
    for left in (3, 2, 1):
        payload = await table.act(player, Move("UndoDraft", {"turn": turn}))
        assert payload["userErrors"] == []
        assert layout(payload["view"]["draft"]) == [rack[:left]]
    drawn = await table.act(player, Move("Draw", {"turn": turn}))
    assert [event["__typename"] for event in drawn["events"]] == [
        "NumberTilesTilesDrawn",
        "NumberTilesTurnStarted",
    ]
    _, log = await stored(server.database_url, table)
    kinds = [row["actor"] for row in log]
    assert kinds == ["SYSTEM", *["SEAT"] * 4, "SYSTEM", *["SEAT"] * 4]
    history = await table.watcher(player).history()
    (shift,) = [event for event in history if type(event).__name__ == "DeadlineShifted"]
    assert shift.milliseconds >= OUTAGE_SECONDS * 1000 * SCALE * 0.9
    await table.close()


async def until_closed(updates: AsyncGenerator[Any, None]) -> None:
    """Read until the socket is found to be closed."""
    with suppress(ConnectionError):
        async for _ in updates:
            pass


async def outage(database_url: str) -> None:
    """Let the time of an outage pass."""
    connection = await asyncpg.connect(database_url)
    await connection.fetchval(f"SELECT pg_sleep({OUTAGE_SECONDS})")
    await connection.close()


def changes(table: Table, turn: int, rack: list[str], actions: str) -> str:
    """One document: S sets another draft than the one before, U takes it back, R starts over."""
    fields = []
    for number, action in enumerate(actions):
        rest = ""
        if action == "S":
            tiles = ", ".join(f'"{tile}"' for tile in rack[: 1 + number % 4])
            rest = f", sets: [{{tileIds: [{tiles}]}}]"
        name = {"S": "SetDraft", "U": "UndoDraft", "R": "ResetDraft"}[action]
        fields.append(
            f'c{number}: numberTiles{name}(input: {{matchId: "{table.match_id}", turn: {turn}'
            f"{rest}}}) {{ version userErrors {{ code }} }}"
        )
    return f"mutation {{ {' '.join(fields)} }}"


async def test_drafts_have_a_pace(gather: Gather) -> None:
    """D-12: ten a second over all three actions; more change nothing and cost nothing else."""
    table = await gather(2)
    await table.start()
    match = await table.match(table.spectators[0])
    player, turn = table.players[match["view"]["current"]], match["view"]["turn"]
    rack = (await table.match(player))["view"]["rack"]
    async with player.socket() as socket:
        document = changes(table, turn, rack, "SUSRS" * 8)
        with pytest.raises(Failed) as failed:
            await anext(socket.subscribe(document))
        assert failed.value.codes == ["RATE_LIMITED"]
        assert 0 < failed.value.retry_after <= 2
        (error,) = failed.value.errors
        taken = int(error["path"][0].removeprefix("c"))
        assert taken >= PER_SECOND
        draft = (await table.match(player))["view"]["draft"]
        assert draft["rev"] == taken
        # The same socket goes on, and other actions have no pace.
        document = (
            f'mutation {{ numberTilesDraw(input: {{matchId: "{table.match_id}", turn: {turn}}}) '
            "{ version userErrors { code } } }"
        )
        (answer,) = [item async for item in socket.subscribe(document)]
        assert answer["numberTilesDraw"] == {"version": 2 + taken, "userErrors": []}


async def test_a_commit_sent_twice_counts_once(gather: Gather, server: ServerProcess) -> None:
    """X-01: the second is out of turn, unless it carries the same key; nothing is laid twice."""
    table = await gather(2, **CHEAP)
    async with scripted(table) as script:
        await script.play(lambda view: improved(view) is not None, lay=False)
        await script.draft(improved(script.view))
        mover, view = script.mover, script.view
        move = commit(view)
        answers = await asyncio.gather(
            *(table.act(mover.client, move, idempotencyKey=key) for key in ("a", "b", "c"))
        )
        codes = sorted(error["code"] for answer in answers for error in answer["userErrors"])
        assert codes == ["NOT_YOUR_TURN"] * 2
        (version,) = [answer["version"] for answer in answers if answer["version"]]
        await script.reached(version)
        laid = [ev for ev in script.spectator.events if type(ev).__name__ == "SetsCommitted"]
        assert len(laid) == 1
        assert len(mover.view.rack) == len(view.rack) - len(laid[0].laid)
        key = next(k for k, answer in zip("abc", answers, strict=True) if answer["version"])
        again = await table.act(mover.client, move, idempotencyKey=key)
        assert (again["version"], again["userErrors"]) == (version, [])
        await script.do(Move("Concede", {}))
    await judge_records(server.database_url, table, script.watchers)


async def test_what_was_meant_for_an_old_turn_is_refused(gather: Gather) -> None:
    """X-02: a draft that arrives a round late, when its sender is in turn again."""
    table = await gather(2)
    async with scripted(table) as script:
        late = set_draft(script.view, draft_of(script.view.draft))
        sender = script.mover.client
        await script.do(draw(script.view))
        assert (await script.refused(late, sender))["code"] == "NOT_YOUR_TURN"
        await script.do(draw(script.view))
        assert script.mover.client is sender
        for action in ("UndoDraft", "ResetDraft", "Draw", "Pass"):
            error = await script.refused(Move(action, {"turn": late.given["turn"]}))
            assert (error["code"], error["path"]) == ("STALE_TURN", ["turn"])
        error = await script.refused(late)
        assert (error["code"], error["path"]) == ("STALE_TURN", ["turn"])


async def test_of_two_tabs_the_last_writer_wins(gather: Gather) -> None:
    """X-04, C-08, D-08: both tabs see the new draft; a commit of the one before lays nothing."""
    table = await gather(2)
    async with scripted(table) as script:
        mover, view = script.mover, script.view
        one, two = (
            Move("SetDraft", {"turn": view.turn, "sets": [{"tileIds": list(view.rack[:count])}]})
            for count in (3, 4)
        )
        async with mover.client.socket() as socket:
            tab = table.watcher(mover.client)
            watching = asyncio.create_task(tab.watch(socket))
            await script.do(one)
            seen_first = script.view
            await script.do(two)
            await script.do(two)
            assert (script.view.draft.rev, script.view.draft.undo_depth) == (2, 2)
            error = await script.refused(commit(seen_first))
            assert (error["code"], error["path"]) == ("STALE_DRAFT", ["rev"])
            await tab.until(lambda: tab.version == mover.version)
            assert tab.view == mover.view
            assert tab.view.draft.sets[0].tile_ids == view.rack[:4]
            watching.cancel()
