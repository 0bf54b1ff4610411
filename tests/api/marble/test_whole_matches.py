"""Whole marble matches from the deal to the result, by independent clients over real sockets."""

import itertools
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from api.matches.reasons import MatchReason
from engines.marble import ENGINE
from engines.marble.options import OPTION_SPECS
from tests.api.marble.bot import generous, keen, nuisance, wild
from tests.api.records import judge_records
from tests.api.server import ServerProcess
from tests.api.table import Move, Table
from tests.extra_games.engines.coin_race import ENGINE as COIN_RACE

Gather = Callable[..., Awaitable[Table]]

OTHERS: dict[str, Any] = {
    spec.key: next(c.value for c in reversed(spec.choices) if c.value != spec.default)
    for spec in OPTION_SPECS
}
"""Every option at a value that is not its default."""


@pytest.fixture(scope="module")
def server_environ() -> dict[str, str]:
    return {"BOARD_GAME_PACKAGES": "tests.extra_games"}


@pytest.fixture
async def gather(server: ServerProcess) -> AsyncIterator[Gather]:
    tables: list[Table] = []

    async def gather(seed: int, *args: Any, **kwargs: Any) -> Table:
        engine, prefix = kwargs.pop("game", (ENGINE, "Marble"))
        tables.append(Table(engine, prefix, server.base_url, seed))
        await tables[-1].gather(*args, **kwargs)
        return tables[-1]

    yield gather
    for table in tables:
        await table.close()


@pytest.mark.parametrize("players", [2, 4])
async def test_default_options(gather: Gather, server: ServerProcess, players: int) -> None:
    table = await gather(players, players)
    await table.start()
    async with table.watched() as watchers:
        await table.play(watchers, keen)
        for watcher in watchers:
            match = await watcher.settled()
            assert match["status"] == "FINISHED"
            assert match["result"]["reasonCode"] == "ROUND_LIMIT"
            assert match["result"]["ranking"][0]["rank"] == 1
    await judge_records(server.database_url, table, watchers)


async def test_every_option_at_another_value(gather: Gather, server: ServerProcess) -> None:
    options = {**OTHERS, "maxRounds": 30, "turnSeconds": None}
    table = await gather(7, 4, options=options)
    await table.start()
    async with table.watched() as watchers:
        await table.play(watchers, keen)
        for watcher in watchers:
            match = await watcher.settled()
            assert {o["key"]: o["value"] for o in match["options"]} == options
            assert match["status"] == "FINISHED"
    await judge_records(server.database_url, table, watchers)


UNREACHABLE = {
    "UNKNOWN_PLAYER": "the API knows the seat of every player",
    "UNKNOWN_ACTION": "there is a mutation for known actions only",
    "BAD_PAYLOAD": "GraphQL's own types let no such value through",
    "NOT_HOST": "marble has no action of the host",
    "MATCH_CLOSED": "nobody is left to act in an abandoned match",
    "TURN_EXPIRED": "test_silent_players",
    "CONTENDED": "needs the race for a version lost twenty times",
}
RICH = {**OTHERS, "startMoney": 500, "salary": 30, "maxRounds": 30, "turnSeconds": 60}
POOR = {**OTHERS, "startMoney": 200, "salary": 10, "maxRounds": 30, "turnSeconds": 60}
PLAIN = {**POOR, "takeover": False, "trade": False, "islandFee": 0, "monopolyWin": False}
MOST_MATCHES = 15


@pytest.mark.thorough
async def test_every_event_and_every_refusal(gather: Gather, server: ServerProcess) -> None:
    """Matches of all sorts until a client has seen every event type and every refusal."""
    codes = {code.name for code in (*MatchReason, *ENGINE.reasons)} - set(UNREACHABLE)
    events = {cls.__name__ for cls in ENGINE.events}
    told: set[str] = set()
    refused: set[str] = set(await refusals_of_the_table(gather))
    kinds = itertools.cycle([(4, RICH, generous), (2, POOR, wild), (3, PLAIN, wild)])
    for number, (players, options, bot) in zip(range(MOST_MATCHES), kinds, strict=False):
        table = await gather(100 + number, players, options=options)
        await table.start()
        async with table.watched() as watchers:
            await table.play(watchers, bot, nuisance)
            for watcher in watchers:
                await watcher.settled()
        told |= {type(event).__name__ for event in await watchers[-1].history()}
        await table.act(table.players[0], Move("Roll", {}))
        refused |= set(table.refusals)
        await judge_records(server.database_url, table, watchers)
        if told >= events and refused >= codes:
            break
    assert events - told == set()
    assert codes - refused == set()


async def refusals_of_the_table(gather: Gather) -> Counter[str]:
    """The refusals that every game shares, and that no play of a match brings about."""
    table = await gather(1, 2, options={"turnSeconds": 60})
    match_id = await table.start()
    player, spectator = table.players[0], table.spectators[0]
    await table.act(spectator, Move("Roll", {}))
    await table.act(player, Move("Roll", {}), matchId="no such match")
    await table.act(player, Move("Roll", {}), idempotencyKey="x" * 65)
    await table.act(player, Move("Roll", {}), expectedVersion=99)
    current = table.players[(await table.match(player))["view"]["current"]]
    await table.act(current, Move("Roll", {}), idempotencyKey="once")
    await table.act(current, Move("Pass", {}), idempotencyKey="once")
    race = await gather(1, 2, game=(COIN_RACE, "CoinRace"))
    await table.act(player, Move("Roll", {}), matchId=await race.start())  # not seen: not known
    await race.act(race.players[0], Move("Flip", {}), matchId=match_id)
    racer = race.players[0]
    table.refusals.update(race.refusals)
    await table.act(racer, Move("Roll", {}), matchId=race.match_id)
    return table.refusals
