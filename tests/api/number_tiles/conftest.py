"""Tables of number tiles on the module's server."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from engines.number_tiles import ENGINE
from tests.api.server import ServerProcess
from tests.api.table import Table

Gather = Callable[..., Awaitable[Table]]
"""`await gather(players, points=..)`: people at a table, the options by key; not yet started."""


@pytest.fixture
async def gather(server: ServerProcess) -> AsyncIterator[Gather]:
    tables: list[Table] = []

    async def gather(players: int, seed: int = 0, spectators: int = 1, **options: Any) -> Table:
        tables.append(Table(ENGINE, "NumberTiles", server.base_url, seed))
        await tables[-1].gather(players, spectators, options)
        return tables[-1]

    yield gather
    for table in tables:
        await table.close()
