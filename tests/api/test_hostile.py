"""Bytes that no client library sends, against a real server, which must not log an error of them.

(The fixture `server` asserts that at the end.)
"""

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.api.server import ServerProcess

MASK = b"\0\0\0\0"
TEXT, BINARY, PING, RESERVED = 0x1, 0x2, 0x9, 0x3
FINAL = 0x80


class Wire:
    """A connection, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def frame(self, first: int, payload: bytes, *, masked: bool = True) -> None:
        """One WebSocket frame; a mask of zeros leaves its payload readable."""
        mark = 0x80 if masked else 0
        length = struct.pack("!BBH", first, mark | 126, len(payload))
        self.writer.write(length + (MASK if masked else b"") + payload)

    async def close_code(self) -> int:
        """The code of the close frame, which must come before the end of the connection."""
        while True:
            first, length = await self.reader.readexactly(2)
            payload = await self.reader.readexactly(length)
            if first == FINAL | 0x8:
                return int.from_bytes(payload[:2])


@asynccontextmanager
async def opened(server: ServerProcess) -> AsyncIterator[Wire]:
    """A WebSocket after its handshake."""
    host, port = server.base_url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(
        f"GET /graphql HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        "Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n".encode()
    )
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
    try:
        yield Wire(reader, writer)
    finally:
        writer.close()
        await writer.wait_closed()


@pytest.mark.parametrize(
    ("first", "payload", "masked", "code"),
    [
        (FINAL | TEXT, b"nonsense", True, 4400),
        (FINAL | TEXT, b"\0", True, 4400),
        (FINAL | BINARY, b'{"type":"ping"}', True, 4400),
        (FINAL | TEXT, b'{"type":"\xff"}', True, 1007),
        (FINAL | TEXT, b'{"type":"ping"}', False, 1002),
        (FINAL | RESERVED, b"", True, 1002),
        (FINAL | 0x40 | TEXT, b'{"type":"ping"}', True, 1002),
        (PING, b"in pieces", True, 1002),
    ],
)
async def test_broken_frame_ends_with_a_close_frame(
    server: ServerProcess, first: int, payload: bytes, masked: bool, code: int
) -> None:
    async with opened(server) as wire:
        wire.frame(first, payload, masked=masked)
        assert await wire.close_code() == code


async def test_frame_of_a_gigabyte_is_refused_at_its_head(server: ServerProcess) -> None:
    async with opened(server) as wire:
        wire.writer.write(struct.pack("!BBQ", FINAL | TEXT, 0x80 | 127, 1 << 30) + MASK)
        assert await wire.close_code() == 1009


async def test_message_in_endless_pieces_is_refused(server: ServerProcess) -> None:
    async with opened(server) as wire:
        wire.frame(TEXT, b" " * 60_000)
        wire.frame(0x0, b" " * 60_000)
        assert await wire.close_code() == 1009


@pytest.mark.parametrize(
    "request_line",
    [
        b"NONSENSE\r\n\r\n",
        b"POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
        b"POST /graphql HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
    ],
)
async def test_broken_http_is_400(server: ServerProcess, request_line: bytes) -> None:
    host, port = server.base_url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(request_line)
    assert (await reader.read()).startswith(b"HTTP/1.1 400 ")
    writer.close()
    await writer.wait_closed()
