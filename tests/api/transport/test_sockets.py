"""Deadlines, limits and the end of a socket; and that nothing of it stays behind."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
import websockets

from api.transport import SocketLimits
from tests.api.transport.peer import Peer, admitted, connected
from tests.api.transport.sample import Gateway, sample_app
from tests.api.transport.serving import serving

INIT = {"type": "connection_init"}
SHORT = 0.05


async def released(gateway: Gateway) -> None:
    """Wait until the only socket has ended, its operations before it."""
    await gateway.gone.wait()
    assert (gateway.running["sockets"], gateway.running["forever"]) == (0, 0)


async def leave_politely(peer: Peer) -> None:
    await peer.socket.close()


async def vanish(peer: Peer) -> None:
    peer.socket.transport.abort()


async def misbehave(peer: Peer) -> None:
    await peer.send("nonsense")
    await peer.ended()


async def test_silence_before_init_is_4408(gateway: Gateway) -> None:
    app = sample_app(gateway, socket=SocketLimits(init_seconds=SHORT))
    async with serving(app) as at, connected(at) as peer:
        assert await peer.ended() == (4408, "Connection initialisation timeout")


async def test_pings_do_not_put_the_init_deadline_off(gateway: Gateway) -> None:
    app = sample_app(gateway, socket=SocketLimits(init_seconds=SHORT, message_burst=10**6))
    async with serving(app) as at, connected(at) as peer:
        with suppress(websockets.ConnectionClosed):
            while True:
                await peer.send({"type": "ping"})
                await peer.receive()
        assert await peer.ended() == (4408, "Connection initialisation timeout")


async def test_authentication_that_hangs_is_4408(gateway: Gateway) -> None:
    app = sample_app(gateway, socket=SocketLimits(init_seconds=SHORT))
    async with serving(app) as at, connected(at) as peer:
        await peer.send({**INIT, "payload": {"token": "hang"}})
        assert await peer.ended() == (4408, "Connection initialisation timeout")


@pytest.mark.parametrize(
    ("token", "code", "reason"),
    [
        ("unauthenticated", 4403, "UNAUTHENTICATED"),
        ("forbidden", 4403, "FORBIDDEN"),
        ("limited", 1013, "RATE_LIMITED"),
        ("unavailable", 1013, "UNAVAILABLE"),
        ("bug", 4500, "INTERNAL"),
    ],
)
async def test_socket_not_admitted_is_told_why(
    address: str, token: str, code: int, reason: str
) -> None:
    async with connected(address) as peer:
        await peer.send({**INIT, "payload": {"token": token}})
        assert await peer.ended() == (code, reason)


async def test_bug_of_the_server_is_4500_with_a_log_line(
    gateway: Gateway, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(sample_app(gateway)) as at, admitted(at) as peer:
        gateway.broken = True
        await peer.subscribe("1", "{ hello }")
        assert await peer.ended() == (4500, "INTERNAL")
        await released(gateway)
    bugs = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert [str(record.exc_info[1]) for record in bugs] == ["the seed is 42"]


async def test_peer_that_answers_pings_stays(gateway: Gateway) -> None:
    app = sample_app(gateway, socket=SocketLimits(ping_seconds=SHORT, pong_seconds=60))
    async with serving(app) as at, admitted(at) as peer:
        for _ in range(3):
            assert await peer.socket.recv() == '{"type":"ping"}'
            await peer.send({"type": "pong"})
        await peer.subscribe("1", "{ hello }")
        assert (await peer.receive())["payload"] == {"data": {"hello": "world"}}


async def test_sockets_of_a_server_that_knows_nothing_of_us(gateway: Gateway) -> None:
    """They cannot be written to at once; all goes by tasks then."""
    limits = SocketLimits(ping_seconds=SHORT, pong_seconds=60)
    app = sample_app(gateway, socket=limits)
    async with serving(app, ws="websockets-sansio") as at, admitted(at) as peer:
        assert await peer.socket.recv() == '{"type":"ping"}'
        await peer.send({"type": "pong"})
        await peer.subscribe("1", "subscription { count(to: 2) }")
        frames = [await peer.receive() for _ in range(3)]
        assert [frame["type"] for frame in frames] == ["next", "next", "complete"]


async def test_peer_that_answers_no_ping_is_4408(gateway: Gateway) -> None:
    app = sample_app(gateway, socket=SocketLimits(ping_seconds=SHORT, pong_seconds=SHORT))
    async with serving(app) as at, admitted(at) as peer:
        assert await peer.ended() == (4408, "No answer to ping")
        await released(gateway)


async def test_peer_that_stops_reading_is_let_go(gateway: Gateway) -> None:
    limits = SocketLimits(ping_seconds=SHORT, pong_seconds=SHORT, close_seconds=SHORT)
    app = sample_app(gateway, socket=limits)
    async with serving(app, ws_per_message_deflate=False) as at, admitted(at) as peer:
        peer.socket.transport.pause_reading()
        await peer.subscribe("1", "subscription { flood(size: 100000) }")
        await released(gateway)
        await vanish(peer)


async def test_stream_that_never_waits_leaves_others_their_turn(address: str) -> None:
    async with admitted(address) as flooded, admitted(address) as other:
        await flooded.subscribe("1", "subscription { flood(size: 1) }")
        await other.subscribe("1", "{ hello }")
        assert (await other.receive())["payload"] == {"data": {"hello": "world"}}


async def test_too_many_messages_are_1013(gateway: Gateway) -> None:
    limits = SocketLimits(messages_per_second=0.001, message_burst=5)
    async with serving(sample_app(gateway, socket=limits)) as at, admitted(at) as peer:
        for _ in range(4):
            await peer.send({"type": "ping"})
            assert await peer.receive() == {"type": "pong"}
        await peer.send({"type": "ping"})
        assert await peer.ended() == (1013, "Too many messages")


async def test_too_many_operations_fail_alone(gateway: Gateway) -> None:
    app = sample_app(gateway, socket=SocketLimits(operations=2))
    async with serving(app) as at, admitted(at, locale="en") as peer:
        for id in ("1", "2"):
            await peer.subscribe(id, "subscription { forever }")
            assert (await peer.receive())["id"] == id
        await peer.subscribe("3", "{ hello }")
        assert await peer.receive() == {
            "id": "3",
            "type": "error",
            "payload": [
                {
                    "message": "At most 2 operations may run on one socket at a time.",
                    "extensions": {"code": "TOO_MANY_SUBSCRIPTIONS"},
                }
            ],
        }
        await peer.send({"type": "complete", "id": "1"})
        await peer.subscribe("3", "{ hello }")
        assert (await peer.receive())["payload"] == {"data": {"hello": "world"}}


async def test_message_that_is_too_big_is_1009(gateway: Gateway) -> None:
    async with serving(sample_app(gateway), ws_max_size=1_000) as at, admitted(at) as peer:
        await peer.send({"type": "ping", "payload": {"a": "x" * 1_000}})
        assert (await peer.ended())[0] == 1009
        await released(gateway)


async def test_session_that_ends_closes_with_4403(gateway: Gateway) -> None:
    async with serving(sample_app(gateway)) as at, admitted(at) as peer:
        await peer.subscribe("1", "subscription { forever }")
        await peer.receive()
        gateway.controls[0].close(reason="Signed out")
        gateway.controls[0].close(4500, "too late to matter")
        assert await peer.ended() == (4403, "Signed out")
        await released(gateway)
        gateway.controls[0].close()


async def test_session_that_expires_closes_with_4403(gateway: Gateway) -> None:
    async with serving(sample_app(gateway)) as at, admitted(at) as peer:
        gateway.controls[0].close_at(time.time() + 10**6)
        gateway.controls[0].close_at(time.time() - 1)
        assert await peer.ended() == (4403, "Session expired")


@pytest.mark.parametrize("leave", [leave_politely, vanish, misbehave])
async def test_nothing_stays_behind(
    gateway: Gateway, leave: Callable[[Peer], Awaitable[None]]
) -> None:
    async with serving(sample_app(gateway)) as at, connected(at) as idle:
        before = asyncio.all_tasks()
        async with admitted(at) as peer:
            for id in range(20):
                await peer.subscribe(str(id), "subscription { forever }")
                await peer.receive()
            assert gateway.running["forever"] == 20
            await leave(peer)
        await released(gateway)
        gateway.controls[0].close()  # too late to matter
        if ending := asyncio.all_tasks() - before:
            await asyncio.wait(ending)
        await idle.send(INIT)
        assert await idle.receive() == {"type": "connection_ack"}


async def test_complete_stops_an_operation(gateway: Gateway) -> None:
    async with serving(sample_app(gateway)) as at, admitted(at) as peer:
        await peer.subscribe("1", "subscription { forever }")
        await peer.receive()
        await peer.send({"type": "complete", "id": "1"})
        await peer.subscribe("1", "subscription { forever }")
        # The second counts itself alone: the first has left before it.
        assert (await peer.receive())["payload"] == {"data": {"forever": 1}}


async def test_server_that_stops_says_1012(gateway: Gateway) -> None:
    async with serving(sample_app(gateway)) as at:
        socket = await websockets.connect(
            f"ws://{at}/graphql", subprotocols=["graphql-transport-ws"]
        )
        peer = Peer(socket)
        await peer.send(INIT)
        await peer.receive()
        await peer.subscribe("1", "subscription { forever }")
        await peer.receive()
    assert (await peer.ended())[0] == 1012
    assert (gateway.running["sockets"], gateway.running["forever"]) == (0, 0)
