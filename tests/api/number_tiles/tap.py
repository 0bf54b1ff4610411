"""Everything that each person at a table hears, and which of it they may not know."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engines.number_tiles.state import State
from engines.number_tiles.tiles import TILE_IDS, ids_of
from engines.protocol import Viewer
from tests.api.client import Client
from tests.api.table import Table

TILE = re.compile("(?<![A-Za-z0-9])(?:[KRBO](?:1[0-3]|[1-9])[ab]|JK[12])(?![A-Za-z0-9])")

NOT_TOLD = {"draws", "accessToken", "refreshToken"}
"""The draw for the start is public, and its tiles are shuffled again; tokens are chance."""


class Tapped(Client):
    """A device that keeps every answer and every message, errors included."""

    def __init__(self, base_url: str) -> None:
        super().__init__(base_url)
        self.heard: list[Any] = []

    def hear(self, message: Any) -> None:
        """Keep it, unless it is the schema, whose descriptions name tiles as examples."""
        if "__schema" not in (message.get("data") or ()):
            self.heard.append(message)


class TappedTable(Table):
    """A table of such devices."""

    def client(self, number: int) -> Tapped:
        """A device that listens in on itself."""
        return Tapped(self.base_url)


@dataclass(frozen=True)
class Leak:
    """A tile that reached a viewer too early, and the field of the answer it came in."""

    viewer: Viewer
    channel: str
    tile: str


def leaks(table: Table, steps: Sequence[Any]) -> list[Leak]:
    """What everybody heard of tiles that were hidden from them at the version it was said at.

    What is said of no version may tell of no tile.
    """
    found = []
    for client in (*table.players, *table.spectators):
        assert isinstance(client, Tapped)
        viewer = table.players.index(client) if client in table.players else None
        known = known_by(viewer, [step.state for step in steps])
        for message in client.heard:
            version = max(versions(message), default=0)
            found += [
                Leak(viewer, channel, tile)
                for channel, text in texts(message)
                for tile in TILE.findall(text)
                if tile not in known[version]
            ]
    return found


def known_by(viewer: Viewer, states: Sequence[State]) -> list[set[str]]:
    """By version, the tiles of a match of one game that a viewer has rightly seen by then."""
    seen: set[str] = set()
    known: list[set[str]] = [set()]
    for state in states:
        seen |= {tile for laid in state.table for tile in ids_of(laid.tiles)}
        if viewer is not None:
            seen |= set(ids_of(state.racks[viewer]))
        if state.draft is not None and state.options.show_draft_to_others:
            seen |= {tile for each in state.draft.sets for tile in ids_of(each.tiles)}
        known.append(set(seen))
    assert all(len(tiles) < len(TILE_IDS) for tiles in known)
    return known


def versions(value: Any) -> Iterator[int]:
    """The versions that an answer speaks of."""
    if isinstance(value, dict):
        if isinstance(value.get("version"), int):
            yield value["version"]
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from versions(item)


def texts(value: Any, channel: str = "") -> Iterator[tuple[str, str]]:
    """Every string of an answer with the names of the two fields that lead to it from the root."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in NOT_TOLD:
                continue
            deeper = name in ("payload", "data", "id", "type") or channel.count(".") >= 1
            yield from texts(inner, channel if deeper else f"{channel}.{name}".lstrip("."))
    elif isinstance(value, list):
        for item in value:
            yield from texts(item, channel)
    elif isinstance(value, str):
        yield channel, value
