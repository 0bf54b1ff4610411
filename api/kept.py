"""A connection of a pool that stays with one user, who need not acquire it each time."""

from collections.abc import Awaitable, Callable

import asyncpg


class Kept:
    """A raw connection that is acquired once, and again when it has been lost."""

    def __init__(
        self,
        acquire: Callable[[], Awaitable[asyncpg.Connection]],
        release: Callable[[asyncpg.Connection], Awaitable[None]],
    ) -> None:
        self._acquire = acquire
        self._release = release
        self._connection: asyncpg.Connection | None = None

    async def fetch(self, statement: str, *args: object) -> list[asyncpg.Record]:
        """One statement in a transaction of its own; all its rows."""
        rows: list[asyncpg.Record] = await (await self._living()).fetch(statement, *args)
        return rows

    async def fetchrow(self, statement: str, *args: object) -> asyncpg.Record | None:
        """One statement in a transaction of its own; its first row, None if there is none."""
        return await (await self._living()).fetchrow(statement, *args)

    async def give_back(self) -> None:
        """Leave the connection to its pool."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await self._release(connection)

    async def _living(self) -> asyncpg.Connection:
        if self._connection is not None and _is_lost(self._connection):
            await self.give_back()
        if self._connection is None:
            self._connection = await self._acquire()
        return self._connection


def _is_lost(connection: asyncpg.Connection) -> bool:
    try:
        return bool(connection.is_closed())
    except asyncpg.InterfaceError:  # the pool has taken it back already
        return True
