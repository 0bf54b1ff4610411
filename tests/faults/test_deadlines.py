"""At the deadline an action, the time-out and a leave meet, in two processes: one is first."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from random import Random
from time import monotonic
from typing import Any

import pytest

from engines.marble import ENGINE as MARBLE
from engines.number_tiles import ENGINE as NUMBER_TILES
from engines.protocol import Engine
from tests.api.client import Client
from tests.api.conftest import StartServer
from tests.api.marble.bot import keen
from tests.api.number_tiles.bot import draw
from tests.api.table import Move
from tests.api.watcher import Watcher
from tests.faults.extent import FIRST_SEED, RACES
from tests.faults.service import Service
from tests.faults.survivors import TriedTable
from tests.faults.test_parallel import all_told

PATIENCE = 600.0
PLAYERS = 4
EARLY, LATE = -0.06, 0.08
"""Seconds around the deadline in which all is sent."""

LOST = {"TURN_EXPIRED", "STALE_VERSION"}


@dataclass
class Timed(Watcher):
    """A watcher that knows when the deadline comes."""

    scale: float = 1.0
    deadline: float = 0.0
    """Of the version last seen, on our own clock."""

    def take(self, update: dict[str, Any]) -> None:
        super().take(update)
        if update["deadline"] is not None and update["deadline"]["at"] is not None:
            left = datetime.fromisoformat(update["deadline"]["at"]) - datetime.fromisoformat(
                update["at"]
            )
            self.deadline = monotonic() + left.total_seconds() / self.scale


class TimedTable(TriedTable):
    """A table whose turns last half a second."""

    scale = 1.0

    def watcher(self, client: Client) -> Watcher:
        plain = super().watcher(client)
        return Timed(
            plain.client, plain.engine, plain.docs, plain.match_id, plain.seat, scale=self.scale
        )


def roll(view: Any, rnd: Random) -> Move | None:
    """What a marble player who is awaited sends."""
    return None if view.choices is None else keen(view, rnd, trades=0)


def take_tile(view: Any, rnd: Random) -> Move | None:
    """What a tile player in turn sends."""
    return None if view.draft is None else draw(view)


@pytest.mark.parametrize(
    ("engine", "prefix", "turn_seconds", "bot"),
    [(MARBLE, "Marble", 15, roll), (NUMBER_TILES, "NumberTiles", 60, take_tile)],
    ids=["marble", "number_tiles"],
)
async def test_submit_against_time_out_against_leave(
    start_server: StartServer,
    engine: Engine[Any],
    prefix: str,
    turn_seconds: int,
    bot: Callable[[Any, Random], Move | None],
) -> None:
    scale = turn_seconds * 2.0
    service = Service(start_server, 2, BOARD_BUS_URL="postgres", BOARD_GAME_TIME_SCALE=str(scale))
    raced = seed = 0
    async with asyncio.timeout(PATIENCE):
        while raced < RACES:
            seed += 1
            async with TimedTable(engine, prefix, service, FIRST_SEED + seed) as table:
                table.scale = scale
                await table.gather(PLAYERS, 1, options={"turnSeconds": turn_seconds})
                raced += await race_to_the_end(table, bot)
    assert service.errors() == []


async def race_to_the_end(table: TimedTable, bot: Callable[[Any, Random], Move | None]) -> int:
    """Race at every deadline; at every other one the player in turn leaves as well."""
    await table.start()
    raced, left = 0, set()
    async with table.watched() as watchers:
        while not watchers[-1].over:
            await all_told(watchers, max(watcher.version for watcher in watchers))
            mover = next((w for w in watchers if bot(w.view, Random(0)) is not None), None)
            if mover is None or mover.over:
                break
            raced += 1
            leaves = raced % 2 == 0
            if leaves:
                left.add(mover.seat)
            await race(table, mover, bot, leaves)
            await all_told(watchers, mover.version)
        for watcher in watchers:
            await watcher.settled()
    await table.judge(watchers)
    assert {row["seat"] for row in await table.log("SYSTEM") if row["type"] == "Leave"} == left
    return raced


async def race(
    table: TimedTable, mover: Watcher, bot: Callable[[Any, Random], Move | None], leaves: bool
) -> None:
    """Act at both servers about the deadline, and leave; the timers of both do not wait."""
    assert isinstance(mover, Timed)
    version, move = mover.version, bot(mover.view, table.rnd)
    assert move is not None

    async def at_the_deadline() -> None:
        await asyncio.sleep(mover.deadline + table.rnd.uniform(EARLY, LATE) - monotonic())

    async def submit(device: Client) -> Any:
        await at_the_deadline()
        return await table.act(device, move, expectedVersion=version)

    async def leave() -> None:
        await at_the_deadline()
        await mover.client.do("leaveRoom", "room { id }", roomId=table.room_id)

    async with asyncio.TaskGroup() as group:
        submits = [group.create_task(submit(device)) for device in table.twins(mover.client)]
        if leaves:
            group.create_task(leave())
    answers = [submitted.result() for submitted in submits]
    codes = [error["code"] for answer in answers for error in answer["userErrors"]]
    assert set(codes) <= LOST
    accepted = [answer["version"] for answer in answers if not answer["userErrors"]]
    assert accepted in ([], [version + 1])
    mover.fresh.clear()
    while mover.version == version:
        await mover.fresh.wait()
        mover.fresh.clear()
