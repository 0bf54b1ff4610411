"""From a room of ready players to their match."""

import asyncio
import json

from api.refusals import Refused
from api.rooms import entry, service
from api.rooms.models import PLAYER, SPECTATOR
from api.services import Services
from tests.api.in_process import person
from tests.api.rooms.conftest import OpenParty, seats, with_spectator
from tests.api.rooms.seen import refused


async def test_a_match_starts_as_the_room_says(services: Services, party: OpenParty) -> None:
    room = await party(3, options={"goal": 10}, verifiable=True, allow_spectators=False)
    await room.all_ready()
    before = await room.seen()
    await service.start_match(services, room.host, room.id)
    after = await room.seen()
    assert (after.status, after.revision) == ("PLAYING", before.revision + 1)
    assert after.match_id is not None
    assert await seats(services, after.match_id) == room.people
    match = await services.database.fetchrow("SELECT * FROM match WHERE id = $1", after.match_id)
    assert match is not None
    assert json.loads(match["options"]) == {"goal": 10, "turn_seconds": 15}
    flags = [match[f] for f in ("public", "allow_spectators", "open_replay", "verifiable")]
    assert flags == [True, False, False, True]
    assert match["room_id"] == room.id


async def test_spectators_hold_no_seat(services: Services, party: OpenParty) -> None:
    room = await party(2)
    await with_spectator(services, room)
    assert await seats(services, await room.start()) == room.people


async def test_a_match_waits_for_enough_ready_players(services: Services, party: OpenParty) -> None:
    room = await party(1)
    start = service.start_match(services, room.host, room.id)
    assert await refused(start) == ("TOO_FEW_PLAYERS", ())
    guest = await person(services)
    await entry.join(services, guest, PLAYER, room_id=room.id)
    start = service.start_match(services, room.host, room.id)
    assert await refused(start) == ("NOT_ALL_READY", ())
    await service.set_ready(services, guest, room.id, True)
    await service.start_match(services, room.host, room.id)
    assert (await room.seen()).status == "PLAYING"


async def test_a_host_who_watches_may_start(services: Services, party: OpenParty) -> None:
    room = await party(3)
    await entry.join(services, room.host, SPECTATOR, room_id=room.id)
    assert await seats(services, await room.start()) == room.people[1:]


async def test_a_running_match_holds_the_room(services: Services, party: OpenParty) -> None:
    room = await party(2)
    await room.start()
    before = await room.seen()
    late, guest = await person(services), room.people[1]
    for attempt in (
        service.set_ready(services, guest, room.id, True),
        service.update_options(services, room.host, room.id, {"goal": 10}, None),
        service.start_match(services, room.host, room.id),
        service.request_rematch(services, guest, room.id),
        entry.join(services, late, PLAYER, room_id=room.id),
        entry.join(services, guest, SPECTATOR, room_id=room.id),
    ):
        assert await refused(attempt) == ("MATCH_RUNNING", ())
    assert await room.seen() == before
    await entry.join(services, late, SPECTATOR, room_id=room.id)
    assert (await room.seen()).spectators == (late,)


async def test_one_of_many_starts_wins(services: Services, party: OpenParty) -> None:
    room = await party(2)
    await room.all_ready()
    attempts = await asyncio.gather(
        *(service.start_match(services, room.host, room.id) for _ in range(8)),
        return_exceptions=True,
    )
    refusals = [a.reason.name for a in attempts if isinstance(a, Refused)]
    assert refusals == ["MATCH_RUNNING"] * 7
    row = await services.database.fetchrow("SELECT count(*) AS matches FROM match")
    assert row is not None
    assert row["matches"] == 1
