"""What happens in a match, as one viewer may see it, without gap or repeat, for as long as it runs.

Late joiners, resumed and slow subscribers, lost and doubled wake-ups are one loop: read what is
newer than the version last told, tell it, wait for the flag.
"""

import asyncio
from collections.abc import AsyncGenerator, Hashable
from dataclasses import dataclass
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

from api import logs, metrics, turns
from api.absence.service import returned
from api.errors import bad_request
from api.matches import store
from api.matches.live import RUNNING, Live, Row, to_ms
from api.matches.loading import load
from api.matches.records import decode_row
from api.matches.service import may_watch
from api.services import Services
from engines.protocol import Viewer
from engines.texts import Text

BATCH = 100
"""Most log rows in one update of a long catch-up."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One event as a viewer may see it, with its place in the log."""

    row: Row
    index: int
    event: Any


@dataclass(frozen=True, slots=True)
class Update:
    """What a viewer is told of the versions after `from_version` up to `version`.

    `live` is the match at `version`, or None in the earlier batches of a long catch-up.
    """

    from_version: int
    version: int
    events: tuple[Seen, ...]
    viewer: Viewer
    newest: Live
    complete: bool
    connected: frozenset[UUID]

    @property
    def alike(self) -> Hashable | None:
        """Equal for updates that tell the same; None where each is for one viewer alone.

        Spectators share what they are told, seats do not.
        """
        if self.viewer is not None:
            return None
        live, span = self.newest, (self.from_version, self.version, self.complete)
        return (live.facts.id, live.status, span, self.connected)


async def updates(
    services: Services, match_id: UUID, account_id: UUID | None, after: int | None
) -> AsyncGenerator[Update, None]:
    """The match as it is now, or all that happened after a version, then whatever happens.

    There is always a first update at once, and one without events whenever a player's connection
    comes or goes; whoever follows counts as connected. Ends when the match has ended or may no
    longer be watched; gives nothing at all where there is no match to be seen. Raises BAD_REQUEST
    when `after` lies in the future.
    """
    logs.about(match_id=match_id)
    turns.be(turns.Kind.FOLLOWER)
    async with services.hub.watch(f"match:{match_id}") as waiter:
        live = await load(services, match_id)
        if live is None or not await may_watch(services, live, account_id):
            return
        told = live.version if after is None else after
        if not 0 <= told <= live.version:
            raise bad_request(
                Text(
                    "after가 현재 버전보다 커요.",
                    "`after` must be a version between 0 and the present one.",
                )
            )
        facts, viewer = live.facts, live.facts.seat_of(account_id)
        seated = facts.accounts
        async with services.presence.here(facts.room_id, account_id, waiter, of=seated) as room:
            if viewer is not None:
                await returned(services, live, viewer)
            shown: tuple[frozenset[UUID], str] | None = None
            while True:
                now = (room.connected.intersection(facts.accounts), live.status)
                async for update in _catch_up(services, live, viewer, told, now[0]):
                    if shown is not None:
                        age = services.database.game_now() - to_ms(update.events[-1].row.at)
                        metrics.woken(age)
                    yield update
                    told, shown = update.version, now if update.complete else shown
                if shown != now:
                    yield Update(told, live.version, (), viewer, live, True, now[0])
                    told, shown = live.version, now
                if not live.running:
                    return
                waiter.marker = marker_of(live.version, live.status)
                await waiter.wait()
                live = await _newer(services, live)
                if not await may_watch(services, live, account_id):
                    return


def marker_of(version: int, status: str) -> int:
    """What the poll compares: moves with the version and with the match's end."""
    return 2 * version + (status != RUNNING)


def visible(live: Live, rows: tuple[Row, ...], viewer: Viewer) -> tuple[Seen, ...]:
    """The events of these rows that a viewer may see, each as the viewer may see it."""
    redact, options = live.engine.redact, live.facts.options
    seen = []
    for row in rows:
        for index, event in enumerate(row.events):
            shown = redact(options, event, viewer)
            if shown is not None:
                seen.append(Seen(row, index, shown))
    return tuple(seen)


async def read_rows(
    services: Services, live: Live, after: int, limit: int = BATCH
) -> tuple[Row, ...]:
    """Log rows after a version, at most `limit`, none newer than `live`."""
    recent = services.recent.since(live.facts.id, after)
    if recent is not None:
        return tuple(row for row in recent[1] if row.version <= live.version)[:limit]
    records = await store.rows(services.database, live.facts.id, after, live.version, limit)
    return tuple(decode_row(live.engine, record) for record in records)


async def _catch_up(
    services: Services, live: Live, viewer: Viewer, told: int, connected: frozenset[UUID]
) -> AsyncGenerator[Update, None]:
    """Updates up to `live`; versions without anything to see are left to a later update."""
    reached = told
    while reached < live.version:
        rows = await read_rows(services, live, reached)
        reached = rows[-1].version
        events = visible(live, rows, viewer)
        if events:
            complete = reached == live.version
            yield Update(told, reached, events, viewer, live, complete, connected)
            told = reached


class _Refresh:
    """The reads of one match for all who watch it here: one at a time, shared by those who wait."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.begun = 0
        self.found: Live | None = None


_refreshing: WeakValueDictionary[UUID, _Refresh] = WeakValueDictionary()


async def _newer(services: Services, live: Live) -> Live:
    """The match after a wake-up; of many watchers woken together only one asks the database.

    A read that began after the wake-up tells those who waited for it all they would find.
    """
    match_id = live.facts.id
    refresh = _refreshing.get(match_id)
    if refresh is None:
        refresh = _refreshing[match_id] = _Refresh()
    begun = refresh.begun
    async with refresh.lock:
        known = services.recent.since(match_id, live.version)
        if known is not None:
            return known[0]
        if refresh.begun == begun or refresh.found is None:
            refresh.begun += 1
            refresh.found = None  # should this read fail, the next one must not be spared
            refresh.found = await _read(services, live)
        return refresh.found if refresh.found.version >= live.version else live


async def _read(services: Services, live: Live) -> Live:
    """The match as the database has it, and what led to it from `live`, for all who watch."""
    fresh = await load(services, live.facts.id) or live
    if fresh.version > live.version:
        rows = await read_rows(services, fresh, live.version)
        if rows[-1].version == fresh.version:
            services.recent.put(fresh, rows)
    return fresh
