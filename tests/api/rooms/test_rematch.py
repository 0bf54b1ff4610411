"""What becomes of a room after its match."""

import asyncio
from uuid import UUID

from api.matches import service as matches
from api.rooms import entry, reading, service
from api.rooms.entry import NewRoom
from api.rooms.models import PLAYER
from api.services import Services
from tests.api.in_process import person
from tests.api.rooms.conftest import OpenParty, Party, seats, with_spectator
from tests.api.rooms.seen import refused

NOBODY = UUID(int=0)


async def test_a_match_that_ended_shows_when_the_room_is_read(
    services: Services, party: OpenParty
) -> None:
    room = await party(2)
    await room.start()
    await room.finish()
    before = await room.seen()
    assert before.status == "PLAYING"
    readers = await asyncio.gather(*(reading.get(services, room.host, room.id) for _ in range(10)))
    assert all(reader is not None for reader in readers)
    after = await room.seen()
    assert (after.status, after.ready) == ("FINISHED", frozenset())
    assert after.revision == before.revision + 1


async def test_rooms_nobody_reads_are_settled_by_the_loop(
    services: Services, party: OpenParty
) -> None:
    over, running = await party(2), await party(2)
    for room in (over, running):
        await room.start()
    await over.finish()
    async with services.hub.watch(f"room:{over.id}") as waiter:
        await service.settle_finished(services)
        async with asyncio.timeout(5):
            await waiter.wait()
    assert (await over.seen()).status == "FINISHED"
    assert (await running.seen()).status == "PLAYING"
    settled = await over.seen()
    await service.settle_finished(services)
    assert await over.seen() == settled


async def test_a_rematch_in_the_same_room(services: Services, party: OpenParty) -> None:
    room = await party(3, options={"goal": 10})
    first = await room.start()
    await room.finish()
    _, second, third = room.people
    await service.request_rematch(services, second, room.id)
    seen = await room.seen()
    assert (seen.status, seen.ready, seen.match_id) == ("WAITING", {second}, first)
    await service.request_rematch(services, second, room.id)
    assert await room.seen() == seen
    start = service.start_match(services, room.host, room.id)
    assert await refused(start) == ("NOT_ALL_READY", ())
    await service.leave(services, third, room.id)
    await service.start_match(services, room.host, room.id)
    again = await room.seen()
    assert again.status == "PLAYING"
    assert again.match_id not in (None, first)
    assert await seats(services, again.match_id or NOBODY) == [room.host, second]
    assert (again.code, again.options) == (seen.code, {"goal": 10, "turnSeconds": 15})


async def test_who_may_ask_for_a_rematch(services: Services, party: OpenParty) -> None:
    room = await party(2)
    watcher = await with_spectator(services, room)
    early = service.request_rematch(services, room.host, room.id)
    assert await refused(early) == ("NO_MATCH_YET", ())
    await room.start()
    await room.finish()
    other = service.request_rematch(services, watcher, room.id)
    assert await refused(other) == ("NOT_A_PLAYER", ())
    for attempt in (
        service.set_ready(services, room.host, room.id, True),
        service.start_match(services, room.host, room.id),
        service.update_options(services, room.host, room.id, {"goal": 10}, None),
    ):
        assert await refused(attempt) == ("MATCH_OVER", ())


async def test_spectators_may_play_the_rematch(services: Services, party: OpenParty) -> None:
    room = await party(2)
    watcher = await with_spectator(services, room)
    await room.start()
    await room.finish()
    await reading.get(services, room.host, room.id)
    await service.leave(services, room.people[1], room.id)
    await entry.join(services, watcher, PLAYER, room_id=room.id)
    await service.request_rematch(services, watcher, room.id)
    await service.start_match(services, room.host, room.id)
    seen = await room.seen()
    assert await seats(services, seen.match_id or NOBODY) == [room.host, watcher]


async def test_every_game_is_started_and_left(services: Services) -> None:
    assert "marble" in services.games
    for game, binding in services.games.items():
        _, most = binding.engine.about.seats
        people = [await person(services) for _ in range(most)]
        room_id = await entry.create(services, people[0], NewRoom(game))
        room = Party(services, room_id, people)
        for each in people[1:]:
            await entry.join(services, each, PLAYER, room_id=room_id)
        match_id = await room.start()
        assert await seats(services, match_id) == people
        for each in people[1:]:
            assert (await room.seen()).status == "PLAYING"
            await service.leave(services, each, room_id)
        assert (await room.seen()).status == "FINISHED"
        assert await matches.status_of(services, match_id) == "FINISHED"
