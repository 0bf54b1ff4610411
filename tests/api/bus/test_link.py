"""The link between processes: many topics to a message, and back again after any loss."""

import asyncio
from uuid import UUID, uuid4

from api.bus import Hub, Pace
from api.bus.link import MESSAGE_BYTES
from tests.api.bus.conftest import QUICK, OpenHub, woken
from tests.api.bus.wire import Wire

MINUTE = 60.0


async def test_what_one_publishes_wakes_the_watchers_of_the_other(open_hub: OpenHub) -> None:
    wire = Wire()
    one, other = await open_hub(wire), await open_hub(wire)
    topic = f"match:{uuid4()}"
    async with one.watch(topic) as here, other.watch(topic) as there:
        await one.publish(topic)
        await there.wait()
        await here.wait()
        assert not await woken(here)
    assert (one.status.sent, one.status.heard) == (1, 0)
    assert (other.status.sent, other.status.heard) == (0, 1)


async def test_many_topics_travel_in_few_messages_of_bounded_size(open_hub: OpenHub) -> None:
    wire = Wire()
    one, other = await open_hub(wire), await open_hub(wire)
    topics = [f"match:{UUID(int=number)}" for number in range(1000)]
    async with other.watch(topics[-1]) as last:
        for topic in topics * 3:
            await one.publish(topic)
        await last.wait()
    batches = [message.split(" ")[1:] for message in wire.messages]
    assert [topic for batch in batches for topic in batch] == topics
    assert len([batch for batch in batches if batch]) == 1 + 1000 * 43 // (MESSAGE_BYTES - 32)
    assert max(map(len, wire.messages)) <= MESSAGE_BYTES


async def test_a_cut_link_comes_back_and_wakes_everybody(open_hub: OpenHub) -> None:
    wire = Wire()
    hub = await open_hub(wire)
    async with hub.watch("lobby") as waiter:
        wire.cut()
        await waiter.wait()
    assert hub.status.connected
    assert hub.status.losses == 1
    assert hub.status.error == "ConnectionError: the wire is cut"


async def test_what_is_published_meanwhile_is_sent_when_the_link_is_back(
    open_hub: OpenHub,
) -> None:
    wire = Wire()
    hub = await open_hub(wire)
    wire.on = False
    wire.cut()
    await wire.attempted(2)
    async with hub.watch("lobby") as waiter:
        await hub.publish("room:1")
        await hub.publish("room:2")
        wire.on = True
        await waiter.wait()
    assert [m.split(" ")[1:] for m in wire.messages if "room" in m] == [["room:1", "room:2"]]
    assert hub.status.sent == 2


async def test_a_bus_that_goes_deaf_without_an_error_is_replaced(open_hub: OpenHub) -> None:
    wire = Wire()
    hub = await open_hub(wire)
    async with hub.watch("lobby") as waiter:
        wire.deaf = True
        await wire.attempted(2)
        assert not hub.status.connected
        assert hub.status.error == "TimeoutError: "
        wire.deaf = False
        await waiter.wait()
    assert hub.status.connected
    assert hub.status.losses == 1


async def test_after_more_than_a_minute_of_attempts_the_link_comes_back(
    open_hub: OpenHub,
) -> None:
    wire = Wire()
    hub = await open_hub(wire)
    wire.on = False
    wire.cut()
    await wire.attempted(1 + attempts_in(MINUTE) + 10)
    assert not hub.status.connected
    async with hub.watch("lobby") as waiter:
        wire.on = True
        await waiter.wait()
    assert hub.status.connected
    assert hub.status.losses == 1


def attempts_in(seconds: float) -> int:
    """Most attempts that the default pace makes in so long."""
    pace, attempts = Pace(), 0
    pause = pace.first_retry
    while seconds > 0:
        seconds -= pause / 2
        pause = min(2 * pause, pace.longest_retry)
        attempts += 1
    return attempts


async def test_a_hub_that_is_closed_has_closed_its_connection() -> None:
    wire = Wire()
    hub = Hub(wire)
    async with hub.running():
        assert len(wire.ends) == 1
    assert wire.ends == set()
    assert len(asyncio.all_tasks()) == 1


async def test_a_hub_can_be_closed_while_its_link_breaks() -> None:
    for steps in range(20):
        wire = Wire()
        async with Hub(wire, QUICK).running():
            wire.cut()
            for _ in range(steps):
                await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == 1
