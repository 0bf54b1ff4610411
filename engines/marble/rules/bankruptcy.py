"""§5.3 Going bankrupt, and §8.2 giving up, which is settled in the same way with the bank."""

from msgspec.structs import replace

from engines.marble.actions import Concede
from engines.marble.events import Conceded, DebtRedirected, Log, WentBankrupt
from engines.marble.money import BANK, Party, party
from engines.marble.reasons import ConcedeCause, EndReason, TradeReason
from engines.marble.rules.ending import finish
from engines.marble.rules.ledger import receive
from engines.marble.rules.trade import close_offer
from engines.marble.state import BOTTOM, Ending, State, living, owner_of, raisable
from engines.protocol import Seat, Step


def go_bankrupt(state: State, log: Log, seat: Seat, creditor: Party) -> State:
    """Sell everything to the bank, give all cash to the creditor, put the seat out (R62, R65).

    Ends the match when one player is left (R67), and the turn if it was this seat's (R66).
    """
    amount = raisable(state, seat)
    log.append(WentBankrupt(seat, creditor, amount, state.round))
    lands = tuple(None if land and land.owner == seat else land for land in state.lands)
    state = state.but(lands=lands, deck=state.deck + state.players[seat].held)
    state = state.with_player(
        seat,
        cash=0,
        alive=False,
        island_left=0,
        space_pending=False,
        held=(),
        bankrupt_at_round=state.round,
        out_seq=1 + sum(not player.alive for player in state.players),
    )
    state = receive(state, creditor, amount)
    if len(living(state)) == 1:
        return finish(state, log, Ending(EndReason.LAST_SURVIVOR))
    if seat == state.current:
        return state.but(decision=None, extra_roll=False, pending=(BOTTOM,))
    return state


def check_concede(state: State, seat: Seat, _: Concede) -> None:
    """Always possible for a living player (R124)."""


def do_concede(state: State, seat: Seat, _: Concede) -> Step[State]:
    """Give up by one's own decision, in or out of turn (R124)."""
    return give_up(state, seat, ConcedeCause.CONCEDED)


def give_up(state: State, seat: Seat, cause: ConcedeCause) -> Step[State]:
    """Settle with the bank, whatever is open between the seat and others (R124 to R129)."""
    log: Log = [Conceded(seat, cause)]
    offer, debt, decision = state.offer, state.debt, state.decision
    if offer is not None and seat in (offer.proposer, offer.responder):
        state = close_offer(state, log, TradeReason.CONCEDED)  # R127
    if debt is not None and debt.debtor == seat:
        state = state.but(debt=None)
    elif debt is not None and debt.to == party(seat):
        state = state.but(debt=replace(debt, to=BANK))  # R125
        log.append(DebtRedirected(debt.debtor, debt.amount, BANK))
    if decision is not None and owner_of(state, decision.pos) == seat:
        state = state.but(decision=None)  # R126; an owner deciding for themselves is out anyway
    return Step(go_bankrupt(state, log, seat, BANK), tuple(log))
