"""Servers for black-box tests: real processes on real ports."""

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import cluster as clusters
from tests.api.server import ServerProcess

StartServer = Callable[..., ServerProcess]


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A data folder of the test's own, with a path short enough for a socket."""
    folder = Path(tempfile.mkdtemp(prefix=clusters.FOLDER))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def server_environ() -> dict[str, str]:
    """Settings of the module's `server`; a module overrides this fixture to change them."""
    return {}


@pytest.fixture(scope="module")
def server(
    cluster_url: str, tmp_path_factory: pytest.TempPathFactory, server_environ: dict[str, str]
) -> Iterator[ServerProcess]:
    """One server for a module's tests, on a database of its own. It must log no error."""
    database_url = asyncio.run(clusters.create(cluster_url))
    data_dir = tmp_path_factory.mktemp("server")
    started = ServerProcess(data_dir, DATABASE_URL=database_url, **server_environ)
    yield started
    started.stop()
    asyncio.run(clusters.drop(cluster_url, database_url))
    assert started.errors() == []


@pytest.fixture
def start_server(database_url: str, tmp_path: Path) -> Iterator[StartServer]:
    """Starts servers with the settings given, all on the test's own database and secret.

    Those still running at the end of the test are stopped.
    """
    shared = {"DATABASE_URL": database_url, "BOARD_SECRET": "0" * 64}
    started: list[ServerProcess] = []

    def start(**environ: str) -> ServerProcess:
        data_dir = tmp_path / f"server-{len(started)}"
        started.append(ServerProcess(data_dir, **{**shared, **environ}))
        return started[-1]

    yield start
    for each in started:
        if each.running:
            each.stop()
