"""Accounts as clients see them, against a real server."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.api.client import Client, Failed
from tests.api.server import ServerProcess

SESSION = "session { accessToken refreshToken expiresAt refreshExpiresAt } player { id }"
ME = "{ me { id displayName createdAt } }"
PLAYER = "query P($id: ID!) { player(id: $id) { id displayName } }"
NODE = "query N($id: ID!) { node(id: $id) { __typename id ... on Player { displayName } } }"
NODES = "query N($ids: [ID!]!) { nodes(ids: $ids) { id } }"


@pytest.fixture
async def client(server: ServerProcess) -> AsyncIterator[Client]:
    client = await Client(server.base_url).sign_in("Mina")
    yield client
    await client.close()


@pytest.fixture
async def stranger(server: ServerProcess) -> AsyncIterator[Client]:
    client = Client(server.base_url)
    yield client
    await client.close()


async def fault(client: Client, document: str, variables: dict[str, Any] | None = None) -> str:
    """The code of the one error that the answer must have."""
    with pytest.raises(Failed) as failed:
        await client.run(document, variables)
    (code,) = failed.value.codes
    assert isinstance(code, str)
    return code


async def test_me_is_whoever_asks(client: Client, stranger: Client) -> None:
    me = (await client.run(ME))["me"]
    assert (me["id"], me["displayName"]) == (client.player_id, "Mina")
    assert (await stranger.run(ME))["me"] is None


async def test_a_bad_token_is_told_where_it_matters(stranger: Client) -> None:
    stranger.token = "nonsense"
    assert await fault(stranger, ME) == "UNAUTHENTICATED"
    assert (await stranger.run("{ __typename }"))["__typename"] == "Query"


async def test_profiles_are_for_those_signed_in(client: Client, stranger: Client) -> None:
    variables = {"id": client.player_id}
    assert (await client.run(PLAYER, variables))["player"]["displayName"] == "Mina"
    assert await fault(stranger, PLAYER, variables) == "UNAUTHENTICATED"
    assert await fault(stranger, NODE, variables) == "UNAUTHENTICATED"


async def test_a_player_is_a_node(client: Client) -> None:
    node = (await client.run(NODE, {"id": client.player_id}))["node"]
    assert node == {"__typename": "Player", "id": client.player_id, "displayName": "Mina"}


@pytest.mark.parametrize(
    "id_",
    ["", "x", "가", "UGxheWVyOg", "Um9vbTp4", "Tm9kZTp4", "UXVlcnk6eA", "A" * 5000, "="],
)
async def test_what_names_nothing_is_null(client: Client, id_: str) -> None:
    assert (await client.run(PLAYER, {"id": id_}))["player"] is None
    assert (await client.run(NODE, {"id": id_}))["node"] is None


async def test_an_id_has_one_spelling(client: Client) -> None:
    for other in (client.player_id + "=", client.player_id + "A", client.player_id[:-1]):
        assert (await client.run(PLAYER, {"id": other}))["player"] is None


async def test_nodes_keep_their_places(client: Client, server: ServerProcess) -> None:
    other = await Client(server.base_url).sign_in("Juno")
    ids = [other.player_id, "nothing", client.player_id, other.player_id]
    nodes = (await client.run(NODES, {"ids": ids}))["nodes"]
    assert nodes == [{"id": ids[0]}, None, {"id": ids[2]}, {"id": ids[3]}]
    assert await fault(client, NODES, {"ids": ["x"] * 101}) == "BAD_USER_INPUT"
    await other.close()


async def test_a_refused_name_is_told_in_both_languages(server: ServerProcess) -> None:
    for locale, message in (("ko", "이름을 입력해 주세요."), ("en", "Please enter a name.")):
        client = Client(server.base_url, locale)
        payload = await client.mutate("signInAsGuest", SESSION, displayName="  ")
        assert payload == {
            "session": None,
            "player": None,
            "userErrors": [{"code": "NAME_EMPTY", "message": message, "path": ["displayName"]}],
        }
        await client.close()


async def test_a_session_is_refreshed_without_its_access_token(
    client: Client, stranger: Client
) -> None:
    first = await stranger.do("refreshSession", SESSION, refreshToken=client.refresh_token)
    again = await stranger.do("refreshSession", SESSION, refreshToken=client.refresh_token)
    assert first == again
    assert first["player"]["id"] == client.player_id
    stranger.token = first["session"]["accessToken"]
    assert (await stranger.run(ME))["me"]["id"] == client.player_id
    refused = await stranger.mutate("refreshSession", SESSION, refreshToken="nonsense")
    assert refused["session"] is None
    assert refused["userErrors"][0]["code"] == "SESSION_ENDED"
    assert refused["userErrors"][0]["path"] == ["refreshToken"]


async def test_a_profile_is_renamed(client: Client, stranger: Client) -> None:
    payload = await client.do("updateProfile", "player { displayName }", displayName=" 미나 ")
    assert payload["player"]["displayName"] == "미나"
    assert (await client.run(ME))["me"]["displayName"] == "미나"
    document = 'mutation { updateProfile(input: {displayName: "x"}) { player { id } } }'
    assert await fault(stranger, document) == "UNAUTHENTICATED"


async def test_signing_out_closes_the_sockets(client: Client) -> None:
    async with client.socket() as socket:
        updates = socket.subscribe("subscription { lobbyUpdates { snapshot } }")
        assert (await anext(updates))["lobbyUpdates"]["snapshot"] is True
        payload = await client.do("signOut", "player { id }")
        assert payload["player"]["id"] == client.player_id
        with pytest.raises((ConnectionError, ConnectionClosed)):
            async with asyncio.timeout(10):
                await anext(updates)
        await socket.connection.wait_closed()
        assert socket.connection.close_code == 4403
    assert await fault(client, ME) == "UNAUTHENTICATED"


async def test_signing_out_works_with_the_refresh_token_alone(
    client: Client, stranger: Client
) -> None:
    document = "mutation { signOut(input: {}) { player { id } } }"
    assert await fault(stranger, document) == "UNAUTHENTICATED"
    refused = await stranger.mutate("signOut", "player { id }", refreshToken="nonsense")
    assert [error["code"] for error in refused["userErrors"]] == ["SESSION_ENDED"]
    payload = await stranger.do("signOut", "player { id }", refreshToken=client.refresh_token)
    assert payload["player"] is None
    assert await fault(client, ME) == "UNAUTHENTICATED"


async def test_every_refusal_of_accounts_has_a_public_code(client: Client) -> None:
    document = '{ __type(name: "AccountErrorCode") { enumValues { name description } } }'
    values = (await client.run(document))["__type"]["enumValues"]
    assert sorted(value["name"] for value in values) == [
        "CONFIRMATION_WRONG",
        "NAME_EMPTY",
        "NAME_TOO_LONG",
        "NAME_UNREADABLE",
        "SESSION_ENDED",
    ]
    assert all(value["description"] for value in values)
    assert "{" not in json.dumps([value["description"] for value in values])
