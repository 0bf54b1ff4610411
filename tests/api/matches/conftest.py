"""A marble match that has just begun, and who is to move."""

from collections.abc import AsyncIterator

import pytest

from engines.marble import ENGINE
from tests.api.client import Client
from tests.api.server import ServerProcess
from tests.api.table import Table


@pytest.fixture
async def table(server: ServerProcess) -> AsyncIterator[Table]:
    """Two players at a marble match that has just begun."""
    table = Table(ENGINE, "Marble", server.base_url, seed=0)
    await table.gather(2, options={"turnSeconds": 60})
    await table.start()
    yield table
    await table.close()


async def current(table: Table) -> Client:
    """The device of the player whose turn it is."""
    return table.players[(await table.match(table.players[0]))["view"]["current"]]
