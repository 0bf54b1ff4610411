"""Both processes are asked at the same moment: one effect, and everybody is told the same."""

import asyncio
from uuid import uuid4

from engines.marble import ENGINE
from engines.marble.actions import ActionName
from engines.marble.views import View
from tests.api.conftest import StartServer
from tests.api.marble.bot import keen
from tests.api.table import Move, Watcher
from tests.faults.extent import RACES
from tests.faults.play import play_to
from tests.faults.service import Service
from tests.faults.survivors import TriedTable, until

PATIENCE = 300.0
TIMES = 20
PLAIN = (ActionName.ROLL, ActionName.BUY, ActionName.PASS, ActionName.TAKEOVER)
"""Actions without anything to choose."""


async def test_one_action_twenty_times(start_server: StartServer) -> None:
    service = Service(start_server, 2, BOARD_BUS_URL="postgres")
    async with asyncio.timeout(PATIENCE), TriedTable(ENGINE, "Marble", service, 5) as table:
        await table.gather(3, 1, options={"turnSeconds": 60, "maxRounds": 0})
        await table.start()
        twins = [table.twins(client) for client in table.players]
        async with table.watched() as watchers:
            for _ in range(RACES):
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
            await finished(table, watchers)
    assert service.errors() == []


async def test_two_actions_on_one_version(start_server: StartServer) -> None:
    service = Service(start_server, 2, BOARD_BUS_URL="postgres")
    async with asyncio.timeout(PATIENCE), TriedTable(ENGINE, "Marble", service, 6) as table:
        await table.gather(3, 1, options={"turnSeconds": 60, "maxRounds": 0})
        await table.start()
        twins = [table.twins(client) for client in table.players]
        raced = 0
        async with table.watched() as watchers:
            while raced < RACES:
                mover = mover_of(watchers)
                moves, version = plain_moves(mover.view), mover.version
                if len(moves) < 2:
                    await play_to(version + 1, table, watchers)
                    continue
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
                raced += 1
            await finished(table, watchers)
    assert service.errors() == []


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
