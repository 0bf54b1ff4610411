"""Feeds over a socket: finished bytes for those who can take them, the newest for all others."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute

from api.transport import GraphQLEndpoint
from tests.api.transport.peer import Peer, admitted
from tests.api.transport.sample import Secret
from tests.api.transport.serving import serving
from tests.api.transport.stage import SCHEMA, Gateway, Scene, Stage

BIG = 200_000
"""More than a connection's buffer holds before it asks for a pause."""


@pytest.fixture
async def gateway() -> Gateway:
    return Gateway()


@pytest.fixture
def stage(gateway: Gateway) -> Stage:
    return gateway.stage


@pytest.fixture
async def address(gateway: Gateway) -> AsyncIterator[str]:
    endpoint = GraphQLEndpoint(SCHEMA, gateway)
    routes = [
        WebSocketRoute("/graphql", endpoint),
        Route("/graphql/stream", endpoint.streams),
    ]
    async with serving(Starlette(routes=routes)) as at:
        yield at


@asynccontextmanager
async def following(
    address: str, stage: Stage, selection: str, who: str = ""
) -> AsyncIterator[Peer]:
    """A socket with one subscription, open and not yet told anything."""
    async with admitted(address, who=who) as peer:
        followers = len(stage.feeds)
        await peer.subscribe("1", f"subscription {{ scenes {{ {selection} }} }}")
        await stage.until(followers + 1)
        yield peer


async def scene(peer: Peer, id: str = "1") -> Any:
    """The next result of an operation; it has no errors."""
    frame = await peer.receive()
    assert (frame["type"], frame["id"]) == ("next", id)
    assert list(frame["payload"]) == ["data"]
    return frame["payload"]["data"]["scenes"]


async def test_what_is_told_alike_is_answered_once(address: str, stage: Stage) -> None:
    selection = "number counted text __typename"
    async with (
        following(address, stage, selection) as one,
        following(address, stage, selection) as two,
    ):
        for number in (1, 2):
            stage.tell(Scene(stage=stage, number=number, text='"글"'))
            expected = {
                "number": number,
                "counted": number,
                "text": '"글"',
                "__typename": "Scene",
            }
            assert [await scene(one), await scene(two)] == [expected] * 2


async def test_messages_of_every_length_arrive_whole(address: str, stage: Stage) -> None:
    """The head of a message has three forms, by its length."""
    async with following(address, stage, "text") as peer:
        stage.tell(Scene(stage=stage, number=0))
        empty = len(await peer.socket.recv())
        for length in (125, 126, 127, 65535, 65536):
            text = "x" * (length - empty)
            stage.tell(Scene(stage=stage, number=length, text=text))
            raw = await peer.socket.recv()
            assert len(raw) == length
            assert json.loads(raw)["payload"] == {"data": {"scenes": {"text": text}}}


async def test_whoever_asks_is_never_answered_with_another(address: str, stage: Stage) -> None:
    async with (
        following(address, stage, "who", "Ann") as ann,
        following(address, stage, "who", "Bea") as bea,
    ):
        stage.tell(Scene(stage=stage, number=1))
        assert [await scene(ann), await scene(bea)] == [{"who": "Ann"}, {"who": "Bea"}]


async def test_what_takes_time_is_executed_and_what_came_meanwhile_follows(
    address: str, stage: Stage
) -> None:
    async with following(address, stage, "number slow") as peer:
        stage.gate.clear()
        for number in (1, 2, 3):
            stage.tell(Scene(stage=stage, number=number, alike=None))
        stage.gate.set()
        assert [await scene(peer) for _ in range(2)] == [
            {"number": 1, "slow": 1},
            {"number": 3, "slow": 3},
        ]


async def test_an_item_that_fails_is_told_with_its_errors_and_the_feed_goes_on(
    address: str, stage: Stage
) -> None:
    async with following(address, stage, "number wrong") as peer:
        stage.tell(Scene(stage=stage, number=1, wrong=cast(int, "x")))
        payload = (await peer.receive())["payload"]
        assert payload["data"] is None
        assert [error["path"] for error in payload["errors"]] == [["scenes", "wrong"]]
        stage.tell(Scene(stage=stage, number=2))
        assert await scene(peer) == {"number": 2, "wrong": 0}


async def test_a_reader_that_reads_nothing_is_told_the_newest_later(
    address: str, stage: Stage
) -> None:
    async with following(address, stage, "number text") as peer:
        peer.socket.transport.pause_reading()
        (feed,) = stage.feeds
        number = 0
        while feed.listener.ready:
            number += 1
            stage.tell(Scene(stage=stage, number=number, text="x" * BIG))
            await asyncio.sleep(0)
        behind = number
        for number in range(behind + 1, behind + 50):
            stage.tell(Scene(stage=stage, number=number, text="x" * BIG))
        peer.socket.transport.resume_reading()
        told = []
        while not told or told[-1] < behind + 49:
            told.append((await scene(peer))["number"])
        assert told == [*range(1, behind + 1), behind + 49]


@pytest.mark.parametrize(
    ("how", "frames"),
    [
        ("nothing", [{"id": "1", "type": "complete"}]),
        (
            "forbidden",
            [
                {
                    "id": "1",
                    "type": "next",
                    "payload": {
                        "data": None,
                        "errors": [
                            {
                                "message": "You are not allowed to do this.",
                                "extensions": {"code": "FORBIDDEN"},
                            }
                        ],
                    },
                },
                {"id": "1", "type": "complete"},
            ],
        ),
    ],
)
async def test_a_feed_that_ends_as_it_opens(
    address: str, stage: Stage, how: str, frames: list[Any]
) -> None:
    async with admitted(address) as peer:
        for _ in range(2):  # the id is free again
            await peer.subscribe("1", f'subscription {{ scenes(how: "{how}") {{ number }} }}')
            assert [await peer.receive() for _ in frames] == frames
        assert stage.feeds == []


async def test_a_feed_that_fails_says_so_and_ends(address: str, stage: Stage) -> None:
    async with following(address, stage, "number") as peer:
        (feed,) = stage.feeds
        feed.fail(Secret("the seed is 42"))
        payload = (await peer.receive())["payload"]
        assert payload["data"] is None
        assert [error["extensions"]["code"] for error in payload["errors"]] == ["INTERNAL"]
        assert await peer.receive() == {"id": "1", "type": "complete"}
        assert stage.feeds == []


async def test_nothing_comes_after_the_end_not_even_what_was_begun(
    address: str, stage: Stage
) -> None:
    async with following(address, stage, "number slow") as peer:
        stage.gate.clear()
        stage.tell(Scene(stage=stage, number=1))
        stage.feeds[0].end()
        assert await peer.receive() == {"id": "1", "type": "complete"}
        stage.gate.set()
        for _ in range(10):  # more turns of the loop than an answer takes
            await peer.send({"type": "ping"})
            assert await peer.receive() == {"type": "pong"}


@pytest.mark.parametrize(
    "document",
    [
        "subscription($how: String!) { scenes(how: $how) { number } }",
        "subscription { scenes(how: 1) { number } }",
        "subscription { scenes { nothing } }",
    ],
)
async def test_what_is_asked_wrongly_is_an_error_of_its_own(
    address: str, stage: Stage, document: str
) -> None:
    async with admitted(address) as peer:
        await peer.subscribe("1", document)
        frame = await peer.receive()
        assert (frame["type"], frame["id"]) == ("error", "1")
        assert stage.feeds == []


async def test_complete_ends_a_feed_also_while_it_opens(address: str, stage: Stage) -> None:
    async with following(address, stage, "number") as peer:
        await peer.send({"type": "complete", "id": "1"})
        await stage.until(0)
        stage.doors.clear()
        await peer.subscribe("1", "subscription { scenes { number } }")
        await peer.send({"type": "complete", "id": "1"})
        await peer.send({"type": "ping"})
        assert await peer.receive() == {"type": "pong"}
        stage.doors.set()
        await peer.subscribe("1", "subscription { scenes { number } }")
        await stage.until(1)
        stage.tell(Scene(stage=stage, number=1))
        assert await scene(peer) == {"number": 1}
        assert len(stage.feeds) == 1


async def test_a_socket_that_vanishes_takes_its_feeds_along(
    address: str, stage: Stage, gateway: Gateway
) -> None:
    async with following(address, stage, "number slow") as peer:
        stage.gate.clear()
        stage.tell(Scene(stage=stage, number=1))
        peer.socket.transport.abort()
        await gateway.gone.wait()
        assert stage.feeds == []
        stage.gate.set()


async def test_a_stream_asks_for_one_item_after_the_other(address: str, stage: Stage) -> None:
    document = "subscription { scenes { number who } }"
    headers = {"accept": "text/event-stream"}
    url = f"http://{address}/graphql/stream"
    async with (
        httpx.AsyncClient() as http,
        http.stream("POST", url, json={"query": document}, headers=headers) as response,
    ):
        lines = response.aiter_lines()
        await stage.until(1)
        for number in (1, 2):
            stage.tell(Scene(stage=stage, number=number))
            async for line in lines:
                if line.startswith("data: "):
                    break
            expected = {"number": number, "who": "stream"}
            assert json.loads(line[6:]) == {"data": {"scenes": expected}}
        stage.feeds[0].end()
        assert [line async for line in lines if line][-2:] == ["event: complete", "data:"]
    assert stage.feeds == []
