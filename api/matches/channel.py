"""One match as all who follow it through this process are told of it, without gap or repeat.

Late joiners, resumed and slow followers, lost and doubled wake-ups are one way: find what is newer
than the version last told, tell it, wait for the next wake-up. The waiting is done once for all
who follow; what is the same for many is made once.
"""

import asyncio
from collections.abc import Callable
from contextvars import Context
from typing import TYPE_CHECKING, Any
from uuid import UUID

from api import logs, metrics, turns
from api.bus import Bell
from api.matches.feed import Update, read_rows
from api.matches.live import RUNNING, Live
from api.matches.loading import load
from api.matches.service import allowed, open_to_all
from api.matches.sitting import Sitters
from api.matches.steps import Missing, Steps
from api.services import Services

if TYPE_CHECKING:
    from api.matches.follower import MatchFeed

TURN = 100
"""How many are told before others have their turn in the event loop."""


class Channel:
    """The followers of one match. It works from the first that asks for it to the last."""

    def __init__(self, services: Services, match_id: UUID, shown: Callable[[Update], Any]) -> None:
        """`shown` makes of an update what is handed on, once for all who are told the same."""
        self._services = services
        self._id = match_id
        self._shown = shown
        self._bell = Bell(self._moved)
        services.hub.join(_topic(match_id), self._bell)
        self._holders = 0
        self._feeds: dict[MatchFeed, None] = {}
        self._live: Live | None = None
        self._steps: Steps | None = None
        self._sitters: Sitters | None = None
        self._stale = False
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._delays: dict[int, int] = {}

    @classmethod
    def of(cls, services: Services, match_id: UUID, shown: Callable[[Update], Any]) -> "Channel":
        """The channel of a match, held until it is let go of."""
        channel = services.channels.get(match_id)
        if channel is None:
            channel = services.channels[match_id] = cls(services, match_id, shown)
        channel._holders += 1
        return channel

    def attend(self, live: Live) -> None:
        """Take note of the match as somebody has just read it."""
        if self._sitters is None:
            self._sitters = Sitters(self._services, live.facts, self._news.set)
        if self._see(live):
            self._news.set()

    async def ready(self) -> None:
        """Wait until it is known who sits at the match."""
        assert self._sitters is not None
        await self._sitters.read()

    def admit(self, feed: "MatchFeed", at_once: bool) -> None:
        """Tell a follower from now on; `at_once`: the match as it is, not what led to it."""
        assert self._live is not None
        if at_once:
            feed.told = feed.reached = self._live.version
        self._feeds[feed] = None
        if self._task is None:
            # What it logs is about the match, not about the request of the first who came.
            self._task = asyncio.create_task(self._run(), context=Context())
        self._settle()
        self.tell(feed)

    def let_go(self, feed: "MatchFeed") -> None:
        """Tell a follower no more, and end with the last."""
        self._feeds.pop(feed, None)
        self._holders -= 1
        if self._holders:
            return
        del self._services.channels[self._id]
        self._services.hub.leave(_topic(self._id), self._bell)
        if self._sitters is not None:
            self._sitters.leave()
        if self._task is not None:
            self._task.cancel()

    def tell(self, feed: "MatchFeed") -> None:
        """Tell a follower all that it has not been told, as long as it takes it."""
        self._tell(feed)
        self._note_delays()

    def _tell(self, feed: "MatchFeed") -> None:
        steps = self._steps
        if steps is None:  # nobody has been admitted yet
            return
        try:
            while feed in self._feeds and feed.reading is None and feed.listener.ready:
                item = steps.next(feed.viewer, feed.told, feed.reached, feed.shown)
                if item is not None:
                    self._hand(feed, item)
                    continue
                feed.reached = steps.live.version
                if steps.live.running:
                    return
                feed.end()
        except Missing:
            feed.reading = asyncio.create_task(self._read(feed))
        except Exception as error:
            feed.fail(error)

    def _hand(self, feed: "MatchFeed", item: Any) -> None:
        update: Update = item.update
        if feed.shown is not None and update.delay is not None:
            self._delays[update.delay] = self._delays.get(update.delay, 0) + 1
        feed.told = feed.reached = update.version
        if update.complete:
            feed.shown = (update.sitting.connected, update.newest.status)
        feed.listener.tell(item)

    async def _read(self, feed: "MatchFeed") -> None:
        """Tell a follower what is not at hand: the batch that it has missed first."""
        turns.be(turns.Kind.FOLLOWER)
        assert self._steps is not None
        live = self._steps.live
        try:
            rows = await read_rows(self._services, live, feed.reached)
        except Exception as error:
            feed.reading = None
            feed.fail(error)
            return
        feed.reading = None
        item = self._steps.missed(live, rows, feed.viewer, feed.told)
        if item is None:
            feed.reached = rows[-1].version
        elif feed.listener.ready:
            self._hand(feed, item)
        self.tell(feed)

    async def _run(self) -> None:
        logs.about(match_id=self._id)
        turns.be(turns.Kind.FOLLOWER)
        while True:
            await self._news.wait()
            self._news.clear()
            try:
                await self._look()
            except Exception as error:
                for feed in tuple(self._feeds):
                    feed.fail(error)
            for number, feed in enumerate(tuple(self._feeds), 1):
                self._tell(feed)
                if number % TURN == 0:
                    self._note_delays()
                    await asyncio.sleep(0)
            self._note_delays()

    async def _look(self) -> None:
        """Find what has changed, and part with those who may no longer watch."""
        assert self._live is not None
        assert self._sitters is not None
        if self._stale:
            self._stale = False
            self._see(await self._newest(self._live))
        await self._sitters.read()
        self._settle()
        if open_to_all(self._live):
            return
        watchers = {feed.account_id for feed in self._feeds if feed.account_id is not None}
        welcome = await allowed(self._services, self._live, watchers)
        if len(welcome) < len(watchers):
            for feed in tuple(self._feeds):
                if feed.account_id not in welcome:
                    feed.end()

    async def _newest(self, live: Live) -> Live:
        """The match as the database has it, unless this process has been told what is newer."""
        known = self._services.recent.since(self._id, live.version)
        if known is not None:
            return known[0]
        fresh = await load(self._services, self._id) or live
        if fresh.version > live.version:
            rows = await read_rows(self._services, fresh, live.version)
            if rows[-1].version == fresh.version:
                self._services.recent.put(fresh, rows)
        return fresh

    def _see(self, live: Live) -> bool:
        """Take a snapshot as the present one, if it is newer."""
        if self._live is not None and _marker(live) <= _marker(self._live):
            return False
        self._live = live
        self._bell.marker = _marker(live)
        return True

    def _settle(self) -> None:
        """Bring up to date what all are told alike."""
        assert self._live is not None
        assert self._sitters is not None
        if self._steps is None:
            self._steps = Steps(self._services, self._live, self._sitters.sitting, self._shown)
        else:
            self._steps.settle(self._live, self._sitters.sitting)

    def _note_delays(self) -> None:
        for delay, count in self._delays.items():
            metrics.woken(delay, count)
        self._delays.clear()

    def _moved(self) -> None:
        self._stale = True
        self._news.set()


def _marker(live: Live) -> int:
    """What the poll compares: moves with the version and with the match's end."""
    return 2 * live.version + (live.status != RUNNING)


def _topic(match_id: UUID) -> str:
    return f"match:{match_id}"
