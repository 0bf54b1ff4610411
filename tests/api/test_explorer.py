"""The operations that the explorer opens with: they fit the schema, and they play a match."""

import json
from typing import Any

import httpx
import pytest
from graphql import build_schema, parse, print_ast, separate_operations, validate

from api.schema import bind, sdl
from tests.api.client import Client
from tests.api.server import ServerProcess


@pytest.fixture(scope="module")
def tabs(server: ServerProcess) -> list[dict[str, str]]:
    """The tabs as the page asks for them."""
    answer = httpx.get(f"{server.base_url}/explorer/tabs.json")
    assert answer.status_code == 200
    return answer.json()  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def operations(tabs: list[dict[str, str]]) -> dict[str, str]:
    """Every operation of the tabs by its name."""
    parts = [part for tab in tabs for part in separate_operations(parse(tab["query"])).items()]
    assert len({name for name, _ in parts}) == len(parts)
    return {name: print_ast(document) for name, document in parts}


def test_every_tab_is_valid(tabs: list[dict[str, str]]) -> None:
    schema = build_schema(sdl())
    assert [validate(schema, parse(tab["query"])) for tab in tabs] == [[]] * len(tabs)


def test_every_game_has_a_tab(tabs: list[dict[str, str]]) -> None:
    own = [tab["query"] for tab in tabs[-len(bind()) :]]
    assert own == [binding.game.examples for binding in bind().values()]


def test_every_tab_has_a_place_for_what_must_be_given(tabs: list[dict[str, str]]) -> None:
    given = [json.loads(tab["variables"] or "{}") for tab in tabs]
    assert given[:4] == [
        {},
        {},
        {"game": "marble", "code": "", "roomId": ""},
        {"matchId": ""},
    ]


async def test_they_play(server: ServerProcess, operations: dict[str, str]) -> None:
    host, friend = Client(server.base_url), Client(server.base_url)

    async def run(client: Client, name: str, **variables: Any) -> Any:
        (told,) = (await client.run(operations[name], variables)).values()
        assert not isinstance(told, dict) or told.get("userErrors", []) == []
        return told

    for client in (host, friend):
        client.token = (await run(client, "SignIn"))["session"]["accessToken"]
    assert [game["id"] for game in await run(host, "Games")] == list(bind())
    room = (await run(host, "OpenRoom", game="marble"))["room"]
    await run(friend, "JoinRoom", code=room["code"])
    await run(friend, "GetReady", roomId=room["id"])
    match_id = (await run(host, "StartMatch", roomId=room["id"]))["room"]["match"]["id"]
    async with host.socket() as socket:
        items = {}
        for name, variables in {
            "FollowLobby": {},
            "FollowRoom": {"roomId": room["id"]},
            "FollowMatch": {"matchId": match_id},
            "FollowMarble": {"matchId": match_id},
        }.items():
            updates = socket.subscribe(operations[name], variables)
            (items[name],) = (await anext(updates)).values()
            await updates.aclose()
    assert items["FollowRoom"]["match"] == {"id": match_id, "status": "RUNNING"}
    mover = (host, friend)[items["FollowMarble"]["view"]["current"]]
    rolled = await run(mover, "MarbleRoll", matchId=match_id, key="first")
    assert (rolled["version"], rolled["events"][0]["__typename"]) == (2, "MarbleRolled")
    replay = await run(host, "Replay", matchId=match_id)
    assert [entry["version"] for entry in replay["log"]["nodes"]] == [1, 2]
    assert [each["id"] for each in (await run(host, "History"))["matches"]["nodes"]] == [match_id]
    assert len((await run(host, "MarbleBoard"))["cells"]) == 40
    assert len((await run(host, "NumberTilesCatalogue"))["tiles"]) == 106
    await host.close()
    await friend.close()
