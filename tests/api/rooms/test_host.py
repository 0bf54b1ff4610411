"""What a host does to others: removal and hand-over."""

from uuid import UUID

from api.rooms import entry, service
from api.rooms.models import PLAYER, SPECTATOR
from api.services import Services
from tests.api.in_process import person
from tests.api.rooms.conftest import OpenParty, with_spectator
from tests.api.rooms.seen import refused

NOBODY = UUID(int=0)


async def test_the_removed_do_not_come_back(services: Services, party: OpenParty) -> None:
    room = await party(2)
    watcher = await with_spectator(services, room)
    code = (await room.seen()).code
    for target in (room.people[1], watcher):
        await service.kick(services, room.host, room.id, target)
        for role in (PLAYER, SPECTATOR):
            attempt = entry.join(services, target, role, code=code)
            assert await refused(attempt) == ("REMOVED_BY_HOST", ())
    seen = await room.seen()
    assert (seen.players, seen.spectators) == ((room.host,), ())


async def test_a_player_removed_from_a_running_match_is_out_of_it(
    services: Services, party: OpenParty
) -> None:
    room = await party(3)
    match_id = await room.start()
    await service.kick(services, room.host, room.id, room.people[2])
    row = await services.database.fetchrow(
        "SELECT actor, seat, action FROM match_log WHERE match_id = $1 ORDER BY version DESC",
        match_id,
    )
    assert row is not None
    assert (row["actor"], row["seat"]) == ("HOST", 2)
    assert "kicked" in row["action"]
    assert (await room.seen()).players == (room.host, room.people[1])


async def test_whom_a_host_cannot_remove(services: Services, party: OpenParty) -> None:
    room = await party(2)
    stranger = await person(services)
    itself = service.kick(services, room.host, room.id, room.host)
    assert await refused(itself) == ("NOT_YOURSELF", ("playerId",))
    for target in (stranger, NOBODY, None):
        attempt = service.kick(services, room.host, room.id, target)
        assert await refused(attempt) == ("MEMBER_NOT_FOUND", ("playerId",))


async def test_the_host_hands_over(services: Services, party: OpenParty) -> None:
    room = await party(2)
    watcher = await with_spectator(services, room)
    before = await room.seen()
    await service.transfer_host(services, room.host, room.id, room.host)
    assert await room.seen() == before
    await service.transfer_host(services, room.host, room.id, watcher)
    assert (await room.seen()).host == watcher
    again = service.transfer_host(services, room.host, room.id, room.people[1])
    assert await refused(again) == ("NOT_HOST", ())
    nobody = service.transfer_host(services, watcher, room.id, NOBODY)
    assert await refused(nobody) == ("MEMBER_NOT_FOUND", ("playerId",))
