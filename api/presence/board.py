"""Presence as one process keeps it: who is connected through it, and who is in what it watches."""

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import timedelta
from time import monotonic
from uuid import UUID, uuid4

from api.bus import Hub, Watcher
from api.db import Database
from api.errors import fault_of, is_away
from api.presence import store

log = logging.getLogger(__name__)

Place = tuple[UUID, UUID]
"""A person in a room: (room, account)."""

BEAT_SECONDS = 2.0
DEAD_AFTER = timedelta(seconds=10)
FORGET_AFTER = timedelta(days=2)
TOUCH_SECONDS = 10.0
MAX_TOUCHED = 10_000


class Room:
    """Who is connected to a room, kept fresh while somebody here watches it."""

    def __init__(self) -> None:
        self.connected: frozenset[UUID] = frozenset()
        self.waiters: dict[Watcher, frozenset[UUID] | None] = {}
        """Each with those whose coming and going it wants to hear of; None: all."""

        self.read = asyncio.Event()
        self._elsewhere: frozenset[UUID] = frozenset()
        self._here: frozenset[UUID] = frozenset()

    def show(
        self, elsewhere: frozenset[UUID] | None = None, here: frozenset[UUID] | None = None
    ) -> None:
        """Who is connected: through others, as the database has it, and through this process, as
        it is; wakes on a change.
        """
        self._elsewhere = self._elsewhere if elsewhere is None else elsewhere
        self._here = self._here if here is None else here
        connected = self._elsewhere | self._here
        changed = connected ^ self.connected
        if changed:
            self.connected = connected
            for waiter, wanted in self.waiters.items():
                if wanted is None or not wanted.isdisjoint(changed):
                    waiter.wake()


class Presence:
    """This process's part of presence.

    What is wanted is kept here and written in bulk; a write that fails is made up for by the next,
    so that an absent database loses no change.
    """

    def __init__(self, database: Database, hub: Hub) -> None:
        self.process_id = uuid4()
        self._database = database
        self._hub = hub
        self._links: Counter[Place] = Counter()
        self._here: defaultdict[UUID, set[UUID]] = defaultdict(set)
        self._unwritten: set[Place] = set()
        self._touched: dict[Place, float] = {}
        self._untold: set[Place] = set()
        self._rooms: dict[UUID, tuple[Room, asyncio.Task[None]]] = {}
        self._work = asyncio.Event()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Presence at work; leaving says good-bye for everybody connected here."""
        await store.beat(self._database, self.process_id)
        tasks = [asyncio.create_task(self._write()), asyncio.create_task(self._beat())]
        try:
            yield
        finally:
            for task in (*tasks, *(task for _, task in self._rooms.values())):
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            try:
                await self._tell(await store.bury(self._database, DEAD_AFTER, also=self.process_id))
            except Exception as error:
                log.warning(
                    "could not say good-bye, presence here will expire: %r",
                    error,
                    exc_info=not is_away(error),
                )

    @asynccontextmanager
    async def here(
        self,
        room_id: UUID,
        account_id: UUID | None,
        waiter: Watcher,
        of: Iterable[UUID] | None = None,
    ) -> AsyncIterator[Room]:
        """A connection of somebody to a room, for as long as the block lasts.

        Gives who is connected there; `waiter` is woken when that changes, for `of` them if given.
        Without an account nobody is marked. Connections are counted: the last one to go marks the
        person gone.
        """
        room = self._watched(room_id)
        if account_id is not None:
            self.come(room_id, account_id)
        self.attend(room_id, waiter, of)
        try:
            await room.read.wait()
            yield room
        finally:
            self.stay_away(room_id, waiter)
            if account_id is not None:
                self.go(room_id, account_id)

    def come(self, room_id: UUID, account_id: UUID) -> None:
        """One more connection of somebody to a room, until it goes."""
        self._count((room_id, account_id), 1)

    def go(self, room_id: UUID, account_id: UUID) -> None:
        """One connection less."""
        self._count((room_id, account_id), -1)

    def attend(self, room_id: UUID, watcher: Watcher, of: Iterable[UUID] | None = None) -> Room:
        """Keep a room fresh and wake `watcher` as above; who is connected is known once read."""
        room = self._watched(room_id)
        room.waiters[watcher] = None if of is None else frozenset(of)
        return room

    def stay_away(self, room_id: UUID, watcher: Watcher) -> None:
        """Wake a watcher no more; it attends."""
        room, following = self._rooms[room_id]
        del room.waiters[watcher]
        if not room.waiters:
            del self._rooms[room_id]
            following.cancel()

    def known(self, room_id: UUID) -> frozenset[UUID] | None:
        """Who is connected to a room, if it is watched here."""
        entry = self._rooms.get(room_id)
        return entry[0].connected if entry and entry[0].read.is_set() else None

    def touch(self, room_id: UUID, account_id: UUID) -> None:
        """Somebody without a connection here asked for something."""
        place, now = (room_id, account_id), monotonic()
        if place in self._links or now < self._touched.get(place, 0.0) + TOUCH_SECONDS:
            return
        if len(self._touched) >= MAX_TOUCHED:
            self._touched.clear()
        self._touched[place] = now
        self._untold.add(place)
        self._work.set()

    def _count(self, place: Place, by: int) -> None:
        self._links[place] += by
        if self._links[place] != (1 if by > 0 else 0):
            return
        room_id, account_id = place
        if by > 0:
            self._here[room_id].add(account_id)
        else:
            del self._links[place]
            self._here[room_id].discard(account_id)
        self._unwritten.add(place)
        self._work.set()
        if room_id in self._rooms:
            self._rooms[room_id][0].show(here=frozenset(self._here[room_id]))
        if not self._here[room_id]:
            del self._here[room_id]

    def _watched(self, room_id: UUID) -> Room:
        if room_id not in self._rooms:
            room = Room()
            self._rooms[room_id] = room, asyncio.create_task(self._follow(room_id, room))
        return self._rooms[room_id][0]

    async def _follow(self, room_id: UUID, room: Room) -> None:
        """Keep a room fresh and wake its waiters when somebody comes or goes."""
        async with self._hub.watch(topic(room_id)) as waiter:
            while True:
                try:
                    revision, connected = await store.connected(
                        self._database, room_id, elsewhere_than=self.process_id
                    )
                except Exception as error:
                    if fault_of(error) is None:
                        log.exception("could not read presence")
                    await asyncio.sleep(1)
                    continue
                room.show(elsewhere=connected)
                room.read.set()
                waiter.marker = revision
                await waiter.wait()

    async def _write(self) -> None:
        """Write what has changed, as soon as it changes and as often as it takes."""
        while True:
            await self._work.wait()
            self._work.clear()
            unwritten, self._unwritten = self._unwritten, set()
            untold, self._untold = self._untold, set()
            try:
                if unwritten:
                    marks = {place: place in self._links for place in sorted(unwritten)}
                    await self._tell(await store.mark(self._database, self.process_id, marks))
                if untold:
                    await store.touch(self._database, self.process_id, sorted(untold))
            except Exception as error:
                if fault_of(error) is None:
                    log.exception("could not write presence")
                self._unwritten |= unwritten
                await asyncio.sleep(1)
                self._work.set()

    async def _beat(self) -> None:
        """Stay alive in the eyes of the others, and bury those who do not."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            try:
                if await store.beat(self._database, self.process_id):
                    self._unwritten |= set(self._links)  # buried alive: say again who is here
                    self._work.set()
                await self._tell(await store.bury(self._database, DEAD_AFTER))
                await store.forget(self._database, FORGET_AFTER)
            except Exception as error:
                if fault_of(error) is None:
                    log.exception("presence missed a beat")

    async def _tell(self, rooms: list[UUID]) -> None:
        for room_id in rooms:
            await self._hub.publish(topic(room_id))


def topic(room_id: UUID) -> str:
    """The topic that wakes when somebody comes to or leaves a room."""
    return f"presence:{room_id}"
