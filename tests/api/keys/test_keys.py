"""API keys: made on the command line, sent by programs, good for public history and no more."""

import hashlib
import json
import subprocess
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError

from tests.api.client import Client, Failed, signed_in
from tests.api.ended import ended, seated
from tests.api.server import ServerProcess
from tests.api.test_cli import command

MATCHES = "query M($f: MatchFilter) { matches(filter: $f) { nodes { id status } } }"
MATCH = """
query M($id: ID!) {
  match(id: $id) { id yourSeat log { nodes { version } } seats { player { id } } }
}
"""


def keys(server: ServerProcess, *arguments: str) -> subprocess.CompletedProcess[str]:
    return command("keys", *arguments, DATABASE_URL=server.database_url, BOARD_SECRET="0" * 64)


def create(server: ServerProcess, *arguments: str) -> tuple[str, str]:
    """A new key that may read history: its text and its id."""
    said = keys(server, "create", "--name", "stats", "--scope", "history:read", *arguments)
    assert said.returncode == 0, said.stderr
    text, _, told = said.stdout.strip().split("\n")
    return text, told.split()[1].rstrip(",")


async def execute(server: ServerProcess, statement: str, *args: Any) -> list[Any]:
    connection = await asyncpg.connect(server.database_url)
    try:
        return await connection.fetch(statement, *args)
    finally:
        await connection.close()


@pytest.fixture(scope="module")
def key(server: ServerProcess) -> tuple[str, str]:
    return create(server)


@pytest.fixture
async def program(server: ServerProcess, key: tuple[str, str]) -> AsyncIterator[Client]:
    client = Client(server.base_url)
    client.token = key[0]
    yield client
    await client.close()


@pytest.fixture
async def people(server: ServerProcess) -> AsyncIterator[list[Client]]:
    async with signed_in(server.base_url, "Mina", "Juno") as people:
        yield people


async def fault(client: Client, document: str, variables: dict[str, Any] | None = None) -> str:
    with pytest.raises(Failed) as failed:
        await client.run(document, variables)
    (code,) = failed.value.codes
    return str(code)


async def test_a_key_reads_ended_public_matches_and_no_others(
    program: Client, people: list[Client]
) -> None:
    public = await ended(*people)
    secret = await ended(*people, visibility="PRIVATE")
    _, running = await seated(*people)
    nodes = (await program.run(MATCHES))["matches"]["nodes"]
    assert nodes == [{"id": public, "status": "FINISHED"}]
    for status, found in ((["RUNNING"], 0), ([], 0), (["FINISHED", "RUNNING"], 1)):
        data = await program.run(MATCHES, {"f": {"status": status}})
        assert len(data["matches"]["nodes"]) == found
    for player in people:
        data = await program.run(MATCHES, {"f": {"player": player.player_id}})
        assert [node["id"] for node in data["matches"]["nodes"]] == [public]
    match = (await program.run(MATCH, {"id": public}))["match"]
    assert match["yourSeat"] is None
    assert [entry["version"] for entry in match["log"]["nodes"]] == [1, 2]
    assert [seat["player"]["id"] for seat in match["seats"]] == [p.player_id for p in people]
    for hidden in (secret, running):
        assert (await program.run(MATCH, {"id": hidden}))["match"] is None


async def test_a_key_is_nobody(program: Client, people: list[Client]) -> None:
    assert (await program.run("{ me { id } }"))["me"] is None
    document = 'mutation { createRoom(input: {game: "marble"}) { room { id } } }'
    assert await fault(program, document) == "FORBIDDEN"
    assert await fault(program, "{ rooms { nodes { id } } }") == "FORBIDDEN"
    assert await fault(program, "{ myRooms { id } }") == "FORBIDDEN"
    document = 'mutation { updateProfile(input: {displayName: "A"}) { player { id } } }'
    assert await fault(program, document) == "FORBIDDEN"


async def test_a_key_opens_neither_socket_nor_stream(
    server: ServerProcess, key: tuple[str, str]
) -> None:
    async with connect(server.ws_url, subprotocols=["graphql-transport-ws"]) as socket:
        init = {"type": "connection_init", "payload": {"token": key[0]}}
        await socket.send(json.dumps(init))
        with pytest.raises(ConnectionClosedError):
            await socket.recv()
        assert (socket.close_code, socket.close_reason) == (4403, "FORBIDDEN")
    async with httpx.AsyncClient(base_url=server.base_url) as http:
        response = await http.post(
            "/graphql/stream",
            json={"query": "subscription { lobbyUpdates { snapshot } }"},
            headers={"authorization": f"Bearer {key[0]}", "accept": "text/event-stream"},
        )
    assert response.status_code == 403
    assert response.json()["errors"][0]["extensions"]["code"] == "FORBIDDEN"


async def test_a_key_has_a_budget_of_its_own(program: Client) -> None:
    left = (await program.run("{ rateLimit { cost limit remaining } }"))["rateLimit"]
    assert (left["cost"], left["limit"]) == (4, 1_000_000)


async def test_the_database_holds_no_key(server: ServerProcess, key: tuple[str, str]) -> None:
    text, id_ = key
    (row,) = await execute(server, "SELECT * FROM api_key WHERE id = $1", id_)
    assert row["hash"] == hashlib.sha256(text.encode()).digest()
    assert text.startswith("key_")
    assert text not in str(dict(row))
    assert text not in server.log()


async def test_a_revoked_key_is_refused_from_then_on(server: ServerProcess) -> None:
    text, id_ = create(server)
    client = Client(server.base_url)
    client.token = text
    await client.run(MATCHES)
    said = keys(server, "revoke", id_)
    assert (said.returncode, said.stdout) == (0, f"{id_} is revoked\n")
    assert await fault(client, MATCHES) == "UNAUTHENTICATED"
    first = await execute(server, "SELECT revoked_at FROM api_key WHERE id = $1", id_)
    assert keys(server, "revoke", id_).returncode == 0
    assert await execute(server, "SELECT revoked_at FROM api_key WHERE id = $1", id_) == first
    await client.close()


async def test_a_key_expires(server: ServerProcess) -> None:
    text, id_ = create(server, "--days", "1")
    client = Client(server.base_url)
    client.token = text
    await client.run(MATCHES)
    (row,) = await execute(
        server, "SELECT expires_at - created_at AS life FROM api_key WHERE id = $1", id_
    )
    assert row["life"] == timedelta(days=1)
    await execute(server, "UPDATE api_key SET expires_at = now() WHERE id = $1", id_)
    assert await fault(client, MATCHES) == "UNAUTHENTICATED"
    listed = {line.split()[0]: line for line in keys(server, "list").stdout.splitlines()}
    assert listed[id_].split()[1] == "expired"
    await client.close()


async def test_use_is_noted_once_in_a_while(server: ServerProcess) -> None:
    text, id_ = create(server)
    last = "SELECT last_used_at FROM api_key WHERE id = $1"
    assert (await execute(server, last, id_))[0][0] is None
    assert "never used" in keys(server, "list").stdout
    client = Client(server.base_url)
    client.token = text
    await client.run(MATCHES)
    ((noted,),) = await execute(server, last, id_)
    assert abs(noted - datetime.now(UTC)) < timedelta(minutes=1)
    await client.run(MATCHES)
    assert await execute(server, last, id_) == [(noted,)]
    ago = noted - timedelta(minutes=2)
    await execute(server, "UPDATE api_key SET last_used_at = $2 WHERE id = $1", id_, ago)
    await client.run(MATCHES)
    ((again,),) = await execute(server, last, id_)
    assert again >= noted
    await client.close()


@pytest.mark.parametrize("text", ["key_", "key_nonsense", "key_" + "A" * 43, "key_" + "A" * 5000])
async def test_what_is_no_key_is_refused(server: ServerProcess, text: str) -> None:
    client = Client(server.base_url)
    client.token = text
    assert await fault(client, MATCHES) == "UNAUTHENTICATED"
    assert (await client.run("{ __typename }"))["__typename"] == "Query"
    await client.close()


def test_mistakes_on_the_command_line_are_told(server: ServerProcess) -> None:
    unknown = "00000000-0000-0000-0000-000000000000"
    said = keys(server, "revoke", unknown)
    assert (said.returncode, said.stderr) == (1, f"error: there is no key {unknown}\n")
    for arguments in (
        ("create", "--name", "x", "--scope", "everything"),
        ("create", "--name", "x"),
        ("create", "--scope", "history:read"),
        ("create", "--name", "a\nb", "--scope", "history:read"),
        ("create", "--name", "x", "--scope", "history:read", "--days", "0"),
        ("revoke", "everything"),
    ):
        assert keys(server, *arguments).returncode == 2
