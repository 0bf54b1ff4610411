"""People at one table whose devices talk to different servers, and who move on when theirs dies."""

from collections.abc import Sequence
from typing import Any

import httpx
from websockets.exceptions import WebSocketException

from engines.protocol import Engine
from tests.api.client import Client
from tests.api.table import Table
from tests.api.watcher import Watcher

MOST_TRIES = 20


class Roamer(Client):
    """A device that asks again elsewhere, the very same, when a request is cut off."""

    def __init__(self, homes: Sequence[str], number: int) -> None:
        super().__init__(homes[number % len(homes)])
        self._homes = homes
        self.moves = 0

    async def ask(self, document: str, variables: dict[str, Any] | None = None) -> Any:
        """The whole answer, from whichever server is alive."""
        for _ in range(MOST_TRIES):
            home = self.base_url
            try:
                return await super().ask(document, variables)
            except httpx.TransportError:
                self.leave(home)
        raise AssertionError("no server answers")

    def leave(self, home: str) -> None:
        """Go to the next server, unless that has happened since."""
        if self.base_url == home:
            self.moves += 1
            self.base_url = self._homes[(self._homes.index(home) + 1) % len(self._homes)]
            self._http.base_url = httpx.URL(self.base_url)


class SpreadTable(Table):
    """A table whose people take the servers in turn."""

    def __init__(self, engine: Engine[Any], prefix: str, homes: Sequence[str], seed: int) -> None:
        super().__init__(engine, prefix, homes[0], seed)
        self._homes = homes

    def client(self, number: int) -> Roamer:
        """A device at one of the servers."""
        return Roamer(self._homes, number)

    async def follow(self, watcher: Watcher) -> None:
        """Watch to the end, resuming elsewhere after the version last seen."""
        client = watcher.client
        assert isinstance(client, Roamer)
        while not watcher.over:
            home = client.base_url
            try:
                async with client.socket() as socket:
                    await watcher.watch(socket, watcher.version or None)
            except (OSError, EOFError, WebSocketException):
                client.leave(home)
