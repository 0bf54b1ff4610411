"""What a room is played by, and who is ready for it."""

from api.rooms import service
from api.services import Services
from tests.api.in_process import person
from tests.api.rooms.conftest import OpenParty, with_spectator
from tests.api.rooms.seen import refused


async def test_players_say_that_they_are_ready(services: Services, party: OpenParty) -> None:
    room = await party(2)
    before = await room.seen()
    await service.set_ready(services, room.people[1], room.id, True)
    after = await room.seen()
    assert (after.ready, after.revision) == ({room.people[1]}, before.revision + 1)
    await service.set_ready(services, room.people[1], room.id, True)
    assert await room.seen() == after
    await service.set_ready(services, room.people[1], room.id, False)
    assert (await room.seen()).ready == frozenset()


async def test_only_players_get_ready(services: Services, party: OpenParty) -> None:
    room = await party(2)
    watcher, stranger = await with_spectator(services, room), await person(services)
    ready = service.set_ready(services, watcher, room.id, True)
    assert await refused(ready) == ("NOT_A_PLAYER", ())
    ready = service.set_ready(services, stranger, room.id, True)
    assert await refused(ready) == ("NOT_A_MEMBER", ("roomId",))


async def test_new_options_keep_the_others_and_unready_everybody(
    services: Services, party: OpenParty
) -> None:
    room = await party(2, options={"turnSeconds": 30})
    await room.all_ready()
    before = await room.seen()
    await service.update_options(services, room.host, room.id, {"goal": 10}, 2)
    after = await room.seen()
    assert after.options == {"goal": 10, "turnSeconds": 30}
    assert (after.seats, after.ready, after.revision) == (2, frozenset(), before.revision + 1)


async def test_the_same_options_change_nothing(services: Services, party: OpenParty) -> None:
    room = await party(2)
    await room.all_ready()
    before = await room.seen()
    await service.update_options(services, room.host, room.id, {"goal": 5}, 3)
    assert await room.seen() == before


async def test_bad_options_are_refused_and_change_nothing(
    services: Services, party: OpenParty
) -> None:
    room = await party(3)
    before = await room.seen()

    async def answer(options: dict[str, object], count: int | None) -> tuple[str, tuple[str, ...]]:
        update = service.update_options(services, room.host, room.id, options, count)
        return await refused(update)

    assert await answer({"goal": 7}, None) == ("BAD_OPTION", ("options", "goal"))
    assert await answer({"goal": True}, None) == ("BAD_OPTION", ("options", "goal"))
    assert await answer({}, 4) == ("BAD_SEATS", ("seats",))
    assert await answer({}, 2) == ("SEATS_TAKEN", ("seats",))
    assert await room.seen() == before


async def test_guests_do_not_choose(services: Services, party: OpenParty) -> None:
    room = await party(2)
    guest = room.people[1]
    for attempt in (
        service.update_options(services, guest, room.id, {"goal": 10}, None),
        service.kick(services, guest, room.id, room.host),
        service.transfer_host(services, guest, room.id, guest),
        service.start_match(services, guest, room.id),
    ):
        assert await refused(attempt) == ("NOT_HOST", ())
