"""Setup, and the table from each action to its pair."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from engines.protocol import (
    SYSTEM,
    Actor,
    Away,
    Back,
    DeadlineShifted,
    Illegal,
    Leave,
    ShiftDeadline,
    Step,
    refuse,
)
from engines.rng import Stream
from tests.extra_games.engines.coin_race.actions import Choose, Flip, PlayCard
from tests.extra_games.engines.coin_race.events import PresenceChanged, TurnStarted
from tests.extra_games.engines.coin_race.options import CoinRaceOptions
from tests.extra_games.engines.coin_race.reasons import Reason
from tests.extra_games.engines.coin_race.rules import turn
from tests.extra_games.engines.coin_race.state import CARDS, HAND, Racer, State, with_racer

Check = Callable[[State, int, Any], None]
Do = Callable[[State, int, Any, int], Step[State]]

TABLE: Final[dict[type, tuple[Check, Do]]] = {
    Flip: (turn.check_turn, turn.do_flip),
    Choose: (turn.check_choose, turn.do_choose),
    PlayCard: (turn.check_play, turn.do_play),
}


def setup(options: CoinRaceOptions, seats: int, seed: bytes, at: int) -> Step[State]:
    """§1: deal three cards to each seat and begin with seat 0."""
    deck, rng = Stream(seed).shuffle(CARDS)
    racers = tuple(Racer(hand=deck[HAND * seat : HAND * (seat + 1)]) for seat in range(seats))
    until = None if options.turn_seconds is None else at + 1000 * options.turn_seconds
    state = State(
        options=options,
        rng=rng,
        racers=racers,
        stock=deck[HAND * seats :],
        played=(),
        current=0,
        round=1,
        since=at,
        until=until,
    )
    return Step(state, (TurnStarted(0, 1),))


def apply(state: State, actor: Actor, action: Any, at: int) -> Step[State]:
    """Judge and perform one action of a seat or the system."""
    if state.reason is not None:
        refuse(Reason.GAME_OVER, "4")
    if actor is SYSTEM:
        return _system(state, action, at)
    if not state.racers[actor].alive:
        refuse(Reason.OUT_OF_RACE, "4")
    if type(action) not in TABLE:
        refuse(Reason.UNKNOWN_ACTION, "3")
    check, do = TABLE[type(action)]
    check(state, actor, action)
    return do(state, actor, action, at)


def _system(state: State, action: Any, at: int) -> Step[State]:
    match action:
        case Leave(seat=seat):
            if not state.racers[seat].alive:
                refuse(Reason.OUT_OF_RACE, "4")
            return turn.do_leave(state, seat, at)
        case Away(seat=seat) | Back(seat=seat):
            away = isinstance(action, Away)
            if not state.racers[seat].alive or state.racers[seat].away == away:
                return Step(state)
            return Step(with_racer(state, seat, away=away), (PresenceChanged(seat, away),))
        case ShiftDeadline(by=by):
            if state.until is None or by == 0:
                return Step(state)
            return Step(replace(state, until=state.until + by), (DeadlineShifted(by),))
        case _:
            raise Illegal(Reason.UNKNOWN_ACTION, "5")
