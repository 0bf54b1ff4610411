"""Database time and game time."""

from dataclasses import replace

from api.db import Database
from api.gametime.clock import Clock
from api.gametime.store import read_anchor, read_now


class Reading:
    """A database whose clock stands still at `now_ms`."""

    def __init__(self, now_ms: int) -> None:
        self.now_ms = now_ms

    async def fetchval(self, _: str) -> int:
        return self.now_ms

    async def execute(self, _: str) -> str:
        return "INSERT 0 1"


async def test_the_clock_follows_the_database_s():
    clock = Clock(1.0)
    await clock.sync(Reading(5_000_000))
    first = clock.now()
    await clock.sync(Reading(9_000_000))
    assert 5_000_000 <= first < 9_000_000 <= clock.now()


async def test_the_clock_never_runs_backwards():
    clock = Clock(1.0)
    await clock.sync(Reading(9_000_000))
    before = clock.now()
    await clock.sync(Reading(5_000_000))
    assert clock.now() == before


async def test_at_scale_1_game_time_is_database_time(database):
    assert database.game_now() - database.now() in (0, 1)
    assert await database.fetch("SELECT * FROM game_clock") == []


async def test_scaled_game_time_starts_at_the_anchor():
    clock = Clock(60.0)
    await clock.sync(Reading(1_000_000))
    assert clock.to_game(1_000_000) == 1_000_000
    assert clock.to_game(1_001_500) == 1_090_000


async def test_the_first_to_ask_sets_the_anchor_and_all_keep_it(config):
    async with Database(replace(config, game_time_scale=10.0)) as one:
        anchor = (await one.fetchrow("SELECT anchor_ms FROM game_clock"))["anchor_ms"]
        async with Database(replace(config, game_time_scale=10.0)) as two:
            rows = await two.fetch("SELECT id, anchor_ms FROM game_clock")
            assert [tuple(row) for row in rows] == [(1, anchor)]
            real = two.now()
            assert two.game_now() >= anchor + (real - anchor) * 10


async def test_the_statements_agree_with_postgresql(database, database_url):
    async with database._raw() as connection:
        before = await read_now(connection)
        anchor = await read_anchor(connection)
        assert before <= anchor <= await read_now(connection)
        assert await read_anchor(connection) == anchor
