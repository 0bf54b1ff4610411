"""Pages and the shared lobby, from inside a process."""

import asyncio
import logging
from uuid import UUID

from api.pages import window, write_cursor
from api.rooms import entry, reading, service
from api.rooms.entry import NewRoom
from api.rooms.store import Filter
from api.services import Services
from tests.api.in_process import person

PATIENCE = 20.0


async def open_rooms(services: Services, count: int) -> set[UUID]:
    host = await person(services)
    return {await entry.create(services, host, NewRoom("coin_race")) for _ in range(count)}


async def test_rooms_of_one_instant_are_paged_without_gap_or_repeat(services: Services) -> None:
    opened = await open_rooms(services, 7)
    await services.database.execute("UPDATE room SET created_at = now()")
    for arguments in ({"first": 2}, {"last": 2}):
        found: list[UUID] = []
        cursor: str | None = None
        while True:
            turn = {"after": cursor} if "first" in arguments else {"before": cursor}
            part = window(**arguments, **turn)
            states = await reading.page(services, Filter(), part)
            kept = [(s.room.created_at, s.room.id) for s in states][: part.size]
            found += [id_ for _, id_ in kept]
            if len(states) <= part.size:
                break
            cursor = write_cursor(kept[-1])
        assert len(found) == 7
        assert set(found) == opened
        assert found == sorted(found, reverse="first" in arguments)


async def test_the_lobby_is_shared_while_somebody_watches(services: Services) -> None:
    (first,) = await open_rooms(services, 1)
    lobby = services.lobby
    assert lobby.rooms == {}
    async with lobby.watching(services) as one, lobby.watching(services) as other:
        assert set(lobby.rooms) == {first}
        before = lobby.rooms[first]
        (second,) = await open_rooms(services, 1)
        for waiter in (one, other):
            async with asyncio.timeout(PATIENCE):
                while second not in lobby.rooms:
                    await waiter.wait()
        # What has not changed is not read again.
        assert lobby.rooms[first] is before
    assert lobby.rooms == {}
    async with lobby.watching(services):
        assert set(lobby.rooms) == {first, second}


class Heard(logging.Handler):
    """Says when something was logged."""

    def __init__(self) -> None:
        super().__init__()
        self.event = asyncio.Event()

    def emit(self, record: logging.LogRecord) -> None:
        self.event.set()


async def test_the_lobby_outlives_a_failing_database(services: Services) -> None:
    await open_rooms(services, 1)
    heard = Heard()
    logging.getLogger("api.rooms.lobby").addHandler(heard)
    async with services.lobby.watching(services) as waiter:
        await services.database.execute("ALTER TABLE room RENAME TO gone")
        async with asyncio.timeout(PATIENCE):
            await heard.event.wait()
        await services.database.execute("ALTER TABLE gone RENAME TO room")
        (late,) = await open_rooms(services, 1)
        async with asyncio.timeout(PATIENCE):
            while late not in services.lobby.rooms:
                await waiter.wait()
    logging.getLogger("api.rooms.lobby").removeHandler(heard)


async def test_a_private_room_is_never_in_the_lobby(services: Services) -> None:
    host = await person(services)
    hidden = await entry.create(services, host, NewRoom("coin_race", visibility="PRIVATE"))
    async with services.lobby.watching(services):
        assert services.lobby.rooms == {}
    assert await reading.page(services, Filter(), window()) == []
    assert [s.room.id for s in await reading.rooms_of(services, host)] == [hidden]
    await service.leave(services, host, hidden)
    assert await reading.rooms_of(services, host) == []
