"""The statements behind the clocks."""

from typing import Any, Protocol

_NOW = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_SET_ANCHOR = """
INSERT INTO game_clock (id, anchor_ms)
VALUES (1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
ON CONFLICT DO NOTHING
"""
_ANCHOR = "SELECT anchor_ms FROM game_clock WHERE id = 1"


class Connection(Protocol):
    """What runs one statement: a pool or a connection of asyncpg."""

    async def fetchval(self, query: str, /) -> Any:
        """The first column of the first row."""
        ...

    async def execute(self, query: str, /) -> str:
        """The command's tag."""
        ...


async def read_now(connection: Connection) -> int:
    """The database's clock, ms since 1970."""
    return int(await connection.fetchval(_NOW))


async def read_anchor(connection: Connection) -> int:
    """The anchor of game time, ms since 1970; the first to ask sets it to now."""
    await connection.execute(_SET_ANCHOR)
    return int(await connection.fetchval(_ANCHOR))
