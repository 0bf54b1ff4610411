"""Marble matches in which time does the playing; game time runs fast, no rule is shortened."""

import asyncpg
import pytest

from api.relay import read_id
from engines.marble import ENGINE
from tests.api.records import judge_records
from tests.api.server import ServerProcess
from tests.api.table import Move, Table


@pytest.fixture(scope="module")
def server_environ() -> dict[str, str]:
    return {"BOARD_GAME_TIME_SCALE": "300"}


async def test_silent_players(server: ServerProcess) -> None:
    """§8.5: with everybody silent the timer plays to the end and spends nobody's money."""
    table = Table(ENGINE, "Marble", server.base_url, seed=1)
    await table.gather(3, options={"turnSeconds": 15})
    await table.start()
    async with table.watched() as watchers:
        await table.play(watchers, lambda *_: None)
        for watcher in watchers:
            match = await watcher.settled()
            assert match["status"] == "FINISHED"
            assert match["result"]["reasonCode"] == "ROUND_LIMIT"
    await judge_records(server.database_url, table, watchers)
    told = {type(event).__name__ for event in watchers[-1].events}
    assert not told & {"Bought", "Built", "TakenOver"}
    assert {"Rolled", "Passed", "TurnStarted", "GameOver"} <= told
    connection = await asyncpg.connect(server.database_url)
    actors = await connection.fetch(
        "SELECT DISTINCT actor, seat, action->>'type' AS action FROM match_log "
        "WHERE match_id = $1 AND version > 1",
        read_id("Match", table.match_id),
    )
    await connection.close()
    assert [tuple(row) for row in actors] == [("TIMER", None, "TimeOut")]
    await table.close()


async def test_an_action_after_the_deadline_is_too_late(server: ServerProcess) -> None:
    """W-07's twin: at the deadline nothing but the time-out happens; giving up still does."""
    table = Table(ENGINE, "Marble", server.base_url, seed=2)
    await table.gather(2, options={"turnSeconds": 60})
    await table.start()
    player = table.players[0]
    while not table.refusals["TURN_EXPIRED"]:
        before = (await table.match(player))["version"]
        payload = await table.act(player, Move("PayIslandFee", {}))
        assert [error["code"] for error in payload["userErrors"]] != []
        if payload["userErrors"][0]["code"] == "TURN_EXPIRED":
            after = await table.match(player)
            assert after["version"] > before
            assert payload["version"] is None
    conceded = await table.act(player, Move("Concede", {}), expectedVersion=1)
    assert conceded["userErrors"] == []
    match = await table.match(player)
    assert match["result"]["reasonCode"] == "LAST_SURVIVOR"
    assert match["result"]["winners"] == [1]
    await table.close()
