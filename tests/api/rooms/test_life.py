"""What happens in a room between its opening and its end."""

import asyncio
import json
from uuid import UUID

from api.matches import service as matches
from api.refusals import Refused
from api.rooms import entry, reading, service
from api.rooms.entry import NewRoom
from api.rooms.models import PLAYER, SPECTATOR
from api.services import Services
from tests.api.in_process import person
from tests.api.rooms.conftest import OpenParty, Party
from tests.api.rooms.seen import refused

NOBODY = UUID(int=0)


async def seats(services: Services, match_id: UUID) -> list[UUID]:
    """Who sits in a match, by seat."""
    rows = await services.database.fetch(
        "SELECT account_id FROM match_seat WHERE match_id = $1 ORDER BY seat", match_id
    )
    return [row["account_id"] for row in rows]


async def with_spectator(services: Services, room: Party) -> UUID:
    watcher = await person(services, "관전자")
    await entry.join(services, watcher, SPECTATOR, room_id=room.id)
    return watcher


# Getting ready


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


# Options


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


# The match


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


# Leaving


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


# Kick and hand-over


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


# After the match


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
