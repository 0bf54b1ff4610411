"""One command from judgement to log: the engine decides, the store writes once or not at all."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from api import metrics
from api.matches import store
from api.matches.live import ABANDONED, Live, Row, to_datetime
from api.matches.reasons import MatchReason
from api.matches.records import deadline_at, decode_live, decode_row
from api.refusals import Refused
from api.services import Services
from engines import codec
from engines.protocol import SYSTEM, Actor, Illegal, Step, TimeOut, Viewer
from engines.replay import Entry, perform

MAX_ATTEMPTS = 20
"""How often one command may lose the race for a version before its sender is told to come back."""


@dataclass(frozen=True, slots=True)
class Played:
    """The answer to an action: the version it made, its row, and the match as it is now."""

    row: Row
    live: Live
    viewer: Viewer


@dataclass(frozen=True, slots=True)
class Command:
    """One action on its way into the log. `seat` is who sent it, `actor` whom the engine sees."""

    action: Any
    actor: Actor
    origin: str
    seat: int | None = None
    key: str | None = None
    expected_version: int | None = None
    at_any_version: bool = False
    """Giving up a seat: ignores the expected version and follows a due time-out."""


TIME_OUT = Command(TimeOut(), SYSTEM, "TIMER")


async def load(services: Services, match_id: UUID) -> Live | None:
    """The match as the database has it now, remembered for later."""
    live = await read(services, services.database, match_id)
    if live is not None:
        services.recent.put(live)
    return live


async def read(services: Services, connection: store.Connection, match_id: UUID) -> Live | None:
    """The match as `connection` sees it; decoded anew only where its version is not at hand."""
    record = await store.load(connection, match_id)
    if record is None:
        return None
    known = services.recent.get(match_id)
    if known and (known.version, known.status) == (record["version"], record["status"]):
        return known
    return decode_live(services.games[record["game"]].engine, record)


async def carry_out(services: Services, live: Live, command: Command) -> Played:
    """Judge `command` on the snapshot at hand; before any refusal, again on a fresh one.

    Raises `Illegal` or `Refused`; then the command changed nothing. A time-out that was due is
    performed first, and is all that happens unless the command gives up a seat.
    """
    fresh = False
    for _ in range(MAX_ATTEMPTS):
        played: Played | None = None
        try:
            if fresh and (earlier := await _earlier(services, live, command)):
                return earlier
            at = services.database.game_now()
            if not overdue(live, at):
                played = await _perform(services, live, command, at)
            elif fresh:
                await _time_out(services, live, at)
                if not command.at_any_version:
                    raise Refused(MatchReason.TURN_EXPIRED)
        except (Illegal, Refused):
            if fresh:
                raise
        except store.KeyTaken:
            pass
        if played is not None:
            return played
        live, fresh = await _refreshed(services, live), True
    raise Refused(MatchReason.CONTENDED)


@metrics.judged
async def append(
    connection: store.Connection, live: Live, command: Command, at: int
) -> tuple[Live, Row] | None:
    """Perform a command on `live` and write it; None if somebody was faster.

    A no-op writes nothing and gives `live` itself with a row of its present version.
    """
    deadline = live.deadline
    at = max(at, deadline.since) if deadline else at
    step: Step[Any] = perform(live.engine, live.state, Entry(command.actor, command.action, at))
    when = to_datetime(at)
    no_op = step.state is live.state
    row = Row(
        live.version if no_op else live.version + 1,
        command.origin,
        command.seat,
        command.key,
        command.action,
        step.events,
        when,
    )
    if no_op:
        return live, row
    after = live.advanced(step.state, when)
    written = await store.append(connection, _write(live, after, row))
    return (after, row) if written else None


async def announce(services: Services, live: Live, row: Row) -> None:
    """After the commit: remember the new version and wake whoever watches."""
    services.recent.put(live, (row,))
    await services.hub.publish(f"match:{live.facts.id}")
    if not live.running:
        await services.hub.publish(f"room:{live.facts.room_id}")


def overdue(live: Live, at: int) -> bool:
    """Whether the time-out is the only thing that may still happen."""
    deadline = live.deadline
    return deadline is not None and deadline.until is not None and at >= deadline.until


async def _perform(services: Services, live: Live, command: Command, at: int) -> Played | None:
    expected = command.expected_version
    if expected is not None and not command.at_any_version and expected != live.version:
        raise Refused(MatchReason.STALE_VERSION, path=["expectedVersion"])
    if live.status == ABANDONED:
        raise Refused(MatchReason.MATCH_CLOSED)
    moved = await append(services.database, live, command, at)
    if moved is None:
        return None
    after, row = moved
    if after is not live:
        await announce(services, after, row)
    return Played(row, after, command.seat)


async def _time_out(services: Services, live: Live, at: int) -> None:
    moved = await append(services.database, live, TIME_OUT, at)
    if moved is not None:
        await announce(services, *moved)


async def _refreshed(services: Services, live: Live) -> Live:
    fresh = await load(services, live.facts.id)
    if fresh is None:
        raise Refused(MatchReason.MATCH_NOT_FOUND, path=["matchId"])
    return fresh


async def _earlier(services: Services, live: Live, command: Command) -> Played | None:
    """The first answer to the command's key. Raises IDEMPOTENCY_KEY_REUSED for another action."""
    if command.key is None or command.seat is None:
        return None
    record = await store.by_key(services.database, live.facts.id, command.seat, command.key)
    if record is None:
        return None
    if record["action"] != codec.encode_action(command.action).decode():
        raise Refused(MatchReason.IDEMPOTENCY_KEY_REUSED, path=["idempotencyKey"])
    row = decode_row(live.engine, record)
    if row.version > live.version:
        live = await _refreshed(services, live)
    return Played(row, live, command.seat)


def _write(before: Live, after: Live, row: Row) -> store.Write:
    return store.Write(
        match_id=after.facts.id,
        judged_version=before.version,
        state=codec.encode_state(after.state).decode(),
        deadline_at=deadline_at(after.engine, after.state) if after.running else None,
        status=after.status,
        result=None if after.running else codec.encode_result(after.result).decode(),
        finished_at=after.finished_at,
        actor=row.actor,
        seat=row.seat,
        idempotency_key=row.idempotency_key,
        action=codec.encode_action(row.action).decode(),
        events=codec.encode_events(row.events).decode(),
        at=row.at,
        end_reason=None if after.result is None else after.result.reason.name,
    )
