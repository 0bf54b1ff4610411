"""§2 to §4: choosing, flipping, playing, and whose turn is next."""

from typing import Any

from msgspec.structs import replace

from engines.protocol import Step, refuse
from tests.extra_games.engines.coin_race import events
from tests.extra_games.engines.coin_race.actions import Choose, Flip, PlayCard
from tests.extra_games.engines.coin_race.reasons import EndReason, Reason
from tests.extra_games.engines.coin_race.results import result
from tests.extra_games.engines.coin_race.state import ROUNDS, State, with_racer


def check_choose(state: State, seat: int, action: Choose) -> None:
    """§2: only a card in the own hand."""
    if action.card not in state.racers[seat].hand:
        refuse(Reason.NOT_YOUR_CARD, "2", path=("card",), card=action.card)


def do_choose(state: State, seat: int, action: Choose, at: int) -> Step[State]:
    """§2: the same card again changes nothing."""
    if state.racers[seat].chosen == action.card:
        return Step(state)
    chosen = with_racer(state, seat, chosen=action.card)
    return Step(chosen, (events.CardChosen(seat, action.card),))


def check_turn(state: State, seat: int, action: object) -> None:
    """§3: one after the other."""
    if seat != state.current:
        refuse(Reason.NOT_YOUR_TURN, "3")


def check_play(state: State, seat: int, action: PlayCard) -> None:
    """§3: only a card set aside can be played."""
    check_turn(state, seat, action)
    if state.racers[seat].chosen is None:
        refuse(Reason.NO_CARD_CHOSEN, "3")


def do_flip(state: State, seat: int, action: Flip, at: int) -> Step[State]:
    """§3: heads is one field forward."""
    side, rng = state.rng.draw(2)
    state = replace(state, rng=rng)
    return _advance(state, seat, side, (events.CoinFlipped(seat, side == 1),), at)


def do_play(state: State, seat: int, action: PlayCard, at: int) -> Step[State]:
    """§3: as many fields forward as the card's value modulo 3."""
    racer = state.racers[seat]
    card = racer.chosen
    assert card is not None
    hand = tuple(c for c in racer.hand if c != card)
    state = with_racer(state, seat, hand=hand, chosen=None)
    state = replace(state, played=(*state.played, card))
    return _advance(state, seat, card % 3, (events.CardPlayed(seat, card, card % 3),), at)


def do_leave(state: State, seat: int, at: int) -> Step[State]:
    """§4: a seat given up is out, its cards are shown."""
    racer = state.racers[seat]
    told = (events.RacerLeft(seat, racer.hand),)
    state = with_racer(state, seat, alive=False, hand=(), chosen=None)
    state = replace(state, played=(*state.played, *racer.hand))
    if sum(r.alive for r in state.racers) == 1:
        return _over(state, EndReason.LEFT, told)
    return _next_turn(state, told, at) if seat == state.current else Step(state, told)


def _advance(state: State, seat: int, steps: int, told: tuple[Any, ...], at: int) -> Step[State]:
    field = min(state.racers[seat].field + steps, state.options.goal)
    state = with_racer(state, seat, field=field)
    if field == state.options.goal:
        return _over(state, EndReason.GOAL, told)
    return _next_turn(state, told, at)


def _next_turn(state: State, told: tuple[Any, ...], at: int) -> Step[State]:
    living = [seat for seat, racer in enumerate(state.racers) if racer.alive]
    later = [seat for seat in living if seat > state.current]
    seat = later[0] if later else living[0]
    number = state.round + (not later)
    if number > ROUNDS:
        return _over(state, EndReason.ROUNDS, told)
    seconds = state.options.turn_seconds
    until = None if seconds is None else at + 1000 * seconds
    state = replace(state, current=seat, round=number, since=at, until=until)
    return Step(state, (*told, events.TurnStarted(seat, number)))


def _over(state: State, reason: EndReason, told: tuple[Any, ...]) -> Step[State]:
    state = replace(state, reason=reason, until=None)
    done = result(state)
    assert done is not None
    return Step(state, (*told, events.GameOver(done)))
