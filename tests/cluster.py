"""One PostgreSQL for a whole test run, and databases cloned in it from a migrated template."""

import asyncio
import fcntl
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
import psutil

from api import embedded, migrate

TEMPLATE = "migrated"
MAX_CONNECTIONS = 300
FOLDER = "board-tests-"
OLD_SECONDS = 3600


@contextmanager
def cluster() -> Iterator[str]:
    """A PostgreSQL with the migrated template; yields its address."""
    clear_up()
    with (
        tempfile.TemporaryDirectory(prefix=FOLDER) as folder,
        embedded.running(Path(folder), MAX_CONNECTIONS) as url,
    ):
        asyncio.run(execute(url, f"CREATE DATABASE {TEMPLATE}"))
        migrate.upgrade(at(url, TEMPLATE))
        yield url


def clear_up() -> None:
    """Remove the clusters of runs that were killed: folders whose lock nobody holds any more."""
    for lock in Path(tempfile.gettempdir()).glob(f"{FOLDER}*/postgres.lock"):
        with suppress(OSError), lock.open() as file:
            if lock.stat().st_mtime < time.time() - OLD_SECONDS:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(lock.parent, ignore_errors=True)


def at(url: str, name: str) -> str:
    """The address of the database `name` in the same cluster."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


async def create(url: str, template: str = TEMPLATE) -> str:
    """A new database; its address."""
    name = f"test_{uuid4().hex}"
    await execute(url, f"CREATE DATABASE {name} TEMPLATE {template}")
    return at(url, name)


async def drop(url: str, database_url: str) -> None:
    """Drop a database and whoever is connected to it."""
    name = urlsplit(database_url).path.strip("/")
    await execute(url, f"DROP DATABASE {name} WITH (FORCE)")


async def execute(url: str, statement: str) -> None:
    """One statement on a connection of its own."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


def processes(data_dir: Path) -> list[psutil.Process]:
    """The living PostgreSQL servers on this data folder."""
    cluster_dir = str(data_dir / "postgres")
    return [
        process
        for process in psutil.process_iter(["cmdline", "status"])
        if cluster_dir in (process.info["cmdline"] or ())
        and process.info["status"] != psutil.STATUS_ZOMBIE
    ]
