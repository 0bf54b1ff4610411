"""What the followers of one match are told next: made once for all who stand at the same place."""

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import UUID

from api.matches.feed import Seen, Sight, Sitting, Update, rows_at_hand, visible
from api.matches.live import Live, Row, to_datetime, to_ms
from api.services import Services
from engines.protocol import Viewer

FRESH_SECONDS = 0.1
"""How long an update may be told to one more follower: the server's time is in it."""

Shown = tuple[frozenset[UUID], str]
"""What else than versions a follower is told of: who is connected, and the match's status."""

Place = tuple[Viewer, int, int, bool]
"""Where a follower stands: who it is, the version told, the version up to which nothing more is to
be seen, and whether it has been told who is connected and how the match stands.
"""


class Missing(Exception):
    """What is to be told next must be read from the database first."""


class Steps:
    """The next update from each place, up to the match as it is known here."""

    def __init__(
        self,
        services: Services,
        live: Live,
        sitting: Sitting,
        shown: Callable[[Update], Any],
    ) -> None:
        """`shown` makes of an update what is handed on."""
        self._services = services
        self._shown = shown
        self._loop = asyncio.get_running_loop()
        self.live = live
        self.sitting = sitting
        self.now: Shown = (sitting.connected, live.status)
        self._made: dict[Place, tuple[float, Any]] = {}
        self._seen: dict[tuple[int, int], list[Seen]] = {}
        self._sights: dict[tuple[int, ...], Sight] = {}

    def settle(self, live: Live, sitting: Sitting) -> None:
        """Tell of these from now on."""
        if live is self.live and sitting is self.sitting:
            return
        self.live, self.sitting = live, sitting
        now = (sitting.connected, live.status)
        if now != self.now:
            self.now = now
        self._made.clear()
        self._seen.clear()
        self._sights.clear()

    def next(self, viewer: Viewer, told: int, reached: int, shown: Shown | None) -> Any:
        """What to tell next, the same object for all at the same place; None: nothing.

        Raises Missing.
        """
        aware = shown == self.now
        if aware and reached == self.live.version:
            return None
        place, now = (viewer, told, reached, aware), self._loop.time()
        made = self._made.get(place)
        if made is None or made[0] < now:
            made = self._made[place] = (now + FRESH_SECONDS, self._make(*place))
        return made[1]

    def missed(self, live: Live, rows: tuple[Row, ...], viewer: Viewer, told: int) -> Any:
        """What to tell of rows that one alone has missed, none newer than `live`; None: nothing."""
        sight = Sight(visible(live, rows, viewer))
        return self._item(told, rows[-1].version, sight, viewer, live) if sight.seen else None

    def _make(self, viewer: Viewer, told: int, reached: int, aware: bool) -> Any:
        live = self.live
        while reached < live.version:
            rows = rows_at_hand(self._services, live, reached)
            if rows is None:
                raise Missing
            reached = rows[-1].version
            sight = self._sight(live, rows, viewer)
            if sight.seen:  # versions without anything to see are left to a later update
                return self._item(told, reached, sight, viewer, live)
        return None if aware else self._item(told, live.version, Sight(()), viewer, live)

    def _item(self, told: int, version: int, sight: Sight, viewer: Viewer, live: Live) -> Any:
        now = self._services.database.game_now()
        at, complete = to_datetime(now), version == live.version
        delay = now - to_ms(sight.seen[-1].row.at) if sight.seen else None
        return self._shown(
            Update(told, version, sight, viewer, live, complete, self.sitting, at, delay)
        )

    def _sight(self, live: Live, rows: tuple[Row, ...], viewer: Viewer) -> Sight:
        """As `visible`; what others see the same is the same object for all of them."""
        found = []
        for seen in visible(live, rows, viewer):
            others = self._seen.setdefault((seen.row.version, seen.index), [])
            same = next((each for each in others if each.event is seen.event), None)
            if same is None:
                others.append(seen)
            found.append(same or seen)
        return self._sights.setdefault(tuple(map(id, found)), Sight(tuple(found)))
