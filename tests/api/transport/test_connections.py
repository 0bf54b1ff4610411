"""Connections that are slow, endless or too many, before there is a request in them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from api.connections import HEAD_BYTES, Requests, Sockets
from tests.api.transport.sample import Gateway, sample_app
from tests.api.transport.serving import serving

QUERY = b"GET /graphql?query=%7Bhello%7D HTTP/1.1\r\nhost: x\r\naccept: application/json\r\n\r\n"
STREAM = (
    b"GET /graphql/stream?query=subscription%7Bforever%7D HTTP/1.1\r\nhost: x\r\n"
    b"accept: text/event-stream\r\n\r\n"
)
TOO_LARGE = (
    b"POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
    b"content-length: 10000000\r\n\r\n"
)
HELLO = b'{"data":{"hello":"world"}}'
SECONDS = 10.0


class Hasty(Requests):
    head_seconds = 0.05


class Full(Requests):
    most = 2


class Raw:
    """A connection, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def answered(self, request: bytes, until: bytes) -> None:
        """Send it and read on to the end of what is expected."""
        self.writer.write(request)
        await self.reader.readuntil(until)

    async def end(self) -> bytes:
        """What comes until the server ends the connection, which it must soon."""
        received = b""
        async with asyncio.timeout(SECONDS):
            with suppress(ConnectionResetError):
                while chunk := await self.reader.read(65536):
                    received += chunk
        return received


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[Raw]:
    host, port = address.split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        yield Raw(reader, writer)
    finally:
        writer.close()
        with suppress(ConnectionResetError, BrokenPipeError):
            await writer.wait_closed()


@pytest.mark.parametrize("sent", [b"", b"\r\n", b"G", QUERY[:-2]])
async def test_one_who_sends_no_whole_head_is_dropped(sent: bytes) -> None:
    async with serving(sample_app(Gateway()), http=Hasty) as at, opened(at) as raw:
        raw.writer.write(sent)
        assert await raw.end() == b""


@pytest.mark.parametrize("sent", [b"\r\n", b"G", QUERY[:-2]])
async def test_the_next_head_must_come_whole_as_well(sent: bytes) -> None:
    async with serving(sample_app(Gateway()), http=Hasty) as at, opened(at) as raw:
        await raw.answered(QUERY, HELLO)
        raw.writer.write(sent)
        assert await raw.end() == b""


async def test_one_who_goes_on_with_a_body_nobody_reads_is_dropped() -> None:
    async with serving(sample_app(Gateway()), http=Hasty) as at, opened(at) as raw:
        await raw.answered(TOO_LARGE, b"TOO_LARGE")
        raw.writer.write(b"x")
        assert b"HTTP/1.1" not in await raw.end()


async def test_answers_take_as_long_as_they_take() -> None:
    async with serving(sample_app(Gateway()), http=Hasty, ws=Sockets) as at, opened(at) as raw:
        await raw.answered(STREAM, b"event: next")
        async with opened(at) as other:  # dropped when the time for a head is over
            await other.end()
        raw.writer.write(b"G")
        async with opened(at) as other:
            await other.end()
        assert not raw.reader.at_eof()


@pytest.mark.parametrize("before", [b"", QUERY])
async def test_a_head_without_end_is_431(before: bytes) -> None:
    async with serving(sample_app(Gateway()), http=Requests) as at, opened(at) as raw:
        if before:
            await raw.answered(before, HELLO)
        await flood(raw)
        assert (await raw.end()).startswith(b"HTTP/1.1 431 ")


async def test_a_head_without_end_behind_a_stream_ends_both() -> None:
    async with serving(sample_app(Gateway()), http=Requests) as at, opened(at) as raw:
        await raw.answered(STREAM, b"event: next")
        await flood(raw)
        assert b"complete" not in await raw.end()


async def test_so_many_connections_and_no_more() -> None:
    async with serving(sample_app(Gateway()), http=Full) as at, opened(at) as first:
        await first.answered(QUERY, HELLO)
        async with opened(at) as second:
            await second.answered(QUERY, HELLO)
            async with opened(at) as third:
                third.writer.write(QUERY)
                assert await third.end() == b""
            await first.answered(QUERY, HELLO)
        async with asyncio.timeout(SECONDS):  # the server learns a little later that one has gone
            while True:
                async with opened(at) as fourth:
                    fourth.writer.write(QUERY)
                    if await fourth.reader.read(1):
                        break


async def flood(raw: Raw) -> None:
    """A head of headers without end."""
    raw.writer.write(QUERY[:-2])
    with suppress(ConnectionResetError, BrokenPipeError):
        for _ in range(10 * HEAD_BYTES // 1000):
            raw.writer.write(b"x-header: " + b"x" * 988 + b"\r\n")
            await raw.writer.drain()
