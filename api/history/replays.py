"""Matches as they were: the log folded by the rules it was played by.

What was once stored must come out again. Whatever does not is told to the operator and is an error
for whoever asked, never a silent difference.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

from api import metrics
from api.errors import Code, RequestFault
from api.games.rules import RulesUnavailable
from api.matches import store
from api.matches.feed import BATCH, read_rows
from api.matches.live import Live, Row, to_ms
from api.services import Services
from engines import codec
from engines.protocol import SYSTEM, Engine, Step
from engines.replay import Entry, perform
from engines.texts import Text

log = logging.getLogger(__name__)

_folding: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()


class Diverged(Exception):
    """The log does not lead to what was stored."""

    def __init__(self, match_id: UUID, version: int, what: str) -> None:
        super().__init__(f"match {match_id} does not replay: {what} at version {version}")
        self.match_id = match_id
        self.version = version


async def at_version(services: Services, live: Live, version: int) -> Live:
    """The match as it was at a version, 1 to the present one.

    Raises RULES_UNAVAILABLE, or INTERNAL where the replay does not reproduce what was stored.
    """
    try:
        await _fold(services, live)
        found = services.snapshots.before(live.facts.id, version)
        state = None
        if found is not None and found[0] == version:
            state = found[1]
        else:
            async for _, step in steps(services, live, found, until=version):
                state = step.state
    except Diverged as error:
        metrics.REPLAYS_DIVERGED.labels(live.facts.game).inc()
        ids = {"match_id": error.match_id, "version": error.version}
        log.exception("a replay differs", extra=ids)
        text = Text("기록을 다시 볼 수 없어요.", "This match cannot be replayed.")
        raise RequestFault(Code.INTERNAL, text) from error
    return replace(live, version=version, state=state, views={})


async def steps(
    services: Services,
    live: Live,
    after: tuple[int, Any] | None = None,
    until: int | None = None,
) -> AsyncIterator[tuple[Row, Step[Any]]]:
    """The log rows after a version and its state, or from the deal on, up to `until` or the
    present version, each with the step it makes.

    Raises RULES_UNAVAILABLE, or `Diverged` where a row's events are not those of its step.
    """
    version, state = after or (0, None)
    seed = b"" if after else (await store.seeds(services.database, [live.facts.id]))[live.facts.id]
    last = live.version if until is None else until
    async for row in gapless(services, live, version, last):
        step = _step(live, seed, state, row)
        if step.events != row.events:
            raise Diverged(live.facts.id, row.version, "other events")
        yield row, step
        state = step.state


async def gapless(services: Services, live: Live, after: int, until: int) -> AsyncIterator[Row]:
    """The log rows after a version up to another. Raises `Diverged` where one is missing."""
    while after < until:
        rows = await read_rows(services, live, after, min(BATCH, until - after))
        for row in rows:
            if row.version != after + 1:
                break
            yield row
            after = row.version
        else:
            if rows:
                continue
        raise Diverged(live.facts.id, after + 1, "the log has no row")


def entry_of(row: Row) -> Entry:
    """A log row as the engine's replay takes it."""
    actor = row.seat if row.actor == "SEAT" and row.seat is not None else SYSTEM
    return Entry(actor, row.action, to_ms(row.at))


def check_end(live: Live, state: Any) -> None:
    """Raise `Diverged` unless a state is, to the letter, the one that is stored."""
    engine: Engine[Any] = live.engine
    if codec.encode_state(state) != codec.encode_state(live.state):
        raise Diverged(live.facts.id, live.version, "another state")
    if live.result is not None and engine.result(state) != live.result:
        raise Diverged(live.facts.id, live.version, "another result")


async def _fold(services: Services, live: Live) -> None:
    """Fold what has not been folded here yet, and compare the end with what is stored."""
    match_id, snapshots = live.facts.id, services.snapshots
    lock = _folding.get(match_id)
    if lock is None:
        lock = _folding[match_id] = asyncio.Lock()
    async with lock:
        last = snapshots.last(match_id)
        if last is not None and last[0] >= live.version:
            return
        async for row, step in steps(services, live, last):
            if row.version == live.version:
                check_end(live, step.state)
            snapshots.keep(match_id, row.version, step.state)


def _step(live: Live, seed: bytes, state: Any, row: Row) -> Step[Any]:
    """The step of a row: the deal, or what its action makes of the state before."""
    facts, engine = live.facts, live.engine
    try:
        if row.version == 1:
            seats, at = len(facts.accounts), to_ms(facts.started_at)
            return engine.setup(facts.options, seats, seed, at)
        return perform(engine, state, entry_of(row))
    except RulesUnavailable:
        raise
    except Exception as error:
        raise Diverged(facts.id, row.version, f"{error!r} was raised") from error
