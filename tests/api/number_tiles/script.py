"""A match played move by move, everybody watching: for tests that need a position of their own."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from engines.number_tiles.state import PackedSet
from engines.number_tiles.tiles import TILE_OF_ID
from engines.number_tiles.views import View
from tests.api.client import Client
from tests.api.number_tiles.bot import commit, draft_of, draw, improved, set_draft
from tests.api.table import Move, Table
from tests.api.watcher import Watcher

PATIENCE = 60.0


@asynccontextmanager
async def scripted(table: Table, absent: Collection[Client] = ()) -> AsyncIterator["Script"]:
    """Start the match and watch it, all but the absent ones."""
    await table.start()
    async with asyncio.timeout(PATIENCE), table.watched(absent) as watchers:
        yield Script(table, watchers)


class Script:
    """Plays both sides of a watched match. `watchers` are the players' by seat, then others'."""

    def __init__(self, table: Table, watchers: Sequence[Watcher]) -> None:
        self.table = table
        self.watchers = watchers

    @property
    def spectator(self) -> Watcher:
        """The one who watches only."""
        return self.watchers[-1]

    @property
    def mover(self) -> Watcher:
        """The player in turn."""
        seat = self.spectator.view.current
        return next(w for w in self.watchers if w.seat == seat)

    @property
    def view(self) -> View:
        """What the player in turn sees."""
        view: View = self.mover.view
        return view

    @property
    def others(self) -> list[Watcher]:
        """Everybody but the player in turn."""
        return [w for w in self.watchers if w is not self.mover]

    async def reached(self, version: int) -> None:
        """Wait until everybody has been told of a version."""
        for watcher in self.watchers:
            await watcher.until(lambda watcher=watcher: watcher.version >= version)

    async def do(self, move: Move) -> dict[str, Any]:
        """The player in turn does this, which must be accepted; everybody is told."""
        payload: dict[str, Any] = await self.table.act(self.mover.client, move)
        assert payload["userErrors"] == []
        await self.reached(payload["version"])
        return payload

    async def refused(self, move: Move, client: Client | None = None) -> dict[str, Any]:
        """The error with which a move, by default of the player in turn, is refused."""
        payload = await self.table.act(client or self.mover.client, move)
        assert payload["version"] is None
        (error,) = payload["userErrors"]
        found: dict[str, Any] = error
        return found

    async def draft(self, sets: Iterable[PackedSet]) -> None:
        """Make these sets the draft."""
        await self.do(set_draft(self.view, sets))

    async def add_tile(self) -> None:
        """Put one more tile of the rack into the draft, alone: it can't be laid so."""
        view = self.view
        assert view.draft is not None
        await self.draft((*draft_of(view.draft), PackedSet(free_tiles(view)[:1])))

    async def by_clock(self) -> list[list[Any]]:
        """Let the time run out; what it brought about, as each watcher was told."""
        before = [len(watcher.events) for watcher in self.watchers]
        version = self.spectator.version
        await self.spectator.until(lambda: self.spectator.version > version)
        await self.reached(self.spectator.version)
        return [w.events[n:] for w, n in zip(self.watchers, before, strict=True)]

    async def play(self, found: Callable[[View], bool], lay: bool = True) -> None:
        """Play until the player in turn sees this, laying what fits or nothing at all."""
        while not found(self.view):
            better = improved(self.view) if lay else None
            if better is None:
                await self.do(draw(self.view))
            else:
                await self.draft(better)
                await self.do(commit(self.view))


def free_tiles(view: View) -> bytes:
    """The tiles of the viewer's rack that are not in the draft."""
    assert view.rack is not None
    assert view.draft is not None
    used = b"".join(each.tiles for each in draft_of(view.draft))
    rack = (TILE_OF_ID[tile_id] for tile_id in view.rack)
    return bytes(tile for tile in rack if tile not in used)
