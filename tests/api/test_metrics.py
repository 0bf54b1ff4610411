"""What Prometheus reads, from one process and from several."""

import asyncio

import asyncpg

from engines.marble import ENGINE
from tests.api.bus.test_postgres import END_LISTENERS
from tests.api.client import Client
from tests.api.conftest import StartServer
from tests.api.server import ServerProcess
from tests.api.table import Move, Table
from tests.faults.crowd import Device, EventStream, measured

LOBBY = "subscription { lobbyUpdates { snapshot } }"


async def test_sockets_and_subscriptions_are_counted_while_they_live(
    server: ServerProcess,
) -> None:
    client = await Client(server.base_url).sign_in("Viewer")
    device = await Device.watching(client, LOBBY, {})
    stream = await EventStream.watching(client, LOBBY, {})
    now = await measured(server)
    assert now["board_sockets websocket"] == 1
    assert now["board_sockets events"] == 1
    assert now["board_subscriptions lobbyUpdates"] == 2
    await device.connection.close()
    stream.reset()
    async with asyncio.timeout(5):
        while (now := await measured(server))["board_subscriptions lobbyUpdates"]:
            pass
    await client.close()


async def test_actions_and_refusals_are_counted(server: ServerProcess) -> None:
    table = Table(ENGINE, "Marble", server.base_url, 1)
    await table.gather(2, 0)
    await table.start()
    async with table.watched() as watchers:
        current = next(w for w in watchers if w.view.choices is not None)
        other = next(w for w in watchers if w is not current)
        refused = await table.act(other.client, Move("Roll", {}))
        assert refused["userErrors"][0]["code"] == "NOT_YOUR_TURN"
        payload = await table.act(current.client, Move("Roll", {}))
        for watcher in watchers:
            while watcher.version < payload["version"]:
                watcher.fresh.clear()
                await watcher.fresh.wait()
    now = await measured(server)
    assert now["board_actions_total Roll marble"] == 1
    assert now["board_action_seconds_count marble"] == 1
    assert now["board_refusals_total NOT_YOUR_TURN Marble"] == 1
    assert now["board_wake_up_seconds_count"] == 2
    await table.close()


async def test_deadlines_that_pass_are_counted(start_server: StartServer) -> None:
    server = start_server(BOARD_GAME_TIME_SCALE="1000")
    table = Table(ENGINE, "Marble", server.base_url, 1)
    await table.gather(2, 0)
    await table.start()
    async with asyncio.timeout(30):
        while (now := await measured(server)).get("board_actions_total TimeOut marble", 0) < 3:
            pass
    assert (
        now["board_time_out_delay_seconds_count marble"]
        == now["board_actions_total TimeOut marble"]
    )
    await table.close()


async def test_faults_pools_bus_and_clock_are_measured(server: ServerProcess) -> None:
    client = Client(server.base_url)
    await client.ask("{ nothing }")
    now = await measured(server)
    assert now["board_faults_total GRAPHQL_VALIDATION_FAILED"] == 1
    assert now["board_pool_connections raw limit"] == 10
    assert now["board_pool_connections sessions limit"] == 10
    assert now["board_bus_up"] == 1
    assert now["board_clock_lag_seconds"] < 60
    await client.close()


async def test_wake_ups_and_losses_of_the_bus_are_counted(start_server: StartServer) -> None:
    one, other = (start_server(BOARD_BUS_URL="postgres") for _ in range(2))
    before = await measured(other)
    assert before["board_bus_topics_total dropped"] == before["board_bus_losses_total"] == 0

    client = await Client(one.base_url).sign_in("Host")
    await client.do("createRoom", "room { id }", game="marble", seats=2)
    async with asyncio.timeout(20):
        while (await measured(other))["board_bus_topics_total heard"] == 0:
            pass
    assert (await measured(one))["board_bus_topics_total sent"] > 0

    connection = await asyncpg.connect(one.database_url)
    assert len(await connection.fetch(END_LISTENERS)) == 2
    await connection.close()
    async with asyncio.timeout(20):
        while [(await measured(server))["board_bus_losses_total"] for server in (one, other)] != [
            1,
            1,
        ]:
            pass
    await client.close()


async def test_any_worker_answers_for_all(start_server: StartServer) -> None:
    server = start_server(BOARD_WORKERS="2")
    client = await Client(server.base_url).sign_in("Viewer")
    devices = [await Device.watching(client, LOBBY, {}) for _ in range(12)]
    answers = [await measured(server) for _ in range(6)]
    assert {now["board_sockets websocket"] for now in answers} == {12}
    assert {now["board_subscriptions lobbyUpdates"] for now in answers} == {12}
    assert {now["board_pool_connections raw limit"] for now in answers} == {20}
    for device in devices:
        await device.connection.close()
    await client.close()
