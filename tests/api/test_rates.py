"""Budgets in the memory of a process, and when they say that there is room again."""

import time

import pytest
from limits import RateLimitItem, RateLimitItemPerSecond

from api.config import Config
from api.errors import RequestFault
from api.rates import Rates, Used, wait_for

MINUTE = RateLimitItemPerSecond(100, 60, namespace="test")


def rates(**settings: int) -> Rates:
    return Rates(Config(secret=bytes(32), **settings))


async def retry_after(rates: Rates, budget: RateLimitItem, who: str, cost: int) -> float | None:
    """When there is room for what was refused; None if it was not."""
    try:
        await rates.spend(budget, who, cost)
    except RequestFault as fault:
        return fault.retry_after
    return None


@pytest.mark.parametrize(
    ("used", "cost", "expected"),
    [
        # Nothing of the window before, 90 in this one, which ends in 20 s: of these 90 no more
        # than 50 may count, which is so when 4/9 of the next window are over.
        (Used(0, 0.0, 90, 80.0), 50, 20.0 + 60 * 4 / 9),
        # 60 in the window before, half of it gone, and 50 in this one: 20 fit when half of the
        # 30 are gone, 10 for the room there is and 5 for what lacks.
        (Used(60, 30.0, 50, 90.0), 20, 0.1),
        (Used(60, 30.0, 50, 90.0), 30, 10.0),
        (Used(60, 30.0, 50, 90.0), 50, 30.0),
        (Used(60, 30.0, 50, 90.0), 60, 30.0 + 60 * (1 - 40 / 50)),
        (Used(0, 0.0, 100, 120.0), 100, 120.0),
        (Used(100, 60.0, 0, 120.0), 1, 0.6),
    ],
)
def test_the_wait_ends_when_there_is_room(used: Used, cost: int, expected: float) -> None:
    wait = wait_for(MINUTE, cost, used)
    assert expected <= wait < expected + 0.1 + 1e-9
    assert wait == round(wait, 1)


async def test_what_is_refused_is_not_counted() -> None:
    made = rates(budget=1000)
    await made.spend(made.operations, "one", 900)
    for _ in range(3):
        assert await retry_after(made, made.operations, "one", 500) is not None
    left = await made.left(made.operations, "one")
    assert left.limit == 1000
    assert 100 <= left.remaining < 150  # what was spent comes back with time
    await made.spend(made.operations, "one", 100)


async def test_one_who_has_nothing_left_is_alone_with_that() -> None:
    made = rates(budget=1000, address_budget=1000)
    await made.spend(made.operations, "one", 1000)
    wait = await retry_after(made, made.operations, "one", 500)
    assert wait is not None
    assert 0 < wait <= 120
    await made.spend(made.operations, "two", 1000)
    await made.spend(made.anonymous, "one", 1000)


async def test_nothing_costs_more_than_the_whole() -> None:
    made = rates(budget=1000)
    await made.spend(made.operations, "one", 10**9)
    assert await retry_after(made, made.operations, "one", 10**9) is not None


async def test_a_budget_nobody_used_is_whole_now() -> None:
    made = rates(budget=1000)
    left = await made.left(made.operations, "one")
    assert (left.limit, left.remaining) == (1000, 1000)
    assert left.reset_at <= time.time()
    await made.check(made.operations, "one")
    await made.spend(made.operations, "one", 1000)
    with pytest.raises(RequestFault):
        await made.check(made.operations, "one")
    assert (await made.left(made.operations, "one")).reset_at > time.time() + 59
