"""§8.5 with R137 and R138: grace for who is gone, and the host's question after two rounds."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest

from api.relay import read_id
from engines.marble import ENGINE
from tests.api.client import Client
from tests.api.conftest import StartServer
from tests.api.server import ServerProcess
from tests.api.table import Move, Table

UPDATES = """
subscription U($id: ID!) { matchUpdates(matchId: $id) { version status events { __typename } } }
"""
ROOM = "id absence { seat player { id } asked { id } }"
ROOM_UPDATES = f"subscription R($id: ID!) {{ roomUpdates(roomId: $id) {{ {ROOM} }} }}"
TURN_MS, GRACE_MS = 15_000, 5_000
PATIENCE = 40.0


@pytest.fixture(scope="module")
def server_environ() -> dict[str, str]:
    return {"BOARD_GAME_TIME_SCALE": "5"}


@pytest.fixture
async def table(server: ServerProcess) -> AsyncIterator[Table]:
    table = Table(ENGINE, "Marble", server.base_url, seed=0)
    await table.gather(2, options={"turnSeconds": 15})
    await table.start()
    yield table
    await table.close()


async def log_of(database_url: str, table: Table) -> list[Any]:
    connection = await asyncpg.connect(database_url)
    rows = await connection.fetch(
        "SELECT version, actor, seat, awaited, absent, (extract(epoch FROM at) * 1000)::bigint "
        "AS at, action->>'type' AS action FROM match_log WHERE match_id = $1 ORDER BY version",
        read_id("Match", table.match_id),
    )
    await connection.close()
    return rows


async def current(table: Table) -> tuple[int, Client]:
    seat = (await table.match(table.spectators[0]))["view"]["current"]
    return seat, table.players[seat]


async def until_version(client: Client, table: Table, version: int) -> None:
    async with client.socket() as socket, asyncio.timeout(PATIENCE):
        items = socket.subscribe(UPDATES, {"id": table.match_id})
        async for item in items:
            if item["matchUpdates"]["version"] >= version:
                break
        await items.aclose()


async def test_r137_who_drops_has_five_seconds(table: Table, server: ServerProcess) -> None:
    seat, player = await current(table)
    async with player.socket() as socket:
        items = socket.subscribe(UPDATES, {"id": table.match_id})
        await anext(items)
        await items.aclose()
    await until_version(table.spectators[0], table, 2)
    rows = await log_of(server.database_url, table)
    assert (rows[1]["actor"], rows[1]["awaited"], rows[1]["absent"]) == ("TIMER", seat, True)
    assert GRACE_MS <= rows[1]["at"] - rows[0]["at"] < TURN_MS


async def test_r137_who_is_there_has_the_whole_time(table: Table, server: ServerProcess) -> None:
    seat, player = await current(table)
    await until_version(player, table, 2)
    rows = await log_of(server.database_url, table)
    assert (rows[1]["actor"], rows[1]["awaited"], rows[1]["absent"]) == ("TIMER", seat, False)
    assert TURN_MS <= rows[1]["at"] - rows[0]["at"] < TURN_MS + 5_000


async def test_who_plays_without_a_socket_counts_as_there_after_a_request(
    table: Table, server: ServerProcess
) -> None:
    seat, player = await current(table)
    await table.act(player, Move("PayIslandFee", {}))  # refused, but a sign of life
    await until_version(table.spectators[0], table, 2)
    rows = await log_of(server.database_url, table)
    assert (rows[1]["awaited"], rows[1]["absent"]) == (seat, False)
    assert rows[1]["at"] - rows[0]["at"] >= TURN_MS


async def test_r137_coming_back_in_time_restores_the_whole_time(
    table: Table, server: ServerProcess
) -> None:
    seat, player = await current(table)
    for _ in range(2):
        async with player.socket() as socket:
            items = socket.subscribe(UPDATES, {"id": table.match_id})
            await anext(items)
            await items.aclose()
    await until_version(player, table, 2)
    rows = await log_of(server.database_url, table)
    assert (rows[1]["awaited"], rows[1]["absent"]) == (seat, False)
    assert rows[1]["at"] - rows[0]["at"] >= TURN_MS


class Silent:
    """A match in which nobody acts, on a server whose game time runs a minute a second."""

    def __init__(self, table: Table, questions: AsyncIterator[Any], database_url: str) -> None:
        self.table = table
        self.questions = questions
        self.database_url = database_url

    async def asked_about(self, seat: int) -> dict[str, Any]:
        """The room's question about a seat, once there is one."""
        async with asyncio.timeout(PATIENCE):
            while True:
                found = (await anext(self.questions))["roomUpdates"]["absence"]
                for question in found:
                    if question["seat"] == seat:
                        return question  # type: ignore[no-any-return]

    async def not_asked_about(self, seat: int) -> None:
        """Until the room has no question about a seat."""
        async with asyncio.timeout(PATIENCE):
            while any(
                question["seat"] == seat
                for question in (await anext(self.questions))["roomUpdates"]["absence"]
            ):
                pass

    async def resolve(self, client: Client, target: Client, decision: str) -> list[str]:
        payload = await client.mutate(
            "resolveAbsence",
            f"room {{ {ROOM} }}",
            roomId=self.table.room_id,
            playerId=target.player_id,
            decision=decision,
        )
        return [error["code"] for error in payload["userErrors"]]


@pytest.fixture
async def silent(start_server: StartServer) -> AsyncIterator[Silent]:
    server = start_server(BOARD_GAME_TIME_SCALE="60")
    table = Table(ENGINE, "Marble", server.base_url, seed=0)
    await table.gather(3, options={"turnSeconds": 15, "maxRounds": 0})
    await table.start()
    async with table.players[0].socket() as socket:
        questions = socket.subscribe(ROOM_UPDATES, {"id": table.room_id})
        yield Silent(table, questions, server.database_url)
        await questions.aclose()
    await table.close()


async def test_r138_after_two_rounds_the_host_is_asked(silent: Silent) -> None:
    host, second, third = silent.table.players
    question = await silent.asked_about(1)
    assert question["player"]["id"] == second.player_id
    assert question["asked"]["id"] == host.player_id
    assert await silent.resolve(third, second, "KICK") == ["NOT_ASKED"]
    assert await silent.resolve(host, silent.table.spectators[0], "KICK") == ["NO_QUESTION"]
    assert await silent.resolve(host, second, "KICK") == []
    match = await silent.table.match(host)
    assert match["view"]["players"][1]["alive"] is False
    rows = await log_of(silent.database_url, silent.table)
    assert [(r["actor"], r["seat"]) for r in rows if r["action"] == "Leave"] == [("HOST", 1)]
    assert await silent.resolve(host, second, "KICK") == ["NO_QUESTION"]


async def test_r138_to_continue_counts_anew(silent: Silent) -> None:
    host, second, _ = silent.table.players
    await silent.asked_about(1)
    before = (await silent.table.match(host))["view"]["round"]
    assert await silent.resolve(host, second, "CONTINUE") == []
    await silent.not_asked_about(1)
    await silent.asked_about(1)
    after = (await silent.table.match(host))["view"]["round"]
    assert after > before + 2  # two whole rounds behind the one of the answer


async def test_r138_an_action_withdraws_the_question(silent: Silent) -> None:
    host, second, _ = silent.table.players
    await silent.asked_about(1)
    while True:  # whatever is accepted from the seat itself
        view = (await silent.table.match(second))["view"]
        names = [name for name in view["available"] if name in ("ROLL", "PASS")]
        if names:
            payload = await silent.table.act(second, Move(names[0].capitalize(), {}))
            if not payload["userErrors"]:
                break
    assert await silent.resolve(host, second, "KICK") == ["NO_QUESTION"]


async def test_r138_about_an_absent_host_another_is_asked(silent: Silent) -> None:
    host, second, _ = silent.table.players
    question = await silent.asked_about(0)
    assert question["player"]["id"] == host.player_id
    assert question["asked"]["id"] == second.player_id
    assert await silent.resolve(host, host, "CONTINUE") == ["NOT_ASKED"]
    assert await silent.resolve(second, host, "KICK") == []
    room = (
        await second.run(
            "query($id: ID!) { room(id: $id) { host { id } } }", {"id": silent.table.room_id}
        )
    )["room"]
    assert room["host"]["id"] == second.player_id
