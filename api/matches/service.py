"""The life of a match: start, play, time-out, leave. Engines judge, the store writes once."""

import asyncio
import secrets
from collections.abc import Collection, Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar
from uuid import UUID, uuid4

from sqlmodel.ext.asyncio.session import AsyncSession

from api import logs
from api.accounts.claims import Claim
from api.matches import store
from api.matches.judge import Played, carry_out
from api.matches.live import Live, to_datetime
from api.matches.loading import load
from api.matches.reasons import MatchReason
from api.matches.records import deadline_at
from api.matches.writing import Command
from api.refusals import Refused
from api.services import Services
from engines import codec
from engines.options import Value
from engines.protocol import SYSTEM, Away, Back, Engine, Illegal, Leave, LeaveCause
from engines.rng import commitment

T = TypeVar("T")

MAX_KEY_LENGTH = 64


async def start(
    services: Services,
    session: AsyncSession,
    *,
    room_id: UUID,
    engine_id: str,
    options: Mapping[str, Value],
    accounts: Sequence[UUID],
    public: bool,
    allow_spectators: bool,
    open_replay: bool,
    verifiable: bool,
) -> UUID:
    """Deal a match inside the caller's transaction; accounts are seated in the order given.

    The caller publishes `match:<id>` after the commit. Raises `BadOption`, or ValueError when the
    game cannot be played by so many.
    """
    engine = services.games[engine_id].engine
    at = services.database.game_now()
    seed = secrets.token_bytes(32)
    chosen = engine.options(options)
    step = engine.setup(chosen, len(accounts), seed, at)
    new = store.NewMatch(
        id=uuid4(),
        room_id=room_id,
        game=engine.id,
        rules_version=engine.rules_version,
        options=codec.encode_options(chosen).decode(),
        seats=len(accounts),
        seed=seed,
        seed_commitment=commitment(seed),
        public=public,
        allow_spectators=allow_spectators,
        open_replay=open_replay,
        verifiable=verifiable,
        state=codec.encode_state(step.state).decode(),
        deadline_at=deadline_at(engine, step.state),
        started_at=to_datetime(at),
        accounts=tuple(accounts),
        events=codec.encode_events(step.events).decode(),
    )
    await store.insert(session, new)
    return new.id


async def play(
    services: Services,
    engine: Engine[Any],
    account_id: UUID,
    match_id: UUID,
    action: Any,
    *,
    expected_version: int | None = None,
    key: str | None = None,
    claim: Claim | None = None,
) -> Played:
    """One action of a player or of the host. Raises `Refused` or `Illegal`; nothing has changed.

    `claim` is what the account rests on if it is not proven yet; UNAUTHENTICATED is raised if its
    session has ended.

    The same key with the same action gives the first answer again, with the match as it is now.
    """
    logs.about(match_id=match_id)
    if key is not None and not 1 <= len(key) <= MAX_KEY_LENGTH:
        raise Refused(MatchReason.BAD_IDEMPOTENCY_KEY, path=["idempotencyKey"])
    live = services.recent.get(match_id) or await load(services, match_id)
    if live is None or not await may_watch(services, live, account_id):
        raise Refused(MatchReason.MATCH_NOT_FOUND, path=["matchId"])
    if live.facts.game != engine.id:
        raise Refused(MatchReason.WRONG_GAME, path=["matchId"])
    seat = live.facts.seat_of(account_id)
    if isinstance(action, engine.host_actions):
        if not await store.is_host(services.database, live.facts.room_id, account_id):
            raise Refused(MatchReason.NOT_HOST)
        command = Command(action, SYSTEM, "HOST", seat, key, expected_version, claim=claim)
    elif seat is None:
        raise Refused(MatchReason.NOT_SEATED)
    else:
        gives_up = isinstance(action, engine.concessions)
        command = Command(action, seat, "SEAT", seat, key, expected_version, gives_up, claim)
    try:
        return await unbroken(carry_out(services, live, command))
    finally:
        if seat is not None and (claim is None or claim.proven):
            services.presence.touch(live.facts.room_id, account_id)


async def leave(services: Services, match_id: UUID, account_id: UUID, cause: LeaveCause) -> None:
    """Give up an account's seat for good; nothing happens if it holds none or the match is over."""
    live = await load(services, match_id)
    seat = None if live is None else live.facts.seat_of(account_id)
    if live is None or seat is None or not live.running:
        return
    origin = "HOST" if cause is LeaveCause.KICKED else "SYSTEM"
    command = Command(Leave(seat, cause), SYSTEM, origin, seat, at_any_version=True)
    with suppress(Illegal, Refused):  # the seat was given up before, or the match just ended
        await unbroken(carry_out(services, live, command))


async def declare(services: Services, match_id: UUID, action: Away | Back) -> None:
    """Tell a running match that a seat is away or back; nothing happens if it knows."""
    live = services.recent.get(match_id) or await load(services, match_id)
    if live is not None and live.running:
        command = Command(action, SYSTEM, "SYSTEM", action.seat, at_any_version=True)
        with suppress(Illegal, Refused):  # the seat was given up, or the match just ended
            await unbroken(carry_out(services, live, command))


async def abandon(services: Services, match_id: UUID) -> bool:
    """Close a running match in which nobody is left, without a result."""
    at = to_datetime(services.database.game_now())
    if not await store.abandon(services.database, match_id, at):
        return False
    live = await load(services, match_id)
    await services.hub.publish(f"match:{match_id}")
    if live is not None:
        await services.hub.publish(f"room:{live.facts.room_id}")
    return True


async def may_watch(services: Services, live: Live, account_id: UUID | None) -> bool:
    """Whether an account may read a match: players always; others as the room's flags say."""
    return bool(await watchable(services, [live], account_id))


async def watchable(
    services: Services, found: Collection[Live], account_id: UUID | None
) -> list[Live]:
    """Those of these matches that an account may read, asked for together."""
    if account_id is None:
        return []
    known = {live.facts.id: _may_watch(live, account_id) for live in found}
    rooms = {live.facts.room_id for live in found if known[live.facts.id] is None}
    inside = await store.in_rooms(services.database, account_id, rooms) if rooms else set()
    return [
        live
        for live in found
        if known[live.facts.id] or (known[live.facts.id] is None and live.facts.room_id in inside)
    ]


def open_to_all(live: Live) -> bool:
    """Whether anybody who is signed in may read a match."""
    return live.facts.public and (live.facts.allow_spectators or not live.running)


async def allowed(services: Services, live: Live, accounts: Collection[UUID]) -> set[UUID]:
    """Those of these accounts that may read a match, asked for together."""
    known = {account: _may_watch(live, account) for account in accounts}
    unsure = [account for account, may in known.items() if may is None]
    inside = (
        await store.insiders(services.database, live.facts.room_id, unsure) if unsure else set()
    )
    return {account for account, may in known.items() if may} | inside


def _may_watch(live: Live, account_id: UUID) -> bool | None:
    """Whether an account may read a match; None: if it is in the room."""
    facts = live.facts
    if account_id in facts.accounts:
        return True
    if not live.running:
        return facts.public
    if not facts.allow_spectators:
        return False
    return True if facts.public else None


async def status_of(services: Services, match_id: UUID) -> str | None:
    """RUNNING, FINISHED or ABANDONED; None if there is no such match."""
    return await store.status_of(services.database, match_id)


async def unbroken(work: Coroutine[Any, Any, T]) -> T:
    """Finish `work` even if the request is cancelled: a write and its wake-up belong together."""
    return await asyncio.shield(asyncio.create_task(work))
