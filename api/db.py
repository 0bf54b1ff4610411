"""PostgreSQL as the rest of the code sees it: transactions, one-statement writes, and time.

Rooms, accounts and history use sessions; the hot write of a move is one statement on the raw pool.
On the raw pool `json` and `jsonb` travel as text.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar, cast

import asyncpg
import msgspec
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import QueuePool
from sqlmodel.ext.asyncio.session import AsyncSession

from api.config import Config, StartError
from api.gametime.clock import Clock
from api.kept import Kept
from api.turns import Kind, Turns, as_kind

T = TypeVar("T")
log = logging.getLogger(__name__)

CONNECT_SECONDS = 10.0
CLOSE_SECONDS = 1.0
POOL_WAIT_SECONDS = 3.0
IDLE_IN_TRANSACTION_SECONDS = 10.0
RECYCLE_SECONDS = 1800.0
CLOCK_SYNC_SECONDS = 30.0
RETRYABLE_STATES = ("40001", "40P01")  # serialization failure, deadlock


class Database:
    """The process's connections to one PostgreSQL; used as an async context manager.

    `config.database_url` must be set and the schema migrated. Entering raises OSError or
    asyncpg.PostgresError when the server cannot be reached.
    """

    def __init__(self, config: Config) -> None:
        if config.database_url is None:
            raise ValueError("a Database needs a database_url")
        self._config = config
        self._dsn = config.database_url
        self._clock = Clock(config.game_time_scale)
        self._turns = Turns(config.pool_size)
        self._session_turns = Turns(config.pool_size)
        self._engine = self._create_engine()
        self._snapshots = self._engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        self._pool: asyncpg.Pool | None = None
        self._kept: list[Kept] = []
        self._syncing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Database":
        self._pool = await asyncpg.create_pool(
            min_size=1,
            max_size=self._config.pool_size,
            max_inactive_connection_lifetime=RECYCLE_SECONDS,
            connect=self._connect,
            reset=_keep,
        )
        try:
            await self._clock.sync(self._pool)
        except BaseException:
            await self.__aexit__()
            raise
        with as_kind(Kind.HOUSE):
            self._syncing = asyncio.create_task(self._keep_time())
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        if self._syncing is not None:
            self._syncing.cancel()
            with suppress(asyncio.CancelledError):
                await self._syncing
        if self._pool is not None:
            for kept in self._kept:
                await kept.give_back()
            try:
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self._pool.close()
            except TimeoutError:
                self._pool.terminate()
            self._pool = None
        await self._engine.dispose()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """A session whose work is committed on leaving, or rolled back on any exception.

        The only commit in the code. Once begun, the commit is finished even if the caller is
        cancelled. Nothing is told to anyone before it returns.
        """
        async with self._session(self._engine) as session:
            yield session
            await _finish(session.commit())

    async def atomically(self, work: Callable[[AsyncSession], Awaitable[T]]) -> T:
        """`work` in a transaction; once more if PostgreSQL undid it for a passing reason.

        `work` must be safe to run twice: the first run has then left nothing behind.
        """
        try:
            async with self.transaction() as session:
                return await work(session)
        except DBAPIError as error:
            if not _passing(error):
                raise
        async with self.transaction() as session:
            return await work(session)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """A session that sees one snapshot and cannot write. Never hold it across a `yield`."""
        async with self._session(self._snapshots) as session:
            yield session

    async def fetch(self, statement: str, *args: object) -> list[asyncpg.Record]:
        """One statement in a transaction of its own; all its rows."""
        async with self._raw() as connection:
            rows: list[asyncpg.Record] = await connection.fetch(statement, *args)
            return rows

    async def fetchrow(self, statement: str, *args: object) -> asyncpg.Record | None:
        """One statement in a transaction of its own; its first row, None if there is none."""
        async with self._raw() as connection:
            return await connection.fetchrow(statement, *args)

    async def execute(self, statement: str, *args: object) -> str:
        """One statement in a transaction of its own; its command tag, such as `UPDATE 1`."""
        async with self._raw() as connection:
            tag: str = await connection.execute(statement, *args)
            return tag

    def keep(self) -> Kept:
        """One of the raw connections, for one user at a time, who need not acquire it each time."""
        self._kept.append(kept := Kept(self._acquire, self._release))
        return kept

    async def ping(self) -> None:
        """Return if the database answers; raises OSError, TimeoutError or asyncpg.PostgresError."""
        async with self._raw() as connection:
            await connection.fetchval("SELECT 1")

    def pool_use(self) -> dict[str, dict[str, int]]:
        """How many connections each pool has open, has in use, and may have at most."""
        raw, sessions = self._pool, cast("QueuePool", self._engine.pool)
        most = self._config.pool_size
        busy, idle = sessions.checkedout(), sessions.checkedin()
        size, unused = (raw.get_size(), raw.get_idle_size()) if raw else (0, 0)
        return {
            "sessions": {"open": busy + idle, "in_use": busy, "limit": most},
            "raw": {"open": size, "in_use": size - unused, "limit": most},
        }

    def now(self) -> int:
        """The database's time in ms since 1970, as this process estimates it; never backwards."""
        return self._clock.now()

    def game_now(self) -> int:
        """The time the games live in, ms since 1970; `now()` where the scale is 1."""
        return self._clock.game_now()

    def game_at(self, at_ms: int) -> int:
        """The game time at a database time."""
        return self._clock.to_game(at_ms)

    def game_span(self, real_ms: int) -> int:
        """How long a stretch of real time is in game time."""
        return self._clock.to_game_span(real_ms)

    @asynccontextmanager
    async def _session(self, engine: AsyncEngine) -> AsyncIterator[AsyncSession]:
        """A session in its turn. Raises TimeoutError when all stay busy."""
        await self._session_turns.take()
        try:
            session = AsyncSession(engine, expire_on_commit=False)
            try:
                yield session
            finally:
                await _finish(session.close())
        finally:
            self._session_turns.give_back()

    @asynccontextmanager
    async def _raw(self) -> AsyncIterator[asyncpg.Connection]:
        """A connection of the raw pool in its turn. Raises TimeoutError when all stay busy."""
        connection = await self._acquire()
        try:
            yield connection
        finally:
            await self._release(connection)

    async def _acquire(self) -> asyncpg.Connection:
        if self._pool is None:
            raise RuntimeError("the database is not open")
        await self._turns.take()
        try:
            async with asyncio.timeout(POOL_WAIT_SECONDS):
                return await self._pool.acquire()
        except BaseException:
            self._turns.give_back()
            raise

    async def _release(self, connection: asyncpg.Connection) -> None:
        try:
            if self._pool is not None:
                await self._pool.release(connection)
        finally:
            self._turns.give_back()

    async def _connect(self, *_: object, **kwargs: Any) -> asyncpg.Connection:
        """One connection, for either pool; asyncpg itself reads libpq's form of the address."""
        timeout = self._config.statement_timeout
        try:
            return await asyncpg.connect(
                self._dsn,
                timeout=CONNECT_SECONDS,
                command_timeout=timeout + 1,  # the server's own timeout comes first
                server_settings={
                    "application_name": "board",
                    "jit": "off",
                    "timezone": "UTC",
                    "statement_timeout": _ms(timeout),
                    "idle_in_transaction_session_timeout": _ms(IDLE_IN_TRANSACTION_SECONDS),
                },
                **kwargs,
            )
        except OSError as error:  # a name that is not known, a socket that is not there
            raise ConnectionError(f"no connection to PostgreSQL: {error}") from error

    def _create_engine(self) -> AsyncEngine:
        engine = create_async_engine(
            "postgresql+asyncpg://",
            async_creator=self._connect,
            pool_size=self._config.pool_size,
            max_overflow=0,
            pool_timeout=POOL_WAIT_SECONDS,
            pool_recycle=RECYCLE_SECONDS,
            pool_use_lifo=True,
            json_serializer=lambda value: msgspec.json.encode(value).decode(),
            json_deserializer=msgspec.json.decode,
        )
        event.listen(engine.sync_engine, "checkout", _refuse_closed)
        return engine

    async def _keep_time(self) -> None:
        while True:
            await asyncio.sleep(CLOCK_SYNC_SECONDS)
            try:
                async with self._raw() as connection:
                    await self._clock.sync(connection)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                log.warning("the database's clock could not be read: %r", error)


async def _keep(_: object) -> None:
    """Nothing to reset: statements on the raw pool leave no trace in their connection."""


def _refuse_closed(dbapi_connection: Any, *_: object) -> None:
    """Have the pool reconnect at no cost of a round trip, e.g. after PostgreSQL was restarted."""
    if dbapi_connection.driver_connection.is_closed():
        raise DisconnectionError


def _passing(error: DBAPIError) -> bool:
    """Whether the same work may well succeed if it is simply done again."""
    cause = getattr(error.orig, "__cause__", None)
    if isinstance(cause, asyncpg.InvalidCachedStatementError):
        return True
    return getattr(cause, "sqlstate", None) in RETRYABLE_STATES


async def _finish(work: Coroutine[Any, Any, None]) -> None:
    """Await `work` to its end even if the caller is cancelled meanwhile, then be cancelled."""
    task = asyncio.create_task(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    task.result()
    if cancelled is not None:
        raise cancelled


def _ms(seconds: float) -> str:
    return str(round(seconds * 1000))


async def probe(dsn: str) -> None:
    """Connect once; raises StartError that says why the server cannot be used."""
    try:
        connection = await asyncpg.connect(dsn, timeout=CONNECT_SECONDS)
    except (
        OSError,
        TimeoutError,
        ValueError,
        asyncpg.PostgresError,
        asyncpg.InterfaceError,
    ) as error:
        raise StartError(f"DATABASE_URL: no connection to PostgreSQL: {error!r}") from error
    await connection.close()
