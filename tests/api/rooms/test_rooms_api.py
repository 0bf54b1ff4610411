"""Rooms as clients see them, against a real server."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from api.absence.reasons import AbsenceReason
from api.rooms.reasons import RoomReason
from tests.api.client import Client, Failed, signed_in
from tests.api.server import ServerProcess

ROOM = """
id code revision status visibility seats allowSpectators openReplay verifiable createdAt
game { id } options { key value } host { id } members { player { id displayName } role ready }
match { id status }
"""
PAYLOAD = f"room {{ {ROOM} }}"
BY_ID = f"query R($id: ID!) {{ room(id: $id) {{ {ROOM} }} }}"
BY_CODE = f"query R($code: String!) {{ roomByCode(code: $code) {{ {ROOM} }} }}"
NODE = "query N($id: ID!) { node(id: $id) { ... on Room { revision } } }"
MINE = "{ myRooms { id } }"
ROOMS = """
query Rooms($filter: RoomFilter, $first: Int, $after: String, $last: Int, $before: String) {
  rooms(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    nodes { id }
    edges { cursor node { id } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}
"""
GAME = "coin_race"
NO_ROOM = "Um9vbTowMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMA"


@pytest.fixture(scope="module")
def server_environ() -> dict[str, str]:
    return {"BOARD_GAME_PACKAGES": "tests.extra_games"}


@pytest.fixture
async def people(server: ServerProcess) -> AsyncIterator[list[Client]]:
    """A host, a guest and a stranger."""
    async with signed_in(server.base_url, "Hana", "Gun", "Seo") as people:
        yield people


async def create(host: Client, **given: Any) -> dict[str, Any]:
    room: dict[str, Any] = (await host.do("createRoom", PAYLOAD, game=GAME, **given))["room"]
    return room


async def refusal(client: Client, mutation: str, /, **given: Any) -> tuple[str, list[str]]:
    payload = await client.mutate(mutation, PAYLOAD, **given)
    assert payload["room"] is None
    (error,) = payload["userErrors"]
    return error["code"], error["path"]


async def read(client: Client, room_id: str) -> dict[str, Any] | None:
    room: dict[str, Any] | None = (await client.run(BY_ID, {"id": room_id}))["room"]
    return room


async def page(client: Client, **variables: Any) -> dict[str, Any]:
    found: dict[str, Any] = (await client.run(ROOMS, variables))["rooms"]
    assert [edge["node"] for edge in found["edges"]] == found["nodes"]
    if found["edges"]:
        assert found["pageInfo"]["startCursor"] == found["edges"][0]["cursor"]
        assert found["pageInfo"]["endCursor"] == found["edges"][-1]["cursor"]
    return found


def ids(found: dict[str, Any]) -> list[str]:
    return [node["id"] for node in found["nodes"]]


async def test_a_room_shows_what_the_host_chose(people: list[Client]) -> None:
    host = people[0]
    room = await create(
        host,
        options=[{"key": "turnSeconds", "value": None}],
        seats=2,
        visibility="PRIVATE",
        allowSpectators=False,
        openReplay=True,
        verifiable=True,
    )
    member = {"id": host.player_id, "displayName": "Hana"}
    assert room | {"id": "", "code": "", "createdAt": "", "revision": 0} == {
        "id": "",
        "code": "",
        "createdAt": "",
        "revision": 0,
        "status": "WAITING",
        "visibility": "PRIVATE",
        "seats": 2,
        "allowSpectators": False,
        "openReplay": True,
        "verifiable": True,
        "game": {"id": GAME},
        "options": [{"key": "goal", "value": 5}, {"key": "turnSeconds", "value": None}],
        "host": {"id": host.player_id},
        "members": [{"player": member, "role": "PLAYER", "ready": False}],
        "match": None,
    }
    assert await read(host, room["id"]) == room
    assert {"id": room["id"]} in (await host.run(MINE))["myRooms"]


async def test_refused_choices_are_named(people: list[Client]) -> None:
    host = people[0]

    async def answer(**given: Any) -> tuple[str, list[str]]:
        return await refusal(host, "createRoom", **{"game": GAME, **given})

    goal, twice = {"key": "goal", "value": 7}, {"key": "goal", "value": 5}
    assert await answer(game="nothing") == ("UNKNOWN_GAME", ["game"])
    assert await answer(options=[goal]) == ("BAD_OPTION", ["options", "goal"])
    assert await answer(options=[twice, twice]) == ("BAD_OPTION", ["options", "goal"])
    assert await answer(options=[{"key": "goal", "value": {"a": [1]}}]) == (
        "BAD_OPTION",
        ["options", "goal"],
    )
    assert await answer(options=[{"key": "turnSeconds", "value": "15"}]) == (
        "BAD_OPTION",
        ["options", "turnSeconds"],
    )
    assert await answer(seats=9) == ("BAD_SEATS", ["seats"])


async def test_a_private_room_is_found_by_its_code_only(people: list[Client]) -> None:
    host, guest, stranger = people
    room = await create(host, visibility="PRIVATE")
    assert await read(stranger, room["id"]) is None
    assert (await stranger.run(NODE, {"id": room["id"]}))["node"] is None
    assert await read(stranger, NO_ROOM) is None
    found = (await stranger.run(BY_CODE, {"code": room["code"].lower()}))["roomByCode"]
    assert found == room | {"code": None}
    assert (await stranger.run(BY_CODE, {"code": "BCDFGH"}))["roomByCode"] is None
    joined = await guest.do("joinRoom", PAYLOAD, code=room["code"])
    assert joined["room"]["code"] == room["code"]
    assert (await guest.run(NODE, {"id": room["id"]}))["node"]["revision"] == room["revision"] + 1
    assert await refusal(stranger, "joinRoom", roomId=room["id"]) == ("ROOM_NOT_FOUND", ["roomId"])
    assert await refusal(stranger, "joinRoom", roomId=NO_ROOM) == ("ROOM_NOT_FOUND", ["roomId"])
    left = await guest.do("leaveRoom", PAYLOAD, roomId=room["id"])
    assert left["room"] is None


async def test_the_removed_do_not_see_a_private_room(people: list[Client]) -> None:
    host, guest, _ = people
    room = await create(host, visibility="PRIVATE")
    await guest.do("joinRoom", PAYLOAD, code=room["code"])
    await host.do("kickMember", PAYLOAD, roomId=room["id"], playerId=guest.player_id)
    assert await read(guest, room["id"]) is None
    assert (await guest.run(BY_CODE, {"code": room["code"]}))["roomByCode"] is None
    assert await refusal(guest, "joinRoom", code=room["code"]) == ("REMOVED_BY_HOST", [])


async def test_a_room_is_named_once(people: list[Client]) -> None:
    assert await refusal(people[0], "joinRoom") == ("NAME_ROOM_ONCE", [])
    both = await refusal(people[0], "joinRoom", roomId=NO_ROOM, code="BCDFGH")
    assert both == ("NAME_ROOM_ONCE", [])


@pytest.mark.parametrize("id_", ["", "x", NO_ROOM, NO_ROOM + "=", "가" * 200])
async def test_ids_of_nothing_are_answered_like_unknown_ones(
    people: list[Client], id_: str
) -> None:
    host = people[0]
    assert await read(host, id_) is None
    for mutation, given in (
        ("joinRoom", {}),
        ("leaveRoom", {}),
        ("setReady", {"ready": True}),
        ("updateRoomOptions", {}),
        ("kickMember", {"playerId": host.player_id}),
        ("transferHost", {"playerId": host.player_id}),
        ("startMatch", {}),
        ("requestRematch", {}),
    ):
        answer = await refusal(host, mutation, roomId=id_, **given)
        assert answer == ("ROOM_NOT_FOUND", ["roomId"])


async def test_from_the_first_join_to_the_rematch(people: list[Client]) -> None:
    host, guest, watcher = people
    room_id = (await create(host))["id"]
    await guest.do("joinRoom", PAYLOAD, roomId=room_id)
    joined = await watcher.do("joinRoom", PAYLOAD, roomId=room_id, role="SPECTATOR")
    assert [m["role"] for m in joined["room"]["members"]] == ["PLAYER", "PLAYER", "SPECTATOR"]
    changed = await host.do(
        "updateRoomOptions",
        PAYLOAD,
        roomId=room_id,
        options=[{"key": "goal", "value": 10}],
        seats=2,
    )
    assert changed["room"]["options"][0] == {"key": "goal", "value": 10}
    assert changed["room"]["seats"] == 2
    assert await refusal(host, "startMatch", roomId=room_id) == ("NOT_ALL_READY", [])
    ready = await guest.do("setReady", PAYLOAD, roomId=room_id, ready=True)
    assert [m["ready"] for m in ready["room"]["members"]] == [False, True, False]
    started = (await host.do("startMatch", PAYLOAD, roomId=room_id))["room"]
    assert (started["status"], started["match"]["status"]) == ("PLAYING", "RUNNING")
    await guest.do("leaveRoom", PAYLOAD, roomId=room_id)
    over = await read(watcher, room_id)
    assert over is not None
    assert (over["status"], over["match"]["status"]) == ("FINISHED", "FINISHED")
    await watcher.do("joinRoom", PAYLOAD, roomId=room_id)
    again = (await watcher.do("requestRematch", PAYLOAD, roomId=room_id))["room"]
    assert (again["status"], again["code"]) == ("WAITING", started["code"])
    second = (await host.do("startMatch", PAYLOAD, roomId=room_id))["room"]
    assert second["match"]["id"] != started["match"]["id"]
    handed = await host.do("transferHost", PAYLOAD, roomId=room_id, playerId=watcher.player_id)
    assert handed["room"]["host"] == {"id": watcher.player_id}
    kicked = await watcher.do("kickMember", PAYLOAD, roomId=room_id, playerId=host.player_id)
    assert kicked["room"]["status"] == "FINISHED"
    closed = (await watcher.do("leaveRoom", PAYLOAD, roomId=room_id))["room"]
    assert (closed["status"], closed["members"], closed["host"]) == ("CLOSED", [], None)


async def test_the_lobby_in_pages(people: list[Client]) -> None:
    host, other, reader = people
    opened = [
        (await create(host if i % 2 else other, seats=2 if i % 2 else 3))["id"] for i in range(7)
    ]
    hidden = (await create(host, visibility="PRIVATE"))["id"]
    newest = opened[::-1]
    everything = ids(await page(reader, first=100))
    assert everything[:7] == newest
    assert hidden not in everything

    first = await page(reader, first=3)
    assert ids(first) == newest[:3]
    info = first["pageInfo"]
    assert (info["hasNextPage"], info["hasPreviousPage"]) == (True, False)
    late = (await create(reader))["id"]
    second = await page(reader, first=3, after=info["endCursor"])
    assert ids(second) == newest[3:6]
    assert second["pageInfo"]["hasPreviousPage"] is True
    back = await page(reader, last=2, before=second["pageInfo"]["startCursor"])
    assert ids(back) == newest[1:3]
    info = back["pageInfo"]
    assert (info["hasNextPage"], info["hasPreviousPage"]) == (True, True)
    front = await page(reader, last=100, before=info["startCursor"])
    assert ids(front) == [late, newest[0]]
    assert front["pageInfo"]["hasPreviousPage"] is False
    oldest = await page(reader, last=1)
    assert ids(oldest) == everything[-1:]
    assert oldest["pageInfo"]["hasNextPage"] is False
    between = await page(
        reader,
        first=100,
        after=first["pageInfo"]["startCursor"],
        before=second["pageInfo"]["endCursor"],
    )
    assert ids(between) == newest[1:5]


async def test_the_lobby_filtered(people: list[Client]) -> None:
    host, guest, reader = people
    full, playing, free = [(await create(host, seats=2))["id"] for _ in range(3)]
    for room_id in (full, playing):
        await guest.do("joinRoom", PAYLOAD, roomId=room_id)
    await guest.do("setReady", PAYLOAD, roomId=playing, ready=True)
    await host.do("startMatch", PAYLOAD, roomId=playing)
    ours = {full, playing, free}

    async def found(**given: Any) -> set[str]:
        return set(ids(await page(reader, first=100, filter=given))) & ours

    assert await found() == ours
    assert await found(game=GAME, status=["PLAYING"]) == {playing}
    assert await found(status=["WAITING", "FINISHED"]) == {full, free}
    assert await found(hasFreeSeat=True) == {free}
    assert await found(hasFreeSeat=False) == {full, playing}
    assert await found(status=[]) == set()
    assert await found(status=["CLOSED"]) == set()
    assert await found(game="nothing") == set()


@pytest.mark.parametrize(
    "variables",
    [
        {"first": 1, "last": 1},
        {"first": 0},
        {"first": -1},
        {"first": 101},
        {"last": 101},
        {"after": "nonsense"},
        {"after": ""},
        {"before": "A" * 32 + "="},
        {"after": "f" * 32},  # a time beyond the calendar
        {"after": NO_ROOM},
    ],
)
async def test_pages_that_cannot_be(people: list[Client], variables: dict[str, Any]) -> None:
    with pytest.raises(Failed) as failed:
        await people[0].run(ROOMS, variables)
    assert failed.value.codes == ["BAD_USER_INPUT"]


async def test_rooms_are_for_those_signed_in(people: list[Client]) -> None:
    room_id = (await create(people[0]))["id"]
    people[1].token = None
    for document, variables in (
        (ROOMS, {}),
        (MINE, {}),
        (BY_ID, {"id": room_id}),
        (BY_CODE, {"code": "BCDFGH"}),
        (NODE, {"id": room_id}),
    ):
        with pytest.raises(Failed) as failed:
            await people[1].run(document, variables)
        assert failed.value.codes == ["UNAUTHENTICATED"]
    with pytest.raises(Failed) as failed:
        await people[1].mutate("createRoom", PAYLOAD, game=GAME)
    assert failed.value.codes == ["UNAUTHENTICATED"]


async def test_a_refusal_speaks_the_language_of_the_request(people: list[Client]) -> None:
    messages = []
    for locale in ("ko", "en"):
        people[0].locale = locale
        payload = await people[0].mutate("createRoom", PAYLOAD, game=GAME, seats=9)
        messages.append(payload["userErrors"][0]["message"])
    assert messages == [
        "자리는 2~3개로 정해 주세요.",
        "The number of seats must be from 2 to 3.",
    ]


async def test_every_refusal_of_rooms_has_a_public_code(people: list[Client]) -> None:
    document = '{ __type(name: "RoomErrorCode") { enumValues { name description } } }'
    values = (await people[0].run(document))["__type"]["enumValues"]
    reasons = (*RoomReason, *AbsenceReason)
    assert {value["name"] for value in values} == {reason.name for reason in reasons}
    assert all(value["description"] for value in values)
