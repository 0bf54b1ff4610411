"""What carries wake-ups between processes, by its address.

broadcaster hands messages on but tells nobody when its backend fails, and its backends for
PostgreSQL and Redis stay deaf after a lost connection. Ours report the loss, once, and hold one
channel from `connect` to `disconnect`; who made them makes a new one.
"""

import asyncio
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from broadcaster import Broadcast, BroadcastBackend, Event

from api import metrics

CHANNEL = "board_wakeups"
MOST_UNREAD = 10_000

Lost = Callable[[Exception], None]
"""Told why a connection has ended."""

Carrier = Callable[[Lost], Broadcast]
"""Makes a bus that is not connected yet."""


class Backend(BroadcastBackend):
    """A backend that delivers what `received` is given, and listens on CHANNEL alone.

    `connect` raises, and leaves nothing open, when the bus cannot be had; `disconnect` may be
    called at any time after it.
    """

    def __init__(self, url: str, lost: Lost) -> None:
        self._url = url
        self._lost = lost
        self._unread: asyncio.Queue[str] = asyncio.Queue(MOST_UNREAD)

    def received(self, message: str) -> None:
        """A message has come in; one too many is dropped."""
        if self._unread.full():
            metrics.carried("dropped", message.count(" "))
        else:
            self._unread.put_nowait(message)

    async def subscribe(self, group: str) -> None:
        """Nothing: `connect` has subscribed."""

    async def unsubscribe(self, group: str) -> None:
        """Nothing: `disconnect` does."""

    async def next_published(self) -> Event:
        """The next message. Never raises: broadcaster would end and tell nobody."""
        return Event(CHANNEL, await self._unread.get())

    async def publish(self, channel: str, message: Any) -> None:
        """Send one message; callers take turns."""
        raise NotImplementedError


def carrier(url: str) -> Carrier:
    """The carrier at a `memory://`, `postgresql://`, `redis://` or `rediss://` address."""
    scheme = urlsplit(url).scheme
    if scheme == "memory":
        return lambda _: Broadcast("memory://")
    if scheme == "postgresql":
        from api.bus.postgres import PostgresBackend

        return lambda lost: Broadcast(backend=PostgresBackend(url, lost))
    if scheme in ("redis", "rediss"):
        from api.bus.redis import RedisBackend

        return lambda lost: Broadcast(backend=RedisBackend(url, lost))
    raise ValueError(f"no bus with the scheme {scheme}")
