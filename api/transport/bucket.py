"""A token bucket: so many a second, and a burst now and then."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Bucket:
    """Holds at most `burst` tokens and regains `rate` of them a second."""

    rate: float
    burst: int
    _tokens: float = field(init=False)
    _at: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._tokens = float(self.burst)

    def take(self, at: float) -> bool:
        """Take one token, or return False; `at` is a time in seconds that never runs back."""
        if self._at is not None:
            self._tokens = min(self.burst, self._tokens + (at - self._at) * self.rate)
        self._at = at
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True
