"""What one update costs for each of many watchers, and what an idle watcher costs."""

import asyncio
from collections.abc import Sequence
from typing import Any

from tests.api.server import ServerProcess
from tests.bench import documents
from tests.bench.meters import Figure, Meter, Spent, family, figure, memory
from tests.bench.report import Row
from tests.bench.rig import Dealt, Person, Rig
from tests.bench.rows.actions import body, deal
from tests.bench.wire import Http, Subscriber, Ws, subscription

GROUP = "watching"
SPECTATORS = 1000
MATCHES = 250
SEATS = 4


async def rows(rig: Rig) -> list[Row]:
    shared, frame = await _spectators(rig)
    return [shared, await _players(rig), await _idle(rig, frame)]


class Crowd:
    """Many subscribers, and when all of them have been told."""

    def __init__(self) -> None:
        self.members: list[Subscriber] = []
        self.last = b""
        self._told = 0
        self._wanted = 0
        self._all = asyncio.Event()

    async def gather(self, url: str, whose: Sequence[tuple[Person, Dealt]]) -> None:
        """Subscribe them, some at a time, and wait for the first item of each."""
        for start in range(0, len(whose), 50):
            group = [Subscriber(self._hear) for _ in whose[start : start + 50]]
            await asyncio.gather(
                *(
                    each.start(url, person.token, subscribe(match))
                    for each, (person, match) in zip(group, whose[start : start + 50], strict=True)
                )
            )
            await asyncio.gather(*(each.first for each in group))
            self.members += group

    def expect(self, count: int) -> None:
        """Begin to count anew."""
        self._told, self._wanted = 0, count
        self._all.clear()

    async def all_told(self) -> None:
        async with asyncio.timeout(60):
            await self._all.wait()

    def _hear(self, _: Subscriber, frame: bytes) -> None:
        self._told += 1
        self.last = frame
        if self._told == self._wanted:
            self._all.set()

    def close(self) -> None:
        for each in self.members:
            each.close()


def subscribe(match: Dealt) -> bytes:
    return subscription(documents.updates(), {"id": match.public_id})


async def act(client: Http, match: Dealt, number: int) -> None:
    """One move, asking for its version only."""
    player = match.player(number)
    answer = await client.post("/graphql", body(match, number, whole=False), player.token)
    if not answer.endswith(b'"userErrors":[]}}}'):
        raise RuntimeError(answer.decode())


async def _spectators(rig: Rig) -> tuple[Row, bytes]:
    """All watch one match."""
    moves = 20 if rig.slow else 12
    people = await rig.people(SPECTATORS)
    with rig.server() as server:
        (match,) = await deal(rig, 1, moves)
        crowd = Crowd()
        await crowd.gather(server.ws_url, [(person, match) for person in people])
        client = await Http.connect(server.base_url)  # one that says nothing is let go
        ours = []
        for number in range(moves):
            await asyncio.sleep(0.3)  # presence and the poll settle
            crowd.expect(SPECTATORS)
            meter = Meter(server.process.pid)
            await act(client, match, number)
            await crowd.all_told()
            if number > 1:
                ours.append(meter.read().per(SPECTATORS))
        frame = crowd.last
        crowd.close()
        client.close()
    floor = await _raw(rig, SPECTATORS, frame, len(ours))
    return _delivery("one update to 1,000 spectators", ours, floor, 1.5, len(frame)), frame


async def _players(rig: Rig) -> Row:
    """Four players in each of many matches; one move in each, at first with nobody watching."""
    moves = 4 if rig.slow else 3
    with rig.server() as server:
        dealt = await deal(rig, MATCHES, 2 * moves)
        watchers = [(person, match) for match in dealt for person in match.players]
        crowd, client = Crowd(), await Http.connect(server.base_url)
        alone, ours = [], []
        for number in range(2 * moves):
            watched = number >= moves
            if number == moves:
                await crowd.gather(server.ws_url, watchers)
                await asyncio.sleep(3)  # the others' coming has been told
            await asyncio.sleep(1)
            crowd.expect(len(watchers))
            meter = Meter(server.process.pid)
            for match in dealt:
                await act(client, match, number)
            if watched:
                await crowd.all_told()
            if number % moves:
                (ours if watched else alone).append(meter.read().per(len(watchers)))
        frame = crowd.last
        crowd.close()
        client.close()
    floor = await _raw(rig, len(watchers), frame, 6)
    row = _delivery("250 matches, own views of 4 players", ours, floor, 4.0, len(frame))
    # A delivery costs its part of the move that it tells of: a quarter of one here.
    part = figure(alone, lambda spent: spent.server).median
    row.more["a quarter of a move, µs"] = part
    row.more["the delivery itself, µs"] = row.figure.median - part
    return row


def _delivery(name: str, ours: list[Spent], floor: list[Spent], goal: float, size: int) -> Row:
    return Row(
        GROUP,
        name,
        "CPU µs",
        figure(ours, lambda spent: spent.server),
        figure(floor, lambda spent: spent.server),
        goal,
        more={"bytes": float(size), "wall, µs": figure(ours, lambda s: s.wall).median},
    )


async def _raw(rig: Rig, sockets: int, frame: bytes, rounds: int) -> list[Spent]:
    """The same bytes to as many sockets of the bare server."""
    spent = []
    with rig.floor() as (pid, address):
        heard = asyncio.Semaphore(0)
        opened = await _open(address, sockets, lambda _: heard.release())
        client = await Http.connect(address)
        for number in range(rounds + 1):
            meter = Meter(pid)
            await client.post("/send", frame)
            for _ in range(sockets):
                await heard.acquire()
            if number:
                spent.append(meter.read().per(sockets))
        for each in opened:
            each.close()
        client.close()
    return spent


async def _open(address: str, count: int, heard: Any) -> list[Ws]:
    url = address.replace("http", "ws", 1) + "/socket"
    opened: list[Ws] = []
    for start in range(0, count, 50):
        group = range(min(50, count - start))
        opened += await asyncio.gather(*(Ws.connect(url, heard) for _ in group))
    return opened


async def _idle(rig: Rig, frame: bytes) -> Row:
    """Resident memory of a subscription that has been told once, beside a raw socket's."""
    people = await rig.people(SPECTATORS)
    ours, floor = [], []
    for _ in range(2):
        with rig.server() as server:
            (match,) = await deal(rig, 1, 1)
            ours.append(await _grown(server, people, match))
        with rig.floor() as (pid, address):
            client = await Http.connect(address)
            warm = await _open(address, 50, lambda _: None)
            await client.post("/send", frame)
            before = memory(family(pid))
            opened = await _open(address, SPECTATORS, lambda _: None)
            await client.post("/send", frame)
            floor.append((memory(family(pid)) - before) / SPECTATORS / 1024)
            for each in (*opened, *warm):
                each.close()
            client.close()
    return Row(GROUP, "an idle match subscription", "KiB", Figure.of(ours), Figure.of(floor), 1.5)


async def _grown(server: ServerProcess, people: list[Person], match: Dealt) -> float:
    crowd = Crowd()
    await crowd.gather(server.ws_url, [(person, match) for person in people[:50]])
    await asyncio.sleep(1)
    pids = family(server.process.pid)
    before = memory(pids)
    await crowd.gather(server.ws_url, [(person, match) for person in people])
    await asyncio.sleep(1)
    grown = (memory(pids) - before) / len(people) / 1024
    crowd.close()
    return grown
