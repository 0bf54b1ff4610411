"""How many sockets and streams there may be, what they may carry, and that sessions end them."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, ConnectionClosedError
from websockets.frames import Close

from tests.api.client import Client
from tests.api.server import ServerProcess
from tests.faults.crowd import Device, EventStream

LOBBY = "subscription { lobbyUpdates { snapshot } }"
FULL = Close(1013, "TOO_MANY_SOCKETS")


@pytest.fixture(scope="module")
def server_environ() -> dict[str, str]:
    return {
        "BOARD_SOCKETS_PER_ACCOUNT": "2",
        "BOARD_SOCKETS_PER_ADDRESS": "1",
        "BOARD_ARRIVING_SOCKETS": "2",
        "BOARD_OPERATIONS_PER_SOCKET": "2",
        "BOARD_MESSAGES_PER_SECOND": "1",
        "BOARD_MAX_MESSAGE_BYTES": "1024",
        "BOARD_TRUSTED_PROXIES": "127.0.0.0/8",
    }


@pytest.fixture
async def client(server: ServerProcess) -> AsyncIterator[Client]:
    signed_in = await Client(server.base_url).sign_in("Guest")
    yield signed_in
    await signed_in.close()


async def stream_status(client: Client) -> tuple[int, str | None]:
    """How the request for one more stream is answered: the status, and when to come back."""
    headers = {"authorization": f"Bearer {client.token}", "accept": "text/event-stream"}
    url = f"{client.base_url}/graphql/stream"
    async with (
        httpx.AsyncClient() as http,
        http.stream("POST", url, json={"query": LOBBY}, headers=headers) as response,
    ):
        return response.status_code, response.headers.get("retry-after")


def arriving(server: ServerProcess, address: str) -> connect:
    """A socket that says nothing yet, come through the balancer from this address."""
    return connect(
        server.ws_url,
        subprotocols=["graphql-transport-ws"],
        additional_headers={"x-forwarded-for": address},
    )


@asynccontextmanager
async def anonymous(server: ServerProcess, address: str) -> AsyncIterator[ClientConnection]:
    """A socket of somebody not signed in."""
    async with arriving(server, address) as connection:
        await connection.send('{"type":"connection_init"}')
        yield connection


async def end_of(connection: ClientConnection) -> Close | None:
    """The server's close frame; without one the test fails."""
    with pytest.raises(ConnectionClosed) as closed:
        await connection.recv()
    return closed.value.rcvd


async def test_sockets_and_streams_of_an_account_share_its_places(
    server: ServerProcess, client: Client
) -> None:
    socket = await Device.watching(client, LOBBY, {})
    stream = await EventStream.watching(client, LOBBY, {})
    with pytest.raises(ConnectionClosedError) as one_more:
        await Device.watching(client, LOBBY, {})
    assert one_more.value.rcvd == FULL
    assert await stream_status(client) == (429, "5")

    other = await Client(server.base_url).sign_in("Other")
    await (await Device.watching(other, LOBBY, {})).connection.close()
    await other.close()

    stream.reset()
    async with asyncio.timeout(5):
        while (await stream_status(client))[0] == 429:
            pass
    await socket.connection.close()


async def test_sockets_without_a_session_share_the_places_of_their_address(
    server: ServerProcess,
) -> None:
    async def told(address: str) -> str | Close:
        async with anonymous(server, address) as connection:
            try:
                return json.loads(await connection.recv())["type"]
            except ConnectionClosedError as closed:
                return closed.rcvd

    async with anonymous(server, "203.0.113.7") as first, anonymous(server, "2001:db8::1") as sixth:
        assert json.loads(await first.recv()) == {"type": "connection_ack"}
        assert json.loads(await sixth.recv()) == {"type": "connection_ack"}
        assert await told("203.0.113.7") == FULL
        assert await told("203.0.113.8") == "connection_ack"
        assert await told("2001:db8::ffff:2") == FULL
        assert await told("2001:db8:0:1::1") == "connection_ack"


async def test_sockets_that_say_nothing_share_the_places_of_their_address(
    server: ServerProcess, client: Client
) -> None:
    async with arriving(server, "203.0.113.7") as first, arriving(server, "203.0.113.7"):
        async with arriving(server, "203.0.113.7") as third:
            assert await end_of(third) == FULL
        async with anonymous(server, "203.0.113.8") as elsewhere:
            assert json.loads(await elsewhere.recv()) == {"type": "connection_ack"}
        await first.send(
            json.dumps({"type": "connection_init", "payload": {"token": client.token}})
        )
        assert json.loads(await first.recv()) == {"type": "connection_ack"}
        # Whoever is admitted makes room, and keeps the socket.
        async with arriving(server, "203.0.113.7") as fourth:
            await fourth.send('{"type":"ping"}')
            assert json.loads(await fourth.recv()) == {"type": "pong"}
        await first.send('{"type":"ping"}')
        assert json.loads(await first.recv()) == {"type": "pong"}


async def test_sockets_that_say_nothing_are_limited_whatever_their_address(
    server: ServerProcess,
) -> None:
    async with AsyncExitStack() as stack:
        for number in range(8):
            address = f"203.0.113.{number // 2}"
            silent = await stack.enter_async_context(arriving(server, address))
            await silent.send('{"type":"ping"}')
            assert json.loads(await silent.recv()) == {"type": "pong"}
        async with arriving(server, "203.0.113.9") as one_more:
            assert await end_of(one_more) == FULL


async def test_operations_of_a_socket_are_limited(client: Client) -> None:
    device = await Device.watching(client, LOBBY, {})
    await device.subscribe("2", LOBBY, {})
    assert (await device.receive())["id"] == "2"
    await device.subscribe("3", LOBBY, {})
    refused = await device.receive()
    assert (refused["type"], refused["id"]) == ("error", "3")
    assert refused["payload"][0]["extensions"] == {"code": "TOO_MANY_SUBSCRIPTIONS"}
    await device.connection.close()


async def test_messages_of_a_socket_are_limited(client: Client) -> None:
    device = await Device.watching(client, LOBBY, {})
    for _ in range(100):
        await device.connection.send('{"type":"ping"}')
    assert await device.close_code() == 1013
    assert device.connection.close_reason == "Too many messages"


async def test_size_of_messages_is_limited(client: Client) -> None:
    device = await Device.watching(client, LOBBY, {})
    await device.send(type="ping", payload={"long": "x" * 1024})
    assert await device.close_code() == 1009


async def test_session_that_is_ended_ends_its_streams(client: Client) -> None:
    stream = await EventStream.watching(client, LOBBY, {})
    await client.do("signOut", "player { id }")
    async with asyncio.timeout(10):
        assert b"complete" not in await stream.rest()
    assert (await stream_status(client))[0] == 401
