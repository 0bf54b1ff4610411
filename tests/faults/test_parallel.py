"""Both processes are asked at the same moment: one effect, and everybody is told the same."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import uuid4

from engines.marble import ENGINE
from engines.marble.actions import ActionName
from engines.marble.views import View
from tests.api.conftest import StartServer
from tests.api.marble.bot import keen
from tests.api.table import Move
from tests.api.watcher import Watcher
from tests.faults.extent import RACES
from tests.faults.play import play_to
from tests.faults.service import Service
from tests.faults.survivors import Survivor, TriedTable, until

PATIENCE = 600.0
TIMES = 20
PLAIN = (ActionName.ROLL, ActionName.BUY, ActionName.PASS, ActionName.TAKEOVER)
"""Actions without anything to choose."""


Twins = list[list[Survivor]]
"""The second devices of each seat, one at each server."""

Race = Callable[[TriedTable, list[Watcher], Twins], Awaitable[bool]]
"""One race at a table; whether there was anything to race for."""


async def test_one_action_twenty_times(start_server: StartServer) -> None:
    async def race(table: TriedTable, watchers: list[Watcher], twins: Twins) -> bool:
        mover = mover_of(watchers)
        move, version, key = keen(mover.view, table.rnd), mover.version, uuid4().hex
        assert move is not None
        answers = await asyncio.gather(
            *(
                table.act(device, move, idempotencyKey=key)
                for device in twins[table.seat_of(mover.client)] * (TIMES // 2)
            )
        )
        assert [answer["userErrors"] for answer in answers] == [[]] * TIMES
        assert {answer["version"] for answer in answers} == {version + 1}
        await all_told(watchers, version + 1)
        return True

    await race_on(start_server, race, 5)


async def test_two_actions_on_one_version(start_server: StartServer) -> None:
    async def race(table: TriedTable, watchers: list[Watcher], twins: Twins) -> bool:
        mover = mover_of(watchers)
        moves, version = plain_moves(mover.view), mover.version
        if len(moves) < 2:
            await play_to(version + 1, table, watchers)
            return False
        devices = twins[table.seat_of(mover.client)]
        table.rnd.shuffle(devices)
        answers = await asyncio.gather(
            *(
                table.act(device, move, expectedVersion=version)
                for device, move in zip(devices, moves, strict=False)
            )
        )
        codes = [[error["code"] for error in answer["userErrors"]] for answer in answers]
        assert sorted(codes) == [[], ["STALE_VERSION"]]
        assert sorted(answer["version"] or 0 for answer in answers) == [0, version + 1]
        await all_told(watchers, version + 1)
        return True

    await race_on(start_server, race, 6)


async def race_on(start_server: StartServer, race: Race, seed: int) -> None:
    """Race as often as asked for, in as many matches as that takes."""
    service = Service(start_server, 2, BOARD_BUS_URL="postgres")
    raced = 0
    async with asyncio.timeout(PATIENCE):
        while raced < RACES:
            async with TriedTable(ENGINE, "Marble", service, seed) as table:
                await table.gather(3, 1, options={"turnSeconds": 60, "maxRounds": 0})
                await table.start()
                twins = [table.twins(client) for client in table.players]
                async with table.watched() as watchers:
                    while raced < RACES and not is_over(watchers):
                        raced += await race(table, watchers, twins)
                    await finished(table, watchers)
            seed += 100
    assert service.errors() == []


def is_over(watchers: list[Watcher]) -> bool:
    """Whether the match has ended, as everybody has been told by now."""
    return watchers[0].seen[-1]["status"] != "RUNNING"


def mover_of(watchers: list[Watcher]) -> Watcher:
    """The seat that has something to decide."""
    return next(watcher for watcher in watchers if watcher.view.choices is not None)


def plain_moves(view: View) -> list[Move]:
    """What the awaited seat may do without choosing anything else."""
    return [
        Move(name.value[:1].upper() + name.value[1:], {})
        for name in PLAIN
        if name in view.available
    ]


async def all_told(watchers: list[Watcher], version: int) -> None:
    """Return when everybody has been told of this version."""
    for watcher in watchers:
        while watcher.version < version:
            watcher.fresh.clear()
            await watcher.fresh.wait()


async def finished(table: TriedTable, watchers: list[Watcher]) -> None:
    """End the match and judge it."""
    await table.play(watchers, until(lambda: True, keen))
    for watcher in watchers:
        await watcher.settled()
    await table.judge(watchers)
