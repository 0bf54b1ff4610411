"""A reader that reads nothing while a match goes on costs nobody anything."""

import json
from itertools import pairwise
from typing import Any

from engines.marble import ENGINE
from tests.api.conftest import server, server_environ
from tests.api.documents import schema_of, selection
from tests.api.server import ServerProcess
from tests.api.table import Table
from tests.faults.crowd import Device, EventStream, measured
from tests.faults.play import play_to

__all__ = ["server", "server_environ"]

FEEDS = 30
COPIES = 16
VERSIONS = 150
MOST_GROWTH = 40 << 20
"""Bytes. The updates that go unread are more than twice as much."""


async def watch(table: Table) -> str:
    """A subscription with large updates: the view many times over."""
    view = selection(await schema_of(table.players[0]), "MarbleView")
    copies = " ".join(f"copy{number}: view {{ ...V }}" for number in range(COPIES))
    return (
        "subscription W($id: ID!) { matchUpdates(matchId: $id) { fromVersion version "
        f"{copies} }} }} fragment V on MarbleView {{ {view} }}"
    )


async def test_reader_that_reads_nothing(server: ServerProcess) -> None:
    table = Table(ENGINE, "Marble", server.base_url, 3)
    await table.gather(2, 2, options={"maxRounds": 0, "startMoney": 500, "turnSeconds": 60})
    match = {"id": await table.start()}
    document = await watch(table)
    device = await Device.watching(table.spectators[0], document, match)
    for number in range(2, FEEDS + 1):
        await device.subscribe(str(number), document, match)
        assert (await device.receive())["id"] == str(number)
    stream = await EventStream.watching(table.spectators[1], document, match)
    device.connection.transport.pause_reading()
    before = await measured(server)

    async with table.watched() as watchers:
        await play_to(VERSIONS, table, watchers)
        version = max(watcher.version for watcher in watchers)
        during = await measured(server)
        assert during["board_subscriptions matchUpdates"] == FEEDS + 1 + len(watchers)
    growth = during["process_resident_memory_bytes"] - before["process_resident_memory_bytes"]
    assert growth < MOST_GROWTH

    device.connection.transport.resume_reading()
    feeds = await updates_of(device, version)
    assert all(is_gapless(told) for told in feeds.values())
    assert all(len(told) < VERSIONS // 2 for told in feeds.values())
    assert is_gapless(await updates_of_stream(stream, version))
    await device.connection.close()
    stream.reset()
    await table.close()


async def updates_of(device: Device, version: int) -> dict[str, list[dict[str, Any]]]:
    """What every feed of the socket was told up to this version, but for the first update."""
    feeds: dict[str, list[dict[str, Any]]] = {str(number): [] for number in range(1, FEEDS + 1)}
    while any(not told or told[-1]["version"] < version for told in feeds.values()):
        frame = await device.receive()
        feeds[frame["id"]].append(frame["payload"]["data"]["matchUpdates"])
    return feeds


async def updates_of_stream(stream: EventStream, version: int) -> list[dict[str, Any]]:
    """What the stream was told up to this version, but for the first update."""
    told: list[dict[str, Any]] = []
    await stream.reader.readuntil(b"event: next\n")
    while not told or told[-1]["version"] < version:
        line = await stream.reader.readline()
        if line.startswith(b"data: "):
            told.append(json.loads(line[6:])["data"]["matchUpdates"])
    return told


def is_gapless(updates: list[dict[str, Any]]) -> bool:
    """Whether each update begins where the one before it ended."""
    return all(after["fromVersion"] == before["version"] for before, after in pairwise(updates))
