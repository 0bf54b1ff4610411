"""The services in this process, and rooms in the states that tests begin with."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import pytest

from api.matches import service as matches
from api.rooms import entry, service
from api.rooms.entry import NewRoom
from api.rooms.models import PLAYER, PRIVATE, SPECTATOR
from api.services import Services
from engines.protocol import LeaveCause
from tests.api.in_process import games, person, services
from tests.api.rooms.seen import Seen, look

__all__ = ["games", "services"]


class Party:
    """A room with its host and other players, all in the order they joined."""

    def __init__(self, services: Services, room_id: UUID, people: list[UUID]) -> None:
        self.services = services
        self.id = room_id
        self.people = people

    @property
    def host(self) -> UUID:
        """Who opened the room."""
        return self.people[0]

    async def seen(self) -> Seen:
        """The room as it is."""
        return await look(self.services, self.id)

    async def all_ready(self) -> None:
        """Everybody but the host says so."""
        for guest in self.people[1:]:
            await service.set_ready(self.services, guest, self.id, True)

    async def start(self) -> UUID:
        """The match, started; its id."""
        await self.all_ready()
        await service.start_match(self.services, self.host, self.id)
        match_id = (await self.seen()).match_id
        assert match_id is not None
        return match_id

    async def finish(self) -> None:
        """The match, ended because all but the host conceded its seat, the room not told."""
        match_id = (await self.seen()).match_id
        assert match_id is not None
        for guest in self.people[1:]:
            await matches.leave(self.services, match_id, guest, LeaveCause.LEFT)
        assert await matches.status_of(self.services, match_id) == "FINISHED"


async def seats(services: Services, match_id: UUID) -> list[UUID]:
    """Who sits in a match, by seat."""
    rows = await services.database.fetch(
        "SELECT account_id FROM match_seat WHERE match_id = $1 ORDER BY seat", match_id
    )
    return [row["account_id"] for row in rows]


async def with_spectator(services: Services, room: Party) -> UUID:
    """Somebody new in a room, who watches."""
    watcher = await person(services, "관전자")
    await entry.join(services, watcher, SPECTATOR, room_id=room.id)
    return watcher


OpenParty = Callable[..., Awaitable[Party]]


@pytest.fixture
def party(services: Services) -> OpenParty:
    """Opens a room of the coin race, `people` of 2 to 3 in it as players."""

    async def open_party(people: int = 2, private: bool = False, **choices: Any) -> Party:
        host = await person(services, "방장")
        if private:
            choices["visibility"] = PRIVATE
        room_id = await entry.create(services, host, NewRoom("coin_race", **choices))
        code = (await look(services, room_id)).code
        party = Party(services, room_id, [host])
        for number in range(1, people):
            guest = await person(services, f"손님 {number}")
            await entry.join(services, guest, PLAYER, code=code)
            party.people.append(guest)
        return party

    return open_party
