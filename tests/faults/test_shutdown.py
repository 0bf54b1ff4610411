"""A server that is asked to stop ends in time, and its clients go on elsewhere."""

import asyncio
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from graphql import get_introspection_query

from engines.marble import ENGINE
from tests.api.client import Client, Socket
from tests.api.conftest import StartServer, start_server
from tests.api.server import ServerProcess
from tests.api.table import Table, Watcher
from tests.faults.crowd import Device, EventStream, gather, narrow
from tests.faults.play import play_to

__all__ = ["start_server"]

SOCKETS = 100
STREAMS = 20
OPERATIONS = 14
SECONDS = 5.0
WATCH = "subscription W($id: ID!) { roomUpdates(roomId: $id) { id } }"


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_open_sockets_and_streams_end_in_time(
    start_server: StartServer, workers: str
) -> None:
    server = start_server(BOARD_WORKERS=workers, BOARD_SOCKETS_PER_ACCOUNT="1000")
    client = await Client(server.base_url).sign_in("Crowd")
    created = await client.do("createRoom", "room { id }", game="marble", seats=2)
    room = {"id": created["room"]["id"]}
    sockets = await gather(Device.watching(client, WATCH, room) for _ in range(SOCKETS))
    streams = await gather(EventStream.watching(client, WATCH, room) for _ in range(STREAMS))

    await stop(server)
    assert [await each.close_code() for each in sockets] == [1012] * SOCKETS
    # Streams end without an event that says so: clients connect again.
    assert {b"complete" in await each.rest() for each in streams} == {False}
    assert server.errors() == []
    await client.close()


async def test_reader_that_reads_nothing_delays_nobody(start_server: StartServer) -> None:
    server = start_server()
    client = await Client(server.base_url).sign_in("Frozen")
    frozen = await Device.watching(client, "{ __typename }", {}, narrow(client))
    other = await Device.watching(client, "{ __typename }", {})
    frozen.connection.transport.pause_reading()
    for number in range(OPERATIONS):
        await frozen.subscribe(f"large {number}", get_introspection_query(), {})
    for number in range(OPERATIONS):  # answered in turn: by then the others have been worked on
        await other.subscribe(f"small {number}", "{ __typename }", {})
        while await other.receive() != {"id": f"small {number}", "type": "complete"}:
            pass

    await stop(server)
    assert await other.close_code() == 1012
    assert [entry for entry in server.entries() if "shutdown exceeded" in entry["message"]] == []
    frozen.reset()
    await client.close()


async def test_match_goes_on_at_another_server(start_server: StartServer) -> None:
    first, second = start_server(), start_server()
    table = Table(ENGINE, "Marble", first.base_url, 5)
    await table.gather(2, 1, options={"turnSeconds": 60})
    await table.start()
    watchers = [table.watcher(client) for client in (*table.players, *table.spectators)]
    async with watching(watchers) as sockets:
        await play_to(10, table, watchers)
        await stop(first)
        for socket in sockets:
            await socket.connection.wait_closed()
        assert [socket.connection.close_code for socket in sockets] == [1012] * 3

    for watcher in watchers:
        watcher.client = elsewhere(watcher.client, second)
    async with watching(watchers):  # each update is judged to follow the last one before the stop
        await play_to(20, table, watchers)
    await table.close()
    for watcher in watchers:
        await watcher.client.close()


@asynccontextmanager
async def watching(watchers: Sequence[Watcher]) -> AsyncIterator[list[Socket]]:
    """Every watcher at work on a socket of its own, from what it has seen on.

    What a watcher is told that is wrong is raised at the end.
    """
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(w.client.socket()) for w in watchers]
        following = [
            asyncio.create_task(watcher.watch(socket, watcher.version if watcher.seen else None))
            for watcher, socket in zip(watchers, sockets, strict=True)
        ]
        try:
            for watcher in watchers:
                while not watcher.seen:
                    await watcher.fresh.wait()
            yield sockets
        finally:
            for task in following:
                task.cancel()
            ends = await asyncio.gather(*following, return_exceptions=True)
        assert [end for end in ends if isinstance(end, AssertionError)] == []


def elsewhere(client: Client, server: ServerProcess) -> Client:
    """The same person at another server, with the same token."""
    moved = Client(server.base_url)
    moved.token = client.token
    return moved


async def stop(server: ServerProcess) -> None:
    """Ask it to stop; fails unless it ends well within the time that is promised."""
    server.process.send_signal(signal.SIGTERM)
    await asyncio.to_thread(server.await_end, SECONDS)
