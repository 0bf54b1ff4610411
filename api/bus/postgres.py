"""Wake-ups by LISTEN and NOTIFY, on a connection of their own."""

import asyncpg

from api.bus.carriers import CHANNEL, Backend

CONNECT_SECONDS = 5.0
STATEMENT_SECONDS = 5.0
CLOSE_SECONDS = 0.5


class PostgresBackend(Backend):
    """One connection that listens, and publishes between; a pool would hand it to others.

    NOTIFY takes a lock of the whole cluster until its commit is done, so the commit does not wait
    for the disk.
    """

    _connection: asyncpg.Connection | None = None

    async def connect(self) -> None:
        """Connect and listen. Raises OSError, TimeoutError or asyncpg.PostgresError."""
        connection = await asyncpg.connect(
            self._url,
            timeout=CONNECT_SECONDS,
            command_timeout=STATEMENT_SECONDS,
            server_settings={"application_name": "board-bus", "synchronous_commit": "off"},
        )
        try:
            await connection.add_listener(CHANNEL, self._notified)
        except BaseException:
            connection.terminate()
            raise
        connection.add_termination_listener(self._terminated)
        self._connection = connection

    async def disconnect(self) -> None:
        """Close the connection, which ends the listening."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.remove_termination_listener(self._terminated)
            await connection.close(timeout=CLOSE_SECONDS)

    async def publish(self, channel: str, message: str) -> None:
        """One NOTIFY in a transaction of its own."""
        if self._connection is None:
            raise ConnectionError("the connection is closed")
        await self._connection.execute("SELECT pg_notify($1, $2)", channel, message)

    def _notified(self, _: asyncpg.Connection, _pid: int, _channel: str, message: object) -> None:
        self.received(str(message))

    def _terminated(self, _: asyncpg.Connection) -> None:
        self._lost(ConnectionError("PostgreSQL has ended the connection"))
