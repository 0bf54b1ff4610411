"""All SQL of presence. Rows are written in bulk, in one order, so that processes never deadlock."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID


class Connection(Protocol):
    """What the statements need: the database itself."""

    async def fetch(self, statement: str, *args: object) -> Sequence[Any]: ...
    async def fetchrow(self, statement: str, *args: object) -> Any: ...
    async def execute(self, statement: str, *args: object) -> Any: ...


_BUMP = """
INSERT INTO presence_revision (room_id, revision)
SELECT DISTINCT room_id, 1 FROM moved ORDER BY room_id
ON CONFLICT (room_id) DO UPDATE SET revision = presence_revision.revision + 1
RETURNING room_id
"""

MARK = f"""
WITH moved AS (
    INSERT INTO presence (room_id, account_id, process_id, connected, changed_at)
    SELECT room_id, account_id, $1, connected, clock_timestamp()
    FROM unnest($2::uuid[], $3::uuid[], $4::bool[]) AS w (room_id, account_id, connected)
    ORDER BY room_id, account_id
    ON CONFLICT (room_id, account_id, process_id) DO UPDATE
    SET connected = excluded.connected, changed_at = excluded.changed_at
    WHERE presence.connected <> excluded.connected OR presence.changed_at IS NULL
    RETURNING room_id
) {_BUMP}"""  # noqa: S608 - both parts are ours

TOUCH = """
INSERT INTO presence (room_id, account_id, process_id, connected, requested_at)
SELECT room_id, account_id, $1, false, clock_timestamp()
FROM unnest($2::uuid[], $3::uuid[]) AS w (room_id, account_id)
ORDER BY room_id, account_id
ON CONFLICT (room_id, account_id, process_id) DO UPDATE SET requested_at = excluded.requested_at
"""

BEAT = """
INSERT INTO process (id, seen_at) VALUES ($1, clock_timestamp())
ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
RETURNING (xmax = 0) AS new
"""

BURY = f"""
WITH dead AS (
    DELETE FROM process
    WHERE id IN (
        SELECT id FROM process WHERE id = $2 OR seen_at < clock_timestamp() - $1::interval
        FOR UPDATE SKIP LOCKED
    )
    RETURNING id, seen_at
), moved AS (
    UPDATE presence SET connected = false, changed_at = dead.seen_at
    FROM dead WHERE presence.process_id = dead.id AND presence.connected
    RETURNING presence.room_id
) {_BUMP}"""  # noqa: S608 - both parts are ours

FORGET = """
DELETE FROM presence
WHERE NOT connected AND greatest(changed_at, requested_at) < clock_timestamp() - $1::interval
"""

REVISIONS = "SELECT room_id, revision FROM presence_revision WHERE room_id = ANY($1)"

CONNECTED = """
SELECT coalesce((SELECT revision FROM presence_revision WHERE room_id = $1), 0) AS revision,
       coalesce((SELECT array_agg(DISTINCT account_id) FROM presence
                 WHERE room_id = $1 AND connected AND process_id IS DISTINCT FROM $2::uuid),
                '{}') AS accounts
"""

CONNECTED_MANY = """
SELECT room_id, array_agg(DISTINCT account_id) AS accounts
FROM presence WHERE room_id = ANY($1) AND connected GROUP BY room_id
"""

TRACES = """
SELECT p.room_id, p.account_id, bool_or(connected) AS connected, max(changed_at) AS changed_at,
       max(requested_at) AS requested_at
FROM presence p JOIN unnest($1::uuid[], $2::uuid[]) AS w (room_id, account_id)
  ON p.room_id = w.room_id AND p.account_id = w.account_id
GROUP BY p.room_id, p.account_id
"""


@dataclass(frozen=True, slots=True)
class Trace:
    """What all processes together know of one person in one room."""

    connected: bool = False
    changed_at: datetime | None = None
    requested_at: datetime | None = None


async def mark(
    connection: Connection, process_id: UUID, marks: Mapping[tuple[UUID, UUID], bool]
) -> list[UUID]:
    """Set (room, account) connected or not; the rooms in which that changed anything."""
    rooms, accounts = zip(*marks, strict=True)
    states = list(marks.values())
    rows = await connection.fetch(MARK, process_id, list(rooms), list(accounts), states)
    return [row["room_id"] for row in rows]


async def touch(
    connection: Connection, process_id: UUID, touched: Iterable[tuple[UUID, UUID]]
) -> None:
    """Note that these (room, account) asked for something just now."""
    rooms, accounts = zip(*touched, strict=True)
    await connection.execute(TOUCH, process_id, list(rooms), list(accounts))


async def beat(connection: Connection, process_id: UUID) -> bool:
    """Say that a process is alive; True if nobody knew, at its first beat or after its burial."""
    return bool((await connection.fetchrow(BEAT, process_id))["new"])


async def bury(connection: Connection, after: Any, also: UUID | None = None) -> list[UUID]:
    """Disconnect whoever was connected through processes silent for `after`, or through `also`.

    The rooms in which that changed anything.
    """
    return [row["room_id"] for row in await connection.fetch(BURY, after, also)]


async def forget(connection: Connection, after: Any) -> None:
    """Drop the traces of those who have been gone for so long."""
    await connection.execute(FORGET, after)


async def revisions(connection: Connection, ids: Iterable[UUID]) -> dict[UUID, int]:
    """The present revision of presence in each of these rooms."""
    rows = await connection.fetch(REVISIONS, list(ids))
    return {row["room_id"]: row["revision"] for row in rows}


async def connected(
    connection: Connection, room_id: UUID, elsewhere_than: UUID | None = None
) -> tuple[int, frozenset[UUID]]:
    """The revision of presence in a room, and who is connected there, one process left out."""
    row = await connection.fetchrow(CONNECTED, room_id, elsewhere_than)
    return row["revision"], frozenset(row["accounts"])


async def connected_many(
    connection: Connection, ids: Iterable[UUID]
) -> dict[UUID, frozenset[UUID]]:
    """Who is connected to each of these rooms; rooms with nobody are missing."""
    rows = await connection.fetch(CONNECTED_MANY, list(ids))
    return {row["room_id"]: frozenset(row["accounts"]) for row in rows}


async def traces(
    connection: Connection, seats: Sequence[tuple[UUID, UUID]]
) -> dict[tuple[UUID, UUID], Trace]:
    """What is known of each (room, account); those never seen are missing."""
    rows = await connection.fetch(TRACES, *map(list, zip(*seats, strict=True)))
    return {(row[0], row[1]): Trace(*row[2:]) for row in map(tuple, rows)}
