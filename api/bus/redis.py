"""Wake-ups by Redis publish and subscribe."""

import asyncio

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from api.bus.carriers import CHANNEL, Backend, Lost

CONNECT_SECONDS = 5.0


class RedisBackend(Backend):
    """One connection that listens and one that publishes.

    Neither comes back by itself: what was missed meanwhile would stay unknown.
    """

    def __init__(self, url: str, lost: Lost) -> None:
        super().__init__(url, lost)
        self._redis: Redis | None = None
        self._reading: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Connect, and subscribe until Redis confirms it. Raises redis.RedisError or OSError."""
        self._redis = Redis.from_url(
            self._url,
            socket_connect_timeout=CONNECT_SECONDS,
            retry=Retry(NoBackoff(), 0),
            client_name="board-bus",
            decode_responses=True,
        )
        pubsub = self._redis.pubsub()
        try:
            await pubsub.subscribe(CHANNEL)
            await pubsub.get_message(timeout=None)
        except BaseException:
            await self.disconnect()
            raise
        self._reading = asyncio.create_task(self._read(pubsub))

    async def disconnect(self) -> None:
        """Close both connections."""
        if self._reading is not None:
            self._reading.cancel()
        if self._redis is not None:
            await self._redis.connection_pool.disconnect(inuse_connections=True)

    async def publish(self, channel: str, message: str) -> None:
        """One PUBLISH."""
        if self._redis is None:
            raise ConnectionError("the connection is closed")
        await self._redis.publish(channel, message)

    async def _read(self, pubsub: PubSub) -> None:
        try:
            while True:
                message = await pubsub.get_message(ignore_subscribe_messages=True, timeout=None)
                if message is not None:
                    self.received(message["data"])
        except Exception as error:
            self._lost(error)
