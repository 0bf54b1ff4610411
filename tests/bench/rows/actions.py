"""One action through HTTP, GraphQL and the commit; and how many a second the service commits."""

import asyncio
import json
import time
from typing import Any

from tests.api.server import ServerProcess
from tests.bench import documents
from tests.bench.meters import Figure, Meter, Spent, figure
from tests.bench.report import Row
from tests.bench.rig import Dealt, Rig
from tests.bench.wire import Http
from tests.bench.writes import encoded

GROUP = "actions"
CLIENTS = 32
SEATS = 4


async def rows(rig: Rig) -> list[Row]:
    return [*await _one(rig), *await _many(rig)]


def body(dealt: Dealt, number: int, whole: bool = True) -> bytes:
    """The request that makes a move."""
    move = dealt.moves[number]
    document = documents.action(move.mutation, whole)
    return json.dumps({"query": document, "variables": {"input": dealt.variables(number)}}).encode()


async def play(clients: list[Http], dealt: list[Dealt], steps: int, whole: bool = True) -> bytes:
    """Every client plays its own match; the last answer. Fails if any move is refused."""

    async def one(client: Http, match: Dealt) -> bytes:
        answer = b""
        for number in range(steps):
            request = body(match, number, whole)
            answer = await client.post("/graphql", request, match.player(number).token)
            if not answer.endswith(b'"userErrors":[]}}}'):
                raise RuntimeError(answer.decode())
        return answer

    return (await asyncio.gather(*map(one, clients, dealt)))[-1]


async def load_floor(client: Http, dealt: list[Dealt], steps: int, answer: bytes) -> None:
    """Give the floor the writes of these matches."""
    writes = {str(each.id): encoded(each.moves[:steps]) for each in dealt}
    await client.post(
        "/script", json.dumps({"writes": writes, "answer": json.loads(answer)}).encode()
    )


async def play_floor(clients: list[Http], dealt: list[Dealt], steps: int, whole: bool) -> None:
    """The same writes through the floor, by requests of the same size."""

    async def one(client: Http, match: Dealt) -> None:
        for number in range(steps):
            given: dict[str, Any] = {**match.variables(number), "matchId": str(match.id)}
            document = documents.action(match.moves[number].mutation, whole)
            request = json.dumps({"query": document, "variables": {"input": given}}).encode()
            answer = await client.post("/act", request)
            if not answer.startswith(b"{"):
                raise RuntimeError(answer.decode())

    await asyncio.gather(*map(one, clients, dealt))


async def deal(rig: Rig, count: int, steps: int) -> list[Dealt]:
    """Matches of four whose script is long enough."""
    return await deal_for(rig, count, SEATS, steps)


async def deal_for(rig: Rig, count: int, seats: int, steps: int) -> list[Dealt]:
    """The same for another number of seats."""
    dealt: list[Dealt] = []
    while len(dealt) < count:
        fresh = await rig.deal(await rig.people(seats * (count - len(dealt))), seats, steps + 1)
        dealt += [each for each in fresh if len(each.moves) > steps]
    return dealt


async def _one(rig: Rig) -> list[Row]:
    """CPU of one action, one client at a time, beside the floor."""
    rounds, steps = (7, 150) if rig.slow else (5, 100)
    out = []
    with rig.server() as server, rig.floor() as (pid, address):
        client, bare = await Http.connect(server.base_url), await Http.connect(address)
        for whole, name in ((True, "one action, events and view"), (False, "one action, no view")):
            ours: list[Spent] = []
            floor: list[Spent] = []
            for number in range(rounds + 1):
                first, second = await deal(rig, 2, steps)
                meter = Meter(server.process.pid, rig.url)
                answer = await play([client], [first], steps, whole)
                spent = meter.read().per(steps)
                await load_floor(bare, [second], steps, answer)
                meter = Meter(pid, rig.url)
                await play_floor([bare], [second], steps, whole)
                if number:  # the first round warms up
                    ours.append(spent)
                    floor.append(meter.read().per(steps))
                await rig.retire([first, second])
            out.append(_compared(name, ours, floor, 3.0))
        client.close()
        bare.close()
    return out


def _compared(name: str, ours: list[Spent], floor: list[Spent], goal: float) -> Row:
    return Row(
        GROUP,
        name,
        "CPU µs",
        figure(ours, lambda spent: spent.cpu),
        figure(floor, lambda spent: spent.cpu),
        goal,
        more={
            "server process, µs": figure(ours, lambda s: s.server).median,
            "its floor, µs": figure(floor, lambda s: s.server).median,
            "PostgreSQL, µs": figure(ours, lambda s: s.database).median,
            "its floor in PostgreSQL, µs": figure(floor, lambda s: s.database).median,
            "wall, µs": figure(ours, lambda s: s.wall).median,
        },
    )


async def _many(rig: Rig) -> list[Row]:
    """Commits a second of 32 clients, each in a match of its own, and of raw asyncpg."""
    rounds, steps = (5, 60) if rig.slow else (3, 40)
    out = []
    for workers in (1, 2):
        rates, floors, spent = [], [], []
        environ = {"BOARD_WORKERS": str(workers)}
        with rig.server(**environ) as server, rig.floor() as (_, address):
            clients = [await Http.connect(server.base_url) for _ in range(CLIENTS)]
            bare = [await Http.connect(address) for _ in range(CLIENTS)]
            for number in range(rounds + 1):
                ours = await deal(rig, CLIENTS, steps)
                theirs = await deal(rig, CLIENTS, steps)
                rate, cost = await _rate(server, rig, clients, ours, steps)
                floor = await _raw_rate(rig, theirs, steps)
                if number:
                    rates.append(rate)
                    floors.append(floor)
                    spent.append(cost)
                await rig.retire([*ours, *theirs])
            for each in (*clients, *bare):
                each.close()
        processes = "one process" if workers == 1 else "two processes"
        out.append(
            Row(
                GROUP,
                f"durable actions, 32 clients, {processes}",
                "1/s",
                Figure.of(rates),
                Figure.of(floors),
                0.5,
                higher_is_better=True,
                more={
                    "server CPU µs an action": figure(spent, lambda s: s.server).median,
                    "PostgreSQL CPU µs an action": figure(spent, lambda s: s.database).median,
                },
            )
        )
    return out


async def _rate(
    server: ServerProcess, rig: Rig, clients: list[Http], dealt: list[Dealt], steps: int
) -> tuple[float, Spent]:
    meter = Meter(server.process.pid, rig.url)
    await play(clients, dealt, steps)
    spent = meter.read()
    count = steps * len(dealt)
    return count / spent.wall, spent.per(count)


async def _raw_rate(rig: Rig, dealt: list[Dealt], steps: int) -> float:
    """The same writes by tasks of one process on asyncpg's pool, and nothing else."""
    from api.matches.store import APPEND
    from tests.bench.writes import arguments

    now = time.time_ns() // 1_000_000
    writes = [
        [arguments(str(each.id), i, w, now) for i, w in enumerate(encoded(each.moves[:steps]))]
        for each in dealt
    ]

    async def one(match: list[tuple[Any, ...]]) -> None:
        for write in match:
            if await rig.database.fetchrow(APPEND, *write) is None:
                raise RuntimeError("nothing was written")

    began = time.perf_counter()
    await asyncio.gather(*map(one, writes))
    return steps * len(dealt) / (time.perf_counter() - began)
