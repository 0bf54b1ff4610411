"""`viewAt`: the match as each viewer saw it, from its log; and what is done when that fails."""

from typing import Any
from uuid import UUID

import pytest

from api.history.snapshots import Snapshots
from tests.api.client import Client, Failed
from tests.api.history.conftest import Archive, match_ref
from tests.api.history.past import GAMES, look, past_of, put

pytestmark = pytest.mark.thorough

VIEW_AT = """
query V($id: ID!, $version: Int!, $seat: Int) {
  match(id: $id) { viewAt(version: $version, seat: $seat) { version } }
}
"""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
async def test_every_version_as_its_viewers_saw_it(archive: Archive, game: str, seed: int) -> None:
    *players, stranger = await archive.people(3)
    past = await past_of(archive, await put(archive, players, game, seed, most=150))
    assert past.version > 10
    for seat, player in enumerate(players):
        assert await look(player, past) == past.views(seat)
        assert await look(player, past, seat) == past.views(seat)
    assert await look(stranger, past) == past.views(None)


@pytest.mark.parametrize("flags", [{"open_replay": True}, {"verifiable": True}])
async def test_an_open_replay_is_seen_from_every_seat(
    archive: Archive, flags: dict[str, Any]
) -> None:
    *players, stranger = await archive.people(3)
    past = await past_of(archive, await put(archive, players, "coin_race", 3, **flags))
    assert past.engine.result(past.states[-1]) is not None
    for viewer in (players[0], stranger):
        for seat in range(2):
            assert await look(viewer, past, seat) == past.views(seat)
    assert await look(stranger, past) == past.views(None)


async def code_of(client: Client, match_id: UUID, version: int, seat: int | None = None) -> str:
    with pytest.raises(Failed) as failed:
        await client.run(VIEW_AT, {"id": match_ref(match_id), "version": version, "seat": seat})
    (code,) = failed.value.codes
    return code


async def test_other_seats_stay_closed(archive: Archive) -> None:
    *players, stranger = await archive.people(3)
    running = await put(archive, players, "coin_race", 4, most=3, open_replay=True, verifiable=True)
    ended = await archive.ended(players)
    for match_id in (running, ended):
        assert await code_of(players[0], match_id, 1, seat=1) == "FORBIDDEN"
        assert await code_of(stranger, match_id, 1, seat=0) == "FORBIDDEN"
        assert await code_of(stranger, match_id, 1, seat=2) == "BAD_USER_INPUT"
        assert await code_of(stranger, match_id, 1, seat=-1) == "BAD_USER_INPUT"
        assert await code_of(stranger, match_id, 0) == "BAD_USER_INPUT"
        assert await code_of(stranger, match_id, 9_999) == "BAD_USER_INPUT"


async def test_rules_that_are_no_more(archive: Archive) -> None:
    people = await archive.people(2)
    match_id = await archive.ended(people)
    await archive.sql("UPDATE match SET rules_version = 2 WHERE id = $1", match_id)
    assert await code_of(people[0], match_id, 1) == "RULES_UNAVAILABLE"


def test_milestones_and_the_last_state_are_kept() -> None:
    snapshots, match_id = Snapshots(every=4, kept=100), UUID(int=1)
    for version in range(1, 11):
        snapshots.keep(match_id, version, f"state {version}")
    kept = {snapshots.before(match_id, version) for version in range(1, 12)}
    assert kept == {(n, f"state {n}") for n in (1, 4, 8, 10)}
    assert snapshots.before(match_id, 3) == (1, "state 1")
    assert snapshots.before(match_id, 7) == (4, "state 4")
    assert snapshots.before(match_id, 9) == (8, "state 8")
    assert snapshots.last(match_id) == (10, "state 10")
    assert snapshots.before(UUID(int=2), 5) is None
    snapshots.keep(match_id, 9, "older")
    assert snapshots.last(match_id) == (10, "state 10")


def test_the_match_looked_at_longest_ago_is_forgotten() -> None:
    snapshots = Snapshots(every=1, kept=4)
    first, second, third = (UUID(int=n) for n in range(3))
    for match_id in (first, second):
        snapshots.keep(match_id, 1, "deal")
        snapshots.keep(match_id, 2, "move")
    assert snapshots.before(first, 2) == (2, "move")
    snapshots.keep(third, 1, "deal")
    assert snapshots.last(second) is None
    assert snapshots.last(first) == (2, "move")
    assert snapshots.last(third) == (1, "deal")
