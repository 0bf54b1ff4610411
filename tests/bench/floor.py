"""The floor: a bare Starlette on the same server, that decodes, writes once and encodes.

`/act` does in one round trip the very write that the product does for the same move; `/socket` is
a WebSocket, and what is posted to `/send` goes to all of them.
"""

import asyncio
import os
import socket
import time
from typing import Any

import asyncpg
import msgspec
import uvicorn
import uvloop
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from api.config import Config
from api.matches.store import APPEND
from api.server import _settings
from tests.bench.writes import arguments

JSON = "application/json"


async def _keep(_: object) -> None:
    """As the product's pool: nothing to reset."""


class Floor:
    """What the routes share."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self.pool = pool
        self.writes: dict[str, list[Any]] = {}
        self.answer: Any = None
        self.sockets: set[WebSocket] = set()

    async def script(self, request: Request) -> Response:
        """Take the writes to come, by match and number, and the answer to give."""
        given = msgspec.json.decode(await request.body())
        now = time.time_ns() // 1_000_000
        self.writes = {
            match: [arguments(match, i, write, now) for i, write in enumerate(writes)]
            for match, writes in given["writes"].items()
        }
        self.answer = given["answer"]
        return Response(b"{}", media_type=JSON)

    async def act(self, request: Request) -> Response:
        """One write."""
        given = msgspec.json.decode(await request.body())["variables"]["input"]
        write = self.writes[given["matchId"]][given["expectedVersion"] - 1]
        connection = await self.pool.acquire()
        try:
            row = await connection.fetchrow(APPEND, *write)
        finally:
            await self.pool.release(connection)
        if row is None:
            raise RuntimeError("nothing was written")
        return Response(msgspec.json.encode(self.answer), media_type=JSON)

    async def connect(self, websocket: WebSocket) -> None:
        """A socket that is only sent to."""
        await websocket.accept(websocket.scope["subprotocols"][0])
        self.sockets.add(websocket)
        try:
            while True:
                await websocket.receive_text()
        except (WebSocketDisconnect, RuntimeError):
            self.sockets.discard(websocket)

    async def send(self, request: Request) -> Response:
        """The body, to every socket."""
        text = (await request.body()).decode()
        for websocket in tuple(self.sockets):
            await websocket.send_text(text)
        return Response(b"{}", media_type=JSON)


async def serve() -> None:
    config = Config(secret=bytes(32), database_url=os.environ["DATABASE_URL"])
    async with asyncpg.create_pool(
        config.database_url, min_size=1, max_size=config.pool_size, reset=_keep
    ) as pool:
        floor = Floor(pool)
        app = Starlette(
            routes=[
                Route("/script", floor.script, methods=["POST"]),
                Route("/act", floor.act, methods=["POST"]),
                Route("/send", floor.send, methods=["POST"]),
                WebSocketRoute("/socket", floor.connect),
            ]
        )
        with socket.socket() as bound:
            bound.bind(("127.0.0.1", 0))
            bound.listen(2048)
            print(f"http://127.0.0.1:{bound.getsockname()[1]}", flush=True)
            await uvicorn.Server(_settings(config, app)).serve(sockets=[bound])


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve())
