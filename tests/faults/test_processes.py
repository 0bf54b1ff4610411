"""One match over several processes: any of them dies, the bus between them dies, play goes on."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import asyncpg
import httpx
import pytest

from engines.marble import ENGINE
from tests.api.conftest import StartServer, start_server
from tests.api.marble.bot import keen
from tests.api.records import judge_records
from tests.api.roaming import SpreadTable
from tests.api.server import START_SECONDS, ServerProcess
from tests.api.test_workers import workers_of
from tests.api.watcher import Watcher

__all__ = ["start_server"]

NO_BUS = "redis://127.0.0.1:1"
END_LISTENERS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE application_name = 'board-bus' AND datname = current_database()
"""

Gather = Callable[..., Awaitable[SpreadTable]]


@pytest.fixture
async def gather() -> AsyncIterator[Gather]:
    """People whose devices take these servers in turn, at a marble match that has begun."""
    tables: list[SpreadTable] = []

    async def gather(servers: list[ServerProcess], *people: int, **options: Any) -> SpreadTable:
        homes = [server.base_url for server in servers]
        table = SpreadTable(ENGINE, "Marble", homes, seed=len(homes))
        tables.append(table)
        await table.gather(*people, options=options)
        await table.start()
        return table

    yield gather
    for table in tables:
        await table.close()


async def test_a_process_that_is_killed(start_server: StartServer, gather: Gather) -> None:
    first, second = (start_server(BOARD_BUS_URL="postgres") for _ in range(2))
    table = await gather([first, second], 4, 2)
    async with table.watched() as watchers:
        async with asyncio.TaskGroup() as group:
            group.create_task(table.play(watchers, keen))
            await seen(watchers[-1], 40)
            first.kill()
        await all_finished(watchers)
    await judge_records(second.database_url, table, watchers)
    moved = [client.moves for client in (*table.players, *table.spectators)]
    assert moved == [1, 0, 1, 0, 1, 0]


async def test_a_worker_that_is_killed(start_server: StartServer, gather: Gather) -> None:
    server = start_server(BOARD_WORKERS="3")
    table = await gather([server], 4, 2)
    killed = []
    async with table.watched() as watchers:
        async with asyncio.TaskGroup() as group:
            group.create_task(table.play(watchers, keen))
            for version in (20, 40, 60):
                await seen(watchers[-1], version)
                killed.append(workers_of(server)[0])
                killed[-1].kill()
        await all_finished(watchers)
    await judge_records(server.database_url, table, watchers)
    assert len(set(killed)) == 3
    server.stop()
    assert [entry["message"] for entry in server.errors()] == [
        f"worker {process.pid} has ended with status -9" for process in killed
    ]


async def test_listeners_that_are_terminated(start_server: StartServer, gather: Gather) -> None:
    servers = [start_server(BOARD_BUS_URL="postgres") for _ in range(2)]
    table = await gather(servers, 4, 2)
    connection = await asyncpg.connect(servers[0].database_url)
    async with table.watched() as watchers:
        async with asyncio.TaskGroup() as group:
            group.create_task(table.play(watchers, keen))
            for version in (20, 40, 60):
                await seen(watchers[-1], version)
                assert 1 <= len(await connection.fetch(END_LISTENERS)) <= 2
        await all_finished(watchers)
    await connection.close()
    await judge_records(servers[0].database_url, table, watchers)
    for server in servers:
        assert readiness(server) == (200, {"status": "ready"})
        assert server.errors() == []


async def test_without_a_bus_the_poll_carries_every_step(
    start_server: StartServer, gather: Gather
) -> None:
    servers = [start_server(BOARD_BUS_URL=NO_BUS) for _ in range(2)]
    for server in servers:
        assert readiness(server) == (200, {"status": "degraded", "bus": "away"})
    table = await gather(servers, 2, 0, turnSeconds=60)
    async with table.watched() as watchers:
        for _ in range(3):
            mover = next(w for w in watchers if w.view.choices is not None)
            move = keen(mover.view, table.rnd)
            assert move is not None
            payload = await table.act(mover.client, move)
            assert payload["userErrors"] == []
            for watcher in watchers:
                await seen(watcher, payload["version"])
    for server in servers:
        assert server.errors() == []


def readiness(server: ServerProcess) -> tuple[int, Any]:
    answer = httpx.get(f"{server.base_url}/ready", timeout=START_SECONDS)
    return answer.status_code, answer.json()


async def seen(watcher: Watcher, version: int) -> None:
    """Return when the watcher has been told of this version."""
    while watcher.version < version:
        assert not watcher.over
        watcher.fresh.clear()
        await watcher.fresh.wait()


async def all_finished(watchers: list[Watcher]) -> None:
    """Everybody has been told the whole truth, and the match ended as matches do."""
    for watcher in watchers:
        match = await watcher.settled()
        assert match["status"] == "FINISHED"
        assert match["result"]["reasonCode"] == "ROUND_LIMIT"
