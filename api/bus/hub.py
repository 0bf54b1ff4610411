"""Who watches what in this process, the link to the other processes, and the poll behind it."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from uuid import UUID

from api.bus.carriers import Carrier
from api.bus.link import Link, Pace, Status

log = logging.getLogger(__name__)

POLL_SECONDS = 1.5
POLL_BATCH = 1000
"""Most ids in one question to the database, so that neither it nor the event loop is held up."""

WAKE_BATCH = 100
WAKE_PAUSE_SECONDS = 0.1
"""Waking everybody is spread out: each one woken reads the database."""

Probe = Callable[[Iterable[UUID]], Awaitable[Mapping[UUID, int]]]
"""Gives the present marker (version, revision) of each id asked for."""


class Watcher(ABC):
    """Who is woken: `marker` is the version or revision seen; the poll wakes for any other."""

    __slots__ = ("marker",)

    def __init__(self) -> None:
        self.marker: int | None = None

    @abstractmethod
    def wake(self) -> None:
        """Something may have changed. Neither waits nor joins or leaves a topic."""


class Bell(Watcher):
    """A watcher that calls its owner, for those who have no task that could wait."""

    __slots__ = ("_ring",)

    def __init__(self, ring: Callable[[], None]) -> None:
        super().__init__()
        self._ring = ring

    def wake(self) -> None:
        """Call the owner."""
        self._ring()


class Waiter(Watcher):
    """One watcher's flag: set by any number of wake-ups, lowered by one wait."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        super().__init__()
        self._event = asyncio.Event()

    def wake(self) -> None:
        """Something may have changed."""
        self._event.set()

    async def wait(self) -> None:
        """Return at the next wake-up, or at once if one came since the last wait."""
        await self._event.wait()
        self._event.clear()


class Hub:
    """All watchers of this process. Topics are `kind:id`, or a bare word that is not polled."""

    def __init__(self, carrier: Carrier, pace: Pace | None = None) -> None:
        self._link = Link(carrier, self._wake, self._link_is_up, pace or Pace())
        self._topics: dict[str, set[Watcher]] = {}
        self._kinds: defaultdict[str, dict[UUID, set[Watcher]]] = defaultdict(dict)
        self._probes: dict[str, Probe] = {}
        self._unanswered: set[str] = set()
        self._poll_now = asyncio.Event()
        self._wake_all_now = asyncio.Event()

    @property
    def status(self) -> Status:
        """How the link to the other processes does."""
        return self._link.status

    def probe(self, kind: str, probe: Probe) -> None:
        """Poll topics of this kind with `probe`."""
        self._probes[kind] = probe

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """The hub at work, entered when the bus is up or has failed once; leaving wakes nobody."""
        works = (self._link.run(), self._poll(), self._wake_all())
        tasks = [asyncio.create_task(work) for work in works]
        try:
            await self._link.tried.wait()
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    @asynccontextmanager
    async def watch(self, topic: str) -> AsyncIterator[Waiter]:
        """A waiter on `topic`. Enter before the first read, so that no change falls between."""
        waiter = Waiter()
        self.join(topic, waiter)
        try:
            yield waiter
        finally:
            self.leave(topic, waiter)

    def join(self, topic: str, watcher: Watcher) -> None:
        """Wake `watcher` for `topic` until it leaves. Join before the first read, as above."""
        watchers = self._topics.get(topic)
        if watchers is None:
            watchers = self._topics[topic] = set()
            kind, id_ = _split(topic)
            if id_ is not None:
                self._kinds[kind][id_] = watchers
        watchers.add(watcher)

    def leave(self, topic: str, watcher: Watcher) -> None:
        """Wake a watcher no more; it has joined."""
        watchers = self._topics[topic]
        watchers.discard(watcher)
        if not watchers:
            del self._topics[topic]
            kind, id_ = _split(topic)
            if id_ is not None:
                del self._kinds[kind][id_]

    async def publish(self, topic: str) -> None:
        """Wake the watchers of `topic` in every process. Call after the commit.

        Neither waits for the bus nor fails with it.
        """
        self._wake(topic)
        self._link.send(topic)

    def watched(self, kind: str) -> list[UUID]:
        """The ids of this kind that somebody here watches."""
        return list(self._kinds[kind])

    def _wake(self, topic: str) -> None:
        for waiter in self._topics.get(topic, ()):
            waiter.wake()

    def _link_is_up(self) -> None:
        """Whatever was published before has been missed here."""
        self._poll_now.set()
        self._wake_all_now.set()

    async def _poll(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await self._poll_now.wait()
            self._poll_now.clear()
            for kind, probe in self._probes.items():
                try:
                    await self._look(kind, probe)
                except Exception as error:
                    if kind not in self._unanswered:
                        log.warning("could not poll %s: %r", kind, error)
                    self._unanswered.add(kind)
                else:
                    self._unanswered.discard(kind)

    async def _look(self, kind: str, probe: Probe) -> None:
        ids = self.watched(kind)
        for start in range(0, len(ids), POLL_BATCH):
            markers = await probe(ids[start : start + POLL_BATCH])
            for id_, marker in markers.items():
                for waiter in self._kinds[kind].get(id_, ()):
                    if waiter.marker != marker:
                        waiter.wake()

    async def _wake_all(self) -> None:
        """Each time the link is up again, wake everybody: not every change shows in a marker."""
        while True:
            await self._wake_all_now.wait()
            self._wake_all_now.clear()
            waiters = [waiter for watchers in self._topics.values() for waiter in watchers]
            for start in range(0, len(waiters), WAKE_BATCH):
                for waiter in waiters[start : start + WAKE_BATCH]:
                    waiter.wake()
                await asyncio.sleep(WAKE_PAUSE_SECONDS)


def _split(topic: str) -> tuple[str, UUID | None]:
    kind, mark, id_ = topic.partition(":")
    return kind, UUID(id_) if mark else None
