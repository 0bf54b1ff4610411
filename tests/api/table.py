"""A whole match through the API: its room, its people, and bots that play it while they watch."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from uuid import uuid4

from engines.protocol import Engine
from tests.api.client import Client, Failed
from tests.api.watcher import Documents, Watcher, documents


class Move(NamedTuple):
    """A mutation without its game's name, and its input without the match."""

    action: str
    given: dict[str, Any]


Bot = Callable[[Any, random.Random], Move | None]
"""What a seat sends when it sees this view; None to wait."""


class Table:
    """A room with its people, and the match they play."""

    def __init__(self, engine: Engine[Any], prefix: str, base_url: str, seed: int) -> None:
        self.engine = engine
        self.prefix = prefix
        self.base_url = base_url
        self.rnd = random.Random(seed)
        self.players: list[Client] = []
        self.spectators: list[Client] = []
        self.room_id = ""
        self.match_id = ""
        self.docs: Documents
        self.refusals: Counter[str] = Counter()

    @property
    def verb(self) -> str:
        return self.prefix[:1].lower() + self.prefix[1:]

    def client(self, number: int) -> Client:
        """The device of the person of this number."""
        return Client(self.base_url)

    async def gather(
        self, players: int, spectators: int = 1, options: dict[str, Any] | None = None, **room: Any
    ) -> None:
        """Sign everybody in, open the room, join, get ready."""
        people = await asyncio.gather(
            *(self.client(i).sign_in(f"{self.prefix} {i}") for i in range(players + spectators))
        )
        self.players, self.spectators = people[:players], people[players:]
        host = self.players[0]
        given = [{"key": key, "value": value} for key, value in (options or {}).items()]
        created = await host.do(
            "createRoom",
            "room { id code }",
            game=self.engine.id,
            seats=players,
            options=given,
            **room,
        )
        self.room_id = created["room"]["id"]
        for client in people[1:]:
            role = "PLAYER" if client in self.players else "SPECTATOR"
            await client.do("joinRoom", "room { id }", code=created["room"]["code"], role=role)
        for client in self.players:
            await client.do("setReady", "room { id }", roomId=self.room_id, ready=True)
        self.docs = await documents(host, self.prefix)

    async def start(self) -> str:
        """Start the match; its id."""
        started = await self.players[0].do(
            "startMatch", "room { match { id } }", roomId=self.room_id
        )
        self.match_id = started["room"]["match"]["id"]
        return self.match_id

    def watcher(self, client: Client) -> Watcher:
        """A watcher for one of the people here."""
        seat = self.players.index(client) if client in self.players else None
        return Watcher(client, self.engine, self.docs, self.match_id, seat)

    async def match(self, client: Client) -> dict[str, Any]:
        """The match as one of the people here sees it now."""
        found = (await client.run(self.docs.match, {"id": self.match_id}))["match"]
        assert found is not None
        return found  # type: ignore[no-any-return]

    async def act(self, client: Client, move: Move, **given: Any) -> Any:
        """Send a move; its payload. A refusal's code is remembered. Too fast, it waits as told."""
        sent = {"matchId": self.match_id, "idempotencyKey": uuid4().hex, **move.given, **given}
        while True:
            try:
                payload = await client.mutate(self.verb + move.action, self.docs.payload, **sent)
                break
            except Failed as failed:
                if failed.codes != ["RATE_LIMITED"]:
                    raise
                await asyncio.sleep(failed.retry_after)
        self.refusals.update(error["code"] for error in payload["userErrors"])
        return payload

    @asynccontextmanager
    async def watched(self, absent: Collection[Client] = ()) -> AsyncIterator[list[Watcher]]:
        """Everybody else watching, each on a socket of its own; players first, by seat.

        A watcher that is told something wrong ends the block with its error.
        """
        people = [c for c in (*self.players, *self.spectators) if c not in absent]
        watchers = [self.watcher(client) for client in people]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self.follow(watcher)) for watcher in watchers]
            for watcher in watchers:
                await watcher.fresh.wait()
            yield watchers
            for task in tasks:
                task.cancel()

    async def follow(self, watcher: Watcher) -> None:
        """Have one of them watch the match to its end."""
        async with watcher.client.socket() as socket:
            await watcher.watch(socket)

    async def play(self, watchers: Sequence[Watcher], bot: Bot, pest: Bot | None = None) -> None:
        """Let a bot play every seat until everybody has seen the end.

        What `pest` sends comes before and between, whosever turn it is; most of it is refused.
        """
        seats = [w for w in watchers if w.seat is not None]
        await asyncio.gather(*(self._play_seat(watcher, bot, pest) for watcher in seats))
        for watcher in watchers:
            await watcher.until(lambda watcher=watcher: watcher.over)

    async def _play_seat(self, watcher: Watcher, bot: Bot, pest: Bot | None) -> None:
        while not watcher.over:
            watcher.fresh.clear()
            if pest is not None and (nuisance := pest(watcher.view, self.rnd)):
                await self._caught_up(watcher, await self.act(watcher.client, nuisance))
                if watcher.over:
                    return
            move = bot(watcher.view, self.rnd)
            if move is not None:
                payload = await self.act(watcher.client, move, expectedVersion=watcher.version)
                await self._caught_up(watcher, payload)
                if not payload["userErrors"]:
                    continue
            if not watcher.over:
                await watcher.fresh.wait()

    async def _caught_up(self, watcher: Watcher, payload: dict[str, Any]) -> None:
        """Wait until the watcher has been told what its own action brought about."""
        while watcher.version < (payload["version"] or 0) and not watcher.over:
            await watcher.fresh.wait()
            watcher.fresh.clear()

    async def close(self) -> None:
        await asyncio.gather(*(c.close() for c in (*self.players, *self.spectators)))
