"""A real server on a loopback port inside the test's own event loop."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from starlette.applications import Starlette

from api.connections import Sockets


@asynccontextmanager
async def serving(app: Starlette, **settings: object) -> AsyncIterator[str]:
    """Serve until the block ends, with the product's sockets; the value is `host:port`."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        app,
        lifespan="off",
        log_config=None,
        timeout_graceful_shutdown=5,
        **{"ws": Sockets, **settings},
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield "{}:{}".format(*listener.getsockname())
    finally:
        server.should_exit = True
        await task
