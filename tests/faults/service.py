"""Several servers on one database, which die and come back at the same address."""

import asyncio
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from tests.api.conftest import StartServer


class Service:
    """The servers by their addresses, and all that ever were."""

    def __init__(self, start: StartServer, number: int, **environ: str) -> None:
        self._start = start
        self._environ = environ
        self._ever = [start(**environ) for _ in range(number)]
        self.servers = {server.base_url: server for server in self._ever}
        self.homes = list(self.servers)
        self.moments = Moments()
        self._up = asyncio.Event()
        self._up.set()

    @property
    def database_url(self) -> str:
        return self._ever[0].database_url

    def kill(self, homes: Iterable[str]) -> None:
        """End the servers at these addresses at once."""
        for home in homes:
            self.servers[home].kill()
        if not any(server.running for server in self.servers.values()):
            self._up.clear()

    async def restart(self, homes: Iterable[str]) -> None:
        """Start servers at these addresses; return when all of them serve."""
        await asyncio.gather(*(self._restart(home) for home in homes))

    async def _restart(self, home: str) -> None:
        port = str(urlsplit(home).port)
        server = await asyncio.to_thread(self._start, **self._environ, PORT=port)
        self._ever.append(server)
        self.servers[home] = server
        self._up.set()

    async def up(self) -> None:
        """Return when any server is up."""
        await self._up.wait()

    def errors(self) -> list[dict[str, Any]]:
        """What any server has logged as an error."""
        return [error for server in self._ever for error in server.errors()]


class Moments:
    """Lets a fault wait for a moment of play."""

    def __init__(self) -> None:
        self._left = 0
        self._reached: asyncio.Future[str] | None = None

    async def nth(self, number: int) -> str:
        """Return when the n-th action from now is about to be sent: the address it goes to."""
        self._left = number
        self._reached = asyncio.get_running_loop().create_future()
        return await self._reached

    def passes(self, home: str) -> None:
        """An action is about to be sent."""
        self._left -= 1
        if self._left == 0 and self._reached is not None and not self._reached.done():
            self._reached.set_result(home)
