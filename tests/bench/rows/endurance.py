"""A process killed under its sockets, and how late deadlines come under load."""

import asyncio
import re
import time
from random import uniform
from typing import Any

import psutil

from tests.bench import documents
from tests.bench.meters import Figure
from tests.bench.report import Row
from tests.bench.rig import Dealt, Person, Rig
from tests.bench.rows.actions import deal, play
from tests.bench.rows.watching import act
from tests.bench.wire import Http, Subscriber, subscription

GROUP = "endurance"
SOCKETS = 500
SCALE = 10.0
"""Game time runs so much faster for the deadlines: 15 s of it are 1.5 s."""

WATCHED = 60
SECONDS = 12
AT = re.compile(rb'"fromVersion":(\d+),"version":(\d+)')


async def rows(rig: Rig) -> list[Row]:
    return [await _resumed(rig)]


class Follower:
    """A spectator who comes back wherever the connection goes, with the version last seen."""

    def __init__(self, person: Person, match: Dealt) -> None:
        self._person, self._match = person, match
        self.version = 0
        self.gaps = 0
        self.returns = 0
        self.subscriber: Subscriber | None = None

    async def follow(self, url: str, gate: asyncio.Semaphore) -> None:
        """For ever; at first some at a time, then after a pause of chance, as graphql-ws has it."""
        async with gate:
            await self._connect(url)
        while True:
            if self.subscriber is not None:
                await self.subscriber.ws.lost.wait()
            self.returns += 1
            await asyncio.sleep(uniform(0.3, 3.0))
            await self._connect(url)

    async def _connect(self, url: str) -> None:
        """One attempt; `subscriber` is None if it failed."""
        after = self.version or None
        frame = subscription(documents.updates(), {"id": self._match.public_id, "after": after})
        subscriber = Subscriber(self._told)
        try:
            async with asyncio.timeout(30):
                self.subscriber = await subscriber.start(url, self._person.token, frame)
        except (OSError, TimeoutError):
            self.subscriber = None

    def close(self) -> None:
        """Go away."""
        if self.subscriber is not None:
            self.subscriber.close()

    def _told(self, subscriber: Subscriber, frame: bytes) -> None:
        found = AT.search(frame)
        if found is None:  # an error: the server is too busy; come back later
            subscriber.close()
            return
        before, version = int(found[1]), int(found[2])
        self.gaps += self.version not in (0, before)
        self.version = version


async def _resumed(rig: Rig) -> Row:
    """Half of the sockets lose their process while moves go on."""
    times, lost, gaps, returned = [], 0.0, 0, 0
    sockets = 2 * SOCKETS if rig.slow else SOCKETS
    people = await rig.people(sockets)
    with rig.server(BOARD_WORKERS="2") as server:
        for _ in range(2):
            (match,) = await deal(rig, 1, 30)
            followers = [Follower(person, match) for person in people]
            gate = asyncio.Semaphore(50)
            tasks = [asyncio.create_task(each.follow(server.ws_url, gate)) for each in followers]
            await _until(lambda: all(each.version for each in followers))  # noqa: B023
            workers = psutil.Process(server.process.pid).children()
            killed, began = workers[0], time.perf_counter()
            killed.kill()
            version = await _play_on(server.base_url, match)
            await _until(lambda: all(each.version >= version for each in followers))  # noqa: B023
            times.append(time.perf_counter() - began)
            returned += sum(each.returns > 0 for each in followers)
            gaps += sum(each.gaps for each in followers)
            lost += sum(each.version < version for each in followers)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for each in followers:
                each.close()
            await rig.retire([match])
            await _until(lambda: len(psutil.Process(server.process.pid).children()) == 2)
    return Row(
        GROUP,
        f"{sockets:,} sockets, one of two processes killed: all caught up",
        "s",
        Figure.of(times),
        limit=30,
        more={"came back": returned / 2, "lost": lost, "gaps": float(gaps)},
    )


async def _until(holds: Any) -> None:
    async with asyncio.timeout(90):
        while not holds():  # noqa: ASYNC110 - of other processes
            await asyncio.sleep(0.05)


async def _play_on(url: str, match: Dealt) -> int:
    """Moves through whichever process answers; the version they lead to."""
    number = 0
    while number < 20:
        try:
            client = await Http.connect(url)
            while number < 20:
                await act(client, match, number)
                number += 1
                await asyncio.sleep(0.05)
            client.close()
        except OSError:
            await asyncio.sleep(0.05)  # the process is gone; the same key is asked again
    return number + 1


async def deadlines(rig: Rig) -> list[Row]:
    """How late time-outs come while 4 clients act as fast as they can."""
    with rig.server() as server:
        dealt = await rig.deal(await rig.people(2 * WATCHED), 2, 0, turnSeconds=15)
        clients = [await Http.connect(server.base_url) for _ in range(4)]
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            busy = await deal(rig, len(clients), 25)
            await play(clients, busy, 25)
            await rig.retire(busy)
        late = await rig.database.fetch(LATE, [each.id for each in dealt])
        for client in clients:
            client.close()
    times = sorted(float(row["late"]) / SCALE for row in late)
    at = [times[int(share * (len(times) - 1))] for share in (0.5, 0.99, 1.0)]
    return [
        Row(
            GROUP,
            f"deadlines under load, p99 of {len(times):,}",
            "ms",
            Figure(at[1], at[0], at[2]),
            limit=250,
            more={"p50": at[0], "latest": at[2]},
        )
    ]


LATE = """
SELECT extract(epoch FROM at - before) * 1000 - 15000 AS late FROM (
    SELECT actor, at, lag(at) OVER (PARTITION BY match_id ORDER BY version) AS before
    FROM match_log WHERE match_id = ANY($1)
) AS logged WHERE actor = 'TIMER' AND before IS NOT NULL
"""
