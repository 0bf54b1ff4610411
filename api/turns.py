"""Who is next at a pool of connections, when all are in use.

A pool by itself serves in the order of arrival: a thousand who join at once would keep all others
waiting, the clock included, until everybody gives up. Here the kinds are served by turns, so that
each has its share, and within a kind in the order of arrival, with a patience of its own.
"""

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import IntEnum


class Kind(IntEnum):
    """Who waits."""

    HOUSE = 0
    """The clock, the pulse, presence, the poll: what all others rely on."""

    REQUEST = 1
    """An action or a query: whoever waits for it shall soon be told that it will not be."""

    ARRIVAL = 2
    """A socket that is being admitted."""

    FOLLOWER = 3
    """A subscription: better late than ended."""


PATIENCE = (3.0, 3.0, 10.0, 30.0)
"""How long each kind waits, in seconds."""

_kind: ContextVar[Kind] = ContextVar("kind", default=Kind.REQUEST)


def be(kind: Kind) -> None:
    """Count as this kind from now on: the present task, and those it starts."""
    _kind.set(kind)


def current() -> Kind:
    """What the present task counts as."""
    return _kind.get()


@contextmanager
def as_kind(kind: Kind) -> Iterator[None]:
    """Count as this kind within the block."""
    before = _kind.get()
    _kind.set(kind)
    try:
        yield
    finally:
        _kind.set(before)


class Turns:
    """So many places, and who waits for one."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: tuple[deque[asyncio.Future[None]], ...] = tuple(deque() for _ in Kind)
        self._last = Kind.FOLLOWER

    async def take(self) -> None:
        """Take a place, to be given back. Raises TimeoutError when all stay in use."""
        if self._free:
            self._free -= 1
            return
        kind = current()
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[kind].append(turn)
        try:
            async with asyncio.timeout(PATIENCE[kind]):
                await turn
        except BaseException:
            if turn.done() and not turn.cancelled():
                self.give_back()  # it came in the moment in which we gave up
            raise

    def give_back(self) -> None:
        """Leave a place to whoever is next."""
        for step in range(1, len(Kind) + 1):
            kind = Kind((self._last + step) % len(Kind))
            queue = self._waiting[kind]
            while queue:
                turn = queue.popleft()
                if not turn.done():
                    self._last = kind
                    turn.set_result(None)
                    return
        self._free += 1
