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
from api.matches.feed import Seen, Sight, Sitting, Update, read_rows, rows_at_hand, visible
from api.matches.live import RUNNING, Live, Row, to_datetime, to_ms
from api.matches.loading import load
from api.matches.service import allowed, open_to_all
from api.matches.sitting import Sitters
from api.services import Services
from engines.protocol import Viewer

if TYPE_CHECKING:
    from api.matches.follower import MatchFeed

FRESH_SECONDS = 0.1
"""How long an update may be told to one more follower: the server's time is in it."""

TURN = 100
"""How many are told before others have their turn in the event loop."""


Shown = tuple[frozenset[UUID], str]
"""What else than versions a follower is told of: who is connected, and the match's status."""


class Missing(Exception):
    """What is to be told next must be read from the database first."""


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
        self._sitting: Sitting | None = None
        self._now: Shown | None = None
        self._sitters: Sitters | None = None
        self._stale = False
        self._news = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[None] | None = None
        self._steps: dict[tuple[Viewer, int, int, bool], tuple[float, Any]] = {}
        self._seen: dict[tuple[int, int], list[Seen]] = {}
        self._sights: dict[tuple[int, ...], Sight] = {}
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
        try:
            while feed in self._feeds and feed.reading is None and feed.listener.ready:
                item = self._step(feed)
                if item is not None:
                    self._hand(feed, item)
                elif self._live is not None and not self._live.running:
                    feed.end()
                else:
                    return
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

    def _step(self, feed: "MatchFeed") -> Any:
        """What to tell a follower next, the same object for all in its place; None: nothing.

        Raises Missing.
        """
        assert self._live is not None
        aware = feed.shown == self._now
        if aware and feed.reached == self._live.version:
            return None
        key = (feed.viewer, feed.told, feed.reached, aware)
        now = self._loop.time()
        kept = self._steps.get(key)
        if kept is None or kept[0] < now:
            kept = self._steps[key] = (now + FRESH_SECONDS, self._make(*key))
        if kept[1] is None:
            feed.reached = self._live.version
        return kept[1]

    def _make(self, viewer: Viewer, told: int, reached: int, aware: bool) -> Any:
        live = self._live
        assert live is not None
        while reached < live.version:
            rows = rows_at_hand(self._services, live, reached)
            if rows is None:
                raise Missing
            reached = rows[-1].version
            sight = self._visible(live, rows, viewer)
            if sight.seen:  # versions without anything to see are left to a later update
                return self._item(told, reached, sight, viewer, live)
        return None if aware else self._item(told, live.version, Sight(()), viewer, live)

    def _item(self, told: int, version: int, sight: Sight, viewer: Viewer, live: Live) -> Any:
        assert self._sitting is not None
        now = self._services.database.game_now()
        at, complete = to_datetime(now), version == live.version
        delay = now - to_ms(sight.seen[-1].row.at) if sight.seen else None
        return self._shown(
            Update(told, version, sight, viewer, live, complete, self._sitting, at, delay)
        )

    def _visible(self, live: Live, rows: tuple[Row, ...], viewer: Viewer) -> Sight:
        """As `visible`; what others see the same is the same object for all of them."""
        found = []
        for seen in visible(live, rows, viewer):
            others = self._seen.setdefault((seen.row.version, seen.index), [])
            same = next((each for each in others if each.event is seen.event), None)
            if same is None:
                others.append(seen)
            found.append(same or seen)
        return self._sights.setdefault(tuple(map(id, found)), Sight(tuple(found)))

    async def _read(self, feed: "MatchFeed") -> None:
        """Tell a follower what is not at hand: the batch that it has missed first."""
        turns.be(turns.Kind.FOLLOWER)
        live = self._live
        assert live is not None
        try:
            rows = await read_rows(self._services, live, feed.reached)
        except Exception as error:
            feed.reading = None
            feed.fail(error)
            return
        feed.reading = None
        events, reached = visible(live, rows, feed.viewer), rows[-1].version
        if not events:
            feed.reached = reached
        elif feed.listener.ready:
            self._hand(feed, self._item(feed.told, reached, Sight(events), feed.viewer, live))
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
        self._forget()
        return True

    def _settle(self) -> None:
        """Bring up to date what all are told alike."""
        assert self._live is not None
        assert self._sitters is not None
        sitting = self._sitters.sitting
        if sitting is not self._sitting:
            self._sitting = sitting
            self._forget()
        now = (sitting.connected, self._live.status)
        if now != self._now:
            self._now = now

    def _forget(self) -> None:
        self._steps.clear()
        self._seen.clear()
        self._sights.clear()

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
