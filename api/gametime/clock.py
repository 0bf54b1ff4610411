"""Estimates of the database's clock without asking it every time."""

import time

from api.gametime.store import Connection, read_anchor, read_now

SAMPLES = 3


class Clock:
    """Database time and game time in ms since 1970; neither ever runs backwards in a process.

    Game time = anchor + (database time - anchor) x scale. With scale 1 the two are equal and no
    anchor is kept.
    """

    def __init__(self, scale: float) -> None:
        self._scale = scale
        self._offset_ms = 0.0  # database time - monotonic time
        self._anchor_ms: int | None = None
        self._latest_ms = 0

    async def sync(self, connection: Connection) -> None:
        """Measure the database's clock anew; off by half a round trip at most."""
        best_trip = float("inf")
        for _ in range(SAMPLES):
            before = _monotonic_ms()
            database_ms = await read_now(connection)
            after = _monotonic_ms()
            if after - before < best_trip:
                best_trip = after - before
                self._offset_ms = database_ms - (before + after) / 2
        if self._scale != 1 and self._anchor_ms is None:
            self._anchor_ms = await read_anchor(connection)

    def now(self) -> int:
        """The database's time, as estimated by this process."""
        self._latest_ms = max(self._latest_ms, int(_monotonic_ms() + self._offset_ms))
        return self._latest_ms

    def game_now(self) -> int:
        """The time the games live in."""
        return self.to_game(self.now())

    def to_game(self, at_ms: int) -> int:
        """The game time at a database time."""
        if self._anchor_ms is None:
            return at_ms
        return self._anchor_ms + round((at_ms - self._anchor_ms) * self._scale)

    def to_game_span(self, real_ms: int) -> int:
        """How much game time passes in a stretch of real time."""
        return round(real_ms * self._scale)


def _monotonic_ms() -> float:
    return time.monotonic_ns() / 1e6
