"""A way to the server that can be cut, as the networks of phones are."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import httpx


class Proxy:
    """Passes bytes on between clients and the server behind it."""

    def __init__(self, base_url: str) -> None:
        self._url = httpx.URL(base_url)
        self._open: set[asyncio.StreamWriter] = set()
        self.address = ""

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Proxy"]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        host, port = server.sockets[0].getsockname()
        self.address = f"{host}:{port}"
        try:
            yield self
        finally:
            server.close()
            self.cut()

    def cut(self) -> None:
        """Break all connections without a word; new ones are welcome."""
        for writer in self._open:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner = await asyncio.open_connection(self._url.host, self._url.port)
        ends = {writer, inner[1]}
        self._open |= ends
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(pass_on(reader, inner[1]))
                group.create_task(pass_on(inner[0], writer))
        finally:
            for end in ends:
                end.transport.abort()
            self._open -= ends


async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    writer.transport.abort()
