"""Log lines are whole, whatever a record holds."""

import asyncio
import json
import logging
from uuid import UUID

import pytest

from api import logs
from api.logs import JsonFormatter, TextFormatter
from api.relay import read_id
from engines.marble import ENGINE
from tests.api.client import Client, Failed
from tests.api.server import ServerProcess
from tests.api.table import Table


def record(message: str, *args: object, **extra: object) -> logging.LogRecord:
    made = logging.getLogger("api.x").makeRecord(
        "api.x", logging.WARNING, "x.py", 1, message, args, None, extra=extra
    )
    made.created = 1_700_000_000.5
    return made


def test_json_keeps_extras_and_newlines_inside_one_line():
    line = JsonFormatter().format(record("lost\n%s", "wake-up", match=7, odd={1}))
    assert "\n" not in line
    assert json.loads(line) == {
        "time": "2023-11-14T22:13:20.500Z",
        "level": "warning",
        "logger": "api.x",
        "message": "lost\nwake-up",
        "match": 7,
        "odd": [1],
    }


def test_json_carries_the_traceback():
    failed = record("failed")
    try:
        raise KeyError("seat")
    except KeyError as error:
        failed.exc_info = (KeyError, error, error.__traceback__)
    assert json.loads(JsonFormatter().format(failed))["exception"].endswith("KeyError: 'seat'")


def test_text_is_readable():
    assert TextFormatter().format(record("lost %s", "wake-up", match=7)) == (
        "2023-11-14T22:13:20.500Z WARNING api.x: lost wake-up match=7"
    )


async def test_ids_belong_to_the_task_and_those_it_starts():
    async def ids(**more: object) -> dict[str, object]:
        logs.about(**more)
        made = record("moved", match_id="its own") if "own" in more else record("moved")
        logs.add_ids(made)
        return {name: value for name, value in vars(made).items() if name.endswith("_id")}

    async def work() -> list[dict[str, object]]:
        logs.about(request_id="r1")
        return [
            await asyncio.create_task(ids(match_id=7)),
            await asyncio.create_task(ids(own=True)),
            await ids(),
        ]

    assert await asyncio.create_task(work()) == [
        {"request_id": "r1", "match_id": "7"},
        {"request_id": "r1", "match_id": "its own"},
        {"request_id": "r1"},
    ]
    assert await ids() == {}


async def test_faults_of_clients_are_lines_with_ids_and_nothing_secret(server: ServerProcess):
    table = Table(ENGINE, "Marble", server.base_url, 1)
    await table.gather(2, 0)
    player, match_id = table.players[0], await table.start()
    query = "subscription Ahead($id: ID!) { matchUpdates(matchId: $id, after: 9999) { version } }"
    async with player.socket() as socket:
        with pytest.raises(Failed) as refused:
            await anext(socket.subscribe(query, {"id": match_id}))
    assert refused.value.codes == ["BAD_REQUEST"]
    stranger = Client(server.base_url)
    stranger.token = "a-token-that-is-not-good"
    answer = await stranger.ask("query Mine($secret: String) { myRooms { id } }", {"secret": "42"})
    assert answer["errors"][0]["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"
    answer = await stranger.ask("query Mine { myRooms { id } }")
    assert answer["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"

    by_message = {entry["message"]: entry for entry in server.entries()}
    ahead, mine = (
        by_message["refused '': BAD_REQUEST"],
        by_message["refused '': UNAUTHENTICATED"],
    )
    assert ahead["level"] == mine["level"] == "info"
    assert UUID(ahead["match_id"]) == read_id("Match", match_id)
    assert len(mine["request_id"]) == 32
    assert "match_id" not in mine
    for secret in ("a-token-that-is-not-good", str(player.token), "Traceback", "exception"):
        assert secret not in server.log()
    await stranger.close()
    await table.close()
