"""Faults take their time, and so are left out of `make test`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.conftest import data_dir, start_server
from tests.faults.postgres import Postgres

__all__ = ["data_dir", "start_server"]

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is here runs when it is asked for with `-m faults`."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("faults")


@pytest.fixture
def postgres(data_dir: Path) -> Iterator[Postgres]:
    """A PostgreSQL of the test's own, running. Ask for it before the servers that use it."""
    with Postgres(data_dir) as started:
        yield started
