"""Whole number-tile matches from the deal to the result, by independent clients on real sockets."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from api.matches.reasons import MatchReason
from engines.marble import ENGINE as MARBLE
from engines.number_tiles import ENGINE
from engines.number_tiles.options import OPTION_SPECS
from engines.number_tiles.views import View
from tests.api.number_tiles.bot import clumsy, hosting, idle, keen, nuisance, opening
from tests.api.number_tiles.conftest import Gather
from tests.api.records import judge_records
from tests.api.server import ServerProcess
from tests.api.table import Bot, Move, Table
from tests.api.watcher import Watcher

PATIENCE = 120.0
MOST_MATCHES = 6
OTHERS: dict[str, Any] = {
    spec.key: next(c.value for c in reversed(spec.choices) if c.value != spec.default)
    for spec in OPTION_SPECS
}
"""Every option at a value that is not its default."""


@pytest.fixture(scope="module")
def server_environ() -> dict[str, str]:
    return {"BOARD_BUDGET": "100000000"}  # people play slower than this


async def played(table: Table, bot: Bot, pest: Bot | None = None) -> list[Watcher]:
    """The watchers of a match that was played to its end; they agree with a fresh query."""
    await table.start()
    async with asyncio.timeout(PATIENCE), table.watched() as watchers:
        await table.play(watchers, bot, pest)
        for watcher in watchers:
            match = await watcher.settled()
            assert match["status"] == "FINISHED"
    return watchers


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_to_an_empty_rack(gather: Gather, server: ServerProcess, players: int) -> None:
    """§8.6: by players who lay all they can, which one match in twenty takes to a stalemate."""
    for seed in range(MOST_MATCHES):
        table = await gather(players, seed)
        watchers = await played(table, keen)
        await judge_records(server.database_url, table, watchers)
        result = (await table.match(table.spectators[0]))["result"]
        if result["reasonCode"] == "RACK_EMPTY":
            break
    assert result["reasonCode"] == "RACK_EMPTY"
    (game,) = result["games"]
    assert game["winners"] == result["winners"] == [game["ranking"][0]["seat"]]
    assert game["ranking"][0]["tilesLeft"] == game["ranking"][0]["rackValue"] == 0
    assert sum(row["score"] for row in game["ranking"]) == 0


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_to_a_stalemate(gather: Gather, server: ServerProcess, players: int) -> None:
    """§5.8: by players who draw the whole pool and then pass, all of them in a row."""
    table = await gather(players)
    watchers = await played(table, idle)
    await judge_records(server.database_url, table, watchers)
    match = await table.match(table.spectators[0])
    assert match["result"]["reasonCode"] == "STALEMATE"
    (game,) = match["result"]["games"]
    assert sum(row["tilesLeft"] for row in game["ranking"]) == 106
    assert sorted(match["view"]["passes"]) == list(range(players))
    told = Counter(type(event).__name__ for event in watchers[-1].events)
    assert (told["TilesDrawn"], told["Passed"]) == (106 - players * 14, players)


async def test_every_option_at_another_value(gather: Gather, server: ServerProcess) -> None:
    """Two games, the second dealt by the host; drafts seen by all; any first set will do."""

    def bot(view: View, rnd: Random) -> Move | None:
        return keen(view, rnd) if view.game_no == 1 else idle(view, rnd)

    options = {**OTHERS, "gamesPerMatch": "seats"}
    table = await gather(2, 7, **options)
    watchers = await played(table, hosting(bot))
    await judge_records(server.database_url, table, watchers)
    match = await table.match(table.spectators[0])
    assert {o["key"]: o["value"] for o in match["options"]} == options
    games = match["result"]["games"]
    assert [game["gameNo"] for game in games] == [1, 2]
    assert games[1]["reason"] == "STALEMATE"
    wins = [sum(seat in game["winners"] for game in games) for seat in (0, 1)]
    assert {row["seat"]: row["wins"] for row in match["result"]["ranking"]} == dict(enumerate(wins))
    shown = [e for e in watchers[-1].events if type(e).__name__ == "DraftChanged"]
    assert all(event.sets for event in shown)


UNREACHABLE = {
    "BAD_ACTION": "there is a mutation for the actions of players and the host only",
    "MATCH_CLOSED": "nobody is left to act in an abandoned match",
    "TURN_EXPIRED": "test_time",
    "CONTENDED": "needs the race for a version lost twenty times",
}
ELSEWHERE = {"SeatAway": "test_absence", "SeatBack": "test_absence"}
FREE = {"initialMeldPoints": 0, "initialMeldAllowExtend": True}
STRICT = {"invalidCommitPenalty": "penalty3", "initialMeldPoints": 50}


class Findings:
    """What clients have been told so far, of all that they are to be told."""

    def __init__(self) -> None:
        self.codes = {code.name for code in (*MatchReason, *ENGINE.reasons)} - set(UNREACHABLE)
        self.events = {cls.__name__ for cls in ENGINE.events} - set(ELSEWHERE)

    def take(self, table: Table, events: Iterable[Any]) -> None:
        self.codes -= set(table.refusals)
        self.events -= {type(event).__name__ for event in events}

    def enough(self, table: Table) -> bool:
        return not self.events and self.codes <= set(table.refusals)


@pytest.mark.thorough
async def test_every_event_and_every_refusal(gather: Gather, server: ServerProcess) -> None:
    """Matches of all sorts until clients have seen every event type and every refusal."""
    missing = Findings()
    await what_the_table_tells(gather, missing)
    kinds = [(STRICT, idle), ({}, keen), *[(FREE, opening), ({}, opening)] * MOST_MATCHES]
    for seed, (options, bot) in enumerate(kinds):
        table = await gather(2, seed, **options)
        watchers = await played(table, until_enough(bot, missing, table), nuisance)
        missing.take(table, (event for watcher in watchers for event in watcher.events))
        await judge_records(server.database_url, table, watchers)
        if missing.enough(table):
            break
    assert missing.events == set()
    assert missing.codes == set()


def until_enough(bot: Bot, missing: Findings, table: Table) -> Bot:
    """The bot, clumsily, until there is nothing more to find: then it gives up."""

    def play(view: View, rnd: Random) -> Move | None:
        if missing.enough(table):
            return Move("Concede", {}) if view.draft else None
        return clumsy(bot)(view, rnd)

    return play


async def what_the_table_tells(gather: Gather, missing: Findings) -> None:
    """Events and refusals that every game shares, and that no play of a match brings about."""
    table = await gather(3)
    await table.start()
    player, leaver, stayer = table.players
    draw = Move("Draw", {"turn": 1})
    await table.act(table.spectators[0], draw)
    await table.act(player, draw, matchId="no such match")
    await table.act(player, draw, idempotencyKey="x" * 65)
    await table.act(player, draw, expectedVersion=99)
    await table.act(player, Move("NextGame", {}))
    await table.act(leaver, Move("NextGame", {}))
    await table.act(leaver, Move("Concede", {}))
    await table.act(leaver, Move("Concede", {}))
    await table.act(stayer, Move("Concede", {}), idempotencyKey="once")
    await table.act(stayer, draw, idempotencyKey="once")
    await table.act(stayer, draw)
    marble = Table(MARBLE, "Marble", player.base_url, seed=0)
    await marble.gather(2)
    await table.act(marble.players[0], draw, matchId=await marble.start())
    await marble.close()
    missing.take(table, await table.watcher(player).history())
