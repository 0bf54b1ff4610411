"""Who is next at a pool when all of it is in use."""

import asyncio
from collections.abc import Sequence

import pytest

from api import turns
from api.turns import Kind, Turns, as_kind

HOUSE, REQUEST, ARRIVAL, FOLLOWER = Kind


async def come(places: Turns, kind: Kind, name: str, served: list[str]) -> asyncio.Task[None]:
    """Somebody who waits in line by the time this returns, and leaves as soon as served."""

    async def one() -> None:
        await places.take()
        served.append(name)
        places.give_back()

    with as_kind(kind):
        task = asyncio.create_task(one())
    await asyncio.sleep(0)
    return task


async def order(arrivals: Sequence[tuple[Kind, str]]) -> list[str]:
    """Who is served when, of those who come in this order while the only place is taken."""
    places, served = Turns(1), list[str]()
    await places.take()
    waiting = [await come(places, kind, name, served) for kind, name in arrivals]
    assert served == []
    places.give_back()
    await asyncio.gather(*waiting)
    return served


async def test_the_first_of_a_kind_is_served_first() -> None:
    assert await order([(FOLLOWER, name) for name in "abc"]) == ["a", "b", "c"]


async def test_the_kinds_are_served_by_turns() -> None:
    many = [(FOLLOWER, f"f{n}") for n in range(4)] + [(ARRIVAL, f"a{n}") for n in range(2)]
    late = [(REQUEST, "r0"), (REQUEST, "r1"), (HOUSE, "h0"), (HOUSE, "h1")]
    assert await order([*many, *late]) == [
        *("h0", "r0", "a0", "f0"),
        *("h1", "r1", "a1", "f1"),
        *("f2", "f3"),
    ]


async def test_as_many_as_there_are_places() -> None:
    places, served = Turns(2), list[str]()
    await places.take()
    await (await come(places, REQUEST, "first", served))
    await places.take()
    second = await come(places, REQUEST, "second", served)
    assert served == ["first"]
    places.give_back()
    await second
    places.give_back()
    await places.take()
    await places.take()


async def test_each_kind_has_a_patience_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PATIENCE", (60.0, 0.01, 60.0, 60.0))
    places, served = Turns(1), list[str]()
    await places.take()
    follower = await come(places, FOLLOWER, "follower", served)
    request = await come(places, REQUEST, "request", served)
    with pytest.raises(TimeoutError):
        await request
    places.give_back()
    await follower
    assert served == ["follower"]


async def test_one_who_goes_in_the_moment_of_being_served_passes_it_on() -> None:
    places, served = Turns(1), list[str]()
    await places.take()
    first = await come(places, FOLLOWER, "first", served)
    second = await come(places, FOLLOWER, "second", served)
    places.give_back()
    first.cancel()
    await second
    assert served == ["second"]
    await places.take()


async def test_the_kind_is_the_task_s_and_of_those_it_starts() -> None:
    async def kind_of_a_child() -> Kind:
        return turns.current()

    async def follow() -> list[Kind]:
        turns.be(FOLLOWER)
        with as_kind(HOUSE):
            inside = await asyncio.create_task(kind_of_a_child())
        return [inside, await asyncio.create_task(kind_of_a_child())]

    assert await asyncio.create_task(follow()) == [HOUSE, FOLLOWER]
    assert turns.current() is REQUEST
