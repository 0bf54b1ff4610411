"""States of matches at earlier versions, as this process has folded them; never the truth."""

from bisect import bisect_right
from collections import OrderedDict
from operator import itemgetter
from typing import Any
from uuid import UUID

EVERY = 32
"""A state is kept every so many versions: the most that a look into the past folds anew."""

KEPT = 4096
"""Most states kept in a process; the matches looked at longest ago go first."""


class Snapshots:
    """Kept states by match, oldest version first; the last one is as far as it has been folded."""

    def __init__(self, every: int = EVERY, kept: int = KEPT) -> None:
        self._every = every
        self._kept = kept
        self._count = 0
        self._matches: OrderedDict[UUID, list[tuple[int, Any]]] = OrderedDict()

    def before(self, match_id: UUID, version: int) -> tuple[int, Any] | None:
        """The newest kept state at or before a version, with its version."""
        states = self._matches.get(match_id)
        if states is None:
            return None
        self._matches.move_to_end(match_id)
        place = bisect_right(states, version, key=itemgetter(0))
        return states[place - 1] if place else None

    def last(self, match_id: UUID) -> tuple[int, Any] | None:
        """The newest kept state of a match."""
        states = self._matches.get(match_id)
        return states[-1] if states else None

    def keep(self, match_id: UUID, version: int, state: Any) -> None:
        """Keep a state newer than all kept ones; the one before it stays if it is a milestone."""
        states = self._matches.setdefault(match_id, [])
        if states and states[-1][0] >= version:
            return
        if states and states[-1][0] % self._every and states[-1][0] != 1:
            states.pop()
            self._count -= 1
        states.append((version, state))
        self._count += 1
        self._matches.move_to_end(match_id)
        while self._count > self._kept and len(self._matches) > 1:
            _, forgotten = self._matches.popitem(last=False)
            self._count -= len(forgotten)
