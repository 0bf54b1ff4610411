"""How much each one who asks may use in a window of time; counted by the `limits` library.

The windows slide: what was used in the window before counts by the share of it that is not yet a
window ago. In the memory of one process, or in Redis for all; while Redis is away each process
counts for itself, so that no limit ever stands in the way of play.
"""

import asyncio
import logging
import math
import time
from dataclasses import dataclass

from limits import RateLimitItem, RateLimitItemPerSecond
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from api.config import MEMORY, Config
from api.errors import rate_limited

log = logging.getLogger(__name__)

SECOND = 1
MINUTE = 60
TEN_MINUTES = 600
HOUR = 3600
REDIS_SECONDS = 0.5
AWAY_SECONDS = 5.0
"""How long Redis is left alone after it failed."""

AWAY = (RedisError, OSError, TimeoutError)
SWEEP_SECONDS = 30.0
CODES_OF_ACCOUNT = 60
CODES_OF_ADDRESS = 300


@dataclass(frozen=True, slots=True)
class Used:
    """What a window holds, as the library tells it; times in seconds from now."""

    before: int
    before_ends: float
    present: int
    present_ends: float


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of a budget; all of it is back at `reset_at`, in Unix seconds."""

    limit: int
    remaining: int
    reset_at: float


class Rates:
    """The budgets of one process. Each is a `RateLimitItem`; `who` names one who has it."""

    def __init__(self, config: Config) -> None:
        self.operations = budget("operations", config.budget, MINUTE)
        self.anonymous = budget("anonymous", config.address_budget, MINUTE)
        self.sign_ins = budget("sign-ins", config.sign_ins_per_address, HOUR)
        self.codes = budget("codes", CODES_OF_ACCOUNT, TEN_MINUTES)
        self.wrong_codes = budget("wrong-codes", CODES_OF_ADDRESS, TEN_MINUTES)
        self._memory = _Sweeping()
        self._shared = None if config.limits == MEMORY else _redis(config.limits)
        self._own = SlidingWindowCounterRateLimiter(self._memory)
        self._all = SlidingWindowCounterRateLimiter(self._shared or self._memory)
        self._away_until = 0.0

    async def spend(self, budget: RateLimitItem, who: str, cost: int = 1) -> None:
        """Use `cost` of a budget, at most the whole. Raises RATE_LIMITED, and nothing is used."""
        cost = min(cost, budget.amount)
        self._memory.rest()
        try:
            fits = await (self._own if self._is_away() else self._all).hit(budget, who, cost=cost)
        except AWAY as error:
            self._lose(error)
            fits = await self._own.hit(budget, who, cost=cost)
        if not fits:
            raise rate_limited(wait_for(budget, cost, await self._used(budget, who)))

    async def check(self, budget: RateLimitItem, who: str) -> None:
        """Raises RATE_LIMITED if nothing is left of a budget."""
        used = await self._used(budget, who)
        if _remaining(budget, used) < 1:
            raise rate_limited(wait_for(budget, 1, used))

    async def left(self, budget: RateLimitItem, who: str) -> Left:
        """What is left of a budget."""
        used = await self._used(budget, who)
        ends = used.present_ends if used.present else used.before_ends if used.before else 0.0
        return Left(budget.amount, _remaining(budget, used), time.time() + ends)

    async def _used(self, budget: RateLimitItem, who: str) -> Used:
        key, expiry = budget.key_for(who), budget.get_expiry()
        storage = self._memory if self._shared is None or self._is_away() else self._shared
        try:
            return Used(*await storage.get_sliding_window(key, expiry))
        except AWAY as error:
            self._lose(error)
            return Used(*await self._memory.get_sliding_window(key, expiry))

    async def close(self) -> None:
        """Let go of Redis."""
        if self._shared is not None:
            await self._shared.bridge.get_connection().aclose()  # type: ignore[attr-defined]

    def _is_away(self) -> bool:
        return time.monotonic() < self._away_until

    def _lose(self, error: Exception) -> None:
        self._away_until = time.monotonic() + AWAY_SECONDS
        log.warning("budgets are counted here, Redis is away: %s", type(error).__name__)


class _Sweeping(MemoryStorage):
    """The library's storage, which looks through all keys after each hit, made to rest between.

    It starts a sweep unless its `timer` is pending, so a pending one keeps it from that.
    """

    def __init__(self) -> None:
        super().__init__()
        self._rest: asyncio.Task[None] | None = None

    def rest(self) -> None:
        """After a sweep, none for a while."""
        if self.timer is not None and self.timer.done() and self.timer is not self._rest:
            self.timer = self._rest = asyncio.create_task(asyncio.sleep(SWEEP_SECONDS))


def _redis(url: str) -> RedisStorage:
    return RedisStorage(
        url,
        implementation="redispy",
        key_prefix="board-limits",
        socket_timeout=REDIS_SECONDS,
        socket_connect_timeout=REDIS_SECONDS,
        retry=Retry(NoBackoff(), 0),  # type: ignore[arg-type]
    )


def budget(name: str, amount: int, seconds: int) -> RateLimitItem:
    """A budget of its own for each one who has it: `amount` in any window of so many seconds."""
    return RateLimitItemPerSecond(amount, seconds, namespace=name)


def _remaining(budget: RateLimitItem, used: Used) -> int:
    weight = used.before * used.before_ends / budget.get_expiry() + used.present
    return max(0, budget.amount - math.floor(weight))


def wait_for(budget: RateLimitItem, cost: int, used: Used) -> float:
    """Seconds until `cost` fits if nothing else is used meanwhile, rounded up to tenths."""
    window = float(budget.get_expiry())
    room = budget.amount - cost
    if used.present <= room:
        share = (room - used.present) / used.before if used.before else 1.0
        wait = used.before_ends - share * window
    else:
        # Not before the present window is the one before, and has slid by far enough.
        wait = used.present_ends - window * room / used.present
    return max(0.1, math.ceil(wait * 10) / 10)
