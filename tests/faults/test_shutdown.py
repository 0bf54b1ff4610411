"""A server that is asked to stop ends in time, and its clients go on elsewhere."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import pytest
from graphql import get_introspection_query

from engines.marble import ENGINE
from tests.api.client import Client, Failed
from tests.api.conftest import StartServer, start_server
from tests.api.marble.bot import keen
from tests.api.server import ServerProcess
from tests.api.table import Table
from tests.api.watcher import Watcher
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


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_all_go_on_at_another_server(start_server: StartServer, workers: str) -> None:
    """A match under way, seen over sockets and streams, in a crowd of both: nothing is lost."""
    settings = {"BOARD_SOCKETS_PER_ACCOUNT": "1000"}
    first = start_server(BOARD_WORKERS=workers, **settings)
    second = start_server(**settings)
    table = Table(ENGINE, "Marble", first.base_url, 5)
    await table.gather(2, 2, options={"turnSeconds": 60})
    await table.start()
    room = {"id": table.room_id}
    people = [*table.players, *table.spectators]
    watchers = [table.watcher(client) for client in people]
    crowd = await arrive(table.spectators[0], room)
    async with watching(watchers) as ends:
        await play_to(10, table, watchers)
        late = asyncio.create_task(act_somehow(table, watchers, second))
        await stop(first)
        assert [await socket.close_code() for socket in crowd[0]] == [1012] * SOCKETS
        assert [b"complete" in await stream.rest() for stream in crowd[1]] == [False] * STREAMS
        assert await ends() == [ConnectionError] * len(watchers)

    payload = await late
    assert payload["userErrors"] == []
    for watcher in watchers:
        watcher.client = elsewhere(watcher.client, second)
    sockets, streams = await arrive(watchers[2].client, room)
    async with watching(watchers):  # each update is judged to follow the last one before the stop
        for watcher in watchers:
            await watcher.until(lambda watcher=watcher: watcher.version >= payload["version"])
        await play_to(20, table, watchers)
        for watcher in watchers:
            await watcher.settled()
            history = await watcher.history()
            assert watcher.events == history[-len(watcher.events) :]
    for socket in sockets:
        socket.reset()
    for stream in streams:
        stream.reset()
    await table.close()
    for watcher in watchers:
        await watcher.client.close()


async def arrive(client: Client, room: dict[str, str]) -> tuple[list[Device], list[EventStream]]:
    """A crowd that watches the room, each told once."""
    sockets = await gather(Device.watching(client, WATCH, room) for _ in range(SOCKETS))
    streams = await gather(EventStream.watching(client, WATCH, room) for _ in range(STREAMS))
    return sockets, streams


async def act_somehow(table: Table, watchers: Sequence[Watcher], other: ServerProcess) -> Any:
    """One action, sent as the server stops; sent again elsewhere if no answer came."""
    seat = next(w for w in watchers if w.view.choices is not None)
    move = keen(seat.view, table.rnd)
    assert move is not None
    key = {"idempotencyKey": "at the stop"}
    try:
        return await table.act(seat.client, move, **key)
    except httpx.TransportError:
        pass
    except Failed as unanswered:
        if unanswered.codes != ["UNAVAILABLE"]:
            raise
    client = elsewhere(seat.client, other)
    try:
        return await table.act(client, move, **key)
    finally:
        await client.close()


class Events:
    """Operations over streams of server-sent events, each on a connection of its own."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def subscribe(self, document: str, variables: dict[str, Any]) -> AsyncIterator[Any]:
        """The data of each item until the operation completes."""
        headers = {"accept": "text/event-stream", "authorization": f"Bearer {self._client.token}"}
        body = {"query": document, "variables": variables}
        async with (
            httpx.AsyncClient(base_url=self._client.base_url, timeout=None) as http,
            http.stream("POST", "/graphql/stream", json=body, headers=headers) as response,
        ):
            async for line in response.aiter_lines():
                if line == "event: complete":
                    return
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))["data"]
        raise ConnectionError("the stream broke off")


@asynccontextmanager
async def watching(
    watchers: Sequence[Watcher],
) -> AsyncIterator[Callable[[], Awaitable[list[type[BaseException] | None]]]]:
    """Every watcher at work, from what it has seen on: the last over a stream, the others each on
    a socket of its own. Gives what tells how all of them ended.

    What a watcher is told that is wrong is raised at the end.
    """
    async with AsyncExitStack() as stack:
        *others, last = watchers
        links = [await stack.enter_async_context(w.client.socket()) for w in others]
        following = [
            asyncio.create_task(watcher.watch(link, watcher.version if watcher.seen else None))
            for watcher, link in zip(watchers, [*links, Events(last.client)], strict=True)
        ]

        async def ends() -> list[type[BaseException] | None]:
            outcomes = await asyncio.gather(*following, return_exceptions=True)
            return [None if outcome is None else type(outcome) for outcome in outcomes]

        try:
            for watcher in watchers:
                await watcher.until(lambda watcher=watcher: bool(watcher.seen))
            yield ends
        finally:
            for task in following:
                task.cancel()
            outcomes = await asyncio.gather(*following, return_exceptions=True)
        assert [each for each in outcomes if isinstance(each, AssertionError)] == []


def elsewhere(client: Client, server: ServerProcess) -> Client:
    """The same person at another server, with the same token."""
    moved = Client(server.base_url)
    moved.token = client.token
    return moved


async def stop(server: ServerProcess) -> None:
    """Ask it to stop; fails unless it ends well within the time that is promised."""
    server.process.send_signal(signal.SIGTERM)
    await asyncio.to_thread(server.await_end, SECONDS)
