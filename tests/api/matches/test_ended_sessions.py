"""A session ended elsewhere: its token acts no more, and is told of nothing but that."""

from typing import Any

import asyncpg
import pytest

from api.relay import read_id
from tests.api.client import Client, Failed
from tests.api.matches.conftest import current
from tests.api.server import ServerProcess
from tests.api.table import Move, Table

ROLL = Move("Roll", {})
NOT_NOW = Move("Pass", {})


async def written(server: ServerProcess, table: Table) -> list[Any]:
    """All that a request of a player may leave behind in the match and its room."""
    connection = await asyncpg.connect(server.database_url)
    match_id = read_id("Match", table.match_id)
    log = await connection.fetch(
        "SELECT version, idempotency_key FROM match_log WHERE match_id = $1 ORDER BY version",
        match_id,
    )
    touched = await connection.fetch(
        "SELECT account_id, requested_at FROM presence WHERE requested_at IS NOT NULL AND room_id "
        "= (SELECT room_id FROM match WHERE id = $1) ORDER BY account_id, process_id",
        match_id,
    )
    await connection.close()
    return [*map(tuple, log), *map(tuple, touched)]


async def codes(table: Table, client: Client, move: Move, **given: Any) -> list[str]:
    with pytest.raises(Failed) as failed:
        await table.act(client, move, **given)
    return failed.value.codes


async def end(server: ServerProcess, client: Client) -> None:
    """End the client's sessions where this server's process does not notice."""
    connection = await asyncpg.connect(server.database_url)
    account = read_id("Player", client.player_id)
    await connection.execute("DELETE FROM account_session WHERE account_id = $1", account)
    await connection.close()


@pytest.mark.parametrize(
    ("move", "given"),
    [
        (ROLL, {}),
        (NOT_NOW, {}),
        (ROLL, {"expectedVersion": 7}),
        (ROLL, {"idempotencyKey": "k" * 65}),
        (ROLL, {"matchId": "TWF0Y2g6bm9uZQ=="}),
    ],
    ids=["allowed", "illegal", "stale", "bad key", "no such match"],
)
async def test_an_ended_session_changes_and_learns_nothing(
    table: Table, server: ServerProcess, move: Move, given: dict[str, Any]
) -> None:
    client = await current(table)
    await end(server, client)
    before = await written(server, table)
    assert await codes(table, client, move, **given) == ["UNAUTHENTICATED"]
    assert await codes(table, client, move, **given) == ["UNAUTHENTICATED"]
    assert await written(server, table) == before


async def test_an_ended_session_does_not_get_its_first_answer_again(
    table: Table, server: ServerProcess
) -> None:
    client = await current(table)
    assert (await table.act(client, ROLL, idempotencyKey="once"))["version"] == 2
    await end(server, client)
    assert await codes(table, client, ROLL, idempotencyKey="once") == ["UNAUTHENTICATED"]


async def test_several_actions_in_one_request_rest_on_one_proof(
    table: Table, server: ServerProcess
) -> None:
    client = await current(table)
    document = (
        "mutation M($input: MarbleRollInput!) { a: marbleRoll(input: $input) { version } "
        "b: marbleRoll(input: $input) { version userErrors { code } } }"
    )
    given = {"matchId": table.match_id, "idempotencyKey": "twice"}
    answer = await client.ask(document, {"input": given})
    assert answer["data"] == {"a": {"version": 2}, "b": {"version": 2, "userErrors": []}}
    await end(server, client)
    answer = await client.ask(document, {"input": {**given, "idempotencyKey": "more"}})
    assert [error["extensions"]["code"] for error in answer["errors"]] == ["UNAUTHENTICATED"]
    assert answer["data"] is None
