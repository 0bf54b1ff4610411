"""Matches played at random by the services, and what the engine alone makes of their logs."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from api.games.registry import Game, discover
from api.matches.live import to_ms
from api.matches.loading import load
from api.matches.writing import Command, append
from engines import codec
from engines.protocol import (
    SHARED_EVENTS,
    SYSTEM,
    SYSTEM_ACTIONS,
    Away,
    Back,
    Engine,
    Leave,
    LeaveCause,
    ShiftDeadline,
    Step,
    TimeOut,
    Viewer,
)
from engines.replay import Entry, replay
from tests.api.client import Client
from tests.api.documents import schema_of, selection
from tests.api.engine_values import read, spoken
from tests.api.history.conftest import Archive, match_ref
from tests.engines.laws import matches as laws
from tests.engines.laws.adapter import adapter_of

GAMES = discover(("tests.extra_games",))
KEY = "idempotency-"
START = 4_000_000_000_000
"""When these matches are dealt: far ahead, so that no deadline passes while they are looked at."""

LOOKS = 5
"""How many views are asked for in one operation."""


class Told(NamedTuple):
    """An event and its place."""

    version: int
    index: int
    event: Any


@dataclass
class Past:
    """A stored match, folded by the engine: the entry and the step of each version, from 1 on."""

    game: Game
    match_id: UUID
    options: Any
    entries: list[Entry | None]
    steps: list[Step[Any]]

    @property
    def engine(self) -> Engine[Any]:
        return self.game.engine

    @property
    def version(self) -> int:
        return len(self.steps)

    @property
    def states(self) -> list[Any]:
        return [step.state for step in self.steps]

    def views(self, viewer: Viewer) -> list[Any]:
        """What a viewer saw, version by version."""
        return [spoken(self.engine.view(state, viewer), "en") for state in self.states]

    def actions(self, viewer: Viewer) -> list[Any]:
        """What a viewer may know of each version's action."""
        return [
            entry and self.engine.redact_action(self.options, entry.actor, entry.action, viewer)
            for entry in self.entries
        ]

    def events(self, viewer: Viewer) -> list[Told]:
        """What a viewer may know of what happened."""
        redacted = (
            told._replace(event=self.engine.redact(self.options, told.event, viewer))
            for told in self.whole()
        )
        return [told._replace(event=spoken(told.event, "en")) for told in redacted if told.event]

    def whole(self) -> list[Told]:
        """All that happened."""
        return [
            Told(version, index, event)
            for version, step in enumerate(self.steps, 1)
            for index, event in enumerate(step.events)
        ]


async def put(
    archive: Archive, people: Sequence[Client], game: str, seed: int, most: int = 400, **facts: Any
) -> UUID:
    """A match at random, system actions and all, written row by row as it was played."""
    engine, rnd = GAMES[game].engine, Random(seed)
    adapter = adapter_of(engine)
    table = laws.Table(engine, adapter, len(people), rnd)
    options = engine.options(adapter.random_options(rnd))
    match_id = await archive.deal(people, engine, options, rnd.randbytes(32), START, **facts)
    live = await load(archive.services, match_id)
    assert live is not None
    now = START
    while live.running and live.version < most:
        entry = laws.any_move(table, live.state, now)
        moved = await append(archive.services.commits, live, command(entry), entry.at)
        assert moved is not None
        live, now = moved[0], to_ms(moved[1].at)
    return match_id


def command(entry: Entry) -> Command:
    """Who sends such an action to a server."""
    match entry.action:
        case TimeOut():
            return Command(entry.action, SYSTEM, "TIMER")
        case Leave(seat=seat, cause=LeaveCause.KICKED):
            return Command(entry.action, SYSTEM, "HOST", seat)
        case Leave(seat=seat) | Away(seat=seat) | Back(seat=seat):
            return Command(entry.action, SYSTEM, "SYSTEM", seat)
    if isinstance(entry.actor, int):
        return Command(entry.action, entry.actor, "SEAT", entry.actor, key=f"{KEY}{uuid4()}")
    origin = "SYSTEM" if isinstance(entry.action, ShiftDeadline) else "HOST"
    return Command(entry.action, SYSTEM, origin)


async def past_of(archive: Archive, match_id: UUID) -> Past:
    """The match by the engine's own replay of the stored log."""
    (match,) = await archive.sql(
        "SELECT game, seats, seed, started_at, options::text FROM match WHERE id = $1", match_id
    )
    log = await archive.sql(
        "SELECT actor, seat, action::text, at FROM match_log WHERE match_id = $1 ORDER BY version",
        match_id,
    )
    game = GAMES[match["game"]]
    options = codec.decode_options(game.engine, match["options"])
    entries = [
        Entry(
            row["seat"] if row["actor"] == "SEAT" else SYSTEM,
            codec.decode_action(game.engine, row["action"]),
            to_ms(row["at"]),
        )
        for row in log[1:]
    ]
    started_at = to_ms(match["started_at"])
    steps = replay(game.engine, options, match["seats"], match["seed"], started_at, entries)
    return Past(game, match_id, options, [None, *entries], list(steps))


async def look(client: Client, past: Past, seat: int | None = None) -> list[Any]:
    """The view at every version, as the API gives it."""
    whole = selection(await schema_of(client), past.game.prefix + "View")
    views: list[Any] = []
    for first in range(1, past.version + 1, LOOKS):
        versions = range(first, min(first + LOOKS, past.version + 1))
        wanted = " ".join(f"v{n}: viewAt(version: {n}, seat: $seat) {{ ...W }}" for n in versions)
        document = (
            f"query V($id: ID!, $seat: Int) {{ match(id: $id) {{ {wanted} }} }} "
            f"fragment W on MatchView {{ ... on {past.game.prefix}View {{ {whole} }} }}"
        )
        data = await client.run(document, {"id": match_ref(past.match_id), "seat": seat})
        for number, view in zip(versions, data["match"].values(), strict=True):
            assert view["version"] == number
            views.append(read(past.engine.view_type, view))
    return views


async def log_of(client: Client, past: Past, size: int = 100) -> list[dict[str, Any]]:
    """All entries of the log as the API gives them; actions as the engine's own."""
    entries = await pages_of(client, past, "log", "MatchLog", size)
    for entry in entries:
        entry["action"] = entry["action"] and read_action(past, entry["action"])
    return entries


async def events_of(client: Client, past: Past, size: int = 100) -> list[Told]:
    """All events as the API gives them, as the engine's own."""
    nodes = await pages_of(client, past, "events", "MatchEvents", size)
    return [Told(each["version"], each["index"], read_event(past, each)) for each in nodes]


async def pages_of(
    client: Client, past: Past, field: str, type_name: str, size: int
) -> list[dict[str, Any]]:
    """All nodes of the log or of the events of a match, page by page."""
    schema = await schema_of(client)
    others = {game.prefix for game in GAMES.values()} - {past.game.prefix}

    def keep(of: str, _: str) -> bool:
        return of != "Match" and not of.startswith(tuple(others))

    document = (
        "query P($id: ID!, $after: Int!, $first: Int!) { match(id: $id) { "
        f"{field}(after: $after, first: $first) "
        f"{{ {selection(schema, type_name, keep=keep)} }} }} }}"
    )
    nodes: list[dict[str, Any]] = []
    page: dict[str, Any] = {"version": 0, "hasNextPage": True}
    while page["hasNextPage"]:
        variables = {"id": match_ref(past.match_id), "after": page["version"], "first": size}
        page = (await client.run(document, variables))["match"][field]
        nodes += page["nodes"]
    return nodes


def read_event(past: Past, given: dict[str, Any]) -> Any:
    """An event as the engine's own class."""
    own = {past.game.prefix + cls.__name__: cls for cls in past.engine.events}
    shared = {cls.__name__: cls for cls in SHARED_EVENTS}
    return read((shared | own)[given["__typename"]], given)


def read_action(past: Past, given: dict[str, Any]) -> Any:
    """An action as the engine's own class."""
    engine = past.engine
    shared = {cls.__name__: cls for cls in SYSTEM_ACTIONS}
    own = {cls.__name__: cls for cls in (*engine.actions, *engine.host_actions)}
    name = given["actionName"]
    prefix = "" if name in shared else past.game.prefix
    assert given["__typename"] == f"{prefix}{name}Action"
    return read((shared | own)[name], given)
