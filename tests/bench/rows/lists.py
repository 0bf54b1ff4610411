"""A page of the lobby and of the history, in a small and in a large database, near and far."""

import json
from typing import Any

import asyncpg

from api.pages import write_cursor
from tests.bench.meters import Figure, Meter, Spent, figure
from tests.bench.report import Row
from tests.bench.rig import EXTRA, Person, Rig
from tests.bench.wire import Http

GROUP = "lists"
FEW = 1_000
ROOMS = 10_000
PAGE = 50
HISTORY = (
    "query($after: String) { matches(first: 50, after: $after) { nodes { id startedAt status } } }"
)
LOBBY = "query($after: String) { rooms(first: 50, after: $after) { nodes { id code status } } }"

MATCHES_SQL = """
INSERT INTO match (id, room_id, game, rules_version, options, seats, seed, seed_commitment, public,
                   allow_spectators, open_replay, verifiable, status, version, state, started_at,
                   finished_at)
SELECT gen_random_uuid(), room_id, game, rules_version, options, seats, seed, seed_commitment, true,
       allow_spectators, open_replay, verifiable, 'ABANDONED', version, state,
       started_at - n * interval '1 minute', started_at - n * interval '1 minute' + interval '9 m'
FROM match, generate_series($2::int, $3::int) AS n WHERE id = $1
"""
LISTING_SQL = """
INSERT INTO match_listing (match_id, game, public, listed, status, started_at, finished_at, counted,
                           number)
SELECT id, game, true, true, status, started_at, finished_at, true,
       $1 + row_number() OVER (ORDER BY started_at)
FROM match m WHERE status = 'ABANDONED'
AND NOT EXISTS (SELECT FROM match_listing l WHERE l.match_id = m.id)
"""
SEATS_SQL = """
INSERT INTO match_seat (match_id, seat, account_id, game, started_at)
SELECT m.id, s.seat, s.account_id, m.game, m.started_at
FROM match m, match_seat s WHERE s.match_id = $1 AND m.status = 'ABANDONED'
AND NOT EXISTS (SELECT FROM match_seat t WHERE t.match_id = m.id)
"""
ROOMS_SQL = """
INSERT INTO room (id, code, game, options, seats, visibility, allow_spectators, open_replay,
                  verifiable, status, revision, joins, host_id, created_at)
SELECT gen_random_uuid(), 'bench' || n, game, options, seats, 'PUBLIC', true, true, false,
       'WAITING', 1, 1, host_id, created_at - n * interval '1 second'
FROM room, generate_series($2::int, $3::int) AS n WHERE id = $1
"""


async def rows(rig: Rig) -> list[Row]:
    many = 1_000_000 if rig.slow else 200_000
    people = await rig.people(3)
    match, room = await rig.start((people[0], people[1]), "coin_race", {})
    with rig.server(BOARD_GAME_PACKAGES=EXTRA[0]) as server:
        client = await Http.connect(server.base_url)
        pages = Pages(rig, client, server.process.pid, people[2])
        await _fill(rig, match, room, 1, FEW, FEW)
        small = await pages.measure(HISTORY, None)
        small_lobby = await pages.measure(LOBBY, None)
        await _fill(rig, match, room, FEW + 1, many, ROOMS)
        near = await pages.measure(HISTORY, None)
        far = await pages.measure(HISTORY, await _middle(rig, "match"))
        lobby = await pages.measure(LOBBY, None)
        far_lobby = await pages.measure(LOBBY, await _middle(rig, "room"))
        client.close()
    return [
        _flat(f"history of {many:,} matches, first page", near, small),
        _flat(f"history of {many:,} matches, half-way down", far, small),
        _flat(f"lobby of {ROOMS:,} rooms, first page", lobby, small_lobby),
        _flat(f"lobby of {ROOMS:,} rooms, half-way down", far_lobby, small_lobby),
    ]


def _flat(name: str, spent: list[Spent], small: list[Spent]) -> Row:
    """A page beside the first page of a list of a thousand."""
    return Row(
        GROUP,
        name,
        "CPU µs",
        figure(spent, lambda s: s.cpu),
        figure(small, lambda s: s.cpu),
        1.5,
        more={"PostgreSQL, µs": Figure.of([s.database for s in spent]).median},
    )


class Pages:
    """Asks for one page again and again."""

    def __init__(self, rig: Rig, client: Http, pid: int, person: Person) -> None:
        self._rig, self._client, self._pid, self._person = rig, client, pid, person

    async def measure(self, document: str, after: str | None) -> list[Spent]:
        """What a page costs, several times."""
        times = 20
        spent = []
        for number in range(6):
            meter = Meter(self._pid, self._rig.url)
            for _ in range(times):
                data = await self._client.graphql(document, {"after": after}, self._person.token)
                (found,) = data.values()
                if len(found["nodes"]) != PAGE:
                    raise RuntimeError(json.dumps(data)[:300])
            if number:
                spent.append(meter.read().per(times))
        return spent


async def _fill(rig: Rig, match: Any, room: Any, first: int, last: int, rooms: int) -> None:
    """Copies of a match and of a room, from one number to another, and fresh statistics."""
    connection = await asyncpg.connect(rig.url)
    try:
        await connection.execute("SET session_replication_role = replica")  # they are copies
        await connection.execute(MATCHES_SQL, match, first, last)
        await connection.execute(LISTING_SQL, first)
        await connection.execute(SEATS_SQL, match)
        await connection.execute(ROOMS_SQL, room, first, rooms)
        await connection.execute("VACUUM ANALYZE match, match_listing, match_seat, room")
    finally:
        await connection.close()


async def _middle(rig: Rig, table: str) -> str:
    """The cursor half-way down a list."""
    at, id_ = ("started_at", "match_id") if table == "match" else ("created_at", "id")
    source = "match_listing" if table == "match" else "room"
    row = await rig.database.fetchrow(
        f"SELECT {at} AS at, {id_} AS id FROM {source} ORDER BY {at} DESC "
        f"OFFSET (SELECT count(*) / 2 FROM {source}) LIMIT 1"
    )
    assert row is not None
    return write_cursor((row["at"], row["id"]))
