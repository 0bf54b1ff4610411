"""Nobody is punished for downtime, and no match runs on when nobody is left."""

import asyncio
from time import monotonic

import asyncpg

from engines.marble import ENGINE
from tests.api.conftest import StartServer
from tests.api.presence.test_absence import log_of
from tests.api.table import Table

STATUS = """
subscription U($id: ID!) { matchUpdates(matchId: $id) { version status deadline { at } } }
"""
SCALE = 20
OUTAGE_SECONDS = 7.0


async def test_an_outage_moves_every_deadline_by_one_logged_action(
    start_server: StartServer,
) -> None:
    """W-12 for marble: down past the deadline, back, and the turn has all its time left."""
    server = start_server(BOARD_GAME_TIME_SCALE=str(SCALE))
    table = Table(ENGINE, "Marble", server.base_url, seed=0)
    await table.gather(2, options={"turnSeconds": 60})
    await table.start()
    before = (await table.match(table.players[0]))["deadline"]
    server.kill()
    await table.close()
    down = monotonic()
    connection = await asyncpg.connect(server.database_url)
    while monotonic() - down < OUTAGE_SECONDS:  # the outage itself; the turn lasts 3 s of it
        await connection.fetchval("SELECT pg_sleep(0.5)")
    server = start_server(BOARD_GAME_TIME_SCALE=str(SCALE))
    for client in (*table.players, *table.spectators):
        client.base_url = server.base_url
        client.reopen()
    watcher = table.spectators[0]
    async with watcher.socket() as socket, asyncio.timeout(20):
        items = socket.subscribe(STATUS, {"id": table.match_id})
        async for item in items:
            if item["matchUpdates"]["version"] >= 3:
                break
        await items.aclose()
    rows = await log_of(server.database_url, table)
    assert (rows[1]["actor"], rows[1]["action"]) == ("SYSTEM", "ShiftDeadline")
    outages = await connection.fetch("SELECT began_at, ended_at FROM outage")
    await connection.close()
    assert len(outages) == 1
    assert rows[2]["actor"] == "TIMER"
    # The turn had its 60 s of game time while the service was up, grace for its absent seat aside.
    length = (outages[0]["ended_at"] - outages[0]["began_at"]).total_seconds() * 1000 * SCALE
    assert length >= OUTAGE_SECONDS * 1000 * SCALE * 0.9
    assert rows[2]["at"] - rows[0]["at"] >= length
    assert before is not None
    await table.close()


async def test_a_match_whose_players_are_gone_is_closed(start_server: StartServer) -> None:
    server = start_server(BOARD_ABANDON_SECONDS="1")
    table = Table(ENGINE, "Marble", server.base_url, seed=0)
    await table.gather(2, options={"turnSeconds": None, "maxRounds": 0})
    await table.start()
    watcher = table.spectators[0]
    async with watcher.socket() as socket, asyncio.timeout(30):
        items = socket.subscribe(STATUS, {"id": table.match_id})
        told = [item["matchUpdates"] async for item in items]
    assert told[-1]["status"] == "ABANDONED"
    assert told[-1]["deadline"] is None
    match = await table.match(watcher)
    assert (match["status"], match["result"]) == ("ABANDONED", None)
    assert match["finishedAt"] is not None
    document = "query($id: ID!) { room(id: $id) { status } }"
    room = (await watcher.run(document, {"id": table.room_id}))["room"]
    assert room["status"] == "FINISHED"
    await table.close()
