"""Clients that cost little beside the server: HTTP/1.1 kept alive, and WebSocket, over asyncio."""

import asyncio
import json
import os
from base64 import b64encode
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

PROTOCOL = "graphql-transport-ws"


class Http(asyncio.Protocol):
    """One connection, one request at a time."""

    def __init__(self) -> None:
        self._buffer = b""
        self._wanted = -1
        self._answer: asyncio.Future[bytes] | None = None
        self._transport: Any = None

    @classmethod
    async def connect(cls, base_url: str) -> "Http":
        place = urlsplit(base_url)
        loop = asyncio.get_running_loop()
        _, client = await loop.create_connection(cls, place.hostname, place.port)
        return client

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    async def post(self, path: str, body: bytes, token: str = "") -> bytes:
        """The body of the answer, which must have a length."""
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request(path, body, token))
        return await self._answer

    async def graphql(self, document: str, variables: dict[str, Any], token: str = "") -> Any:
        """The data of an answer without errors."""
        body = json.dumps({"query": document, "variables": variables}).encode()
        answer = json.loads(await self.post("/graphql", body, token))
        if "errors" in answer:
            raise RuntimeError(answer["errors"])
        return answer["data"]

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if self._wanted < 0:
            head, mark, rest = self._buffer.partition(b"\r\n\r\n")
            if not mark:
                return
            for line in head.lower().split(b"\r\n"):
                if line.startswith(b"content-length:"):
                    self._wanted = int(line[15:])
            self._buffer = rest
        if len(self._buffer) >= self._wanted >= 0 and self._answer is not None:
            body, self._buffer = self._buffer[: self._wanted], self._buffer[self._wanted :]
            self._wanted = -1
            if not self._answer.done():
                self._answer.set_result(body)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(ConnectionError("the server closed"))

    def close(self) -> None:
        self._transport.close()


def request(path: str, body: bytes, token: str) -> bytes:
    """A POST of JSON."""
    sign_in = f"authorization: Bearer {token}\r\n" if token else ""
    head = (
        f"POST {path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\n"
        f"accept-language: en\r\n{sign_in}content-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


class Ws(asyncio.Protocol):
    """One socket. `heard` is called with the payload of every text frame."""

    def __init__(self, url: str, heard: Callable[[bytes], None], protocol: str = PROTOCOL) -> None:
        place = urlsplit(url)
        self._path, self._subprotocol = place.path or "/", protocol
        self._heard = heard
        self._buffer = bytearray()
        self._open = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.lost = asyncio.Event()
        self._transport: Any = None

    @classmethod
    async def connect(
        cls, url: str, heard: Callable[[bytes], None], protocol: str = PROTOCOL
    ) -> "Ws":
        place = urlsplit(url)
        loop = asyncio.get_running_loop()
        _, client = await loop.create_connection(
            lambda: cls(url, heard, protocol), place.hostname, place.port
        )
        await client.opened
        return client

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        key = b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nhost: bench\r\nupgrade: websocket\r\n"
            f"connection: Upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: {key}\r\n"
            f"sec-websocket-protocol: {self._subprotocol}\r\n\r\n".encode()
        )

    def send(self, text: str | bytes) -> None:
        """One text frame, masked with zeros."""
        data = text.encode() if isinstance(text, str) else text
        size = len(data)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        self._transport.write(b"\x81" + length + bytes(4) + data)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._open:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if b" 101 " not in self._buffer[:20]:
                self.opened.set_exception(ConnectionError(bytes(self._buffer[:80])))
                return
            del self._buffer[: end + 4]
            self._open = True
            self.opened.set_result(None)
        self._frames()

    def _frames(self) -> None:
        buffer = self._buffer
        while len(buffer) >= 2:
            size, start = buffer[1], 2
            if size == 126:
                size, start = int.from_bytes(buffer[2:4], "big"), 4
            elif size == 127:
                size, start = int.from_bytes(buffer[2:10], "big"), 10
            if len(buffer) < start + size:
                return
            kind, payload = buffer[0] & 15, bytes(buffer[start : start + size])
            del buffer[: start + size]
            if kind == 1:
                self._heard(payload)
            elif kind == 9:  # ping: the server's own, a backstop
                head = bytes([0x8A, 0x80 | len(payload)])
                self._transport.write(head + bytes(4) + payload)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the server closed"))
        self.lost.set()

    def close(self) -> None:
        self._transport.abort()


class Subscriber:
    """One GraphQL subscription on a socket of its own; counts what it is told."""

    def __init__(self, told: Callable[["Subscriber", bytes], None]) -> None:
        self._told = told
        self.count = 0
        self.first: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.ws: Ws

    async def start(self, url: str, token: str, subscribe: bytes) -> "Subscriber":
        """Open, sign in, subscribe; returns at the acknowledgement."""
        self._acknowledged = asyncio.Event()
        self.ws = await Ws.connect(url, self._heard)
        self.ws.send(
            json.dumps({"type": "connection_init", "payload": {"token": token, "locale": "en"}})
        )
        await self._acknowledged.wait()
        self.ws.send(subscribe)
        return self

    def _heard(self, frame: bytes) -> None:
        if frame.startswith(b'{"type":"ping"'):
            self.ws.send(b'{"type":"pong"}')
        elif frame.startswith(b'{"type":"connection_ack"'):
            self._acknowledged.set()
        else:
            self.count += 1
            if not self.first.done():
                self.first.set_result(frame)
            self._told(self, frame)

    def close(self) -> None:
        self.ws.close()


def subscription(document: str, variables: dict[str, Any]) -> bytes:
    """The frame that subscribes, under an id of its own as the clients of the protocol have it."""
    payload = {"query": document, "variables": variables}
    return json.dumps({"id": str(uuid4()), "type": "subscribe", "payload": payload}).encode()
