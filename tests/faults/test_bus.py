"""The bus is away for long, and comes back: play goes on by what each process asks the database."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from time import monotonic
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
import httpx
import pytest

from engines.marble import ENGINE
from tests.api.bus.conftest import Redis, redis
from tests.api.conftest import StartServer
from tests.api.marble.bot import keen
from tests.cluster import execute
from tests.faults.extent import BUS_SECONDS
from tests.faults.play import play_to
from tests.faults.service import Service
from tests.faults.survivors import TriedTable, until

__all__ = ["redis"]

PATIENCE = 300.0
FEW = 8
"""Versions that are played before and after."""


@dataclass
class Bus:
    """Something that carries wake-ups, and can be taken away."""

    url: str
    end: Callable[[], Awaitable[None]]
    mend: Callable[[], Awaitable[None]]


@pytest.fixture
async def postgres_bus(cluster_url: str, database_url: str) -> AsyncIterator[Bus]:
    """The database under a name of its own, which may be forbidden to sign in."""
    name = f"bus_{uuid4().hex}"
    connection = await asyncpg.connect(cluster_url)
    await connection.execute(f"CREATE ROLE {name} LOGIN")

    async def end() -> None:
        await connection.execute(f"ALTER ROLE {name} NOLOGIN")
        await connection.fetch(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = $1", name
        )

    async def mend() -> None:
        await connection.execute(f"ALTER ROLE {name} LOGIN")

    address = urlsplit(database_url)
    yield Bus(urlunsplit(address._replace(netloc=f"{name}@")), end, mend)
    await connection.close()
    await execute(cluster_url, f"DROP ROLE {name}")


@pytest.fixture
async def redis_bus(redis: Redis) -> Bus:
    """A Redis that is killed and started again."""

    async def end() -> None:
        redis.stop()

    async def mend() -> None:
        redis.start()

    return Bus(redis.url, end, mend)


async def test_postgres_as_bus(start_server: StartServer, postgres_bus: Bus) -> None:
    await outlive(postgres_bus, start_server)


async def test_redis_as_bus(start_server: StartServer, redis_bus: Bus) -> None:
    await outlive(redis_bus, start_server)


async def outlive(bus: Bus, start_server: StartServer) -> None:
    """Play before, during and after; nothing is lost, doubled or done by a timer."""
    service = Service(start_server, 2, BOARD_BUS_URL=bus.url)
    async with asyncio.timeout(PATIENCE), TriedTable(ENGINE, "Marble", service, 4) as table:
        await table.gather(3, 1, options={"turnSeconds": 15, "maxRounds": 0})
        await table.start()
        async with table.watched() as watchers:
            await play_to(FEW, table, watchers)
            await bus.end()
            for home in service.homes:
                await readiness(home, "degraded")
            ended = monotonic()
            while monotonic() - ended < BUS_SECONDS:
                await play_to(watchers[0].version + 1, table, watchers)
            await bus.mend()
            for home in service.homes:
                await readiness(home, "ready")
            await play_to(watchers[0].version + FEW, table, watchers)
            await table.play(watchers, until(lambda: True, keen))
            for watcher in watchers:
                await watcher.settled()
        await table.judge(watchers)
        assert await table.log("TIMER") == []
    assert service.errors() == []


async def readiness(home: str, status: str) -> None:
    """Return when the server says that it is in this state, and so takes requests."""
    async with httpx.AsyncClient() as http:
        while (answer := await http.get(f"{home}/ready")).json()["status"] != status:
            assert answer.status_code == 200
