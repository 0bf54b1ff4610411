"""W-08, W-09, W-11 through the API: who is gone for three turns plays no more until the return."""

from datetime import datetime

import pytest

from engines.number_tiles import events as e
from engines.number_tiles.reasons import DrawReason
from tests.api.client import Client
from tests.api.number_tiles.bot import draw
from tests.api.number_tiles.conftest import Gather
from tests.api.number_tiles.script import scripted
from tests.api.records import judge_records, stored
from tests.api.server import ServerProcess
from tests.api.table import Move, Table

SCALE = 40
"""A turn of a minute takes a second and a half."""


@pytest.fixture(scope="module")
def server_environ() -> dict[str, str]:
    return {"BOARD_GAME_TIME_SCALE": str(SCALE), "BOARD_BUDGET": "100000000"}


async def look_in(table: Table, client: Client) -> None:
    """Follow the match for a moment."""
    async with client.socket() as socket:
        updates = socket.subscribe(table.docs.updates, {"id": table.match_id})
        await anext(updates)
        await updates.aclose()


async def test_who_is_gone_for_three_turns_is_away_until_the_return(
    gather: Gather, server: ServerProcess
) -> None:
    table = await gather(2)
    here, gone = table.players
    async with scripted(table, absent=[gone]) as script:
        await look_in(table, gone)
        seen = script.spectator
        for _ in range(3):
            if seen.view.current == 0:
                await script.do(draw(script.view))
            told = (await script.by_clock())[-1]
            assert told[0].seat == 1
            assert told[0].reason is DrawReason.TIMEOUT
        await seen.until(lambda: seen.view.seats[1].away)
        assert e.SeatAway(1) in seen.events

        # From now on its turns are over as soon as they begin, and the deadline says so.
        for _ in range(3):
            before = seen.version
            await script.do(draw(script.view))
            await seen.until(lambda: seen.view.current == 0)
            await script.reached(seen.version)  # those told at once hear of it one by one
            assert seen.version == before + 2
        _, log = await stored(server.database_url, table)
        for deal, out in zip(log[-6::2], log[-5::2], strict=True):
            assert (deal["actor"], out["actor"], out["absent"]) == ("SEAT", "TIMER", True)
            assert (out["at"] - deal["at"]).total_seconds() < 60

        # The return restores the whole time, at once.
        async with gone.socket() as socket:
            updates = socket.subscribe(table.docs.updates, {"id": table.match_id})
            await anext(updates)
            await seen.until(lambda: not seen.view.seats[1].away)
            assert seen.events[-1] == e.SeatBack(1)
            await script.reached(seen.version)
            await script.do(draw(script.view))
            match = await table.match(gone)
            assert match["view"]["current"] == 1
            times = [match["deadline"][key] for key in ("startedAt", "at")]
            began, until = (datetime.fromisoformat(time) for time in times)
            assert (until - began).total_seconds() == 60
            assert "SET_DRAFT" in match["view"]["available"]
            await updates.aclose()
        conceded = await table.act(here, Move("Concede", {}))
        await script.reached(conceded["version"])
    await judge_records(server.database_url, table, script.watchers)


async def test_who_acts_or_comes_back_between_is_not_away(gather: Gather) -> None:
    """W-08, W-11: a refused action changes nothing; an accepted one, or a return, counts anew."""
    table = await gather(2)
    here, gone = table.players
    async with scripted(table, absent=[gone]) as script:
        seen = script.spectator
        await look_in(table, gone)
        for number in range(4):
            if seen.view.current == 0:
                await script.do(draw(script.view))
            if number == 1:
                await look_in(table, gone)
            await script.by_clock()
            if number < 3:
                assert not seen.view.seats[1].away
        await seen.until(lambda: seen.view.seats[1].away)
        timeouts = [ev for ev in seen.events if getattr(ev, "reason", None) is DrawReason.TIMEOUT]
        assert len(timeouts) == 4
        await table.act(here, Move("Concede", {}))
