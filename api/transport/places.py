"""How many places each one holds at a time: sockets of an account, of an address."""

from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from api.errors import too_many_sockets


class Places:
    """Counts the places held by each key and refuses more than `limit`."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._held: Counter[Hashable] = Counter()

    def take(self, key: Hashable) -> bool:
        """Take a place, or return False; one that was taken must be given back."""
        if self._held[key] >= self.limit:
            return False
        self._held[key] += 1
        return True

    def give_back(self, key: Hashable) -> None:
        """The place is free again; a key that holds none is forgotten."""
        self._held[key] -= 1
        if self._held[key] <= 0:
            del self._held[key]


class Arrivals:
    """Those who have come and not said yet who they are: so many of one key, and of all."""

    def __init__(self, each: int, together: int) -> None:
        self._places = Places(each)
        self._together = together
        self._present = 0

    @contextmanager
    def one(self, key: Hashable) -> Iterator[None]:
        """One more, for as long as the block lasts. Raises TOO_MANY_SOCKETS."""
        if self._present >= self._together or not self._places.take(key):
            raise too_many_sockets(self._places.limit)
        self._present += 1
        try:
            yield
        finally:
            self._present -= 1
            self._places.give_back(key)
