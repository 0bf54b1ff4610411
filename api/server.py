"""The HTTP server: a socket, uvicorn with our settings, and an orderly end."""

import asyncio
import contextlib
import gc
import signal
import socket
import sys
from collections.abc import Iterator
from typing import Any, cast

import uvicorn
import uvloop
from starlette.applications import Starlette

from api.app import create_app
from api.config import Config, StartError
from api.connections import Requests, Sockets
from api.db import Database

GRACE_SECONDS = 2  # for requests under way
TAKE_SECONDS = 1.0  # for peers to take the end of their socket or stream
UNREAD_SECONDS = 30  # how long a peer may acknowledge or take nothing before the kernel drops it
KEEP_ALIVE_SECONDS = 65  # longer than load balancers keep their idle connections
WS_PING_SECONDS = 60.0  # a backstop: the API's own keep-alive is shorter and ends kindlier
SERVING = b"!"
COLLECTIONS = (20_000, 20, 20)
"""How many more objects there must be for a collection, and how many collections of the young for
one of the older. The sockets live long and are not frozen: by default a full collection walked
through all of them every few hundred actions, a seventh of all work.
"""


class BindError(StartError):
    """The address cannot be listened on."""


def bind(host: str, port: int) -> socket.socket:
    """A socket on the address, not listening yet: clients are refused until the server is ready.

    Raises BindError.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        bound = socket.socket(family)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; what is accepted inherits it
                bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * UNREAD_SECONDS)
            bound.bind((host, port))
        except BaseException:
            bound.close()
            raise
    except OSError as error:
        raise BindError(f"cannot listen on {host}:{port} ({error}): set HOST or PORT") from error
    return bound


def run(config: Config, bound: socket.socket, leash: socket.socket | None = None) -> None:
    """Serve on `bound` until SIGINT or SIGTERM. `config.database_url` is set and migrated.

    A worker is given its end of the leash: it reports there that it serves, and stops when the
    other end is closed.
    """
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(config, bound, leash))


async def _serve(config: Config, bound: socket.socket, leash: socket.socket | None) -> None:
    database = Database(config)
    server = Server(_settings(config, create_app(config, database)), bound, leash)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, server.stop)
    async with database:
        await server.serve(sockets=[bound])
    if not server.started:
        sys.exit(1)


def _settings(config: Config, app: Any) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=Requests,
        ws=Sockets,
        ws_max_size=config.max_message_bytes,
        ws_ping_interval=WS_PING_SECONDS,
        ws_ping_timeout=WS_PING_SECONDS,
        ws_per_message_deflate=False,
        lifespan="on",
        timeout_graceful_shutdown=GRACE_SECONDS,
        log_config=None,
        access_log=False,
        proxy_headers=bool(config.trusted_proxies),
        forwarded_allow_ips=list(config.trusted_proxies),
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        server_header=False,
    )


class Server(uvicorn.Server):
    """uvicorn, which leaves the signals to us and says when it serves."""

    def __init__(
        self, config: uvicorn.Config, bound: socket.socket, leash: socket.socket | None
    ) -> None:
        super().__init__(config)
        self._bound = bound
        self._leash = leash

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Nothing: raising a signal anew after the end would skip what is left to close."""
        yield

    def stop(self) -> None:
        """Stop in good order; asked a second time, without grace."""
        self.force_exit = self.should_exit
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then report it: to the parent, or to whoever reads our output."""
        await super().startup(sockets)
        if not self.started:
            return
        # The schema stays for good; looking through it again would stop the loop for 100 ms.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*COLLECTIONS)
        if self._leash is None:
            say_where(self._bound)
        else:
            asyncio.get_running_loop().add_reader(self._leash, self._let_go)
            with contextlib.suppress(OSError):  # the parent is gone, as we shall read
                self._leash.send(SERVING)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, which would go on for ever; uvicorn ends the sockets, with 1012."""
        cast(Starlette, self.config.app).state.streams.stop()
        dropping = asyncio.create_task(self._drop_who_takes_nothing())
        await super().shutdown(sockets)
        dropping.cancel()

    async def _drop_who_takes_nothing(self) -> None:
        """A connection that is closed stays open until its peer has taken what it was sent."""
        await asyncio.sleep(TAKE_SECONDS)
        while True:
            for connection in list(self.server_state.connections):
                transport = getattr(connection, "transport", None)
                if transport is not None and transport.is_closing():
                    transport.abort()
            await asyncio.sleep(0.1)

    def _let_go(self) -> None:
        """The parent is gone."""
        if self._leash is not None:
            asyncio.get_running_loop().remove_reader(self._leash)
        self.stop()


def say_where(bound: socket.socket) -> None:
    """Print the addresses."""
    host, port = bound.getsockname()[:2]
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    print(f"GraphiQL  http://{place}/graphql  (open it in a browser)")
    print(f"Endpoint  http://{place}/graphql  (subscriptions: ws://{place}/graphql)")
    sys.stdout.flush()
