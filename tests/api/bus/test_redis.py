"""Wake-ups over a real Redis."""

import asyncio
from uuid import UUID, uuid4

from redis.asyncio import Redis as Client

from tests.api.bus.conftest import OpenHub, Redis


async def test_many_publish_at_once_and_all_are_heard(redis: Redis, open_hub: OpenHub) -> None:
    one, other = await open_hub(redis.url), await open_hub(redis.url)
    topics = [f"match:{UUID(int=number)}" for number in range(500)]
    async with other.watch(topics[-1]) as last:
        await asyncio.gather(*(one.publish(topic) for topic in topics))
        await last.wait()
    assert other.status.heard == 500


async def test_a_first_topic_is_not_lost(redis: Redis, open_hub: OpenHub) -> None:
    for _ in range(10):
        one, other = await open_hub(redis.url), await open_hub(redis.url)
        await one.publish(f"match:{uuid4()}")
        async with other.watch("last") as last:
            await one.publish("last")
            await last.wait()
        assert other.status.heard == 2


async def test_killed_connections_come_back(redis: Redis, open_hub: OpenHub) -> None:
    hub = await open_hub(redis.url)
    outside = Client.from_url(redis.url)
    for times in range(1, 4):
        async with hub.watch("lobby") as waiter:
            await outside.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
            await waiter.wait()
        assert hub.status.losses == times
    await outside.aclose()


async def test_a_redis_that_is_started_again_is_used_again(redis: Redis, open_hub: OpenHub) -> None:
    one, other = await open_hub(redis.url), await open_hub(redis.url)
    topic = f"match:{uuid4()}"
    async with one.watch("lobby") as here, other.watch("lobby") as there:
        redis.stop()
        redis.start()
        await here.wait()
        await there.wait()
    async with other.watch(topic) as waiter:
        await one.publish(topic)
        await waiter.wait()
    assert (one.status.losses, other.status.losses) == (1, 1)


async def test_a_redis_that_is_away_at_first_is_used_later(redis: Redis, open_hub: OpenHub) -> None:
    redis.stop()
    hub = await open_hub(redis.url)
    assert not hub.status.connected
    async with hub.watch("lobby") as waiter:
        redis.start()
        await waiter.wait()
    assert hub.status.connected
