"""Opening rooms and coming into them."""

import asyncio
from collections import Counter

import pytest

from api.refusals import Refused
from api.rooms import entry, service, store
from api.rooms.codes import ALPHABET, LENGTH, draw_code, read_code
from api.rooms.entry import MAX_ROOMS, MAX_SPECTATORS, NewRoom
from api.rooms.models import PLAYER, PRIVATE, SPECTATOR, Room
from api.services import Services
from tests.api.in_process import person
from tests.api.rooms.conftest import OpenParty
from tests.api.rooms.seen import look, refused


def test_a_code_is_read_however_it_is_typed() -> None:
    assert read_code(" bcd-fgh ") == "BCDFGH"
    for given in [
        "",
        "BCDFG",
        "BCDFGHJ",
        "ACDFGH",
        "BCDFG0",
        "BCDFG\0",
        "가나다라마바",
        "B" * 9999,
    ]:
        assert read_code(given) is None


def test_drawn_codes_can_be_read() -> None:
    code = draw_code()
    assert read_code(code.lower()) == code
    assert len(code) == LENGTH
    assert set(ALPHABET).isdisjoint("AEIOUYLS012568")


async def test_a_room_opens_with_the_defaults(services: Services) -> None:
    host = await person(services)
    room = await look(services, await entry.create(services, host, NewRoom("coin_race")))
    assert (room.status, room.revision, room.host, room.match_id) == ("WAITING", 2, host, None)
    assert room.options == {"goal": 5, "turnSeconds": 15}
    assert room.seats == 3
    assert (room.players, room.spectators, room.ready) == ((host,), (), frozenset())


async def test_a_room_keeps_what_was_chosen(services: Services) -> None:
    host = await person(services)
    new = NewRoom("coin_race", {"turnSeconds": None, "goal": 10}, seats=2)
    room = await look(services, await entry.create(services, host, new))
    assert room.options == {"goal": 10, "turnSeconds": None}
    assert room.seats == 2


@pytest.mark.parametrize(
    ("new", "code", "path"),
    [
        (NewRoom("chess"), "UNKNOWN_GAME", ("game",)),
        (NewRoom("coin_race\0"), "UNKNOWN_GAME", ("game",)),
        (NewRoom("coin_race", {"goal": 6}), "BAD_OPTION", ("options", "goal")),
        (NewRoom("coin_race", {"goal": 5.0}), "BAD_OPTION", ("options", "goal")),
        (NewRoom("coin_race", {"goal": [5]}), "BAD_OPTION", ("options", "goal")),
        (NewRoom("coin_race", {"speed": 1}), "BAD_OPTION", ("options", "speed")),
        (NewRoom("coin_race", seats=1), "BAD_SEATS", ("seats",)),
        (NewRoom("coin_race", seats=4), "BAD_SEATS", ("seats",)),
    ],
)
async def test_what_the_game_does_not_offer_is_refused(
    services: Services, new: NewRoom, code: str, path: tuple[str, ...]
) -> None:
    host = await person(services)
    assert await refused(entry.create(services, host, new)) == (code, path)
    row = await services.database.fetchrow("SELECT count(*) AS rooms FROM room")
    assert row is not None
    assert row["rooms"] == 0


async def test_a_taken_code_is_drawn_again(services: Services) -> None:
    host = await person(services)
    first = await entry.create(services, host, NewRoom("coin_race"))
    taken = (await look(services, first)).code
    async with services.database.transaction() as session:
        stored = await store.lock(session, first)
        assert stored is not None
        room = Room.model_validate({**stored.model_dump(exclude={"id"}), "code": taken})
        codes = iter([taken, taken, "BCDFGH"])
        await store.insert_room(session, room, lambda: next(codes))
    assert (await look(services, room.id)).code == "BCDFGH"


async def test_a_closed_room_gives_its_code_back(services: Services) -> None:
    host = await person(services)
    first = await entry.create(services, host, NewRoom("coin_race"))
    code = (await look(services, first)).code
    await service.leave(services, host, first)
    assert (await look(services, first)).status == "CLOSED"
    async with services.database.transaction() as session:
        stored = await store.lock(session, first)
        assert stored is not None
        again = {**stored.model_dump(exclude={"id"}), "status": "WAITING", "code": code}
        room = Room.model_validate(again)
        await store.insert_room(session, room)
    assert (await look(services, room.id)).code == code


async def test_a_public_room_is_joined_by_id_or_code(services: Services, party: OpenParty) -> None:
    room = await party(1)
    first, second = await person(services), await person(services)
    before = await room.seen()
    assert await entry.join(services, first, PLAYER, room_id=room.id) == room.id
    assert await entry.join(services, second, SPECTATOR, code=before.code.lower()) == room.id
    after = await room.seen()
    assert after.players == (room.host, first)
    assert after.spectators == (second,)
    assert after.revision == before.revision + 2


async def test_a_private_room_is_unknown_without_its_code(
    services: Services, party: OpenParty
) -> None:
    room = await party(1, private=True)
    stranger = await person(services)
    hidden = await refused(entry.join(services, stranger, PLAYER, room_id=room.id))
    unknown = await refused(entry.join(services, stranger, PLAYER, room_id=stranger))
    assert hidden == unknown == ("ROOM_NOT_FOUND", ("roomId",))
    wrong = await refused(entry.join(services, stranger, PLAYER, code="BCDFGH"))
    assert wrong == ("ROOM_NOT_FOUND", ("code",))
    await entry.join(services, stranger, PLAYER, code=(await room.seen()).code)
    assert (await room.seen()).players == (room.host, stranger)


async def test_strangers_cannot_tell_a_private_room_from_none(
    services: Services, party: OpenParty
) -> None:
    room = await party(2, private=True)
    stranger = await person(services)
    for room_id in (room.id, stranger):
        for attempt in (
            service.leave(services, stranger, room_id),
            service.set_ready(services, stranger, room_id, True),
            service.update_options(services, stranger, room_id, {}, None),
            service.kick(services, stranger, room_id, room.host),
            service.transfer_host(services, stranger, room_id, room.host),
            service.start_match(services, stranger, room_id),
            service.request_rematch(services, stranger, room_id),
        ):
            assert await refused(attempt) == ("ROOM_NOT_FOUND", ("roomId",))


async def test_joining_again_changes_nothing(services: Services, party: OpenParty) -> None:
    room = await party(2)
    before = await room.seen()
    assert await entry.join(services, room.people[1], PLAYER, room_id=room.id) == room.id
    assert await room.seen() == before


async def test_a_member_changes_role_and_keeps_the_place_in_line(
    services: Services, party: OpenParty
) -> None:
    room = await party(3)
    _, second, third = room.people
    await service.set_ready(services, second, room.id, True)
    await entry.join(services, second, SPECTATOR, room_id=room.id)
    seen = await room.seen()
    assert (seen.players, seen.spectators) == ((room.host, third), (second,))
    assert seen.ready == frozenset()
    await entry.join(services, second, PLAYER, room_id=room.id)
    assert (await room.seen()).players == (room.host, second, third)


async def test_a_full_room_takes_spectators_only(services: Services, party: OpenParty) -> None:
    room = await party(2, seats=2)
    late = await person(services)
    assert await refused(entry.join(services, late, PLAYER, room_id=room.id)) == ("ROOM_FULL", ())
    await entry.join(services, late, SPECTATOR, room_id=room.id)
    assert await refused(entry.join(services, late, PLAYER, room_id=room.id)) == ("ROOM_FULL", ())


async def test_a_room_without_spectators_takes_none(services: Services, party: OpenParty) -> None:
    room = await party(2, allow_spectators=False)
    late = await person(services)
    for who in (late, room.people[1]):
        attempt = entry.join(services, who, SPECTATOR, room_id=room.id)
        assert await refused(attempt) == ("NO_SPECTATORS", ("role",))


async def test_spectators_are_limited(services: Services, party: OpenParty) -> None:
    room = await party(1)
    people = [await person(services) for _ in range(MAX_SPECTATORS)]
    for each in people:
        await entry.join(services, each, SPECTATOR, room_id=room.id)
    late = await person(services)
    attempt = entry.join(services, late, SPECTATOR, room_id=room.id)
    assert await refused(attempt) == ("SPECTATORS_FULL", ())


async def test_nobody_is_in_too_many_rooms(services: Services, party: OpenParty) -> None:
    host = await person(services)
    rooms = [
        await entry.create(services, host, NewRoom("coin_race", visibility=PRIVATE))
        for _ in range(MAX_ROOMS)
    ]
    other = await party(1)
    full = ("TOO_MANY_ROOMS", ())
    assert await refused(entry.create(services, host, NewRoom("coin_race"))) == full
    assert await refused(entry.join(services, host, PLAYER, room_id=other.id)) == full
    await service.leave(services, host, rooms[0])
    await entry.join(services, host, PLAYER, room_id=other.id)
    assert (await other.seen()).players == (other.host, host)


async def test_rooms_opened_at_once_do_not_pass_the_limit(services: Services) -> None:
    host = await person(services)
    attempts = await asyncio.gather(
        *(entry.create(services, host, NewRoom("coin_race")) for _ in range(MAX_ROOMS + 5)),
        return_exceptions=True,
    )
    refusals = [a.reason.name for a in attempts if isinstance(a, Refused)]
    assert refusals == ["TOO_MANY_ROOMS"] * 5
    async with services.database.reading() as session:
        assert await store.memberships(session, host) == MAX_ROOMS


async def test_twenty_people_and_one_seat(services: Services, party: OpenParty) -> None:
    room = await party(2, seats=3)
    people = [await person(services) for _ in range(20)]
    before = await room.seen()
    attempts = await asyncio.gather(
        *(entry.join(services, each, PLAYER, code=before.code) for each in people),
        return_exceptions=True,
    )
    answers = Counter(a.reason.name if isinstance(a, Refused) else a for a in attempts)
    assert answers == {room.id: 1, "ROOM_FULL": 19}
    after = await room.seen()
    assert len(after.players) == 3
    assert after.revision == before.revision + 1
