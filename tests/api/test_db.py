"""Transactions, one-statement writes and time, on a real PostgreSQL."""

import asyncio
from dataclasses import replace

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from api.config import StartError
from api.db import Database, probe
from api.errors import Code, fault_of

INSERT = text("INSERT INTO thing (name) VALUES (:name)")
FAIL_FOR_A_PASSING_REASON = text("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$")
WAITING = "SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"


@pytest.fixture
async def things(database):
    """The database with one table of one column."""
    await database.execute("CREATE TABLE thing (name text)")
    return database


async def names(database: Database) -> list[str]:
    return [row["name"] for row in await database.fetch("SELECT name FROM thing ORDER BY name")]


async def test_a_transaction_is_kept(things):
    async with things.transaction() as session:
        await (await session.connection()).execute(INSERT, {"name": "a"})
    assert await names(things) == ["a"]


async def test_an_exception_undoes_the_transaction(things):
    async def work():
        async with things.transaction() as session:
            await (await session.connection()).execute(INSERT, {"name": "a"})
            raise KeyError

    with pytest.raises(KeyError):
        await work()
    assert await names(things) == []


async def test_a_cancelled_transaction_leaves_nothing(things):
    inserted = asyncio.Event()

    async def work():
        async with things.transaction() as session:
            await (await session.connection()).execute(INSERT, {"name": "a"})
            inserted.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await inserted.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await names(things) == []


async def test_a_commit_under_way_is_finished_though_the_caller_is_cancelled(things, database_url):
    await things.execute(
        "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$"
    )
    await things.execute(
        "CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON thing DEFERRABLE INITIALLY DEFERRED "
        "FOR EACH ROW EXECUTE FUNCTION wait()"
    )
    blocker = await asyncpg.connect(database_url)
    await blocker.execute("SELECT pg_advisory_lock(1)")

    async def work():
        async with things.transaction() as session:
            await (await session.connection()).execute(INSERT, {"name": "a"})

    task = asyncio.create_task(work())
    while (await things.fetchrow(WAITING))["n"] == 0:
        pass
    task.cancel()
    await blocker.close()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await names(things) == ["a"]


async def test_work_undone_for_a_passing_reason_is_done_once_more(things):
    runs = []

    async def work(session):
        runs.append(len(runs))
        connection = await session.connection()
        await connection.execute(INSERT, {"name": f"run {runs[-1]}"})
        if runs[-1] == 0:
            await connection.execute(FAIL_FOR_A_PASSING_REASON)
        return runs[-1]

    assert await things.atomically(work) == 1
    assert await names(things) == ["run 1"]


async def test_work_is_not_done_a_third_time(things):
    runs = []

    async def work(session):
        runs.append(len(runs))
        await (await session.connection()).execute(FAIL_FOR_A_PASSING_REASON)

    with pytest.raises(DBAPIError) as caught:
        await things.atomically(work)
    assert caught.value.orig.sqlstate == "40001"
    assert runs == [0, 1]


async def test_work_that_is_wrong_is_not_done_again(things):
    runs = []

    async def work(session):
        runs.append(len(runs))
        await (await session.connection()).execute(text("SELECT 1 / 0"))

    with pytest.raises(DBAPIError) as caught:
        await things.atomically(work)
    assert caught.value.orig.sqlstate == "22012"
    assert runs == [0]


async def test_a_changed_table_does_not_fail_work_that_may_be_repeated(things, database_url):
    async def work(session):
        connection = await session.connection()
        return (await connection.execute(text("SELECT * FROM thing"))).keys()

    assert list(await things.atomically(work)) == ["name"]
    other = await asyncpg.connect(database_url)
    await other.execute("ALTER TABLE thing ADD COLUMN size int")
    await other.close()
    assert list(await things.atomically(work)) == ["name", "size"]


async def test_a_reading_session_sees_one_snapshot(things):
    count = text("SELECT count(*) FROM thing")
    async with things.reading() as session:
        connection = await session.connection()
        assert (await connection.execute(count)).scalar() == 0
        await things.execute("INSERT INTO thing VALUES ('a')")
        assert (await connection.execute(count)).scalar() == 0
    async with things.reading() as session:
        assert (await (await session.connection()).execute(count)).scalar() == 1


async def test_a_reading_session_cannot_write(things):
    async with things.reading() as session:
        connection = await session.connection()
        with pytest.raises(DBAPIError) as caught:
            await connection.execute(INSERT, {"name": "a"})
    assert caught.value.orig.sqlstate == "25006"
    async with things.transaction() as session:  # the same pooled connection may write again
        await (await session.connection()).execute(INSERT, {"name": "a"})
    assert await names(things) == ["a"]


async def test_json_travels_as_text_on_the_raw_pool(database):
    row = await database.fetchrow("SELECT $1::json AS j, $2::jsonb AS b", '{"a":1}', '{"a":1}')
    assert (row["j"], row["b"]) == ('{"a":1}', '{"a": 1}')


async def test_a_statement_cannot_run_for_ever(config):
    async with Database(replace(config, statement_timeout=0.05)) as database:
        with pytest.raises(asyncpg.QueryCanceledError):
            await database.fetch("SELECT pg_sleep(60)")
        with pytest.raises(DBAPIError) as caught:
            async with database.transaction() as session:
                await (await session.connection()).execute(text("SELECT pg_sleep(60)"))
    assert caught.value.orig.sqlstate == "57014"


async def test_lost_connections_are_replaced_unnoticed(things, database_url):
    async with things.transaction() as session:
        await (await session.connection()).execute(INSERT, {"name": "a"})
    other = await asyncpg.connect(database_url)
    ended = await other.fetch(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await other.close()
    assert [row[0] for row in ended] == [True, True]
    assert await names(things) == ["a"]
    async with things.transaction() as session:
        await (await session.connection()).execute(INSERT, {"name": "b"})
    assert await names(things) == ["a", "b"]


async def test_the_settings_of_a_connection(database):
    rows = await database.fetch(
        "SELECT name, setting FROM pg_settings WHERE name = ANY($1)",
        ["jit", "statement_timeout", "idle_in_transaction_session_timeout", "TimeZone"],
    )
    assert {row["name"]: row["setting"] for row in rows} == {
        "jit": "off",
        "statement_timeout": "5000",
        "idle_in_transaction_session_timeout": "10000",
        "TimeZone": "UTC",
    }


async def test_a_database_that_is_gone_does_not_answer(database, cluster_url, database_url):
    await database.ping()
    other = await asyncpg.connect(cluster_url)
    name = database_url.split("?")[0].rsplit("/", 1)[1]
    await other.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    await other.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                        "WHERE datname = $1", name)  # fmt: skip
    await other.close()
    with pytest.raises(asyncpg.PostgresError):
        await database.ping()


async def test_an_address_where_nobody_listens_is_a_passing_fault(config, tmp_path):
    away = replace(config, database_url=f"postgresql://postgres@/postgres?host={tmp_path}")
    with pytest.raises(ConnectionError) as caught:
        await Database(away).__aenter__()
    assert fault_of(caught.value).code == Code.UNAVAILABLE


async def test_an_address_where_nobody_listens_is_said_plainly(tmp_path):
    with pytest.raises(StartError, match=r"^DATABASE_URL: no connection to PostgreSQL: "):
        await probe(f"postgresql://postgres@/postgres?host={tmp_path}")
