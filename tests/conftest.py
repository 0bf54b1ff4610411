"""PostgreSQL for the tests: one cluster a run, one database a test."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from api.config import Config
from api.db import Database
from tests import cluster as clusters

pytest.register_assert_rewrite("tests.engines.laws")  # before tests of either side import it

RUN = ExitStack()
STARTED = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Told to stop, a run ends as with Ctrl-C: what it has started and written goes with it."""
    if not hasattr(config, "workerinput"):
        signal.signal(signal.SIGTERM, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """With workers, the controller starts the cluster that they share."""
    config = node.config
    if STARTED not in config.stash:
        config.stash[STARTED] = RUN.enter_context(clusters.cluster())
    node.workerinput["cluster_url"] = config.stash[STARTED]


def pytest_unconfigure() -> None:
    """Stop what was started for the run."""
    RUN.close()


@pytest.fixture(scope="session")
def cluster_url(request: pytest.FixtureRequest) -> str:
    """The address of the run's PostgreSQL, started when first asked for."""
    shared = getattr(request.config, "workerinput", None)
    return shared["cluster_url"] if shared else RUN.enter_context(clusters.cluster())


@pytest.fixture
def database_url(cluster_url: str) -> Iterator[str]:
    """A migrated, empty database of the test's own."""
    url = asyncio.run(clusters.create(cluster_url))
    yield url
    asyncio.run(clusters.drop(cluster_url, url))


@pytest.fixture
def config(database_url: str, tmp_path: Path) -> Config:
    """The default settings on the test's own database."""
    return Config(secret=bytes(32), database_url=database_url, data_dir=tmp_path)


@pytest.fixture
async def database(config: Config) -> AsyncIterator[Database]:
    """The test's own database, open."""
    async with Database(config) as opened:
        yield opened
