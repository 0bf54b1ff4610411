"""One command into the log: performed by the engine, written once or not at all, then announced."""

from dataclasses import dataclass
from typing import Any, Protocol

from api import metrics
from api.accounts.claims import Claim
from api.matches import store
from api.matches.live import Live, Row, to_datetime
from api.matches.records import deadline_at
from api.services import Services
from engines import codec
from engines.protocol import SYSTEM, Actor, Step, TimeOut
from engines.replay import Entry, perform


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
    claim: Claim | None = None
    """The session it was sent by, if it is still to be proven."""
    absent: bool | None = None
    """Of a time-out: whether the seat waited for was disconnected."""


class Log(Protocol):
    """What writes an action: `Services.commits`, or a transaction."""

    async def append(self, write: store.Write) -> bool: ...


TIME_OUT = Command(TimeOut(), SYSTEM, "TIMER")


@metrics.judged
async def append(log: Log, live: Live, command: Command, at: int) -> tuple[Live, Row] | None:
    """Perform a command on `live` and write it; None if somebody was faster, or its session ended.

    A write proves the session; a no-op writes nothing and gives `live` itself with a row of its
    present version.
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
    if not await log.append(_write(live, after, row, command)):
        return None
    if command.claim is not None:
        command.claim.proven = True
    return after, row


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


def _write(before: Live, after: Live, row: Row, command: Command) -> store.Write:
    absence, deadline = before.engine.absence, before.deadline
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
        unit=None if absence is None else absence.unit(before.state),
        awaited=None if deadline is None else deadline.seat,
        absent=command.absent,
        session_id=None if command.claim is None else command.claim.unproven,
        end_reason=None if after.result is None else after.result.reason.name,
    )
