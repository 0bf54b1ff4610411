"""The schema comes from migrations alone, and they agree with the models."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator

import asyncpg
import pytest
from alembic.script import ScriptDirectory

from api import migrate
from tests import cluster as clusters

TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
SCHEMA = """
SELECT 'column', table_name, column_name, data_type || is_nullable || coalesce(column_default, '')
FROM information_schema.columns WHERE table_schema = 'public'
UNION ALL SELECT 'index', tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid)
FROM pg_constraint WHERE connamespace = 'public'::regnamespace
ORDER BY 1, 2, 3
"""


@pytest.fixture
def empty_url(cluster_url: str) -> Iterator[str]:
    """A database without any table."""
    url = asyncio.run(clusters.create(cluster_url, template="template0"))
    yield url
    asyncio.run(clusters.drop(cluster_url, url))


def ask(url: str, query: str) -> list[tuple]:
    async def run() -> list[tuple]:
        connection = await asyncpg.connect(url)
        rows = await connection.fetch(query)
        await connection.close()
        return [tuple(row) for row in rows]

    return asyncio.run(run())


def test_there_is_one_head():
    script = ScriptDirectory(str(migrate.ROOT / "migrations"))
    assert len(script.get_heads()) == 1


def test_the_migrations_lead_to_the_models(database_url):
    migrate.check(database_url)


def test_every_migration_can_be_taken_back(empty_url):
    migrate.upgrade(empty_url)
    schema = ask(empty_url, SCHEMA)
    migrate.downgrade(empty_url, "base")
    assert ask(empty_url, TABLES) == [(1,)]  # alembic_version alone
    migrate.upgrade(empty_url)
    assert ask(empty_url, SCHEMA) == schema


def test_processes_that_start_side_by_side_migrate_once(empty_url):
    command = [sys.executable, "-c", f"from api import migrate; migrate.upgrade({empty_url!r})"]
    processes = [
        subprocess.Popen(command, cwd=migrate.ROOT, stderr=subprocess.PIPE) for _ in range(3)
    ]
    said = [process.communicate(timeout=60)[1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], said
    migrate.check(empty_url)
