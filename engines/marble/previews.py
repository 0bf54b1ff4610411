"""What the awaited player may choose, and what each choice would cost or bring (§8.3, §9)."""

from dataclasses import dataclass
from typing import Annotated, Final

from engines.marble.actions import ActionName, SaleKind
from engines.marble.board import (
    BOARDING_FEE,
    CELLS,
    FUND_PAYMENT,
    PRICES,
    SPACE,
    CellKind,
    Pos,
)
from engines.marble.cards import CardId
from engines.marble.rules.arrival import build_cost, toll_at
from engines.marble.rules.payment import sale_value
from engines.marble.rules.space import fee_receiver
from engines.marble.rules.trade import OFFERS_PER_TURN
from engines.marble.state import Phase, State, lands_of, owner_of
from engines.protocol import Seat, Viewer

LOW_CASH: Final = 50
"""Cash in 만 below which a player is warned (§9)."""


@dataclass(frozen=True, slots=True)
class CostPreview:
    """What a choice would cost."""

    price: Annotated[int, "Price in 만."]
    affordable: Annotated[bool, "True if the cash suffices."]
    cash_after: Annotated[int | None, "Cash left in 만; null if not affordable."]
    low_cash: Annotated[bool, "True if less than 50 would be left: warn the player."]


@dataclass(frozen=True, slots=True)
class IslandPreview:
    """The ways off the island."""

    fee: Annotated[CostPreview | None, "Leaving for the fee; null if this room plays without it."]
    escape_card: Annotated[bool, "True if the player holds the escape card."]


@dataclass(frozen=True, slots=True)
class DestinationPreview:
    """What a flight to one cell would bring."""

    pos: Annotated[int, "Number of the cell."]
    kind: Annotated[CellKind, "What happens there."]
    boarding_fee: Annotated[int, "Fee in 만 before take-off; 0 if it is free."]
    salary: Annotated[int, "Salary on the way in 만; 0 if the flight does not reach the start."]
    price: Annotated[int | None, "Price of the land in 만 if it is for sale; otherwise null."]
    toll: Annotated[int, "Toll due there in 만; 0 if none."]
    toll_to: Annotated[int | None, "Seat that receives the toll; null if there is none."]
    toll_waived: Annotated[bool, "True if a held exemption would waive the toll."]
    fund_payment: Annotated[int, "What goes into the welfare fund there, in 만."]
    fund_receipt: Annotated[int, "What the welfare fund pays out there, in 만."]


@dataclass(frozen=True, slots=True)
class SalePreview:
    """Something that can be sold to pay the debt."""

    pos: Annotated[int, "Number of the cell."]
    what: Annotated[SaleKind, "The topmost stage, or the land with everything on it."]
    amount: Annotated[int, "What the bank pays, in 만."]


@dataclass(frozen=True, slots=True)
class Choices:
    """What the awaited player may choose now, with a preview of what it costs."""

    buy: Annotated[CostPreview | None, "Buying the land; null if not on offer."]
    build: Annotated[CostPreview | None, "Building the next stage; null if not on offer."]
    takeover: Annotated[CostPreview | None, "Taking over the city; null if not on offer."]
    island: Annotated[IslandPreview | None, "Ways off the island; null if not stuck."]
    destinations: Annotated[
        tuple[DestinationPreview, ...], "All cells one can fly to; empty if no flight is due."
    ]
    sales: Annotated[tuple[SalePreview, ...], "What can be sold; empty if no debt is open."]
    offers_left: Annotated[int, "Trade offers that can still be made this turn."]


def available(state: State, viewer: Viewer) -> tuple[ActionName, ...]:
    """The actions a viewer may do and afford now, in the order of the rule book."""
    if viewer is None or state.ending is not None or not state.players[viewer].alive:
        return ()
    if viewer != state.awaited:
        return (ActionName.CONCEDE,)
    match state.phase:
        case Phase.TURN_START:
            names = _turn_start(state, viewer)
        case Phase.DECIDE:
            names = _decide(state, viewer)
        case Phase.DEBT:
            names = [ActionName.SELL]
        case _:
            names = [ActionName.RESPOND_TO_TRADE]
    return (*names, ActionName.CONCEDE)


def _turn_start(state: State, seat: Seat) -> list[ActionName]:
    player = state.players[seat]
    names = [ActionName.SPACE_TRAVEL if player.space_pending else ActionName.ROLL]
    if player.island_left > 0:
        if 0 < state.options.island_fee <= player.cash:
            names.append(ActionName.PAY_ISLAND_FEE)
        if CardId.L11 in player.held:
            names.append(ActionName.USE_ESCAPE_CARD)
    if _offers_left(state) > 0 and _anything_to_trade(state):
        names.append(ActionName.PROPOSE_TRADE)
    return names


def _offers_left(state: State) -> int:
    if not state.options.trade or state.phase is not Phase.TURN_START:
        return 0
    return OFFERS_PER_TURN - state.trades_this_turn


def _anything_to_trade(state: State) -> bool:
    return any(state.lands) or any(player.cash > 0 for player in state.players)


def _decide(state: State, seat: Seat) -> list[ActionName]:
    costs = (
        (ActionName.BUY, _buy_cost(state)),
        (ActionName.BUILD, _build_cost(state)),
        (ActionName.TAKEOVER, _takeover_cost(state)),
    )
    cash = state.players[seat].cash
    affordable = [name for name, cost in costs if cost is not None and cost <= cash]
    return [*affordable, ActionName.PASS]


def _buy_cost(state: State) -> int | None:
    decision = state.decision
    return PRICES[decision.pos] if decision is not None and decision.can_buy else None


def _build_cost(state: State) -> int | None:
    decision = state.decision
    if decision is None or decision.can_build is None:
        return None
    return build_cost(decision.pos, decision.can_build)


def _takeover_cost(state: State) -> int | None:
    return None if state.decision is None else state.decision.can_takeover


def choices(state: State, viewer: Viewer) -> Choices | None:
    """The previews of the awaited player; None for everybody else (R130)."""
    if viewer is None or viewer != state.awaited:
        return None
    cash = state.players[viewer].cash
    return Choices(
        buy=_cost(cash, _buy_cost(state)),
        build=_cost(cash, _build_cost(state)),
        takeover=_cost(cash, _takeover_cost(state)),
        island=_island(state, viewer),
        destinations=_destinations(state, viewer),
        sales=_sales(state, viewer),
        offers_left=_offers_left(state),
    )


def _cost(cash: int, price: int | None) -> CostPreview | None:
    if price is None:
        return None
    if cash < price:
        return CostPreview(price, affordable=False, cash_after=None, low_cash=False)
    left = cash - price
    return CostPreview(price, affordable=True, cash_after=left, low_cash=left < LOW_CASH)


def _island(state: State, seat: Seat) -> IslandPreview | None:
    player = state.players[seat]
    if state.phase is not Phase.TURN_START or player.island_left == 0:
        return None
    fee = _cost(player.cash, state.options.island_fee or None)
    return IslandPreview(fee, CardId.L11 in player.held)


def _destinations(state: State, seat: Seat) -> tuple[DestinationPreview, ...]:
    if state.phase is not Phase.TURN_START or not state.players[seat].space_pending:
        return ()
    fee = 0 if fee_receiver(state, seat) is None else BOARDING_FEE
    exempt = CardId.L12 in state.players[seat].held
    return tuple(
        _destination(state, seat, cell.pos, fee, exempt) for cell in CELLS if cell.pos != SPACE
    )


def _destination(state: State, seat: Seat, pos: Pos, fee: int, exempt: bool) -> DestinationPreview:
    kind = CELLS[pos].kind
    owner = owner_of(state, pos)
    tolled = owner is not None and owner != seat
    return DestinationPreview(
        pos=pos,
        kind=kind,
        boarding_fee=fee,
        salary=state.options.salary if pos < SPACE else 0,
        price=CELLS[pos].price if owner is None else None,
        toll=toll_at(state, pos) if tolled else 0,
        toll_to=owner if tolled else None,
        toll_waived=tolled and exempt,
        fund_payment=FUND_PAYMENT if kind is CellKind.FUND_PAY else 0,
        fund_receipt=state.fund if kind is CellKind.FUND_TAKE else 0,
    )


def _sales(state: State, seat: Seat) -> tuple[SalePreview, ...]:
    if state.debt is None:
        return ()
    return tuple(
        SalePreview(pos, what, sale_value(pos, land.level, what))
        for pos, land in lands_of(state, seat)
        for what in ((SaleKind.TOP, SaleKind.ALL) if land.level > 0 else (SaleKind.ALL,))
    )
