"""§5.5 Space travel: the fee first, then the flight, then the cell reached."""

from engines.marble.actions import SpaceTravel
from engines.marble.board import BOARDING_FEE, CELL_COUNT, SPACE, SPACE_CENTRE
from engines.marble.events import Log, SpaceTravelled
from engines.marble.money import PaymentCause, party
from engines.marble.reasons import MoveCause, Refusal
from engines.marble.rules.movement import advance_to
from engines.marble.state import BOTTOM, Arrive, Fly, Payment, State, owner_of
from engines.protocol import Seat, Step, refuse


def check_space_travel(state: State, seat: Seat, flight: SpaceTravel) -> None:
    """Only in the turn after space travel was reached, to any cell but 30 (R78)."""
    if not state.players[seat].space_pending:
        refuse(Refusal.NOT_SPACE_PENDING, "5.5")
    dest = flight.dest
    if type(dest) is not int or not 0 <= dest < CELL_COUNT or dest == SPACE:
        refuse(Refusal.BAD_DEST, "5.5", path=("dest",))


def do_space_travel(state: State, seat: Seat, flight: SpaceTravel) -> Step[State]:
    """Choose the destination for good; the pawn waits on 30 until the fee is paid (R76)."""
    state = state.with_player(seat, space_pending=False).then(Fly(flight.dest), BOTTOM)
    owner = fee_receiver(state, seat)
    if owner is not None:
        state = state.then(Payment(seat, party(owner), BOARDING_FEE, PaymentCause.SPACE_FEE))
    return Step(state, (SpaceTravelled(seat, flight.dest),))


def fee_receiver(state: State, seat: Seat) -> Seat | None:
    """Who gets the boarding fee: another player who owns the space centre; else it is free."""
    owner = owner_of(state, SPACE_CENTRE)
    return None if owner == seat else owner


def fly(state: State, flight: Fly, log: Log) -> State:
    """Move to the destination, with salary and arrival, but never an extra roll (R85)."""
    return advance_to(state, log, flight.dest, MoveCause.FLIGHT).then(Arrive())
