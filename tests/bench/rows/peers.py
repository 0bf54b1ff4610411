"""Beside what a user would pick instead: boardgame.io's own server, matches in memory.

Fifty matches of two, played by bots as fast as they can over loopback. Needs Node and npm.
"""

import asyncio
import json
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.bench import documents
from tests.bench.meters import Figure, Meter
from tests.bench.report import Row
from tests.bench.rig import Dealt, Rig
from tests.bench.rows.actions import deal_for
from tests.bench.rows.endurance import AT
from tests.bench.wire import Http, Subscriber, subscription

GROUP = "peers"
PEERS = Path(__file__).resolve().parents[1] / "peers"
MATCHES = 50
MOVES = 30


async def rows(rig: Rig) -> list[Row]:
    if shutil.which("npm") is None:
        return []
    ours = [await _ours(rig) for _ in range(2)]
    with _installed("boardgame_io") as folder:
        theirs = [await _theirs(folder) for _ in range(2)]
    return [
        _row("server CPU of a move", "µs", "cpu", ours, theirs, 0.5, False),
        _row("moves a second", "1/s", "rate", ours, theirs, None, True),
        _row("to the other player, p50", "ms", "p50", ours, theirs, None, False),
        _row("to the other player, p99", "ms", "p99", ours, theirs, None, False),
    ]


def _row(
    name: str,
    unit: str,
    key: str,
    ours: list[dict[str, float]],
    theirs: list[dict[str, float]],
    goal: float | None,
    higher: bool,
) -> Row:
    figure, floor = (Figure.of([each[key] for each in side]) for side in (ours, theirs))
    more = {}
    if key == "cpu":
        more["PostgreSQL beside it, µs"] = Figure.of([each["database"] for each in ours]).median
    return Row(GROUP, f"boardgame.io: {name}", unit, figure, floor, goal, None, higher, more)


async def _ours(rig: Rig) -> dict[str, float]:
    """Marble, durable: every player follows the match by subscription and moves over HTTP."""
    with rig.server() as server:
        dealt = await deal_for(rig, MATCHES, 2, MOVES)
        tables = [Table(match) for match in dealt]
        await asyncio.gather(*(table.sit(server.base_url, server.ws_url) for table in tables))
        await asyncio.sleep(1)
        meter = Meter(server.process.pid, rig.url)
        played = await asyncio.gather(*(table.play() for table in tables))
        spent = meter.read()
        latencies = sorted(each for match in played for each in match)
        for table in tables:
            table.close()
        await rig.retire(dealt)
    count = MATCHES * MOVES
    return {
        "cpu": spent.per(count).server,
        "database": spent.per(count).database,
        "rate": count / spent.wall,
        **_shares(latencies),
    }


def _shares(latencies: list[float]) -> dict[str, float]:
    at = {"p50": 0.5, "p99": 0.99}
    return {name: latencies[int(share * (len(latencies) - 1))] for name, share in at.items()}


class Table:
    """Two bots at one match."""

    def __init__(self, match: Dealt) -> None:
        self._match = match
        self._versions = [0, 0]
        self._moved = asyncio.Event()
        self._at = [0.0, 0.0]
        self._clients: list[Http] = []
        self._subscribers: list[Subscriber] = []

    async def sit(self, url: str, ws_url: str) -> None:
        frame = subscription(documents.updates(), {"id": self._match.public_id})
        for seat, person in enumerate(self._match.players):
            self._clients.append(await Http.connect(url))
            subscriber = Subscriber(lambda _, told, seat=seat: self._told(seat, told))  # type: ignore[misc]
            self._subscribers.append(await subscriber.start(ws_url, person.token, frame))
            await subscriber.first

    def _told(self, seat: int, frame: bytes) -> None:
        found = AT.search(frame)
        assert found is not None, frame
        self._versions[seat], self._at[seat] = int(found[2]), time.perf_counter()
        self._moved.set()

    async def play(self) -> list[float]:
        """Each move as soon as whoever makes it has been told of the one before; latencies in ms,
        from a move's being sent to the other player's being told.
        """
        latencies = []
        for number in range(MOVES):
            seat = self._match.moves[number].seat
            variables = {"input": self._match.variables(number)}
            document = documents.action(self._match.moves[number].mutation, whole=False)
            sent = time.perf_counter()
            request = json.dumps({"query": document, "variables": variables}).encode()
            token = self._match.players[seat].token
            answer = await self._clients[seat].post("/graphql", request, token)
            if not answer.endswith(b'"userErrors":[]}}}'):
                raise RuntimeError(answer.decode())
            while min(self._versions) < number + 2:
                self._moved.clear()
                await self._moved.wait()
            latencies.append(1000 * (self._at[1 - seat] - sent))
        return latencies

    def close(self) -> None:
        for each in (*self._clients, *self._subscribers):
            each.close()


@contextmanager
def _installed(peer: str) -> Iterator[Path]:
    """A peer's package from its registry, in a folder that goes away."""
    with tempfile.TemporaryDirectory(prefix="board-peer-") as name:
        folder = Path(name)
        for each in (PEERS / peer).iterdir():
            shutil.copy(each, folder)
        subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"],
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        yield folder


async def _theirs(folder: Path) -> dict[str, float]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = await _node(folder, "server.cjs", str(port))
    bots = None
    try:
        await _line(server, "ready")
        url = f"http://127.0.0.1:{port}"
        bots = await _node(folder, "bots.cjs", url, str(MATCHES), str(MOVES))
        await _line(bots, "created")
        meter = Meter(server.pid)
        assert bots.stdin is not None
        assert bots.stdout is not None
        bots.stdin.write(b"go\n")
        said = json.loads(await asyncio.wait_for(bots.stdout.readline(), 120))
        spent = meter.read()
    finally:
        for each in (server, bots):
            if each is not None and each.returncode is None:
                each.kill()
                await each.wait()
    count = int(said["moves"])
    rate = count / said["seconds"]
    return {"cpu": spent.per(count).server, "rate": rate, "p50": said["p50"], "p99": said["p99"]}


async def _node(folder: Path, *arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        "node",
        *arguments,
        cwd=folder,
        env={"PATH": _path(), "NODE_ENV": "production"},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )


def _path() -> str:
    node = shutil.which("node")
    return str(Path(node).parent) if node else ""


async def _line(process: Any, wanted: str) -> None:
    """Wait until it says so."""
    while True:
        line = await asyncio.wait_for(process.stdout.readline(), 60)
        if not line:
            raise RuntimeError("it ended before it was ready")
        if line.decode().strip() == wanted:
            return
