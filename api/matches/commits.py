"""Group commit: actions that wait side by side are written by one statement, in one round trip."""

import asyncio
from collections import deque
from dataclasses import dataclass

import asyncpg

from api.db import Database
from api.matches import store
from api.matches.store import Write

MOST = 64
"""How many actions one statement writes."""

UNDONE = (
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.DataError,
    asyncpg.TransactionRollbackError,
)
"""After these nothing of a statement has been written, and it was the fault of one part of it."""


@dataclass(slots=True)
class Waiting:
    """An action to be written, and who waits for it."""

    write: Write
    written: asyncio.Future[bool]


class Commits:
    """Writes actions, as `store.append` does: at once while nothing else is being written, else
    together with all that have come until the write under way has ended.

    Each is judged by its own version, session and key: none fails for another's sake. Where the
    connection is lost, all whose write was under way are told so, as one alone would be.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection = database.keep()
        self._waiting: deque[Waiting] = deque()
        self._flying = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def append(self, write: Write) -> bool:
        """Write one action, or not: see `store.append`, as for what is raised."""
        if write.finished_at is not None:
            return await store.append(self._database, write)
        if self._flying:
            waiting = Waiting(write, asyncio.get_running_loop().create_future())
            self._waiting.append(waiting)
            return await waiting.written
        self._flying = True
        try:
            # Who holds the match must not keep those waiting who come behind.
            written = await store.append_if_free(self._connection, write)
        finally:
            self._land()
        return written or await store.append(self._database, write)

    def _land(self) -> None:
        """The write under way has ended: the next may begin."""
        self._flying = bool(self._waiting)
        if self._flying:
            self._tasks.add(task := asyncio.create_task(self._fly()))
            task.add_done_callback(self._tasks.discard)

    async def _fly(self) -> None:
        batch = self._next()
        try:
            await self._write(batch)
        except Exception as error:
            for each in batch:
                if not each.written.done():
                    each.written.set_exception(error)
        finally:
            self._land()

    def _next(self) -> list[Waiting]:
        """The next to be written: one of each match, for the second would be too late anyway."""
        batch: dict[object, Waiting] = {}
        rest: list[Waiting] = []
        while self._waiting and len(batch) < MOST:
            each = self._waiting.popleft()
            if batch.setdefault(each.write.match_id, each) is not each:
                rest.append(each)
        self._waiting.extendleft(reversed(rest))
        return list(batch.values())

    async def _write(self, batch: list[Waiting]) -> None:
        writes = [each.write for each in batch]
        try:
            if len(writes) > 1:
                written = await store.append_many(self._connection, writes)
            else:
                moved = await store.append_if_free(self._connection, writes[0])
                written = {writes[0].match_id} if moved else set()
        except (*UNDONE, store.KeyTaken):
            written = set()
        others = []
        for each in batch:
            if each.write.match_id not in written:
                others.append(each)
            elif not each.written.done():
                each.written.set_result(True)
        # Overtaken, of an ended session, with a key used before, or of a match that another
        # transaction holds just now: only by itself can it be told, and must none wait for it.
        for each in others:
            self._tasks.add(task := asyncio.create_task(self._alone(each)))
            task.add_done_callback(self._tasks.discard)

    async def _alone(self, each: Waiting) -> None:
        try:
            written = await store.append(self._database, each.write)
        except Exception as error:
            if not each.written.done():
                each.written.set_exception(error)
        else:
            if not each.written.done():
                each.written.set_result(written)
