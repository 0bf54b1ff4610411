"""A whole match through the API: clients, spectators, and the judgement of all they were told.

Every watcher rebuilds the public view from events alone and compares it with each view it gets.
"""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import uuid4

from engines.protocol import SHARED_EVENTS, Engine
from tests.api.client import Client, Failed, Socket
from tests.api.documents import schema_of, selection
from tests.api.engine_values import read
from tests.engines.laws.adapter import adapter_of


class Move(NamedTuple):
    """A mutation without its game's name, and its input without the match."""

    action: str
    given: dict[str, Any]


Bot = Callable[[Any, random.Random], Move | None]
"""What a seat sends when it sees this view; None to wait."""


@dataclass
class Documents:
    """The documents of one game, each asking for all there is."""

    prefix: str
    updates: str
    match: str
    history: str
    payload: str


async def documents(client: Client, prefix: str) -> Documents:
    """Written from the schema that the server tells."""
    schema = await schema_of(client)

    def keep(type_name: str, field_name: str) -> bool:
        ours = type_name.startswith((prefix, "Match")) or type_name in SHARED
        return ours and (type_name, field_name) not in ELSEWHERE

    update = selection(schema, "MatchUpdate", keep=keep)
    match = selection(schema, "Match", keep=keep)
    return Documents(
        prefix,
        "subscription U($id: ID!, $after: Int) { matchUpdates(matchId: $id, after: $after) "
        f"{{ {update} }} }}",
        f"query M($id: ID!) {{ match(id: $id) {{ {match} }} }}",
        "query H($id: ID!, $after: Int!) { match(id: $id) { events(after: $after, first: 50) "
        f"{{ {selection(schema, 'MatchEvents', keep=keep)} }} }} }}",
        f"version events {{ {selection(schema, 'MatchEvent', keep=keep)} }} "
        f"view {{ {selection(schema, prefix + 'View', keep=keep)} }}",
    )


SHARED = {cls.__name__ for cls in SHARED_EVENTS} | {"ChosenOption", "Player"}

ELSEWHERE = {
    ("Match", "game"),
    ("Match", "log"),
    ("Match", "room"),
    ("Player", "matches"),
    ("Player", "statistics"),
}
"""What leads away from the match, or is asked for page by page."""


@dataclass
class Watcher:
    """One viewer of a match: what it was told, and the public view rebuilt from events."""

    client: Client
    engine: Engine[Any]
    docs: Documents
    match_id: str
    seat: int | None
    version: int = 0
    public: Any = None
    view: Any = None
    over: bool = False
    seen: list[Any] = field(default_factory=list)
    events: list[Any] = field(default_factory=list)
    fresh: asyncio.Event = field(default_factory=asyncio.Event)

    async def watch(self, socket: Socket, after: int | None = None) -> None:
        """Follow the match to its end, or until the socket closes."""
        variables = {"id": self.match_id, "after": after}
        async for data in socket.subscribe(self.docs.updates, variables):
            self.take(data["matchUpdates"])
        self.over = True
        self.fresh.set()

    def take(self, update: dict[str, Any]) -> None:
        """One update: it continues the last one, and its events explain its view."""
        adapter = adapter_of(self.engine)
        self.seen.append(update)
        if self.public is None:
            assert update["view"] is not None
            self.view = read(self.engine.view_type, update["view"])
            self.public = adapter.public(self.view)
        else:
            assert update["fromVersion"] == self.version
            assert update["version"] >= self.version
            places = [(e["version"], e["index"]) for e in update["events"]]
            assert places == sorted(set(places))
            assert all(self.version < version <= update["version"] for version, _ in places)
            for event in map(self.read_event, update["events"]):
                self.events.append(event)
                self.public = adapter.reduce(self.public, event, self.seat)
            if update["view"] is not None:
                assert update["view"]["version"] == update["version"]
                self.view = read(self.engine.view_type, update["view"])
                assert self.public == adapter.public(self.view)
        self.version = update["version"]
        self.fresh.set()

    def read_event(self, given: dict[str, Any]) -> Any:
        """An event as the engine's own class."""
        by_name = {cls.__name__: cls for cls in (*self.engine.events, *SHARED_EVENTS)}
        name = given["__typename"]
        return read(by_name.get(name) or by_name[name.removeprefix(self.docs.prefix)], given)

    async def until(self, found: Callable[[], bool]) -> None:
        """Wait until it has been told of this."""
        while not found():
            self.fresh.clear()
            await self.fresh.wait()

    async def history(self) -> list[Any]:
        """All events of the match from its beginning, page by page."""
        events: list[Any] = []
        page = {"version": 0, "hasNextPage": True}
        while page["hasNextPage"]:
            variables = {"id": self.match_id, "after": page["version"]}
            page = (await self.client.run(self.docs.history, variables))["match"]["events"]
            events.extend(map(self.read_event, page["nodes"]))
        return events

    async def settled(self) -> dict[str, Any]:
        """The match as a fresh query tells it; equal to what this watcher was told."""
        match = (await self.client.run(self.docs.match, {"id": self.match_id}))["match"]
        view = read(self.engine.view_type, match["view"])
        assert match["version"] == self.version
        assert adapter_of(self.engine).public(view) == self.public
        assert view == self.view
        return match


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
