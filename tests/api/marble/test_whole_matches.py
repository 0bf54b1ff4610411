"""Whole marble matches from the deal to the result, by independent clients over real sockets."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from engines.marble import ENGINE
from engines.marble.options import OPTION_SPECS
from tests.api.marble.bot import keen
from tests.api.records import judge_records
from tests.api.server import ServerProcess
from tests.api.table import Table

Gather = Callable[..., Awaitable[Table]]

OTHERS: dict[str, Any] = {
    spec.key: next(c.value for c in reversed(spec.choices) if c.value != spec.default)
    for spec in OPTION_SPECS
}
"""Every option at a value that is not its default."""


@pytest.fixture
async def gather(server: ServerProcess) -> AsyncIterator[Gather]:
    tables: list[Table] = []

    async def gather(seed: int, *args: Any, **kwargs: Any) -> Table:
        tables.append(Table(ENGINE, "Marble", server.base_url, seed))
        await tables[-1].gather(*args, **kwargs)
        return tables[-1]

    yield gather
    for table in tables:
        await table.close()


@pytest.mark.parametrize("players", [2, 4])
async def test_default_options(gather: Gather, server: ServerProcess, players: int) -> None:
    table = await gather(players, players)
    await table.start()
    async with table.watched() as watchers:
        await table.play(watchers, keen)
        for watcher in watchers:
            match = await watcher.settled()
            assert match["status"] == "FINISHED"
            assert match["result"]["reasonCode"] == "ROUND_LIMIT"
            assert match["result"]["ranking"][0]["rank"] == 1
    await judge_records(server.database_url, table, watchers)


async def test_every_option_at_another_value(gather: Gather, server: ServerProcess) -> None:
    options = {**OTHERS, "maxRounds": 30, "turnSeconds": None}
    table = await gather(7, 4, options=options)
    await table.start()
    async with table.watched() as watchers:
        await table.play(watchers, keen)
        for watcher in watchers:
            match = await watcher.settled()
            assert {o["key"]: o["value"] for o in match["options"]} == options
            assert match["status"] == "FINISHED"
    await judge_records(server.database_url, table, watchers)
