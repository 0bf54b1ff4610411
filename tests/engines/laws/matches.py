"""Matches played at random, with everything about them kept for the laws to look at."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from engines import codec
from engines.protocol import (
    SYSTEM,
    Away,
    Back,
    Engine,
    Illegal,
    Leave,
    LeaveCause,
    ShiftDeadline,
    Step,
    TimeOut,
    Viewer,
)
from engines.registry import discover
from engines.replay import Entry, perform
from tests.engines.laws.adapter import Adapter, adapter_of

HOMES = ("engines", "tests.extra_games.engines")
START = 1_700_000_000_000
GRACE = 5_000
"""Where a wait has no limit, a time-out comes this long after it began."""
STEPS = 5_000
"""The laws look at as many matches as make so many steps."""
MOST_STEPS = 400
"""How far a match is followed that need not end."""


@dataclass(frozen=True)
class Table:
    """Who plays what, and by which chance."""

    engine: Engine[Any]
    adapter: Adapter[Any]
    seats: int
    rnd: Random


Chooser = Callable[[Table, Any, int], Entry]


@dataclass(frozen=True)
class Turn:
    """One accepted action, with its inputs as bytes from before it was performed."""

    before: Any
    before_bytes: bytes
    entry: Entry
    action_bytes: bytes
    step: Step[Any]


@dataclass
class Match:
    """A match from its deal on; `over` is False where it was cut short."""

    options: Any
    seats: int
    seed: bytes
    first: Step[Any]
    turns: list[Turn] = field(default_factory=list)
    over: bool = False

    @property
    def steps(self) -> list[Step[Any]]:
        """Every step, the deal first."""
        return [self.first, *(turn.step for turn in self.turns)]

    @property
    def last(self) -> Any:
        """The state now."""
        return self.steps[-1].state

    @property
    def log(self) -> list[Entry]:
        """The rows a server would have stored."""
        return [turn.entry for turn in self.turns]

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """Every seat and a spectator."""
        return (*range(self.seats), None)


def play(
    engine: Engine[Any],
    adapter: Adapter[Any],
    rnd: Random,
    choose: Chooser,
    given: Mapping[str, object] | None = None,
    seats: int | None = None,
) -> Match:
    """Deal a match and play it until it waits for nobody, or long enough.

    Options and seats are random where they are not given.
    """
    options = engine.options(adapter.random_options(rnd) if given is None else given)
    seats, seed = seats or rnd.randint(*engine.about.seats), rnd.randbytes(32)
    match = Match(options, seats, seed, engine.setup(options, seats, seed, START))
    table = Table(engine, adapter, seats, rnd)
    state, now = match.first.state, START
    most = adapter.longest(options, seats) or MOST_STEPS
    while len(match.turns) < most and engine.deadline(state) is not None:
        entry = choose(table, state, now)
        before, action = codec.encode_state(state), codec.encode_action(entry.action)
        step = perform(engine, state, entry)
        match.turns.append(Turn(state, before, entry, action, step))
        state, now = step.state, entry.at
    match.over = engine.deadline(state) is None
    return match


def time_out(table: Table, state: Any, now: int) -> Entry:
    """Nobody does anything: the row a clock would write."""
    due = table.engine.deadline(state)
    assert due is not None
    return Entry(SYSTEM, TimeOut(), max(now, due.since + GRACE if due.until is None else due.until))


def any_move(table: Table, state: Any, now: int) -> Entry:
    """Mostly moves of seats, some time-outs, now and then the world outside."""
    rnd, due = table.rnd, table.engine.deadline(state)
    assert due is not None
    at = now + rnd.randrange(3_000)
    if due.until is not None:
        at = max(now, min(at, due.until - 1))
    chance = rnd.random()
    if chance < 0.05:
        return time_out(table, state, now)
    if chance < 0.10 and (action := outside_move(table, state, at)):
        return Entry(SYSTEM, action, at)
    for actor in (*rnd.sample(range(table.seats), table.seats), SYSTEM):
        action = table.adapter.random_action(state, actor, rnd)
        if action is not None:
            return Entry(actor, action, at)
    return time_out(table, state, now)


def outside_move(table: Table, state: Any, at: int) -> Any | None:
    """A system action the engine accepts now, if the one thought of is."""
    seat = table.rnd.randrange(table.seats)
    leave = Leave(seat, table.rnd.choice(list(LeaveCause)))
    shift = ShiftDeadline(table.rnd.choice((0, 700, 60_000)))
    action = table.rnd.choices((Away(seat), Back(seat), shift, leave), (8, 8, 8, 1))[0]
    try:
        table.engine.apply(state, SYSTEM, action, at)
    except Illegal:
        return None
    return action


def sample(engine: Engine[Any], adapter: Adapter[Any], steps: int = STEPS) -> list[Match]:
    """The matches the laws look at; the same ones every time."""
    matches: list[Match] = []
    while sum(len(match.turns) for match in matches) < steps:
        matches.append(play(engine, adapter, Random(len(matches)), any_move))
    return matches


@cache
def sample_of(game: str) -> list[Match]:
    """The sample of a game found by folder, played once."""
    engine = discover(HOMES)[game]
    return sample(engine, adapter_of(engine))


def digest(steps: int = 500) -> str:
    """One hash over some matches of every game: their options, states, actions and events."""
    total = hashlib.sha256()
    for engine in discover(HOMES).values():
        for match in sample(engine, adapter_of(engine), steps):
            total.update(codec.encode_options(match.options))
            for turn in match.turns:
                total.update(turn.action_bytes)
                total.update(codec.encode_state(turn.step.state))
                total.update(codec.encode_events(turn.step.events))
    return total.hexdigest()
