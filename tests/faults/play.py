"""A marble match that is played on, move by move, in front of watchers."""

import asyncio
from collections.abc import Sequence

from tests.api.marble.bot import keen
from tests.api.table import Table
from tests.api.watcher import Watcher

TOLD_SECONDS = 30.0
"""Far more than it takes: a watcher that is told nothing fails the test instead of stopping it."""


async def play_to(version: int, table: Table, watchers: Sequence[Watcher]) -> None:
    """Play on to this version; nobody moves before all who read have been told of the last move."""
    while watchers[0].version < version:
        seat = next(w for w in watchers if w.view.choices is not None)
        move = keen(seat.view, table.rnd)
        assert move is not None
        payload = await table.act(seat.client, move)
        assert payload["userErrors"] == []
        for watcher in watchers:
            async with asyncio.timeout(TOLD_SECONDS):
                while watcher.version < payload["version"]:
                    watcher.fresh.clear()
                    await watcher.fresh.wait()
