"""The process's one subscription to the bus, held up for as long as the process lives.

Topics of all kinds share one channel that is never left, many to a message. A link proves itself
by hearing what it says: a carrier that has gone deaf without an error is replaced as well.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import uuid4

from broadcaster import Broadcast, Event

from api import metrics
from api.bus.carriers import CHANNEL, Carrier

log = logging.getLogger(__name__)

MESSAGE_BYTES = 7000  # PostgreSQL takes less than 8000
MOST_PENDING = 10_000
CLOSE_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How patient a link is; in seconds."""

    batch: float = 0.005
    """Pause between two messages; what is published meanwhile travels in the next one."""

    proof: float = 5.0
    """How often the link listens for its own voice."""

    patience: float = 5.0
    """How long connecting, sending and the own voice may take."""

    first_retry: float = 0.25
    longest_retry: float = 5.0
    """Pauses between attempts double from the first to the longest."""


@dataclass(slots=True)
class Status:
    """How the link does. The counts only rise."""

    connected: bool = False
    error: str | None = None
    """Why the link was last lost, or could not be made."""

    sent: int = 0
    """Topics handed to the bus."""

    heard: int = 0
    """Topics that other processes published."""

    dropped: int = 0
    """Topics given up because too many waited for the bus; their watchers find out by polling."""

    losses: int = 0
    """How often a link that was up went down."""


class Link:
    """Carries topics between the hubs of all processes, and loses some now and then.

    `heard` is called with each topic published elsewhere, `is_up` whenever the link has been made:
    whatever was published before that may have been missed.
    """

    def __init__(
        self,
        carrier: Carrier,
        heard: Callable[[str], None],
        is_up: Callable[[], None],
        pace: Pace,
    ) -> None:
        self.status = Status()
        self.tried = asyncio.Event()
        """Set once the first attempt is over, one way or the other."""

        self._carrier = carrier
        self._heard = heard
        self._is_up = is_up
        self._pace = pace
        self._origin = uuid4().hex
        self._pending: dict[str, None] = {}
        self._something_to_say = asyncio.Event()
        self._own_voice = asyncio.Event()

    def send(self, topic: str) -> None:
        """Have the topic published soon; one that still waits to be sent is not sent twice."""
        self._pending[topic] = None
        while len(self._pending) > MOST_PENDING:
            del self._pending[next(iter(self._pending))]
            self.status.dropped += 1
            metrics.carried("dropped", 1)
        self._something_to_say.set()

    async def run(self) -> None:
        """Hold the link until cancelled, whatever happens to the bus."""
        pause = self._pace.first_retry
        while True:
            try:
                await self._hold()
            except Exception as error:
                self.status.error = f"{type(error).__name__}: {error}"
                if self.status.connected or pause == self._pace.first_retry:
                    log.warning("the bus is away, polling meanwhile: %s", self.status.error)
            self.tried.set()
            if self.status.connected:
                self.status.connected = False
                self.status.losses += 1
                metrics.bus_lost()
                pause = self._pace.first_retry
            await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311
            pause = min(pause * 2, self._pace.longest_retry)

    async def _hold(self) -> None:
        """One link from its making to its end, which is an exception."""
        loss: asyncio.Queue[Exception] = asyncio.Queue()
        broadcast = self._carrier(loss.put_nowait)
        async with asyncio.timeout(self._pace.patience):
            await broadcast.connect()
        try:
            async with broadcast.subscribe(CHANNEL) as subscriber:
                await _first_to_fail(
                    self._hear(subscriber), self._speak(broadcast), self._prove(), _end(loss)
                )
        finally:
            await _to_the_end(_close(broadcast))

    async def _hear(self, subscriber: "_Subscriber") -> None:
        while True:
            origin, *topics = (await subscriber.get()).message.split(" ")
            if origin == self._origin:
                self._own_voice.set()
                continue
            self.status.heard += len(topics)
            metrics.carried("heard", len(topics))
            for topic in topics:
                self._heard(topic)

    async def _speak(self, broadcast: Broadcast) -> None:
        """Publish what waits. A message without topics is spoken to be heard by ourselves."""
        while True:
            await self._something_to_say.wait()
            topics = self._next_topics()
            try:
                async with asyncio.timeout(self._pace.patience):
                    await broadcast.publish(CHANNEL, " ".join((self._origin, *topics)))
            except BaseException:
                self._pending = {**dict.fromkeys(topics), **self._pending}
                raise
            self.status.sent += len(topics)
            metrics.carried("sent", len(topics))
            await asyncio.sleep(self._pace.batch)

    def _next_topics(self) -> list[str]:
        """As many of the oldest topics as one message holds; they no longer wait."""
        topics: list[str] = []
        room = MESSAGE_BYTES - len(self._origin)
        for topic in self._pending:
            room -= 1 + len(topic.encode())
            if room < 0:
                break
            topics.append(topic)
        for topic in topics:
            del self._pending[topic]
        if not self._pending:
            self._something_to_say.clear()
        return topics

    async def _prove(self) -> None:
        while True:
            self._own_voice.clear()
            self._something_to_say.set()
            async with asyncio.timeout(self._pace.patience):
                await self._own_voice.wait()
            if not self.status.connected:
                self.status.connected = True
                log.info("the bus is up")
                self.tried.set()
                self._is_up()
            await asyncio.sleep(self._pace.proof)


class _Subscriber(Protocol):
    """The part of broadcaster's own class, which it does not export, that is used here."""

    async def get(self) -> Event: ...


async def _first_to_fail(*works: Coroutine[Any, Any, None]) -> None:
    """Do all of these until one raises, and raise that.

    A TaskGroup that is cancelled while one of its tasks fails would forget that it was cancelled.
    """
    tasks = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _close(broadcast: Broadcast) -> None:
    with suppress(Exception):
        async with asyncio.timeout(CLOSE_SECONDS):
            await broadcast.disconnect()


async def _to_the_end(work: Coroutine[Any, Any, None]) -> None:
    """Do this even if cancelled meanwhile, and be cancelled only then."""
    task = asyncio.create_task(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


async def _end(loss: asyncio.Queue[Exception]) -> None:
    raise await loss.get()
