"""What is done about players who are gone: grace, declared absence, the host's question, the end.

All of it follows from the log and from presence; the games say what they want done
(`engines.protocol.Absence`).
"""

from collections.abc import Collection, Sequence
from datetime import timedelta
from uuid import UUID

from api.absence import store
from api.absence.reasons import AbsenceReason
from api.absence.store import Question
from api.matches import service as matches
from api.matches.live import Live
from api.matches.loading import load
from api.presence import store as presence
from api.refusals import Refused
from api.rooms import service as rooms
from api.rooms.table import changing
from api.services import Services
from engines.protocol import AbsenceRemedy, Away, Back

BATCH = 500


async def awaited_but_gone(services: Services) -> list[UUID]:
    """Running matches that may be waiting for a seat that is gone, and whose game has a grace.

    A guess from what is at hand: where it is wrong, there is nothing to expire.
    """
    games = [
        id_
        for id_, game in services.games.items()
        if any(
            rules.absence is not None and rules.absence.grace is not None
            for rules in (game.engine, *game.engine.earlier)
        )
    ]
    gone = await store.gone(services.database, games, BATCH)
    return [each[0] for each in gone if _may_wait(services, *each)]


def _may_wait(services: Services, match_id: UUID, version: int, seats: Collection[int]) -> bool:
    live = services.recent.get(match_id)
    if live is None or live.version != version:
        return True
    deadline = live.deadline
    return deadline is not None and deadline.seat in seats


async def after_time_out(services: Services, before: Live, after: Live, away: bool) -> None:
    """Count the absence of the seat that was timed out, and do what its game wants done.

    `away`: whether it was disconnected.
    """
    absence, deadline = before.engine.absence, before.deadline
    if absence is None or deadline is None or deadline.seat is None or not after.running:
        return
    if absence.only_if_away and not away:
        return
    match_id, seat = after.facts.id, deadline.seat
    unit = absence.unit(after.state)
    count = await store.absent_units(
        services.database, match_id, seat, unit, absence.units, absence.only_if_away
    )
    if count < absence.units:
        return
    if absence.remedy is AbsenceRemedy.PLAY_ON:
        await matches.declare(services, match_id, Away(seat))
    else:
        await _ask(services, after, seat, unit - 1, absence.units)


async def returned(services: Services, live: Live, seat: int) -> None:
    """Somebody's connection is back: a seat declared away plays again, its count is forgotten."""
    absence = live.engine.absence
    if absence is None or absence.remedy is not AbsenceRemedy.PLAY_ON or not live.running:
        return
    unit = absence.unit(live.state)
    await store.forgive(services.database, live.facts.id, seat, live.facts.room_id, unit - 1)
    await matches.declare(services, live.facts.id, Back(seat))


async def close_deserted(services: Services) -> None:
    """Abandon running matches whose players have all been gone for long."""
    after = timedelta(seconds=services.config.abandon_seconds)
    for match_id in await store.deserted(services.database, after, BATCH):
        await matches.abandon(services, match_id)


async def resolve(
    services: Services, account_id: UUID, room_id: UUID | None, target: UUID | None, kick: bool
) -> None:
    """Answer the question about a seat: remove its holder, or wait on.

    Raises NO_QUESTION, NOT_ASKED for anyone but the one who is asked, or as for rooms.
    """
    async with changing(services, room_id) as table:
        table.require_member(account_id)
        member = None if target is None else table.member(target)
        open_ = await store.questions(services.database, table.room.id)
        question = next((q for q in open_ if q.account_id == target), None)
        if question is None or member is None:
            raise Refused(AbsenceReason.NO_QUESTION, path=("playerId",))
        heirs = [heir.account_id for heir in table.heirs()]
        _, here = await presence.connected(services.database, table.room.id)
        if account_id != asked(table.room.host_id, heirs, here, question):
            raise Refused(AbsenceReason.NOT_ASKED)
        if not await store.close(services.database, question, await _unit(services, question)):
            raise Refused(AbsenceReason.NO_QUESTION, path=("playerId",))
        table.touch()
        if kick:
            await rooms.remove(services, table, member)


async def _unit(services: Services, question: Question) -> int:
    """The unit of play that is going on: an answer forgives up to here, however late it comes."""
    live = await load(services, question.match_id)
    absence = None if live is None else live.engine.absence
    return question.asked_unit if live is None or absence is None else absence.unit(live.state)


def asked(
    host_id: UUID, heirs: Sequence[UUID], here: Collection[UUID], question: Question
) -> UUID | None:
    """Who is to answer a question: the host, or the first heir who is here if the host is not.

    Never the one it is about; None if nobody else is in the room.
    """
    others = [account for account in (host_id, *heirs) if account != question.account_id]
    return next((account for account in others if account in here), others[0] if others else None)


async def _ask(services: Services, live: Live, seat: int, unit: int, units: int) -> None:
    facts = live.facts
    if await store.ask(services.database, facts.id, seat, facts.room_id, live.version, unit, units):
        async with changing(services, facts.room_id) as table:
            table.touch()
