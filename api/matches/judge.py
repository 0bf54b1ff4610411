"""One command from judgement to log: again on a fresh match before any refusal."""

from dataclasses import dataclass

from api.matches import store
from api.matches.live import ABANDONED, Live, Row
from api.matches.loading import load
from api.matches.outages import make_up
from api.matches.reasons import MatchReason
from api.matches.records import decode_row
from api.matches.writing import TIME_OUT, Command, announce, append, overdue
from api.refusals import Refused
from api.services import Services
from engines import codec
from engines.protocol import Illegal, Viewer

MAX_ATTEMPTS = 20
"""How often one command may lose the race for a version before its sender is told to come back."""


@dataclass(frozen=True, slots=True)
class Played:
    """The answer to an action: the version it made, its row, and the match as it is now."""

    row: Row
    live: Live
    viewer: Viewer


async def carry_out(services: Services, live: Live, command: Command) -> Played:
    """Judge `command` on the snapshot at hand; before any refusal, again on a fresh one.

    Raises `Illegal` or `Refused`; then the command changed nothing. A time-out that was due is
    performed first, and is all that happens unless the command gives up a seat. A sender whose
    session has ended is told nothing but UNAUTHENTICATED.
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
            elif fresh and await make_up(services, live.facts.id):
                pass  # the service was away: the deadline has moved
            elif fresh:
                expired = await _time_out(services, live, at)
                if expired and not command.at_any_version:
                    raise Refused(MatchReason.TURN_EXPIRED)
        except (Illegal, Refused):
            if fresh:
                raise
        except store.KeyTaken:
            pass
        if played is not None:
            await _prove(command)
            return played
        await _prove(command)
        live, fresh = await _refreshed(services, live), True
    raise Refused(MatchReason.CONTENDED)


async def _perform(services: Services, live: Live, command: Command, at: int) -> Played | None:
    expected = command.expected_version
    if expected is not None and not command.at_any_version and expected != live.version:
        raise Refused(MatchReason.STALE_VERSION, path=["expectedVersion"])
    if live.status == ABANDONED:
        raise Refused(MatchReason.MATCH_CLOSED)
    moved = await append(services.commits, live, command, at)
    if moved is None:
        return None
    after, row = moved
    if after is not live:
        await announce(services, after, row)
    return Played(row, after, command.seat)


async def _prove(command: Command) -> None:
    if command.claim is not None:
        await command.claim.prove()


async def _time_out(services: Services, live: Live, at: int) -> bool:
    """Perform the time-out that is due; False if somebody was faster, or moved the deadline."""
    moved = await append(services.commits, live, TIME_OUT, at)
    if moved is not None:
        await announce(services, *moved)
    return moved is not None


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
