"""Who leaves a room, and who keeps it."""

import asyncio

from api.matches import service as matches
from api.refusals import Refused
from api.rooms import entry, service
from api.rooms.models import PLAYER
from api.services import Services
from tests.api.in_process import person
from tests.api.rooms.conftest import OpenParty, seats, with_spectator
from tests.api.rooms.seen import refused


async def test_whoever_leaves_a_running_match_concedes(
    services: Services, party: OpenParty
) -> None:
    room = await party(3)
    match_id = await room.start()
    await service.leave(services, room.people[1], room.id)
    seen = await room.seen()
    assert (seen.status, seen.players) == ("PLAYING", (room.host, room.people[2]))
    row = await services.database.fetchrow(
        "SELECT actor, seat, events FROM match_log WHERE match_id = $1 ORDER BY version DESC",
        match_id,
    )
    assert row is not None
    assert (row["actor"], row["seat"]) == ("SYSTEM", 1)
    assert "RacerLeft" in row["events"]


async def test_the_last_to_leave_a_match_ends_it_and_the_room_shows_it_at_once(
    services: Services, party: OpenParty
) -> None:
    room = await party(2)
    match_id = await room.start()
    before = await room.seen()
    await service.leave(services, room.people[1], room.id)
    seen = await room.seen()
    assert await matches.status_of(services, match_id) == "FINISHED"
    assert (seen.status, seen.players, seen.match_id) == ("FINISHED", (room.host,), match_id)
    assert seen.revision == before.revision + 1


async def test_a_host_who_leaves_is_succeeded_by_the_first_player(
    services: Services, party: OpenParty
) -> None:
    room = await party(1)
    watcher = await with_spectator(services, room)
    first, second = await person(services), await person(services)
    for each in (first, second):
        await entry.join(services, each, PLAYER, room_id=room.id)
    await service.leave(services, room.host, room.id)
    assert (await room.seen()).host == first
    await service.leave(services, second, room.id)
    assert (await room.seen()).host == first
    await service.leave(services, first, room.id)
    assert (await room.seen()).host == watcher


async def test_a_room_closes_when_the_last_one_leaves(services: Services, party: OpenParty) -> None:
    room = await party(2)
    guest = room.people[1]
    await service.kick(services, room.host, room.id, guest)
    await service.leave(services, room.host, room.id)
    seen = await room.seen()
    assert (seen.status, seen.players, seen.spectators) == ("CLOSED", (), ())
    for attempt in (
        service.leave(services, room.host, room.id),
        entry.join(services, guest, PLAYER, room_id=room.id),
    ):
        assert await refused(attempt) == ("ROOM_NOT_FOUND", ("roomId",))
    row = await services.database.fetchrow("SELECT count(*) AS bans FROM room_ban")
    assert row is not None
    assert row["bans"] == 0


async def test_a_room_whose_players_all_leave_their_match_closes(
    services: Services, party: OpenParty
) -> None:
    room = await party(2)
    match_id = await room.start()
    for each in room.people:
        await service.leave(services, each, room.id)
    assert (await room.seen()).status == "CLOSED"
    assert await matches.status_of(services, match_id) == "FINISHED"


async def test_the_host_leaves_while_the_match_starts(services: Services, party: OpenParty) -> None:
    for _ in range(5):
        room = await party(3)
        await room.all_ready()
        started, left = await asyncio.gather(
            service.start_match(services, room.host, room.id),
            service.leave(services, room.host, room.id),
            return_exceptions=True,
        )
        assert left is None
        seen = await room.seen()
        assert (seen.host, seen.players) == (room.people[1], tuple(room.people[1:]))
        if started is None:
            assert seen.status == "PLAYING"
            assert seen.match_id is not None
            assert await seats(services, seen.match_id) == room.people
        else:
            assert isinstance(started, Refused)
            assert started.reason.name == "NOT_A_MEMBER"
            assert (seen.status, seen.match_id) == ("WAITING", None)


async def test_everybody_leaves_at_once(services: Services, party: OpenParty) -> None:
    room = await party(3)
    match_id = await room.start()
    await asyncio.gather(*(service.leave(services, each, room.id) for each in room.people))
    assert (await room.seen()).status == "CLOSED"
    assert await matches.status_of(services, match_id) == "FINISHED"
