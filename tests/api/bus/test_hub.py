"""Watchers in one process, and the poll behind them."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from uuid import UUID, uuid4

import pytest
from prometheus_client import REGISTRY

from api.bus import Bell, Hub, Waiter
from api.bus.carriers import MOST_UNREAD, Backend
from api.bus.hub import POLL_BATCH, WAKE_BATCH
from tests.api.bus.conftest import OpenHub, woken
from tests.api.bus.wire import Wire

NOWHERE = "postgresql://127.0.0.1:1/none"


@pytest.fixture
async def hub(open_hub: OpenHub) -> Hub:
    return await open_hub("memory://")


def dropped() -> float:
    """How many topics this process has counted as given up."""
    return REGISTRY.get_sample_value("board_bus_topics_total", {"fate": "dropped"}) or 0.0


@asynccontextmanager
async def watching(hub: Hub, ids: Iterable[UUID]) -> AsyncIterator[list[Waiter]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(hub.watch(f"match:{id_}")) for id_ in ids]


async def test_a_topic_wakes_its_watchers_and_no_others(hub):
    mine, others = f"match:{uuid4()}", f"match:{uuid4()}"
    async with hub.watch(mine) as first, hub.watch(mine) as second, hub.watch(others) as third:
        await hub.publish(mine)
        await first.wait()
        await second.wait()
        assert not await woken(third)


async def test_who_joins_is_called_until_it_leaves(hub):
    calls: list[str] = []
    one, two = (Bell(partial(calls.append, name)) for name in ("one", "two"))
    room = uuid4()
    hub.join(f"room:{room}", one)
    hub.join(f"room:{room}", two)
    await hub.publish(f"room:{room}")
    assert sorted(calls) == ["one", "two"]
    hub.leave(f"room:{room}", one)
    await hub.publish(f"room:{room}")
    assert sorted(calls) == ["one", "two", "two"]
    hub.leave(f"room:{room}", two)
    await hub.publish(f"room:{room}")
    assert len(calls) == 3
    assert hub.watched("room") == []


async def test_many_wake_ups_are_one(hub):
    async with hub.watch("lobby") as waiter:
        await hub.publish("lobby")
        await hub.publish("lobby")
        await waiter.wait()
        assert not await woken(waiter)


async def test_what_is_watched_is_known_by_kind_for_as_long_as_somebody_watches(hub):
    one, two, room = uuid4(), uuid4(), uuid4()
    async with hub.watch(f"room:{room}"), hub.watch("lobby"), hub.watch(f"match:{one}"):
        async with hub.watch(f"match:{one}"), hub.watch(f"match:{two}"):
            assert sorted(hub.watched("match")) == sorted([one, two])
        assert hub.watched("match") == [one]
        assert hub.watched("room") == [room]
    assert hub.watched("match") == hub.watched("room") == hub.watched("lobby") == []


async def test_the_poll_wakes_those_who_have_not_seen_the_present_marker(hub):
    stale, fresh, gone = uuid4(), uuid4(), uuid4()
    asked: list[UUID] = []

    async def probe(ids: Iterable[UUID]) -> dict[UUID, int]:
        asked.extend(ids)
        return {stale: 7, fresh: 7}

    hub.probe("match", probe)
    async with (
        hub.watch(f"match:{stale}") as behind,
        hub.watch(f"match:{fresh}") as ahead,
        hub.watch(f"match:{gone}") as lost,
    ):
        behind.marker, ahead.marker, lost.marker = 6, 7, 7
        await behind.wait()
        assert not await woken(ahead)
        assert not await woken(lost)
    assert sorted(asked) == sorted([stale, fresh, gone])


async def test_the_poll_asks_in_bounded_questions(hub):
    ids = [uuid4() for _ in range(2 * POLL_BATCH + 1)]
    sizes: list[int] = []

    async def probe(ids: Iterable[UUID]) -> dict[UUID, int]:
        asked = list(ids)
        sizes.append(len(asked))
        return dict.fromkeys(asked, 1)

    hub.probe("match", probe)
    async with watching(hub, ids) as waiters:
        for waiter in waiters:
            await waiter.wait()
    assert sizes == [POLL_BATCH, POLL_BATCH, 1]


async def test_a_database_that_is_away_is_logged_once_and_polled_until_it_is_back(hub, caplog):
    answers = iter([OSError("away"), OSError("away"), 1])
    id_ = uuid4()

    async def probe(ids: Iterable[UUID]) -> dict[UUID, int]:
        answer = next(answers)
        if isinstance(answer, OSError):
            raise answer
        return dict.fromkeys(ids, answer)

    hub.probe("match", probe)
    with caplog.at_level(logging.WARNING):
        async with hub.watch(f"match:{id_}") as waiter:
            await waiter.wait()
    assert [record.getMessage() for record in caplog.records] == [
        "could not poll match: OSError('away')"
    ]


async def test_without_a_bus_the_hub_opens_and_serves_its_own(open_hub, caplog):
    with caplog.at_level(logging.WARNING):
        hub = await open_hub(NOWHERE)
    assert not hub.status.connected
    assert hub.status.error is not None
    assert hub.status.error.startswith("ConnectionRefusedError: ")
    async with hub.watch("lobby") as waiter:
        await hub.publish("lobby")
        await waiter.wait()
    assert [record.getMessage()[:36] for record in caplog.records] == [
        "the bus is away, polling meanwhile: "
    ]


async def test_what_waits_for_the_bus_is_bounded(open_hub):
    hub = await open_hub(NOWHERE)
    before = dropped()
    for number in range(10_050):
        await hub.publish(f"match:{UUID(int=number)}")
        await hub.publish(f"match:{UUID(int=number)}")
    assert hub.status.dropped == 50
    assert hub.status.sent == 0
    assert dropped() - before == 50


async def test_what_has_come_in_and_is_not_read_is_bounded():
    before = dropped()
    end = Backend("wire://", lambda _: None)
    for _ in range(MOST_UNREAD + 2):
        end.received("origin match:1 match:2 match:3")
    assert dropped() - before == 6
    assert (await end.next_published()).message == "origin match:1 match:2 match:3"


async def test_a_bus_that_comes_up_late_wakes_everybody_little_by_little(open_hub):
    wire = Wire()
    wire.on = False
    hub = await open_hub(wire)
    ids = [uuid4() for _ in range(2 * WAKE_BATCH)]
    async with watching(hub, ids) as waiters:
        wire.on = True
        await waiters[0].wait()
        assert [await woken(waiter) for waiter in waiters].count(True) == WAKE_BATCH - 1
        await asyncio.gather(*(waiter.wait() for waiter in waiters[WAKE_BATCH:]))
    assert hub.status.connected
