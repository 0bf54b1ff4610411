"""The export: whole, in order, to be gone on with, and nothing that is not the reader's."""

import asyncio
import json
import re
import struct
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest

from api import opaque
from api.export.asked import READ
from api.history import record
from api.relay import global_id, read_id
from tests.api.client import Client, signed_in
from tests.api.conftest import StartServer
from tests.api.ended import ended, seated
from tests.api.keys.test_keys import create
from tests.api.server import ServerProcess
from tests.api.test_cli import command

pytestmark = pytest.mark.thorough

PATH = "/export/matches.ndjson"

# Copies of a match under new ids, a second apart.
COPY = """
WITH made AS (SELECT n, gen_random_uuid() AS id FROM generate_series(1, $2) AS n),
m AS (
    INSERT INTO match SELECT (jsonb_populate_record(old, jsonb_build_object('id', made.id))).*
    FROM match old, made WHERE old.id = $1 RETURNING id
),
s AS (
    INSERT INTO match_seat
    SELECT (jsonb_populate_record(old, jsonb_build_object('match_id', made.id))).*
    FROM match_seat old, made WHERE old.match_id = $1
),
g AS (
    INSERT INTO match_log
    SELECT (jsonb_populate_record(old, jsonb_build_object('match_id', made.id))).*
    FROM match_log old, made WHERE old.match_id = $1
)
INSERT INTO match_listing
SELECT (jsonb_populate_record(old, jsonb_build_object('match_id', made.id, 'number', null,
        'finished_at', old.finished_at + made.n * interval '1 second'))).*
FROM match_listing old, made WHERE old.match_id = $1
"""


@dataclass
class Export:
    """What an export gave: its matches, their cursors, and its last line."""

    matches: list[dict[str, Any]]
    cursors: list[str]
    last: dict[str, Any]

    @property
    def ids(self) -> list[str]:
        return [match["id"] for match in self.matches]


async def export(server: ServerProcess, token: str | None, **params: Any) -> Export:
    response = await ask(server, token, **params)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith("application/x-ndjson")
    *lines, last = [json.loads(line) for line in response.text.splitlines()]
    assert [set(line) for line in lines] == [{"cursor", "match"}] * len(lines)
    return Export([x["match"] for x in lines], [x["cursor"] for x in lines], last)


async def ask(server: ServerProcess, token: str | None, **params: Any) -> httpx.Response:
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=server.base_url, timeout=60) as http:
        return await http.get(PATH, params=params, headers=headers)


async def connected(server: ServerProcess) -> asyncpg.Connection:
    return await asyncpg.connect(server.database_url)


@pytest.fixture
def served(start_server: StartServer) -> ServerProcess:
    """A server whose database holds no match yet."""
    return start_server(BOARD_GAME_PACKAGES="tests.extra_games")


@pytest.fixture
def key(served: ServerProcess) -> str:
    return create(served)[0]


@pytest.fixture
async def people(served: ServerProcess) -> AsyncIterator[list[Client]]:
    async with signed_in(served.base_url, "Mina", "Juno", "Ha-eun") as people:
        yield people


async def test_programs_get_what_is_public_and_people_their_own(
    served: ServerProcess, key: str, people: list[Client]
) -> None:
    mina, juno, other = people
    public = await ended(mina, juno)
    secret = await ended(mina, juno, visibility="PRIVATE")
    others = await ended(juno, other)
    await seated(mina, juno)
    assert (await export(served, key)).ids == [public, others]
    assert (await export(served, mina.token)).ids == [public, secret]
    assert (await export(served, juno.token)).ids == [public, secret, others]
    assert (await export(served, other.token)).ids == [others]
    whole = await export(served, key)
    assert whole.last == {"cursor": whole.cursors[-1], "done": True}
    for line in whole.matches:
        told = record.read(json.dumps(line).encode())
        assert (told.game, told.status, told.end_reason) == ("marble", "FINISHED", "LAST_SURVIVOR")
        assert [entry.version for entry in told.log] == [1, 2]


async def test_a_line_is_verified_without_server_or_database(
    served: ServerProcess, key: str, people: list[Client], tmp_path: Path
) -> None:
    await ended(*people[:2], verifiable=True)
    line = (await ask(served, key)).text.splitlines()[0]
    file = tmp_path / "line.json"
    for text, status, log in ((line, 0, "ok"), (line.replace('"seat":1', '"seat":0'), 1, "WRONG:")):
        file.write_text(text)
        said = command("verify", str(file), BOARD_DATA_DIR=str(tmp_path / "none"))
        assert (said.returncode, said.stdout.split()[3]) == (status, log), said.stderr


async def test_what_can_be_asked_is_what_lists_can_be_asked(
    served: ServerProcess, people: list[Client]
) -> None:
    document = '{ __type(name: "MatchFilter") { inputFields { name } } }'
    fields = (await people[0].run(document))["__type"]["inputFields"]
    assert {each["name"] for each in fields} == set(READ)


async def test_secrets_stay_secret_even_from_their_owner(
    served: ServerProcess, key: str, people: list[Client]
) -> None:
    mina, juno, _ = people
    hidden = []
    for open_replay in (False, True):
        room, match_id = await seated(mina, juno, game="coin_race", openReplay=open_replay)
        document = (
            "query M($id: ID!) { match(id: $id) { view { ... on CoinRaceView { own { hand } } } } }"
        )
        hand = (await mina.run(document, {"id": match_id}))["match"]["view"]["own"]["hand"]
        hidden.append(hand[0])
        await mina.do("coinRaceChoose", "version", matchId=match_id, card=hand[0])
        await juno.do("leaveRoom", "room { id }", roomId=room)
    for token in (key, mina.token):
        closed, opened = (await export(served, token)).matches
        assert (closed["complete"], opened["complete"]) == (False, True)
        assert closed["log"][1]["action"]["card"] is None
        assert opened["log"][1]["action"]["card"] == hidden[1]
        assert [each["seed"] for each in (closed, opened)] == [None, None]


async def test_an_export_goes_on_behind_every_cursor(
    served: ServerProcess, key: str, people: list[Client]
) -> None:
    ids = [await ended(*people[:2]) for _ in range(3)]
    whole = await export(served, key)
    for number, cursor in enumerate(whole.cursors):
        rest = await export(served, key, after=cursor)
        assert rest.ids == ids[number + 1 :]
        assert rest.last["cursor"] == whole.last["cursor"]
    newest = await ended(*people[:2])
    assert (await export(served, key, after=whole.last["cursor"])).ids == [newest]


async def test_a_late_commit_does_not_fall_behind_the_cursor(
    served: ServerProcess, key: str, people: list[Client]
) -> None:
    """The match that ends first is written last, by a transaction that is long in coming."""
    late = await ended(*people[:2])
    connection, idle = await connected(served), await connected(served)
    listing = await connection.fetchrow(
        "UPDATE match_listing SET status = 'RUNNING', listed = false RETURNING *"
    )
    finish = "UPDATE match_listing SET status = 'FINISHED', listed = true WHERE match_id = $1"
    standing = idle.transaction()  # somebody's backup, say: it holds nothing up
    await standing.start()
    await idle.execute("SELECT pg_current_xact_id()")
    slow = connection.transaction()
    await slow.start()
    await connection.execute(finish, listing["match_id"])
    prompt = await ended(*people[:2])
    first = await export(served, key)
    assert first.ids == [prompt]
    await slow.commit()
    finished = {
        row["match_id"]: row["finished_at"]
        for row in await connection.fetch("SELECT match_id, finished_at FROM match_listing")
    }
    assert finished[read_id("Match", late)] < finished[read_id("Match", prompt)]
    assert (await export(served, key, after=first.last["cursor"])).ids == [late]
    assert (await export(served, key)).ids == [prompt, late]
    await standing.rollback()
    await connection.close()
    await idle.close()


async def test_many_matches_come_whole_and_in_order(
    served: ServerProcess, key: str, people: list[Client]
) -> None:
    match_id = await ended(*people[:2])
    connection = await connected(served)
    await connection.execute(COPY, read_id("Match", match_id), 520)
    # Several at once give out the numbers, each number once.
    several = await asyncio.gather(*(export(served, p.token) for p in people[:2]))
    rows = await connection.fetch(
        "SELECT match_id, number FROM match_listing ORDER BY finished_at, match_id"
    )
    assert [row["number"] for row in rows] == list(range(1, 522))
    expected = [row["match_id"] for row in rows]
    whole = await export(served, key)
    for each in (whole, *several):
        assert each.last["done"] is True
        assert [read_id("Match", id_) for id_ in each.ids] == expected
    # A filter that nothing passes is searched to the end.
    nothing = await export(served, key, finishedBefore="2000-01-01T00:00:00Z")
    assert (nothing.matches, nothing.last) == ([], whole.last)
    middle = rows[400]["match_id"]
    since = await connection.fetchval(
        "SELECT finished_at FROM match_listing WHERE match_id = $1", middle
    )
    some = await export(served, key, finishedAfter=since.isoformat())
    assert [read_id("Match", id_) for id_ in some.ids] == expected[400:]
    await connection.close()


async def test_filters_are_those_of_the_list(
    served: ServerProcess, key: str, people: list[Client]
) -> None:
    mina, juno, other = people
    marble = await ended(mina, juno)
    _, race = await seated(juno, other, game="coin_race")
    await other.do("leaveRoom", "room { id }", roomId=_)
    for params, expected in (
        ({"game": "marble"}, [marble]),
        ({"game": "chess"}, []),
        ({"player": mina.player_id}, [marble]),
        ({"player": other.player_id}, [race]),
        ({"player": juno.player_id, "game": "coin_race"}, [race]),
        ({"player": "nobody"}, []),
        ({"status": "FINISHED"}, [marble, race]),
        ({"status": "ABANDONED"}, []),
        ({"status": ["ABANDONED", "FINISHED"]}, [marble, race]),
        ({"status": "RUNNING"}, []),
        ({"endReason": "LAST_SURVIVOR", "game": "marble"}, [marble]),
        ({"startedAfter": "2000-01-01T00:00:00+00:00"}, [marble, race]),
        ({"startedBefore": "2000-01-01T00:00:00Z"}, []),
    ):
        assert (await export(served, key, **params)).ids == expected, params
    assert (await export(served, mina.token, player=juno.player_id)).ids == [marble]
    assert (await export(served, mina.token, player=other.player_id)).ids == []


async def test_who_may_not_or_asks_wrongly_is_told(
    served: ServerProcess, key: str, people: list[Client]
) -> None:
    huge = opaque.encode(struct.pack(">1sQ", b"x", 1 << 63))
    for token, params, status, code in (
        (None, {}, 401, "UNAUTHENTICATED"),
        ("nonsense", {}, 401, "UNAUTHENTICATED"),
        ("key_nonsense", {}, 401, "UNAUTHENTICATED"),
        (key, {"after": "nonsense"}, 400, "BAD_USER_INPUT"),
        (key, {"after": huge}, 400, "BAD_USER_INPUT"),
        (key, {"gmae": "marble"}, 400, "BAD_USER_INPUT"),
        (key, {"game": ["marble", "marble"]}, 400, "BAD_USER_INPUT"),
        (key, {"status": "OVER"}, 400, "BAD_USER_INPUT"),
        (key, {"finishedAfter": "yesterday"}, 400, "BAD_USER_INPUT"),
        (key, {"finishedAfter": "2026-01-01T00:00:00"}, 400, "BAD_USER_INPUT"),
    ):
        response = await ask(served, token, **params)
        (error,) = response.json()["errors"]
        assert (response.status_code, error["extensions"]["code"]) == (status, code), params
    async with httpx.AsyncClient(base_url=served.base_url) as http:
        assert (await http.post(PATH)).status_code == 405
    # A key without the scope is nobody here either.
    connection = await connected(served)
    await connection.execute("UPDATE api_key SET scopes = '{}'")
    await connection.close()
    response = await ask(served, key)
    assert response.status_code == 403


@pytest.mark.parametrize(
    "damage",
    [
        """UPDATE match_log SET events = '[{"type": "Nonsense"}]' WHERE match_id = $1""",
        "DELETE FROM match_log WHERE match_id = $1 AND version = 1",
        "DELETE FROM match_log WHERE match_id = $1 AND version = 2",
    ],
    ids=["nonsense", "no beginning", "no end"],
)
async def test_a_match_that_cannot_be_read_does_not_end_the_export(
    served: ServerProcess, key: str, people: list[Client], damage: str
) -> None:
    match_id = await ended(*people[:2])
    connection = await connected(served)
    await connection.execute(COPY, read_id("Match", match_id), 2)  # of which the server knows none
    rows = await connection.fetch("SELECT match_id FROM match_listing ORDER BY finished_at")
    ids = [global_id("Match", row["match_id"]) for row in rows]
    await connection.execute(damage, rows[1]["match_id"])
    await connection.close()
    response = await ask(served, key)
    first, broken, second, last = [json.loads(line) for line in response.text.splitlines()]
    assert [first["match"]["id"], broken["id"], second["match"]["id"]] == ids
    assert broken["error"]["extensions"]["code"] == "INTERNAL"
    assert "Nonsense" not in response.text
    assert last == {"cursor": second["cursor"], "done": True}
    (error,) = served.errors()
    assert re.search("Nonsense|the log has no row", json.dumps(error))
    rest = await export(served, key, after=broken["cursor"])
    assert rest.ids == ids[2:]


async def test_a_budget_used_up_ends_the_stream_with_the_cursor_to_go_on_from(
    start_server: StartServer,
) -> None:
    server = start_server(BOARD_BUDGET="4000", BOARD_ADDRESS_BUDGET="100000")
    people = [await Client(server.base_url).sign_in(name) for name in ("Mina", "Juno")]
    match_id = await ended(*people)
    connection = await connected(server)
    await connection.execute(COPY, read_id("Match", match_id), 99)
    await connection.close()
    key = create(server)[0]
    first = await export(server, key)
    assert first.last["done"] is False
    assert first.last["error"]["extensions"]["code"] == "RATE_LIMITED"
    assert 0 < first.last["error"]["extensions"]["retryAfter"] <= 120
    assert first.last["cursor"] == first.cursors[-1]
    # 70 for a match of two versions, 50 for each look.
    assert 50 <= len(first.matches) <= 60
    other = create(server)[0]
    rest = await export(server, other, after=first.last["cursor"])
    assert len(rest.matches) == 100 - len(first.matches)
    assert not set(rest.ids) & set(first.ids)
    for each in people:
        await each.close()


async def test_a_key_revoked_meanwhile_ends_the_stream(
    served: ServerProcess, key: str, people: list[Client]
) -> None:
    match_id = await ended(*people[:2])
    connection = await connected(served)
    await connection.execute(COPY, read_id("Match", match_id), 300)
    async with (
        httpx.AsyncClient(base_url=served.base_url, timeout=60) as http,
        http.stream("GET", PATH, headers={"authorization": f"Bearer {key}"}) as response,
    ):
        lines = response.aiter_lines()
        first = json.loads(await anext(lines))
        assert UUID(bytes=read_id("Match", first["match"]["id"]).bytes)
        await connection.execute("UPDATE api_key SET revoked_at = now()")
        *_, last = [json.loads(line) async for line in lines]
    assert last["done"] is False
    assert last["error"]["extensions"]["code"] == "UNAUTHENTICATED"
    await connection.close()
