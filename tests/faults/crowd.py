"""Many devices of one account, each on a connection of its own, and what the server counts."""

import asyncio
import json
import socket
import struct
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from typing import Any, TypeVar

import httpx
from prometheus_client.parser import text_string_to_metric_families
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.api.client import Client
from tests.api.server import ServerProcess

T = TypeVar("T")

AT_A_TIME = 10
RESET = struct.pack("ii", 1, 0)


async def measured(server: ServerProcess) -> dict[str, float]:
    """All metrics by name and the values of their labels: `board_sockets websocket`."""
    async with httpx.AsyncClient() as http:
        text = (await http.get(f"{server.base_url}/metrics")).text
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def gather(arrivals: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Let a crowd arrive, some at a time, as crowds do."""
    door = asyncio.Semaphore(AT_A_TIME)

    async def enter(arrival: Coroutine[Any, Any, T]) -> T:
        async with door:
            return await arrival

    return await asyncio.gather(*map(enter, arrivals))


class Device:
    """A socket that has subscribed and been told once."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    @classmethod
    async def watching(
        cls,
        client: Client,
        document: str,
        variables: dict[str, Any],
        through: socket.socket | None = None,
    ) -> "Device":
        url = client.base_url.replace("http", "ws", 1) + "/graphql"
        device = cls(
            await connect(url, subprotocols=["graphql-transport-ws"], max_size=None, sock=through)
        )
        await device.send(type="connection_init", payload={"token": client.token})
        assert await device.receive() == {"type": "connection_ack"}
        await device.subscribe("1", document, variables)
        assert (await device.receive())["type"] == "next"
        return device

    async def send(self, **frame: Any) -> None:
        await self.connection.send(json.dumps(frame))

    async def subscribe(self, id: str, document: str, variables: dict[str, Any]) -> None:
        payload = {"query": document, "variables": variables}
        await self.send(type="subscribe", id=id, payload=payload)

    async def receive(self) -> dict[str, Any]:
        """The next frame that is no ping."""
        while (frame := json.loads(await self.connection.recv()))["type"] == "ping":
            await self.send(type="pong")
        return frame

    async def close_code(self) -> int:
        """Read to the end; the code of the server's close frame, 1006 without one."""
        with suppress(ConnectionClosed):
            while True:
                await self.connection.recv()
        return self.connection.close_code or 1006

    def reset(self) -> None:
        reset(self.connection.transport)


class EventStream:
    """A stream of server-sent events that has begun; reads only when asked to."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def watching(
        cls, client: Client, document: str, variables: dict[str, Any]
    ) -> "EventStream":
        url = httpx.URL(client.base_url)
        stream = cls(*await asyncio.open_connection(url.host, url.port, limit=1 << 16))
        body = json.dumps({"query": document, "variables": variables}).encode()
        head = (
            f"POST /graphql/stream HTTP/1.1\r\nhost: {url.host}\r\naccept: text/event-stream\r\n"
            f"authorization: Bearer {client.token}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\n\r\n"
        )
        stream.writer.write(head.encode() + body)
        await stream.reader.readuntil(b"event: next\n")
        return stream

    async def rest(self) -> bytes:
        """All that comes until the response ends, in good order and not with the connection."""
        received = await self.reader.readuntil(b"\r\n0\r\n\r\n")
        self.writer.close()
        return received

    def reset(self) -> None:
        reset(self.writer.transport)


def narrow(client: Client) -> socket.socket:
    """A connection that holds next to nothing that is not read."""
    url = httpx.URL(client.base_url)
    opened = socket.socket()
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    opened.connect((url.host, url.port))
    opened.setblocking(False)
    return opened


def reset(transport: asyncio.Transport) -> None:
    """End a connection as a crashed device does: without a word, with RST."""
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    transport.abort()
