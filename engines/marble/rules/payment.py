"""§5.3 Compulsory payments, the debt they may open, and the sales that pay it."""

from engines.marble.actions import SaleKind, Sell
from engines.marble.board import CELLS, SALE_TOTALS, Pos
from engines.marble.events import (
    CardMoney,
    DebtOpened,
    FundPaid,
    Log,
    Sold,
    SpaceFeePaid,
    TollPaid,
)
from engines.marble.money import PartyKind, party
from engines.marble.reasons import Refusal
from engines.marble.rules.bankruptcy import go_bankrupt
from engines.marble.rules.ledger import receive, spend
from engines.marble.state import Land, Payment, State, owner_of, raisable
from engines.protocol import Seat, Step, refuse


def settle(state: State, due: Payment, log: Log) -> State:
    """Pay from cash; else open a debt, or go bankrupt if even selling all is too little (R57).

    A payment from or to a player who is out lapses (R128, R129).
    """
    creditor = due.to.seat
    if not state.players[due.debtor].alive:
        return state
    if creditor is not None and not state.players[creditor].alive:
        return state
    if state.players[due.debtor].cash >= due.amount:
        log.append(_paid(due))
        return receive(spend(state, due.debtor, due.amount), due.to, due.amount)
    if raisable(state, due.debtor) < due.amount:
        return go_bankrupt(state, log, due.debtor, due.to)
    log.append(DebtOpened(due.debtor, due.amount, due.to, due.cause))
    return state.but(debt=due)


def _paid(due: Payment) -> object:
    if due.pos is not None:
        return TollPaid(due.debtor, due.to, due.pos, due.amount, waived=False)
    if due.to.kind is PartyKind.FUND:
        return FundPaid(due.debtor, due.amount, due.to)
    if due.card is not None:
        return CardMoney(due.card, party(due.debtor), due.to, due.amount)
    return SpaceFeePaid(due.debtor, due.to, due.amount)


def check_sell(state: State, seat: Seat, sale: Sell) -> None:
    """One's own land only; `TOP` needs a building (R60)."""
    land = state.lands[sale.pos] if owner_of(state, sale.pos) == seat else None
    if land is None:
        refuse(Refusal.NOT_OWNER, "5.3", path=("pos",))
    if sale.what is SaleKind.TOP and land.level == 0:
        refuse(Refusal.NO_BUILDING, "5.3", path=("what",))


def do_sell(state: State, seat: Seat, sale: Sell) -> Step[State]:
    """Sell to the bank; as soon as the cash covers the debt it is due for payment (R59)."""
    land = state.lands[sale.pos]
    assert land is not None
    amount = sale_value(sale.pos, land.level, sale.what)
    left = Land(seat, land.level - 1) if sale.what is SaleKind.TOP else None
    cash = state.players[seat].cash + amount
    state = state.with_land(sale.pos, left).with_player(seat, cash=cash)
    debt = state.debt
    if debt is not None and cash >= debt.amount:
        state = state.but(debt=None).then(debt)
    return Step(state, (Sold(seat, sale.pos, sale.what, amount),))


def sale_value(pos: Pos, level: int, what: SaleKind) -> int:
    """What the bank pays in 만 for the topmost stage, or for the land with all of it (R14)."""
    if what is SaleKind.TOP:
        return CELLS[pos].sale_values[level]
    return SALE_TOTALS[pos][level]
