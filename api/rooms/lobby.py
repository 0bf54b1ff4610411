"""The public lobby of this process: read once per change, however many people watch it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from types import MappingProxyType
from typing import TYPE_CHECKING
from uuid import UUID

from api.bus import POLL_SECONDS, Waiter
from api.errors import is_away
from api.rooms import store
from api.rooms.store import RoomState

if TYPE_CHECKING:
    from api.services import Services

log = logging.getLogger(__name__)

TOPIC = "lobby"
SIZE = 500
"""How many rooms are shown live, the newest; `rooms` pages through all."""

PAUSE_SECONDS = 0.1
"""Changes within it are shown together, so that a busy lobby costs no more than that."""

NOTHING: Mapping[UUID, RoomState] = MappingProxyType({})


class Lobby:
    """The newest public rooms as this process last saw them; at work while anybody watches."""

    def __init__(self) -> None:
        self.rooms = NOTHING
        self._waiters: set[Waiter] = set()
        self._following: asyncio.Task[None] | None = None
        self._seen = asyncio.Event()

    @asynccontextmanager
    async def watching(self, services: "Services") -> AsyncIterator[Waiter]:
        """A waiter woken after each change of `rooms`, which have been read when this is entered.

        `rooms` is replaced, never changed; a reader keeps what it compares with.
        """
        waiter = Waiter()
        self._waiters.add(waiter)
        if self._following is None:
            self._following = asyncio.create_task(self._follow(services))
        try:
            await self._seen.wait()
            yield waiter
        finally:
            self._waiters.discard(waiter)
            if not self._waiters:
                await self._rest()

    async def _rest(self) -> None:
        following, self._following = self._following, None
        self.rooms, self._seen = NOTHING, asyncio.Event()
        if following is not None:
            following.cancel()
            with suppress(asyncio.CancelledError):
                await following

    async def _follow(self, services: "Services") -> None:
        away = False
        async with services.hub.watch(TOPIC) as change:
            while True:
                try:
                    await self._look(services)
                    away = False
                except Exception as error:
                    known = is_away(error)
                    if not (known and away):
                        log.warning("the lobby could not be read: %r", error, exc_info=not known)
                    away = known
                await asyncio.sleep(PAUSE_SECONDS)
                # A wake-up may be lost: look again now and then.
                with suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS):
                        await change.wait()

    async def _look(self, services: "Services") -> None:
        async with services.database.reading() as session:
            present = await store.lobby(session, SIZE)
            news = [
                id_
                for id_, revision in present.items()
                if id_ not in self.rooms or self.rooms[id_].room.revision != revision
            ]
            changed = await store.states(session, news) if news else {}
        rooms = {id_: changed.get(id_) or self.rooms[id_] for id_ in present}
        if changed or rooms.keys() != self.rooms.keys():
            self.rooms = rooms
            for waiter in self._waiters:
                waiter.wake()
        self._seen.set()
