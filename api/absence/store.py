"""All SQL of absence: who is gone where, for how many units, and what the host was asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol
from uuid import UUID


class Connection(Protocol):
    """What the statements need: the database itself, or a session's transaction."""

    async def fetch(self, statement: str, *args: Any) -> Sequence[Any]: ...
    async def fetchrow(self, statement: str, *args: Any) -> Any: ...


GONE = """
SELECT m.id, m.version, array_agg(s.seat) AS seats
FROM match m JOIN match_seat s ON s.match_id = m.id
WHERE m.status = 'RUNNING' AND m.game = ANY($1) AND NOT EXISTS (
    SELECT FROM presence p
    WHERE p.room_id = m.room_id AND p.account_id = s.account_id AND p.connected
)
GROUP BY m.id LIMIT $2
"""

DESERTED = """
SELECT m.id FROM match m
WHERE m.status = 'RUNNING' AND m.started_at < clock_timestamp() - $1::interval
AND NOT EXISTS (
    SELECT FROM match_seat s JOIN presence p
    ON p.room_id = m.room_id AND p.account_id = s.account_id
    WHERE s.match_id = m.id AND (
        p.connected OR greatest(p.changed_at, p.requested_at) > clock_timestamp() - $1::interval
    )
) AND NOT EXISTS (
    SELECT FROM outage o WHERE o.ended_at > clock_timestamp() - $1::interval
)
LIMIT $2
"""

UNITS = """
SELECT unit,
       bool_or(actor = 'SEAT' AND seat = $2) AS acted,
       bool_or(actor = 'TIMER' AND awaited = $2) AS timed_out,
       bool_and(actor <> 'TIMER' OR absent) AS away
FROM match_log
WHERE match_id = $1 AND unit < $3
  AND unit > (SELECT coalesce(max(continued_unit), -1) FROM absence_question
              WHERE match_id = $1 AND seat = $2)
  AND (awaited = $2 OR (actor = 'SEAT' AND seat = $2))
GROUP BY unit ORDER BY unit DESC LIMIT $4
"""

ASK = """
INSERT INTO absence_question (match_id, seat, room_id, open, asked_at, asked_version, asked_unit)
VALUES ($1, $2, $3, true, clock_timestamp(), $4, $5)
ON CONFLICT (match_id, seat) DO UPDATE
SET open = true, asked_at = excluded.asked_at, asked_version = excluded.asked_version,
    asked_unit = excluded.asked_unit
WHERE excluded.asked_unit >= coalesce(absence_question.continued_unit, -1) + $6
  AND (NOT absence_question.open OR EXISTS (
    SELECT FROM match_log l
    WHERE l.match_id = absence_question.match_id AND l.version > absence_question.asked_version
      AND l.actor = 'SEAT' AND l.seat = absence_question.seat
))
RETURNING seat
"""

OPEN = """
SELECT q.match_id, q.seat, q.asked_at, q.asked_unit, s.account_id
FROM absence_question q
JOIN match m ON m.id = q.match_id AND m.status = 'RUNNING'
JOIN match_seat s ON s.match_id = q.match_id AND s.seat = q.seat
JOIN room_member r ON r.room_id = q.room_id AND r.account_id = s.account_id
WHERE q.room_id = $1 AND q.open AND NOT EXISTS (
    SELECT FROM match_log l
    WHERE l.match_id = q.match_id AND l.version > q.asked_version
      AND l.actor = 'SEAT' AND l.seat = q.seat
)
ORDER BY q.asked_at, q.seat
"""

CLOSE = """
UPDATE absence_question SET open = false, continued_unit = $3
WHERE match_id = $1 AND seat = $2 AND open RETURNING seat
"""


FORGIVE = """
INSERT INTO absence_question (match_id, seat, room_id, open, asked_at, asked_version, asked_unit,
                              continued_unit)
VALUES ($1, $2, $3, false, clock_timestamp(), 0, 0, $4)
ON CONFLICT (match_id, seat) DO UPDATE SET continued_unit = excluded.continued_unit
"""

UNITS_LOOKED_AT = 20


@dataclass(frozen=True, slots=True)
class Question:
    """An open question about a seat; `account_id` is who holds it."""

    match_id: UUID
    seat: int
    account_id: UUID
    asked_at: datetime
    asked_unit: int


async def gone(
    connection: Connection, games: Sequence[str], limit: int
) -> list[tuple[UUID, int, list[int]]]:
    """Running matches of these games with seats that nobody is connected for, and which."""
    rows = await connection.fetch(GONE, list(games), limit)
    return [(row["id"], row["version"], list(row["seats"])) for row in rows]


async def deserted(connection: Connection, after: timedelta, limit: int) -> list[UUID]:
    """Running matches of which no player has been there for so long, the service being up."""
    return [row["id"] for row in await connection.fetch(DESERTED, after, limit)]


async def absent_units(
    connection: Connection, match_id: UUID, seat: int, present: int, most: int, only_if_away: bool
) -> int:
    """How many finished units in a row, up to the one before `present`, a seat was absent in.

    Units in which it was not waited for do not count, neither way. At most `most`.
    """
    rows = await connection.fetch(UNITS, match_id, seat, present, UNITS_LOOKED_AT)
    count = 0
    for row in rows:
        if row["acted"] or (row["timed_out"] and only_if_away and not row["away"]):
            break
        count += row["timed_out"]
    return min(count, most)


async def ask(
    connection: Connection,
    match_id: UUID,
    seat: int,
    room_id: UUID,
    version: int,
    unit: int,
    units: int,
) -> bool:
    """Open the question about a seat that was absent for `units` up to `unit`.

    False if it is open already, or was answered while the units were counted.
    """
    row = await connection.fetchrow(ASK, match_id, seat, room_id, version, unit, units)
    return row is not None


async def questions(connection: Connection, room_id: UUID) -> list[Question]:
    """The open questions of a room, the oldest first."""
    return [
        Question(
            row["match_id"], row["seat"], row["account_id"], row["asked_at"], row["asked_unit"]
        )
        for row in await connection.fetch(OPEN, room_id)
    ]


async def close(connection: Connection, question: Question, unit: int) -> bool:
    """Close a question; absence up to this unit is forgiven. False if it was not open."""
    row = await connection.fetchrow(CLOSE, question.match_id, question.seat, unit)
    return row is not None


async def forgive(
    connection: Connection, match_id: UUID, seat: int, room_id: UUID, unit: int
) -> None:
    """Count a seat's absence anew from the unit after this one."""
    await connection.fetchrow(FORGIVE, match_id, seat, room_id, unit)
