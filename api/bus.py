"""Wake-ups: who waits for a topic is told that something changed, never what.

A wake-up may be lost, doubled or late; the truth is in the database, and every process asks it
about all that it watches once in `POLL_SECONDS`. Topics are `kind:id`.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import cast
from uuid import UUID, uuid4

from broadcaster import Broadcast, Event

log = logging.getLogger(__name__)

CHANNEL = "wakeups"
POLL_SECONDS = 1.5
RETRY_SECONDS = 1.0

Probe = Callable[[Iterable[UUID]], Awaitable[Mapping[UUID, int]]]
"""Gives the present marker (version, revision) of each id asked for."""


class Waiter:
    """One watcher's flag: set by any number of wake-ups, lowered by one wait.

    `marker` is the version or revision its owner has seen; the poll wakes it for any other.
    """

    def __init__(self) -> None:
        self.marker: int | None = None
        self._event = asyncio.Event()

    def wake(self) -> None:
        """Something may have changed."""
        self._event.set()

    async def wait(self) -> None:
        """Return at the next wake-up, or at once if one came since the last wait."""
        await self._event.wait()
        self._event.clear()


class Hub:
    """All watchers of this process, one subscription to the bus, and the poll behind it."""

    def __init__(self, url: str) -> None:
        self._broadcast = Broadcast(url)
        self._origin = uuid4().hex
        self._waiters: dict[str, set[Waiter]] = defaultdict(set)
        self._probes: dict[str, Probe] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def probe(self, kind: str, probe: Probe) -> None:
        """Poll topics of this kind with `probe`."""
        self._probes[kind] = probe

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """The hub at work; leaving wakes nobody and drops the connection."""
        await self._broadcast.connect()
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._poll())]
        try:
            yield
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            with suppress(Exception):
                await self._broadcast.disconnect()

    @asynccontextmanager
    async def watch(self, topic: str) -> AsyncIterator[Waiter]:
        """A waiter on `topic`. Enter before the first read, so that no change falls between."""
        waiter = Waiter()
        self._waiters[topic].add(waiter)
        try:
            yield waiter
        finally:
            watchers = self._waiters[topic]
            watchers.discard(waiter)
            if not watchers:
                del self._waiters[topic]

    async def publish(self, topic: str) -> None:
        """Wake the watchers of `topic` in every process. Call after the commit; never raises."""
        self._wake(topic)
        try:
            await self._broadcast.publish(CHANNEL, f"{self._origin} {topic}")
        except Exception:
            log.warning("wake-up not sent; the poll will catch it", exc_info=True)

    def watched(self, kind: str) -> list[UUID]:
        """The ids of this kind that somebody here watches."""
        prefix = kind + ":"
        return [UUID(t[len(prefix) :]) for t in self._waiters if t.startswith(prefix)]

    def _wake(self, topic: str) -> None:
        for waiter in self._waiters.get(topic, ()):
            waiter.wake()

    async def _listen(self) -> None:
        while True:
            try:
                async with self._broadcast.subscribe(CHANNEL) as subscriber:
                    events = cast("AsyncIterator[Event]", subscriber)
                    async for event in events:
                        origin, _, topic = event.message.partition(" ")
                        if origin != self._origin:
                            self._wake(topic)
            except Exception:
                log.warning("the bus failed; polling until it is back", exc_info=True)
            await asyncio.sleep(RETRY_SECONDS)

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            for kind, probe in self._probes.items():
                ids = self.watched(kind)
                if not ids:
                    continue
                try:
                    markers = await probe(ids)
                except Exception:
                    log.warning("could not poll %s", kind, exc_info=True)
                    continue
                for id_, marker in markers.items():
                    for waiter in self._waiters.get(f"{kind}:{id_}", ()):
                        if waiter.marker != marker:
                            waiter.wake()
