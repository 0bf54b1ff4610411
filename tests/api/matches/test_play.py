"""One mutation for every action: once, in order, at the version meant, in the reader's words."""

import asyncio
from typing import Any

import asyncpg
import pytest

from api.relay import read_id
from engines.marble import ENGINE
from tests.api.client import Client
from tests.api.matches.conftest import current
from tests.api.server import ServerProcess
from tests.api.table import Move, Table

ROLL = Move("Roll", {})


async def log_of(server: ServerProcess, table: Table) -> list[tuple[Any, ...]]:
    connection = await asyncpg.connect(server.database_url)
    rows = await connection.fetch(
        "SELECT version, actor, seat, idempotency_key FROM match_log WHERE match_id = $1 "
        "ORDER BY version",
        read_id("Match", table.match_id),
    )
    await connection.close()
    return [tuple(row) for row in rows]


async def test_a_key_sent_again_gives_the_first_answer(table: Table, server: ServerProcess) -> None:
    client = await current(table)
    first = await table.act(client, ROLL, idempotencyKey="roll-1")
    again = await table.act(client, ROLL, idempotencyKey="roll-1")
    assert first["version"] == again["version"] == 2
    assert first["events"] == again["events"]
    assert again["userErrors"] == []
    assert len(await log_of(server, table)) == 2


async def test_a_key_sent_with_another_action_is_refused(table: Table) -> None:
    client = await current(table)
    await table.act(client, ROLL, idempotencyKey="roll-1")
    payload = await table.act(client, Move("Pass", {}), idempotencyKey="roll-1")
    assert payload["userErrors"] == [
        {
            "code": "IDEMPOTENCY_KEY_REUSED",
            "message": "This idempotency key was already used for a different action.",
            "path": ["idempotencyKey"],
        }
    ]
    assert payload["version"] is None
    assert payload["view"] is None
    assert payload["events"] == []


async def test_keys_belong_to_their_seat(table: Table) -> None:
    client = await current(table)
    await table.act(client, ROLL, idempotencyKey="mine")
    other = next(p for p in table.players if p is not client)
    payload = await table.act(other, Move("Concede", {}), idempotencyKey="mine")
    assert payload["userErrors"] == []


async def test_twenty_at_once_with_one_key_are_one(table: Table, server: ServerProcess) -> None:
    client = await current(table)
    answers = await asyncio.gather(
        *(table.act(client, ROLL, idempotencyKey="storm") for _ in range(20))
    )
    assert [answer["userErrors"] for answer in answers] == [[]] * 20
    assert {answer["version"] for answer in answers} == {2}
    assert len(await log_of(server, table)) == 2


async def test_twenty_at_once_for_one_version_are_one(table: Table, server: ServerProcess) -> None:
    client = await current(table)
    answers = await asyncio.gather(*(table.act(client, ROLL, expectedVersion=1) for _ in range(20)))
    assert sorted(answer["version"] or 0 for answer in answers) == [0] * 19 + [2]
    codes = [error["code"] for answer in answers for error in answer["userErrors"]]
    assert codes == ["STALE_VERSION"] * 19
    assert len(await log_of(server, table)) == 2


async def test_a_refusal_changes_nothing(table: Table, server: ServerProcess) -> None:
    before = await table.match(table.players[0])
    client = await current(table)
    for move in (Move("Buy", {}), Move("Build", {"level": 9}), Move("SpaceTravel", {"dest": 3})):
        payload = await table.act(client, move)
        assert len(payload["userErrors"]) == 1
    after = await table.match(table.players[0])
    for match in (before, after):
        match["view"].pop("serverTime")
    assert after == before
    assert len(await log_of(server, table)) == 1


@pytest.mark.parametrize(
    ("locale", "message"), [("ko", "차례가 아니에요."), ("en", "It's not your turn.")]
)
async def test_refusals_speak_the_readers_language(table: Table, locale: str, message: str) -> None:
    playing = await current(table)
    waiting = next(p for p in table.players if p is not playing)
    waiting.locale = locale
    payload = await table.act(waiting, ROLL)
    assert payload["userErrors"] == [{"code": "NOT_YOUR_TURN", "message": message, "path": []}]


async def test_nobody_acts_unsigned(table: Table, server: ServerProcess) -> None:
    stranger = Client(server.base_url)
    answer = await stranger.ask(
        "mutation M($id: ID!) { marbleRoll(input: {matchId: $id}) { version } }",
        {"id": table.match_id},
    )
    await stranger.close()
    assert answer["data"] is None
    assert [error["extensions"]["code"] for error in answer["errors"]] == ["UNAUTHENTICATED"]


async def test_leaving_the_room_gives_up_the_seat(table: Table, server: ServerProcess) -> None:
    leaver, stayer = table.players
    await leaver.do("leaveRoom", "room { id }", roomId=table.room_id)
    match = await table.match(stayer)
    assert match["status"] == "FINISHED"
    assert match["result"]["winners"] == [1]
    assert (await log_of(server, table))[-1][1:3] == ("SYSTEM", 0)


async def test_a_kick_is_the_hosts_row(server: ServerProcess) -> None:
    table = Table(ENGINE, "Marble", server.base_url, seed=0)
    await table.gather(3)
    await table.start()
    host, kicked = table.players[0], table.players[2]
    await host.do("kickMember", "room { id }", roomId=table.room_id, playerId=kicked.player_id)
    match = await table.match(host)
    assert match["status"] == "RUNNING"
    assert [player["alive"] for player in match["view"]["players"]] == [True, True, False]
    assert (await log_of(server, table))[-1][1:3] == ("HOST", 2)
    await table.close()


async def test_a_room_plays_again_after_the_end(table: Table) -> None:
    host, other = table.players
    await table.act(other, Move("Concede", {}))
    again = "room { id code status match { id } }"
    room = (await host.do("requestRematch", again, roomId=table.room_id))["room"]
    assert room["id"] == table.room_id
    assert room["status"] == "WAITING"
    await other.do("requestRematch", again, roomId=table.room_id)
    first = table.match_id
    assert await table.start() != first
    assert (await table.match(host))["version"] == 1
