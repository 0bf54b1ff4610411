"""§5: how long a turn lasts and what happens then."""

from engines.protocol import Deadline, Step
from tests.extra_games.engines.coin_race.actions import Flip
from tests.extra_games.engines.coin_race.rules import turn
from tests.extra_games.engines.coin_race.state import State


def deadline(state: State) -> Deadline | None:
    """The racer whose turn it is, until the end."""
    if state.reason is not None:
        return None
    return Deadline(state.since, state.until, state.current)


def on_timeout(state: State, at: int) -> Step[State]:
    """Flip the coin for the racer who did not."""
    return turn.do_flip(state, state.current, Flip(), at)
