"""Version 2 of the coin race: a coin that falls on tails is flipped again, which is counted."""

from dataclasses import replace
from typing import Any, Final

import msgspec
from msgspec.structs import asdict

from engines.protocol import Actor, Engine, Step
from tests.extra_games.engines import coin_race as first
from tests.extra_games.engines.coin_race import play, timeouts
from tests.extra_games.engines.coin_race.actions import Flip
from tests.extra_games.engines.coin_race.options import CoinRaceOptions
from tests.extra_games.engines.coin_race.state import State as FirstState


class State(FirstState, frozen=True, kw_only=True):
    """As in version 1, and how often a coin fell on tails."""

    tails: int


def setup(options: CoinRaceOptions, seats: int, seed: bytes, at: int) -> Step[State]:
    """The deal is that of version 1."""
    step = play.setup(options, seats, seed, at)
    return Step(State(**{**asdict(step.state), "tails": 0}), step.events)


def apply(state: State, actor: Actor, action: Any, at: int) -> Step[State]:
    """As in version 1, but for the coin."""
    before = _past_tails(state) if isinstance(action, Flip) else state
    step: Step[Any] = play.apply(before, actor, action, at)
    return step


def on_timeout(state: State, at: int) -> Step[State]:
    """As in version 1, but for the coin."""
    step: Step[Any] = timeouts.on_timeout(_past_tails(state), at)
    return step


def _past_tails(state: State) -> State:
    """The state whose next coin falls on heads."""
    heads, rng = state.rng.draw(2)
    while not heads:
        state = msgspec.structs.replace(state, rng=rng, tails=state.tails + 1)
        heads, rng = state.rng.draw(2)
    return state


ALONE: Final[Engine[Any]] = replace(
    first.ENGINE,
    rules_version=2,
    state_type=State,
    setup=setup,
    apply=apply,
    on_timeout=on_timeout,
)
BOTH: Final[Engine[Any]] = replace(ALONE, earlier=(first.ENGINE,))
