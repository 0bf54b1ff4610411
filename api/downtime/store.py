"""All SQL of the pulse and its gaps."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Protocol
from uuid import UUID


class Connection(Protocol):
    """What the statements need: the database itself, or a session's transaction."""

    async def fetch(self, statement: str, *args: Any) -> Sequence[Any]: ...
    async def fetchrow(self, statement: str, *args: Any) -> Any: ...


RENEW = """
UPDATE pulse SET seen_at = clock_timestamp()
WHERE id = 1 AND seen_at > clock_timestamp() - $1::interval RETURNING id
"""

RESUME = """
WITH old AS (
    SELECT seen_at FROM pulse WHERE id = 1 FOR UPDATE
), gap AS (
    INSERT INTO outage (began_at, ended_at)
    SELECT seen_at, clock_timestamp() FROM old WHERE seen_at <= clock_timestamp() - $1::interval
    RETURNING number
)
INSERT INTO pulse (id, seen_at) SELECT 1, clock_timestamp() FROM (SELECT count(*) FROM gap) g
ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
RETURNING (SELECT max(number) FROM gap) AS number
"""

BEHIND = """
SELECT id FROM match
WHERE status = 'RUNNING' AND outages < (SELECT coalesce(max(number), 0) FROM outage) LIMIT $1
"""

OWED = """
SELECT max(o.number) AS number,
       (sum(extract(epoch FROM o.ended_at - o.began_at)) * 1000)::bigint AS milliseconds
FROM match m JOIN outage o ON o.number > m.outages
WHERE m.id = $1 AND m.status = 'RUNNING'
"""

OWING = """
SELECT id FROM match WHERE id = ANY($1) AND status = 'RUNNING'
AND outages < (SELECT coalesce(max(number), 0) FROM outage)
"""

SETTLE = "UPDATE match SET outages = $2 WHERE id = $1 RETURNING id"

LAST_END = "SELECT max(ended_at) AS ended_at FROM outage"


async def renew(connection: Connection, gap: timedelta) -> bool:
    """Say that the service is up; False if nobody has said so for `gap` or ever."""
    return await connection.fetchrow(RENEW, gap) is not None


async def resume(connection: Connection, gap: timedelta) -> int | None:
    """Say so after a silence of at least `gap`: the number of the outage that it ended.

    None if somebody was faster, and when the service starts for the first time.
    """
    number: int | None = (await connection.fetchrow(RESUME, gap))["number"]
    return number


async def behind(connection: Connection, limit: int) -> list[UUID]:
    """Running matches whose deadlines do not make up for every outage yet."""
    return [row["id"] for row in await connection.fetch(BEHIND, limit)]


async def owed(connection: Connection, match_id: UUID) -> tuple[int, int] | None:
    """The last outage and how long all were that a match has still to make up for, in real ms."""
    row = await connection.fetchrow(OWED, match_id)
    return None if row is None or row["number"] is None else (row["number"], row["milliseconds"])


async def owing(connection: Connection, ids: Sequence[UUID]) -> set[UUID]:
    """Those of these running matches that have an outage to make up for."""
    return {row["id"] for row in await connection.fetch(OWING, ids)}


async def settle(connection: Connection, match_id: UUID, number: int) -> None:
    """Note that a match has made up for all outages up to this one."""
    await connection.fetchrow(SETTLE, match_id, number)


async def last_end(connection: Connection) -> Any:
    """When the last outage ended; None if there was none."""
    return (await connection.fetchrow(LAST_END))["ended_at"]
