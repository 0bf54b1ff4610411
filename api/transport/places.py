"""How many places each one holds at a time: sockets of an account, of an address."""

from collections import Counter
from collections.abc import Hashable


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
