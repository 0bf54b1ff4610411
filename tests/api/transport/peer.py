"""A WebSocket client that sends raw frames and tells how the socket was closed."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import websockets

PROTOCOL = "graphql-transport-ws"


class Peer:
    """One open socket."""

    def __init__(self, socket: websockets.ClientConnection) -> None:
        self.socket = socket

    async def send(self, frame: object) -> None:
        """Send a frame as JSON; text and bytes go out as they are."""
        await self.socket.send(frame if isinstance(frame, (str, bytes)) else json.dumps(frame))

    async def receive(self) -> dict[str, Any]:
        """The next frame that is no ping."""
        while (frame := json.loads(await self.socket.recv()))["type"] == "ping":
            pass
        return frame

    async def subscribe(self, id: str, query: str, **members: Any) -> None:
        await self.send({"type": "subscribe", "id": id, "payload": {"query": query, **members}})

    async def ended(self) -> tuple[int, str]:
        """Read to the end; the code and reason of the server's close frame, 1006 without one."""
        with suppress(websockets.ConnectionClosed):
            while True:
                await self.socket.recv()
        return self.socket.close_code, self.socket.close_reason


@asynccontextmanager
async def connected(address: str, **settings: Any) -> AsyncIterator[Peer]:
    """A socket that has not yet sent `connection_init`."""
    url = f"ws://{address}/graphql"
    async with websockets.connect(url, subprotocols=[PROTOCOL], **settings) as socket:
        yield Peer(socket)


@asynccontextmanager
async def admitted(address: str, **payload: Any) -> AsyncIterator[Peer]:
    """A socket that has been acknowledged."""
    async with connected(address) as peer:
        await peer.send({"type": "connection_init", "payload": payload or None})
        assert (await peer.receive())["type"] == "connection_ack"
        yield peer
