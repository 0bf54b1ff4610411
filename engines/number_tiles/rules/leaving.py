"""Players who give up, leave, or do not answer; and time lost by the service (L, W-08, W-12)."""

from typing import Any

from msgspec.structs import replace

from engines.number_tiles.actions import Concede
from engines.number_tiles.events import MatchEnded, SeatAway, SeatBack, SeatLeft
from engines.number_tiles.reasons import Departure, EndReason, Refusal
from engines.number_tiles.results import match_result
from engines.number_tiles.rules.turns import after, end_game, is_stalemate, next_turn
from engines.number_tiles.state import Phase, State
from engines.protocol import Away, Back, DeadlineShifted, Leave, ShiftDeadline, Step, refuse


def check_concede(state: State, seat: int, action: Concede) -> None:
    """Possible at any time to whoever is still in the match."""
    if state.phase is Phase.FINISHED:
        refuse(Refusal.GAME_OVER, "8.6")
    if seat in state.left:
        refuse(Refusal.ALREADY_LEFT, "L-01")


def do_concede(state: State, seat: int, found: None, at: int) -> Step[State]:
    """The player is out for good."""
    return leave(state, seat, Departure.CONCEDED, at)


def do_leave(state: State, seat: object, action: Leave, at: int) -> Step[State]:
    """A seat is given up by the server; who is out already stays out."""
    if action.seat in state.left:
        return Step(state)
    return leave(state, action.seat, Departure[action.cause.name], at)


def leave(state: State, seat: int, cause: Departure, at: int) -> Step[State]:
    """Take a seat out of the match: its rack stays face down, its draft is dropped (L-01).

    The last one left wins at once (L-02); with an empty pool the others may turn out to have
    passed all (L-05).
    """
    out = replace(state, left=(*state.left, seat))
    facts: tuple[Any, ...] = (SeatLeft(seat, cause),)
    alone = len(out.staying) == 1
    if state.phase is Phase.BETWEEN_GAMES:
        if not alone:
            return Step(out, facts)
        over = replace(out, phase=Phase.FINISHED)
        return Step(over, (*facts, MatchEnded(match_result(over))))
    if alone:
        return after(facts, end_game(out, EndReason.FORFEIT, at))
    if is_stalemate(out):
        return after(facts, end_game(out, EndReason.STALEMATE, at))
    if seat == state.current:
        return after(facts, next_turn(out, at))
    return Step(out, facts)


def do_away(state: State, seat: object, action: Away, at: int) -> Step[State]:
    """From now on the turns of this seat end as soon as they begin (W-08)."""
    if action.seat in state.away or action.seat in state.left:
        return Step(state)
    return Step(replace(state, away=(*state.away, action.seat)), (SeatAway(action.seat),))


def do_back(state: State, seat: object, action: Back, at: int) -> Step[State]:
    """The seat has its whole time again; turns that are over are not given back."""
    if action.seat not in state.away:
        return Step(state)
    away = tuple(each for each in state.away if each != action.seat)
    return Step(replace(state, away=away), (SeatBack(action.seat),))


def check_seat(state: State, seat: object, action: Leave | Away | Back) -> Any:
    """The system's word on a seat of a match that is not over; gives the action."""
    if state.phase is Phase.FINISHED:
        refuse(Refusal.GAME_OVER, "8.6")
    if type(action.seat) is not int or action.seat not in state.seats:
        refuse(Refusal.BAD_PAYLOAD, "8.2", path=("seat",))
    return action


def check_shift(state: State, seat: object, action: ShiftDeadline) -> int:
    """How far the deadline is to move."""
    if state.phase is Phase.FINISHED:
        refuse(Refusal.GAME_OVER, "8.6")
    if type(action.by) is not int or action.by < 0:
        refuse(Refusal.BAD_PAYLOAD, "8.2", path=("by",))
    return action.by


def do_shift(state: State, seat: object, by: int, at: int) -> Step[State]:
    """Nobody is punished for an outage: the wait counts as begun so much later (W-12)."""
    if by == 0:
        return Step(state)
    return Step(replace(state, since=state.since + by), (DeadlineShifted(by),))
