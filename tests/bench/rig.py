"""A scratch database with accounts and matches in it, and servers on it that end with the run."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from api.accounts.tokens import Token, Use, seal
from api.bus import Hub, Waiter, carrier
from api.config import Config
from api.db import Database
from api.matches import service as matches
from api.matches.live import to_datetime, to_ms
from api.relay import global_id
from api.schema import bind
from api.services import Services
from tests import cluster
from tests.api.server import ROOT, ServerProcess
from tests.bench.scripts import CHOSEN, Move, script

SECRET = "a secret for a scratch database only"
SERVER = {
    "BOARD_SECRET": SECRET,
    "BOARD_BUDGET": "1000000000",
    "BOARD_SOCKETS_PER_ACCOUNT": "10000",
    "BOARD_SESSION_SECONDS": "86400",
}
"""Limits that many real people would not meet, and our few accounts would."""

EXTRA = ("tests.extra_games",)
STILL = 0.01
"""The scale of game time where no deadline shall pass while matches wait to be measured."""


@dataclass(frozen=True)
class Person:
    """Somebody signed in."""

    account_id: UUID
    token: str


@dataclass(frozen=True)
class Dealt:
    """A running marble match and the moves to come."""

    id: UUID
    room_id: UUID
    players: tuple[Person, ...]
    moves: list[Move]

    @property
    def public_id(self) -> str:
        return global_id("Match", self.id)

    def variables(self, number: int) -> dict[str, Any]:
        """The input of the move of this number; the deal made version 1."""
        return {
            "matchId": self.public_id,
            "expectedVersion": number + 1,
            "idempotencyKey": f"{self.id.hex[:8]}-{number}",
            **self.moves[number].given,
        }

    def player(self, number: int) -> Person:
        """Who makes the move of this number."""
        return self.players[self.moves[number].seat]


class Rig:
    """What the rows are measured with."""

    def __init__(
        self, services: Services, folder: Path, slow: bool, connected: AsyncExitStack
    ) -> None:
        self._connected = connected
        self.scale = str(services.config.game_time_scale)
        self.services = services
        self.database = services.database
        self.url = services.config.database_url or ""
        self.folder = folder
        self.slow = slow

    @contextmanager
    def server(self, **environ: str) -> Iterator[ServerProcess]:
        """The product on this database, with its default settings but for some limits."""
        ours = {"DATABASE_URL": self.url, "BOARD_GAME_TIME_SCALE": self.scale}
        running = ServerProcess(
            self.folder, **{**SERVER, **ours, "BOARD_LOG_LEVEL": "error", **environ}
        )
        try:
            yield running
        finally:
            if running.running:
                running.stop()

    @contextmanager
    def floor(self) -> Iterator[tuple[int, str]]:
        """The bare server on this database: its process id and address."""
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.floor"],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": self.url},
            stdout=subprocess.PIPE,
        )
        try:
            assert process.stdout is not None
            yield process.pid, process.stdout.readline().decode().strip()
        finally:
            process.terminate()
            process.communicate()

    async def people(self, count: int) -> list[Person]:
        """New accounts, each with a session."""
        now = to_datetime(self.database.now())
        later = now + timedelta(days=1)
        ids = [(uuid4(), uuid4()) for _ in range(count)]
        await self.database.fetch(
            "INSERT INTO account (id, display_name, revision, created_at) "
            "SELECT id, 'Player ' || place, 1, $2 FROM unnest($1::uuid[]) WITH ORDINALITY "
            "AS given (id, place)",
            [account for account, _ in ids],
            now,
        )
        await self.database.fetch(
            "INSERT INTO account_session (id, account_id, generation, renewed_at, ends_at) "
            "SELECT id, account, 0, $3, $4 "
            "FROM unnest($1::uuid[], $2::uuid[]) AS given (id, account)",
            [session for _, session in ids],
            [account for account, _ in ids],
            now,
            later,
        )
        return [
            Person(account, seal(SECRET.encode(), Token(Use.ACCESS, session, 0, to_ms(later))))
            for account, session in ids
        ]

    async def deal(
        self, players: list[Person], seats: int, steps: int, **options: Any
    ) -> list[Dealt]:
        """A match for every `seats` of the players, in a room of its own, and its script."""
        tables = [tuple(players[i : i + seats]) for i in range(0, len(players), seats)]
        dealt = [await self.start(table, "marble", {**CHOSEN, **options}) for table in tables]
        await self._connect([room for _, room in dealt], tables)
        seeds = await self.database.fetch(
            "SELECT id, seed FROM match WHERE id = ANY($1)", [each[0] for each in dealt]
        )
        by_id = {row["id"]: bytes(row["seed"]) for row in seeds}
        return [
            Dealt(match, room, table, script(seats, by_id[match], steps))
            for table, (match, room) in zip(tables, dealt, strict=True)
        ]

    async def retire(self, dealt: list[Dealt]) -> None:
        """Close matches that have served, so that no later measurement has them beside it."""
        await self.database.fetch(
            "UPDATE room SET status = 'FINISHED' WHERE id = ANY($1)", [d.room_id for d in dealt]
        )
        for each in dealt:
            await matches.abandon(self.services, each.id)

    async def _connect(self, rooms: list[UUID], tables: list[tuple[Person, ...]]) -> None:
        """Have the players count as connected, as people who play are."""
        for room, table in zip(rooms, tables, strict=True):
            for person in table:
                here = self.services.presence.here(room, person.account_id, Waiter())
                await self._connected.enter_async_context(here)

    async def start(
        self, table: tuple[Person, ...], game: str, options: dict[str, Any]
    ) -> tuple[UUID, UUID]:
        """A match of these people in a room of its own: the ids of both."""
        room = uuid4()
        accounts = [person.account_id for person in table]
        async with self.database.transaction() as session:
            match = await matches.start(
                self.services,
                session,
                room_id=room,
                engine_id=game,
                options=options,
                accounts=accounts,
                public=True,
                allow_spectators=True,
                open_replay=True,
                verifiable=False,
            )
        await self.database.fetch(
            "INSERT INTO room (id, code, game, options, seats, visibility, allow_spectators, "
            "open_replay, verifiable, status, revision, joins, host_id, match_id, created_at) "
            "VALUES ($1, $2, $3, $4, $5::int, 'PUBLIC', true, true, false, 'PLAYING', 1, $5::int, "
            "$6, $7, $8)",
            room,
            room.hex[:12],
            game,
            json.dumps(options),
            len(accounts),
            accounts[0],
            match,
            to_datetime(self.database.now()),
        )
        await self.database.fetch(
            "INSERT INTO room_member (room_id, account_id, role, number, ready) "
            "SELECT $1, id, 'PLAYER', place, true FROM unnest($2::uuid[]) WITH ORDINALITY "
            "AS given (id, place)",
            room,
            accounts,
        )
        return match, room


@asynccontextmanager
async def rig(url: str, slow: bool = False, scale: float = STILL) -> AsyncIterator[Rig]:
    """A rig on a database of its own in the cluster at `url`."""
    with tempfile.TemporaryDirectory(prefix="board-bench-") as folder:
        database_url = await cluster.create(url)
        try:
            config = Config(
                secret=SECRET.encode(),
                database_url=database_url,
                data_dir=Path(folder),
                game_time_scale=scale,
            )
            async with Database(config) as database:
                services = Services(config, database, Hub(carrier(config.bus)), bind(EXTRA))
                async with services.presence.running(), AsyncExitStack() as connected:
                    yield Rig(services, Path(folder), slow, connected)
                await services.rates.close()
        finally:
            await cluster.drop(url, database_url)
