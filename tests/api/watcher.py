"""One viewer of a match, and the judgement of all it is told.

It rebuilds the public view from events alone and compares it with each view it gets.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from engines.protocol import SHARED_EVENTS, Engine
from tests.api.client import Client, Socket
from tests.api.documents import schema_of, selection
from tests.api.engine_values import read
from tests.engines.laws.adapter import adapter_of


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
