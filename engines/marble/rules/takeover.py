"""§5.7 Taking over another player's city after its toll."""

from engines.marble.actions import Takeover
from engines.marble.board import CELLS, INVESTED, LANDMARK, CellKind
from engines.marble.events import Log, TakenOver
from engines.marble.money import party
from engines.marble.reasons import Refusal
from engines.marble.rules.arrival import current_decision, open_decision
from engines.marble.rules.ledger import receive, spend
from engines.marble.state import JudgeMonopoly, Land, OfferTakeover, State, owner_of
from engines.protocol import Seat, Step, refuse


def offer_takeover(state: State, offer: OfferTakeover, log: Log) -> State:
    """Ask the visitor, unless it is a tourist site, a landmark, or no longer the owner's (R126)."""
    pos = state.players[state.current].pos
    land = state.lands[pos]
    if not state.options.takeover or land is None or owner_of(state, pos) != offer.owner:
        return state
    if CELLS[pos].kind is not CellKind.CITY or land.level == LANDMARK:
        return state
    return open_decision(state, log, can_takeover=2 * INVESTED[pos][land.level])


def check_takeover(state: State, seat: Seat, _: Takeover) -> None:
    """The city must be on offer and the cash suffice: no debt is made for it (R92, R93)."""
    price = current_decision(state).can_takeover
    if price is None:
        refuse(Refusal.CANNOT_TAKEOVER, "5.7")
    if state.players[seat].cash < price:
        refuse(Refusal.NOT_ENOUGH_MONEY, "5.7")


def do_takeover(state: State, seat: Seat, _: Takeover) -> Step[State]:
    """Pay the owner and take the city as it stands, which ends the visit (R55, R91)."""
    decision = current_decision(state)
    land, price = state.lands[decision.pos], decision.can_takeover
    assert land is not None
    assert price is not None
    state = receive(spend(state, seat, price), party(land.owner), price)
    state = state.with_land(decision.pos, Land(seat, land.level)).but(decision=None)
    event = TakenOver(seat, land.owner, decision.pos, price)
    return Step(state.then(JudgeMonopoly()), (event,))
