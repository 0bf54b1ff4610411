"""Wake-ups over a real PostgreSQL."""

import asyncio
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import asyncpg
import pytest

from api.bus.carriers import CHANNEL
from tests import cluster as clusters
from tests.api.bus.conftest import OpenHub

END_LISTENERS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE application_name = 'board-bus' AND datname = current_database()
"""


@pytest.fixture
async def outside(database_url: str):
    """A connection that is not the bus's."""
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


async def test_many_publish_at_once_and_all_are_heard(
    database_url: str, open_hub: OpenHub, outside: asyncpg.Connection
) -> None:
    heard: list[str] = []
    await outside.add_listener(CHANNEL, lambda *args: heard.append(args[-1]))
    one, other = await open_hub(database_url), await open_hub(database_url)
    topics = [f"match:{UUID(int=number)}" for number in range(500)]
    async with other.watch(topics[-1]) as last:
        await asyncio.gather(*(one.publish(topic) for topic in topics))
        await last.wait()
    assert other.status.heard == 500
    await outside.execute("SELECT 1")
    batches = [message.split(" ")[1:] for message in heard]
    assert [topic for batch in batches for topic in batch] == topics


async def test_a_terminated_listener_comes_back(
    database_url: str, open_hub: OpenHub, outside: asyncpg.Connection
) -> None:
    one, other = await open_hub(database_url), await open_hub(database_url)
    topic = f"match:{uuid4()}"
    for times in range(1, 4):
        async with one.watch("lobby") as here, other.watch("lobby") as there:
            assert len(await outside.fetch(END_LISTENERS)) == 2
            await here.wait()
            await there.wait()
        assert (one.status.losses, other.status.losses) == (times, times)
        async with other.watch(topic) as waiter:
            await one.publish(topic)
            await waiter.wait()


async def test_a_database_that_refuses_and_then_admits(
    database_url: str, cluster_url: str, open_hub: OpenHub, outside: asyncpg.Connection
) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()
    await outside.add_listener(CHANNEL, lambda *args: heard.put_nowait(args[-1]))
    hub = await open_hub(database_url)
    name = urlsplit(database_url).path.strip("/")
    await clusters.execute(cluster_url, f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    await outside.execute(END_LISTENERS)
    await hub.publish("room:1")
    await clusters.execute(cluster_url, f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    while not (await heard.get()).endswith(" room:1"):
        pass
    assert hub.status.dropped == 0


async def test_the_listener_stands_outside_any_transaction(
    database_url: str, open_hub: OpenHub, outside: asyncpg.Connection
) -> None:
    """One that stayed in a transaction would keep every other's notifications from being freed."""
    await open_hub(database_url)
    found = await outside.fetch(
        "SELECT state, backend_xid FROM pg_stat_activity "
        "WHERE application_name = 'board-bus' AND datname = current_database()"
    )
    assert [tuple(row) for row in found] == [("idle", None)]
