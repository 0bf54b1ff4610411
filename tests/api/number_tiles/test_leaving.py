"""L-01 to L-06 through the API: conceding, leaving the room, being removed."""

import pytest

from engines.number_tiles import events as e
from engines.number_tiles.reasons import Departure, EndReason
from tests.api.number_tiles.bot import draw, set_draft, table_of
from tests.api.number_tiles.conftest import Gather
from tests.api.number_tiles.script import Script, scripted
from tests.api.records import judge_records
from tests.api.server import ServerProcess
from tests.api.table import Move
from tests.engines.number_tiles.player import packed


async def give_up(script: Script, seat: int, how: Departure) -> None:
    """Have a player leave the match for good in one of the three ways."""
    table = script.table
    host, leaver = table.players[0], table.players[seat]
    version = script.spectator.version
    if how is Departure.CONCEDED:
        await table.act(leaver, Move("Concede", {}))
    elif how is Departure.LEFT:
        await leaver.do("leaveRoom", "room { id }", roomId=table.room_id)
    else:
        await host.do("kickMember", "room { id }", roomId=table.room_id, playerId=leaver.player_id)
    await script.reached(version + 1)


@pytest.mark.parametrize("how", [Departure.CONCEDED, Departure.LEFT, Departure.KICKED])
async def test_the_last_one_left_wins(
    gather: Gather, server: ServerProcess, how: Departure
) -> None:
    """L-01 to L-04: in turn with a draft, then out of turn; racks stay where they are."""
    table = await gather(3, gamesPerMatch=3)
    async with scripted(table) as script:
        await script.play(lambda view: view.your_seat == 2, lay=False)
        await script.add_tile()
        pool, racks = script.view.pool_count, [s.rack_count for s in script.view.seats]
        await give_up(script, 2, how)
        view = script.spectator.view
        assert script.spectator.events[-2:] == [e.SeatLeft(2, how), e.TurnStarted(view.turn, 0)]
        assert (view.pool_count, [s.rack_count for s in view.seats]) == (pool, racks)
        assert (view.order, view.seats[2].left) == ((0, 1), True)
        await give_up(script, 1, how)
        left, ended, over = script.spectator.events[-3:]
        assert left == e.SeatLeft(1, how)
        assert (ended.outcome.reason, ended.outcome.winners) == (EndReason.FORFEIT, (0,))
        assert (over.result.reason, over.result.winners) == (EndReason.FORFEIT, (0,))
        assert len(over.result.games) == 1
        rows = {row.seat: row for row in ended.outcome.ranking}
        assert [rows[seat].score for seat in (1, 2)] == [-rows[seat].rack_value for seat in (1, 2)]
        assert rows[0].score == rows[1].rack_value + rows[2].rack_value
    match = await table.match(table.spectators[0])
    assert match["result"]["reasonCode"] == "FORFEIT"
    assert match["result"]["summary"].startswith("All others left, so NumberTiles 0 won!")
    await judge_records(server.database_url, table, script.watchers[:1])


async def test_who_left_watches_on_and_gets_no_more_tiles(gather: Gather) -> None:
    """V-10, L-03, L-06: the own old rack stays in sight; the seat is out of later games."""
    table = await gather(3, gamesPerMatch=2)
    async with scripted(table) as script:
        leaver = script.watchers[1]
        rack = leaver.view.rack
        await give_up(script, 1, Departure.CONCEDED)
        assert leaver.view.rack == rack
        assert leaver.view.available == ()
        sets = set_draft(leaver.view, (*table_of(leaver.view), packed(rack[:1])))
        assert (await script.refused(sets, leaver.client))["code"] == "NOT_YOUR_TURN"
        again = await script.refused(Move("Concede", {}), leaver.client)
        assert again["code"] == "ALREADY_LEFT"
        while script.spectator.view.current is not None:
            await script.do(draw(script.view))
        assert script.spectator.view.outcomes[0].reason is EndReason.STALEMATE
        payload = await table.act(table.players[0], Move("NextGame", {}))
        await script.reached(payload["version"])
        assert [s.rack_count for s in script.spectator.view.seats] == [14, 0, 14]
        assert script.spectator.view.pool_count == 78
        await script.do(Move("Concede", {}))
        assert script.spectator.view.winners != (1,)
