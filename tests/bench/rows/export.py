"""The export of a long history: what the server holds while it streams, and how fast that is."""

import asyncio
import http.client
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

import asyncpg

from api.matches.loading import load
from api.matches.writing import Command, append
from engines.protocol import SYSTEM, Leave, LeaveCause
from tests.api.export.test_export import COPY, PATH
from tests.bench.meters import Figure, family, memory
from tests.bench.report import Row
from tests.bench.rig import Dealt, Person, Rig

GROUP = "export"
FEW = 1_000
MANY = 20_000
MOVES = 20
MIB = 2**20
STALL_SECONDS = 5.0
LIMIT_MIB = 16
"""How much a stream of any length may cause: buffers, a page of records, the allocator's slack."""


@dataclass(frozen=True)
class Streamed:
    """One whole export: lines, bytes, seconds, and the most that the server held meanwhile."""

    lines: int
    size: int
    seconds: float
    peak: int


async def rows(rig: Rig) -> list[Row]:
    many = 10 * MANY if rig.slow else MANY
    people = await rig.people(2)
    (dealt,) = await rig.deal(people, 2, MOVES)
    await _play(rig, dealt)
    with rig.server(BOARD_BUDGET="1000000000") as server:
        pids = family(server.process.pid)

        async def stream() -> Streamed:
            return await asyncio.to_thread(_stream, server.base_url, people[0], pids)

        await _copy(rig, dealt, FEW - 1)
        await stream()
        few = await stream()
        await _copy(rig, dealt, many - FEW)
        whole = await stream()
        before = memory(pids)
        stalled = await asyncio.to_thread(_stall, server.base_url, people[0], pids) - before
    if (few.lines, whole.lines) != (FEW + 1, many + 1):
        raise RuntimeError(f"{few.lines} and {whole.lines} lines")
    return [
        Row(
            GROUP,
            f"export of {many:,} matches: held more than for {FEW:,}",
            "MiB",
            Figure.of([(whole.peak - few.peak) / MIB]),
            limit=LIMIT_MIB,
            more={"streamed, MiB": whole.size / MIB, "resident, MiB": whole.peak / MIB},
        ),
        Row(
            GROUP,
            f"export of {many:,} matches, asked for and not read: held",
            "MiB",
            Figure.of([stalled / MIB]),
            limit=LIMIT_MIB,
        ),
        Row(
            GROUP,
            f"export of {many:,} matches of {MOVES} moves, one client",
            "1/s",
            Figure.of([whole.lines / whole.seconds]),
        ),
    ]


def _asked(base_url: str, reader: Person) -> http.client.HTTPConnection:
    """A connection on which an export has been asked for."""
    place = urlsplit(base_url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=60)
    connection.request("GET", PATH, headers={"authorization": f"Bearer {reader.token}"})
    return connection


def _stall(base_url: str, reader: Person, pids: list[int]) -> int:
    """The most that the server holds for one who asks for an export and does not read it."""
    connection = _asked(base_url, reader)
    until, peak = time.perf_counter() + STALL_SECONDS, 0
    while time.perf_counter() < until:
        peak = max(peak, memory(pids))
        time.sleep(0.1)
    connection.close()
    return peak


def _stream(base_url: str, reader: Person, pids: list[int]) -> Streamed:
    """Read a whole export, and look at the server's memory every few hundred lines."""
    began = time.perf_counter()
    connection = _asked(base_url, reader)
    answer = connection.getresponse()
    lines = size = peak = 0
    last = b""
    for line in answer:
        lines, size, last = lines + 1, size + len(line), line
        if lines % 250 == 0:
            peak = max(peak, memory(pids))
    connection.close()
    if b'"done":true' not in last:
        raise RuntimeError(last.decode())
    return Streamed(lines, size, time.perf_counter() - began, max(peak, memory(pids)))


async def _play(rig: Rig, dealt: Dealt) -> None:
    """Play the script of a match, and end it."""
    for move in dealt.moves:
        await _append(rig, dealt, Command(move.action, move.seat, "SEAT", move.seat))
    await _append(rig, dealt, Command(Leave(0, LeaveCause.LEFT), SYSTEM, "SYSTEM", 0))


async def _append(rig: Rig, dealt: Dealt, command: Command) -> None:
    live = await load(rig.services, dealt.id)
    assert live is not None
    if await append(rig.services.commits, live, command, rig.database.game_now()) is None:
        raise RuntimeError("nothing was written")


async def _copy(rig: Rig, dealt: Dealt, count: int) -> None:
    connection = await asyncpg.connect(rig.url)
    try:
        await connection.execute(COPY, dealt.id, count)
        await connection.execute("VACUUM ANALYZE")
    finally:
        await connection.close()
