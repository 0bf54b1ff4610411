"""All SQL of matches. The hot write is one statement: state, log row and result, or nothing."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from asyncpg import UniqueViolationError
from sqlmodel.ext.asyncio.session import AsyncSession


class Connection(Protocol):
    """What the statements need: the database itself, or `InSession`."""

    async def fetch(self, statement: str, *args: Any) -> Sequence[Any]: ...
    async def fetchrow(self, statement: str, *args: Any) -> Any: ...


class InSession:
    """The same statements inside a session's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def fetch(self, statement: str, *args: Any) -> Sequence[Any]:
        connection = await self._session.connection()
        return (await connection.exec_driver_sql(statement, args)).mappings().all()

    async def fetchrow(self, statement: str, *args: Any) -> Any:
        connection = await self._session.connection()
        return (await connection.exec_driver_sql(statement, args)).mappings().first()

    async def append(self, write: "Write") -> bool:
        """Write one action as part of the transaction."""
        return await append(self, write)


HEAD = """
m.id, m.room_id, m.game, m.rules_version, m.options::text, m.seed_commitment, m.public,
m.allow_spectators, m.open_replay, m.verifiable, m.status, m.version,
m.started_at, m.finished_at, m.result::text,
(SELECT array_agg(s.account_id ORDER BY s.seat) FROM match_seat s WHERE s.match_id = m.id)
    AS accounts
"""
"""All that is read of `match m` but the state, which is large."""

WHOLE = HEAD + ", m.state::text"

LOAD_MANY = "SELECT <whole> FROM match m WHERE m.id = ANY($1)".replace("<whole>", WHOLE)

HEADS = "SELECT <head> FROM match m WHERE m.id = ANY($1)".replace("<head>", HEAD)

LOAD = LOAD_MANY.replace("ANY($1)", "$1")

MOVABLE = """
id = $1 AND version = $2 AND status = 'RUNNING' AND ($17::uuid IS NULL OR EXISTS (
    SELECT 1 FROM account_session WHERE id = $17 AND ends_at > clock_timestamp()))
"""

MOVE = """
WITH moved AS (
    UPDATE match SET version = version + 1, state = $3, deadline_at = $4, status = $5,
                     result = $6, finished_at = $7
    WHERE <movable> RETURNING id, version
)""".replace("<movable>", MOVABLE)

MOVE_IF_FREE = """
WITH free AS (
    SELECT id FROM match WHERE <movable> FOR NO KEY UPDATE SKIP LOCKED
), moved AS (
    UPDATE match SET version = version + 1, state = $3, deadline_at = $4, status = $5,
                     result = $6, finished_at = $7
    WHERE id = (SELECT id FROM free) RETURNING id, version
)""".replace("<movable>", MOVABLE)

END_LISTING = """, ended AS (
    UPDATE match_listing SET status = $5, finished_at = $7, end_reason = $18, listed = public
    WHERE match_id = (SELECT id FROM moved)
)"""

LOG = """
INSERT INTO match_log (match_id, version, actor, seat, idempotency_key, action, events, at,
                       unit, awaited, absent)
SELECT id, version, $8, $9, $10, $11, $12, $13, $14, $15, $16 FROM moved
RETURNING version
"""

APPEND = MOVE + LOG
APPEND_IF_FREE = MOVE_IF_FREE + LOG
APPEND_LAST = MOVE + END_LISTING + LOG

APPEND_MANY = """
WITH given AS (
    SELECT * FROM unnest($1::uuid[], $2::int[], $3::text[], $4::timestamptz[], $5::text[],
                         $6::smallint[], $7::text[], $8::text[], $9::text[], $10::timestamptz[],
                         $11::int[], $12::smallint[], $13::bool[], $14::uuid[])
    AS g (match_id, judged_version, state, deadline_at, actor, seat, idempotency_key, action,
          events, at, unit, awaited, absent, session_id)
), free AS (
    SELECT g.* FROM given g JOIN match m ON m.id = g.match_id
    WHERE m.version = g.judged_version AND m.status = 'RUNNING'
      AND (g.session_id IS NULL OR EXISTS (
          SELECT 1 FROM account_session s
          WHERE s.id = g.session_id AND s.ends_at > clock_timestamp()))
    FOR NO KEY UPDATE OF m SKIP LOCKED
), moved AS (
    UPDATE match m SET version = m.version + 1, state = f.state::json, deadline_at = f.deadline_at
    FROM free f WHERE m.id = f.match_id
    RETURNING m.version, f.*
)
INSERT INTO match_log (match_id, version, actor, seat, idempotency_key, action, events, at,
                       unit, awaited, absent)
SELECT match_id, version, actor, seat, idempotency_key, action::json, events::json, at,
       unit, awaited, absent FROM moved
RETURNING match_id
"""

BY_KEY = """
SELECT version AS row_version, actor, seat, idempotency_key, action::text, events::text, at
FROM match_log WHERE match_id = $1 AND seat = $2 AND idempotency_key = $3
"""

ROWS = """
SELECT version AS row_version, actor, seat, idempotency_key, action::text, events::text, at
FROM match_log WHERE match_id = $1 AND version > $2 AND version <= $3 ORDER BY version LIMIT $4
"""

MARKERS = """
SELECT id, 2 * version + (status <> 'RUNNING')::int AS marker FROM match WHERE id = ANY($1)
"""

DUE = """
SELECT id FROM match WHERE status = 'RUNNING' AND deadline_at <= $1
ORDER BY deadline_at LIMIT $2
"""

CLAIM = """
SELECT id FROM match WHERE id = $1 AND status = 'RUNNING' FOR UPDATE SKIP LOCKED
"""

ABANDON = """
WITH closed AS (
    UPDATE match SET status = 'ABANDONED', finished_at = $2, deadline_at = NULL
    WHERE id = $1 AND status = 'RUNNING' RETURNING id
)
UPDATE match_listing SET status = 'ABANDONED', finished_at = $2, listed = public
WHERE match_id = (SELECT id FROM closed) RETURNING match_id
"""

SEEDS = "SELECT id, seed FROM match WHERE id = ANY($1)"

STATUS = "SELECT status FROM match WHERE id = $1"


INSERT_MATCH = """
INSERT INTO match (id, room_id, game, rules_version, options, seats, seed, seed_commitment, public,
                   allow_spectators, open_replay, verifiable, state, deadline_at, started_at,
                   status, version, outages)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 'RUNNING', 1,
        (SELECT coalesce(max(number), 0) FROM outage))
RETURNING id
"""

INSERT_SEATS = """
INSERT INTO match_seat (match_id, game, started_at, account_id, seat)
SELECT $1, $2, $3, account_id, place - 1
FROM unnest($4::uuid[]) WITH ORDINALITY AS s (account_id, place)
RETURNING seat
"""

INSERT_LISTING = """
INSERT INTO match_listing (match_id, game, public, listed, status, started_at, counted)
VALUES ($1, $2, $3, $4, 'RUNNING', $5, false)
RETURNING match_id
"""

INSERT_SETUP = """
INSERT INTO match_log (match_id, version, actor, events, at) VALUES ($1, 1, 'SYSTEM', $2, $3)
RETURNING version
"""

IN_ROOMS = "SELECT room_id FROM room_member WHERE account_id = $1 AND room_id = ANY($2)"

INSIDERS = "SELECT account_id FROM room_member WHERE room_id = $1 AND account_id = ANY($2)"

IS_HOST = "SELECT 1 FROM room WHERE id = $1 AND host_id = $2"


class KeyTaken(Exception):
    """The seat has already used this idempotency key in this match."""


class NewMatch(NamedTuple):
    """A match as it is dealt; JSON columns as encoded text."""

    id: UUID
    room_id: UUID
    game: str
    rules_version: int
    options: str
    seats: int
    seed: bytes
    seed_commitment: bytes
    public: bool
    allow_spectators: bool
    open_replay: bool
    verifiable: bool
    state: str
    deadline_at: datetime | None
    started_at: datetime
    accounts: tuple[UUID, ...]
    events: str


class Write(NamedTuple):
    """What one accepted action writes; JSON columns as encoded text.

    Nothing is written unless the session `session_id`, if there is one, has not ended.
    """

    match_id: UUID
    judged_version: int
    state: str
    deadline_at: datetime | None
    status: str
    result: str | None
    finished_at: datetime | None
    actor: str
    seat: int | None
    idempotency_key: str | None
    action: str
    events: str
    at: datetime
    unit: int | None
    awaited: int | None
    absent: bool | None
    session_id: UUID | None = None
    end_reason: str | None = None


_GOING_ON = [
    place
    for place, name in enumerate(Write._fields)
    if name not in ("status", "result", "finished_at", "end_reason")
]


async def append(connection: Connection, write: Write) -> bool:
    """Write one action if nobody was faster; False when the version has moved on or the session,
    on which it rests, has ended.

    The last one of a match also closes its listing, in the same statement. Raises `KeyTaken` when
    the seat's idempotency key is already in the log.
    """
    if write.finished_at is None:
        return await _append(connection, APPEND, write[:-1])
    return await _append(connection, APPEND_LAST, write)


async def append_if_free(connection: Connection, write: Write) -> bool:
    """The same for an action after which the match goes on, without ever waiting for another
    transaction: False, too, when one holds the match.
    """
    return await _append(connection, APPEND_IF_FREE, write[:-1])


async def _append(connection: Connection, statement: str, arguments: Sequence[Any]) -> bool:
    try:
        row = await connection.fetchrow(statement, *arguments)
    except UniqueViolationError as error:
        if error.constraint_name == "uq_match_log_key":
            raise KeyTaken from error
        raise
    return row is not None


async def append_many(connection: Connection, writes: Sequence[Write]) -> set[UUID]:
    """`append_if_free` for actions of different matches: the matches that have moved. Raises
    UniqueViolationError, with nothing written, when any key is in the log already.
    """
    columns = [[write[place] for write in writes] for place in _GOING_ON]
    return {row["match_id"] for row in await connection.fetch(APPEND_MANY, *columns)}


async def insert(session: AsyncSession, new: NewMatch) -> None:
    """Insert a match, its seats, listing and first log row in the caller's transaction."""
    connection = InSession(session)
    await connection.fetchrow(INSERT_MATCH, *new[:-2])
    await connection.fetch(INSERT_SEATS, new.id, new.game, new.started_at, list(new.accounts))
    listed = new.public and new.allow_spectators
    await connection.fetch(INSERT_LISTING, new.id, new.game, new.public, listed, new.started_at)
    await connection.fetch(INSERT_SETUP, new.id, new.events, new.started_at)


async def in_rooms(connection: Connection, account_id: UUID, ids: Iterable[UUID]) -> set[UUID]:
    """Those of these rooms that an account is in at present."""
    return {r["room_id"] for r in await connection.fetch(IN_ROOMS, account_id, list(ids))}


async def insiders(connection: Connection, room_id: UUID, ids: Iterable[UUID]) -> set[UUID]:
    """Those of these accounts that are in a room at present."""
    return {r["account_id"] for r in await connection.fetch(INSIDERS, room_id, list(ids))}


async def is_host(connection: Connection, room_id: UUID, account_id: UUID) -> bool:
    """Whether an account is the room's host at present."""
    return await connection.fetchrow(IS_HOST, room_id, account_id) is not None


async def load(connection: Connection, match_id: UUID) -> Any:
    """One match with its seats, or None."""
    return await connection.fetchrow(LOAD, match_id)


async def load_many(connection: Connection, ids: Iterable[UUID]) -> Sequence[Any]:
    """These matches with their seats, in any order; unknown ones are missing."""
    return await connection.fetch(LOAD_MANY, list(ids))


async def heads(connection: Connection, ids: Iterable[UUID]) -> Sequence[Any]:
    """The same without their states."""
    return await connection.fetch(HEADS, list(ids))


async def rows(
    connection: Connection, match_id: UUID, after: int, until: int, limit: int
) -> Sequence[Any]:
    """Log rows with after < version <= until, oldest first."""
    return await connection.fetch(ROWS, match_id, after, until, limit)


async def by_key(connection: Connection, match_id: UUID, seat: int, key: str) -> Any:
    """The log row a seat wrote under an idempotency key, or None."""
    return await connection.fetchrow(BY_KEY, match_id, seat, key)


async def markers(connection: Connection, ids: Iterable[UUID]) -> Mapping[UUID, int]:
    """The present `feed.marker_of` of each of these matches."""
    return {r["id"]: r["marker"] for r in await connection.fetch(MARKERS, list(ids))}


async def due(connection: Connection, now: datetime, limit: int) -> list[UUID]:
    """Running matches whose deadline has passed, the longest overdue first."""
    return [r["id"] for r in await connection.fetch(DUE, now, limit)]


async def claim(connection: Connection, match_id: UUID) -> bool:
    """Lock a running match; False if it runs no longer, or another process is at it."""
    return await connection.fetchrow(CLAIM, match_id) is not None


async def abandon(connection: Connection, match_id: UUID, at: datetime) -> bool:
    """Close a running match without a result; False if it runs no longer."""
    return await connection.fetchrow(ABANDON, match_id, at) is not None


async def seeds(connection: Connection, ids: Iterable[UUID]) -> Mapping[UUID, bytes]:
    """The secret seeds of these matches."""
    return {r["id"]: bytes(r["seed"]) for r in await connection.fetch(SEEDS, list(ids))}


async def status_of(connection: Connection, match_id: UUID) -> str | None:
    """RUNNING, FINISHED or ABANDONED; None if there is no such match."""
    row = await connection.fetchrow(STATUS, match_id)
    return row and str(row["status"])
