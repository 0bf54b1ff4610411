"""A database that counts the statements sent to it, over whichever of its connections."""

from typing import Any

from sqlalchemy import event

from api.db import Database
from api.kept import Kept


class Counting(Database):
    """`statements` counts those of sessions, of the raw pool and of connections that are kept."""

    statements = 0

    async def __aenter__(self) -> "Counting":
        await super().__aenter__()
        event.listen(self._engine.sync_engine, "before_cursor_execute", self.count)
        return self

    async def fetch(self, statement: str, *args: object) -> Any:
        self.count()
        return await super().fetch(statement, *args)

    async def fetchrow(self, statement: str, *args: object) -> Any:
        self.count()
        return await super().fetchrow(statement, *args)

    def keep(self) -> "CountingKept":
        return CountingKept(self, super().keep())

    def count(self, *_: object) -> None:
        """One more."""
        self.statements += 1


class CountingKept(Kept):
    """A connection that is kept, and counted with the others."""

    def __init__(self, database: Counting, kept: Kept) -> None:
        self._database = database
        self._kept = kept

    async def fetch(self, statement: str, *args: object) -> Any:
        self._database.count()
        return await self._kept.fetch(statement, *args)

    async def fetchrow(self, statement: str, *args: object) -> Any:
        self._database.count()
        return await self._kept.fetchrow(statement, *args)
