"""`matches` and `Player.matches`: what a filter finds, in order, page by page."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from api.matches import store
from tests.api.client import Client, Failed
from tests.api.history.conftest import Archive, match_ref

PAGE = """
query Page($filter: MatchFilter, $first: Int, $after: String, $last: Int, $before: String) {
  matches(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { id } }
    nodes { id startedAt }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}
"""

DAY = (datetime.now(UTC) - timedelta(days=1)).replace(microsecond=0)


def at(minutes: int) -> datetime:
    """A moment on the day of these tests."""
    return DAY + timedelta(minutes=minutes)


async def page(client: Client, **variables: Any) -> dict[str, Any]:
    found = (await client.run(PAGE, variables))["matches"]
    assert [edge["node"]["id"] for edge in found["edges"]] == [n["id"] for n in found["nodes"]]
    return found


async def ids(client: Client, **filter_: Any) -> list[str]:
    """All that a filter finds, newest first, on one page."""
    found = await page(client, filter=filter_, first=100)
    assert not found["pageInfo"]["hasNextPage"]
    return [node["id"] for node in found["nodes"]]


async def walk(client: Client, backward: bool = False, **filter_: Any) -> list[list[str]]:
    """All pages of two, in the order they were asked for."""
    size, cursor = ("last", "before") if backward else ("first", "after")
    more, edge = ("hasPreviousPage", "startCursor") if backward else ("hasNextPage", "endCursor")
    pages = []
    variables: dict[str, Any] = {size: 2, "filter": filter_}
    while True:
        found = await page(client, **variables)
        pages.append([node["id"] for node in found["nodes"]])
        if not found["pageInfo"][more]:
            return pages
        variables[cursor] = found["pageInfo"][edge]


def refs(*match_ids: UUID) -> list[str]:
    return [match_ref(match_id) for match_id in match_ids]


async def test_newest_start_first_and_ties_by_id(archive: Archive) -> None:
    people = await archive.people(2)
    same = [await archive.ended(people, started_at=at(5)) for _ in range(3)]
    older = await archive.ended(people, started_at=at(4))
    newer = await archive.ended(people, started_at=at(6))
    expected = refs(newer, *sorted(same, reverse=True), older)
    me = people[0].player_id
    assert await ids(people[0], player=me) == expected
    assert await walk(people[0], player=me) == [expected[:2], expected[2:4], expected[4:]]
    assert await walk(people[0], backward=True, player=me) == [
        expected[3:],
        expected[1:3],
        expected[:1],
    ]


async def test_no_skip_and_no_repeat_while_matches_are_inserted(archive: Archive) -> None:
    people = await archive.people(2)
    me, client = people[0].player_id, people[0]
    first = [await archive.ended(people, started_at=at(10 * n)) for n in range(6)]
    expected = refs(*reversed(first))
    for backward in (False, True):
        seen: list[str] = []
        size, cursor = ("last", "before") if backward else ("first", "after")
        edge = "startCursor" if backward else "endCursor"
        variables: dict[str, Any] = {size: 2, "filter": {"player": me}}
        for _ in range(3):
            found = await page(client, **variables)
            nodes = [node["id"] for node in found["nodes"]]
            seen = [*nodes, *seen] if backward else [*seen, *nodes]
            variables[cursor] = found["pageInfo"][edge]
            # One that lies before all pages so far, and one that lies between those seen.
            behind = at(-1) if backward else at(100)
            await archive.ended(people, started_at=behind)
            inside = at(1) if backward else at(49)
            await archive.ended(people, started_at=inside)
        assert seen == expected
        for match_id in await archive.sql("SELECT id FROM match WHERE NOT id = ANY($1)", first):
            await archive.sql("DELETE FROM match_seat WHERE match_id = $1", match_id["id"])
            await archive.sql("DELETE FROM match_listing WHERE match_id = $1", match_id["id"])


async def test_page_info(archive: Archive) -> None:
    people = await archive.people(2)
    for n in range(3):
        await archive.ended(people, started_at=at(n))
    me = {"player": people[0].player_id}
    first = await page(people[0], filter=me, first=2)
    info = first["pageInfo"]
    assert (info["hasNextPage"], info["hasPreviousPage"]) == (True, False)
    assert [info["startCursor"], info["endCursor"]] == [e["cursor"] for e in first["edges"]]
    rest = await page(people[0], filter=me, first=2, after=info["endCursor"])
    assert (rest["pageInfo"]["hasNextPage"], rest["pageInfo"]["hasPreviousPage"]) == (False, True)
    assert len(rest["nodes"]) == 1
    back = await page(people[0], filter=me, last=5, before=rest["pageInfo"]["startCursor"])
    assert back["nodes"] == first["nodes"]
    nobody = await archive.people(1)
    empty = (await page(nobody[0], filter={"player": nobody[0].player_id}))["pageInfo"]
    assert empty == {
        "hasNextPage": False,
        "hasPreviousPage": False,
        "startCursor": None,
        "endCursor": None,
    }


async def test_game_status_and_reason(archive: Archive) -> None:
    people = await archive.people(2)
    race = await archive.ended(people, started_at=at(1))
    land = await archive.ended(people, game="marble", options={}, started_at=at(2))
    running = await archive.start(people, started_at=at(3))
    closed = await archive.start(people, started_at=at(4))
    assert await store.abandon(archive.services.database, closed, at(5))
    me = {"player": people[0].player_id}
    client = people[0]
    reason = (await archive.sql("SELECT end_reason FROM match_listing WHERE match_id = $1", land))[
        0
    ]["end_reason"]
    for filter_, expected in (
        ({}, [closed, running, land, race]),
        ({"game": "coin_race"}, [closed, running, race]),
        ({"game": "marble"}, [land]),
        ({"game": "chess"}, []),
        ({"status": ["RUNNING"]}, [running]),
        ({"status": ["ABANDONED"]}, [closed]),
        ({"status": ["FINISHED", "ABANDONED"]}, [closed, land, race]),
        ({"status": []}, []),
        ({"endReason": "LEFT"}, [race]),
        ({"endReason": "LEFT", "game": "coin_race"}, [race]),
        ({"endReason": "LEFT", "game": "marble"}, []),
        ({"endReason": reason}, [land]),
        ({"endReason": "left"}, []),
        ({"endReason": "없음"}, []),
    ):
        assert await ids(client, **me, **filter_) == refs(*expected), filter_
        since = {"startedAfter": at(0).isoformat(), "startedBefore": at(9).isoformat()}
        everybodys = await ids(client, **since, **filter_)
        mine = [each for each in everybodys if each in refs(closed, running, land, race)]
        assert mine == refs(*expected), filter_


@pytest.mark.parametrize("mine", [True, False])
async def test_windows_of_time(archive: Archive, mine: bool) -> None:
    people = await archive.people(2)
    spans = [(0, 10), (1, 3), (2, 30), (11, 12)]
    made = [await archive.ended(people, started_at=at(a), finished_at=at(b)) for a, b in spans]
    running = await archive.start(people, started_at=at(12))
    client = people[0] if mine else (await archive.people(1))[0]
    base = {"player": people[0].player_id} if mine else {}
    wanted = refs(*made, running)

    async def found(**moments: int) -> list[int]:
        filter_ = {name: at(minute).isoformat() for name, minute in moments.items()}
        return [
            wanted.index(each) for each in await ids(client, **base, **filter_) if each in wanted
        ]

    assert await found(startedAfter=1) == [4, 3, 2, 1]
    assert await found(startedBefore=11) == [2, 1, 0]
    assert await found(startedAfter=2, startedBefore=12) == [3, 2]
    assert await found(finishedAfter=3) == [3, 2, 1, 0]
    assert await found(finishedAfter=10) == [3, 2, 0]
    assert await found(finishedAfter=11) == [3, 2]
    assert await found(finishedBefore=12) == [1, 0]
    assert await found(finishedAfter=3, finishedBefore=10) == [1]
    assert await found(finishedAfter=10, finishedBefore=30) == [3, 0]
    assert await found(finishedAfter=12, startedBefore=11) == [2]


async def test_of_a_player(archive: Archive) -> None:
    one, two, three = await archive.people(3)
    both = await archive.ended([one, two], started_at=at(1))
    other = await archive.ended([two, three], started_at=at(2))
    document = """
    query Of($id: ID!, $filter: MatchFilter) {
      player(id: $id) { matches(filter: $filter, first: 10) { nodes { id } } }
    }
    """

    async def of(player: Client, /, **filter_: Any) -> list[str]:
        data = await one.run(document, {"id": player.player_id, "filter": filter_})
        return [node["id"] for node in data["player"]["matches"]["nodes"]]

    assert await of(one) == refs(both)
    assert await of(two) == refs(other, both)
    assert await of(two, player=three.player_id) == []
    assert await of(two, player=two.player_id) == refs(other, both)
    assert await ids(one, player=three.player_id) == refs(other)
    assert await ids(one, player="nobody") == []
    assert await of(two, startedBefore=at(2).isoformat()) == refs(both)


@pytest.mark.parametrize(
    "variables",
    [
        {"after": "nonsense"},
        {"first": 0},
        {"first": 101},
        {"first": 1, "last": 1},
        {"filter": {"startedAfter": "2026-03-01T00:00:00"}},
    ],
)
async def test_bad_arguments(archive: Archive, variables: dict[str, Any]) -> None:
    (client,) = await archive.people(1)
    with pytest.raises(Failed) as failed:
        await client.run(PAGE, variables)
    assert failed.value.codes == ["BAD_USER_INPUT"]
