"""§5.2 The cell reached: buying, building, tolls and the special cells."""

from engines.marble.actions import Build, Buy, Pass
from engines.marble.board import CELLS, FUND_PAYMENT, HOTEL, LANDMARK, PRICES, TOURS, CellKind, Pos
from engines.marble.cards import CardId
from engines.marble.events import (
    Bought,
    Built,
    DecisionOpened,
    FundReceived,
    Log,
    Passed,
    SpaceTravelReady,
    TollPaid,
)
from engines.marble.money import FUND, PaymentCause, party
from engines.marble.reasons import IslandReason, Refusal
from engines.marble.rules.cards import CARDS_PER_TURN, play_card
from engines.marble.rules.deck import use_card
from engines.marble.rules.island import send_to_island
from engines.marble.rules.ledger import spend
from engines.marble.state import (
    Arrive,
    Decision,
    JudgeMonopoly,
    Land,
    OfferTakeover,
    OfferVilla,
    Payment,
    State,
    owner_of,
)
from engines.protocol import Seat, Step, refuse


def arrive(state: State, _: Arrive, log: Log) -> State:
    """Apply the cell the current player stands on."""
    seat = state.current
    pos = state.players[seat].pos
    match CELLS[pos].kind:
        case CellKind.CITY | CellKind.TOUR:
            return _visit_land(state, log, pos)
        case CellKind.CARD if state.cards_this_turn < CARDS_PER_TURN:
            return play_card(state, log)
        case CellKind.FUND_PAY:
            return state.then(Payment(seat, FUND, FUND_PAYMENT, PaymentCause.FUND))
        case CellKind.FUND_TAKE if state.fund > 0:
            log.append(FundReceived(seat, state.fund))
            cash = state.players[seat].cash + state.fund
            return state.with_player(seat, cash=cash).but(fund=0)
        case CellKind.ISLAND:
            return send_to_island(state, log, IslandReason.LANDED)
        case CellKind.SPACE:
            log.append(SpaceTravelReady(seat))
            return state.with_player(seat, space_pending=True).but(extra_roll=False)
    return state


def _visit_land(state: State, log: Log, pos: Pos) -> State:
    owner = owner_of(state, pos)
    if owner is None:
        return open_decision(state, log, can_buy=True)
    if owner == state.current:
        level = buildable(state, pos)
        return state if level is None else open_decision(state, log, can_build=level)
    return _charge_toll(state.then(OfferTakeover(owner)), log, pos, owner)


def _charge_toll(state: State, log: Log, pos: Pos, owner: Seat) -> State:
    seat = state.current
    toll = toll_at(state, pos)
    if CardId.L12 in state.players[seat].held:  # R34: at once and unasked
        state = use_card(state, log, seat, CardId.L12)
        log.append(TollPaid(seat, party(owner), pos, toll, waived=True))
        return state
    return state.then(Payment(seat, party(owner), toll, PaymentCause.TOLL, pos=pos))


def toll_at(state: State, pos: Pos) -> int:
    """The toll in 만 of an owned land; doubled for the owner of several tourist sites (R12)."""
    land = state.lands[pos]
    assert land is not None
    toll = CELLS[pos].tolls[land.level]
    if pos in TOURS and sum(owner_of(state, tour) == land.owner for tour in TOURS) >= 2:
        return 2 * toll
    return toll


def buildable(state: State, pos: Pos) -> int | None:
    """The next stage of an owned city; None for tourist sites and at the last stage (R46)."""
    land = state.lands[pos]
    last = LANDMARK if state.options.landmark else HOTEL
    if land is None or CELLS[pos].kind is not CellKind.CITY or land.level >= last:
        return None
    return land.level + 1


def open_decision(
    state: State,
    log: Log,
    *,
    can_buy: bool = False,
    can_build: int | None = None,
    can_takeover: int | None = None,
    bought: bool = False,
) -> State:
    """Ask the current player, whether or not they can afford what is offered (R44)."""
    seat = state.current
    pos = state.players[seat].pos
    log.append(DecisionOpened(seat, pos, can_buy, can_build, can_takeover, bought))
    return state.but(decision=Decision(pos, can_buy, can_build, can_takeover, bought))


def offer_villa(state: State, _: OfferVilla, log: Log) -> State:
    """Ask for a villa on the land just bought (R48)."""
    return open_decision(state, log, can_build=1, bought=True)


def current_decision(state: State) -> Decision:
    """The open decision; to be asked for in the decide phase only."""
    assert state.decision is not None
    return state.decision


def check_buy(state: State, seat: Seat, _: Buy) -> None:
    """The land must be on offer and the cash suffice; nothing can be sold for it (R45)."""
    decision = current_decision(state)
    if not decision.can_buy:
        refuse(Refusal.CANNOT_BUY, "5.2")
    if state.players[seat].cash < PRICES[decision.pos]:
        refuse(Refusal.NOT_ENOUGH_MONEY, "5.2")


def do_buy(state: State, seat: Seat, _: Buy) -> Step[State]:
    """Buy the land; only buildOnPurchase offers a villa on the same visit (R47, R48)."""
    pos = current_decision(state).pos
    price = PRICES[pos]
    state = spend(state, seat, price).with_land(pos, Land(seat)).but(decision=None)
    if state.options.build_on_purchase and CELLS[pos].kind is CellKind.CITY:
        state = state.then(OfferVilla())
    return Step(state.then(JudgeMonopoly()), (Bought(seat, pos, price),))


def check_build(state: State, seat: Seat, build: Build) -> None:
    """Exactly the stage on offer, and the cash for it (R50)."""
    decision = current_decision(state)
    if decision.can_build is None:
        refuse(Refusal.CANNOT_BUILD, "5.2")
    if type(build.level) is not int or build.level != decision.can_build:
        refuse(Refusal.BAD_LEVEL, "5.2", path=("level",))
    if state.players[seat].cash < build_cost(decision.pos, build.level):
        refuse(Refusal.NOT_ENOUGH_MONEY, "5.2")


def do_build(state: State, seat: Seat, build: Build) -> Step[State]:
    """Build one stage, which ends the visit (R49)."""
    pos = current_decision(state).pos
    cost = build_cost(pos, build.level)
    state = spend(state, seat, cost).with_land(pos, Land(seat, build.level)).but(decision=None)
    return Step(state, (Built(seat, pos, build.level, cost),))


def build_cost(pos: Pos, level: int) -> int:
    """The cost in 만 of one stage (1..4) of a city."""
    return CELLS[pos].build_costs[level - 1]


def check_pass(state: State, seat: Seat, _: Pass) -> None:
    """Always possible."""


def do_pass(state: State, seat: Seat, _: Pass) -> Step[State]:
    """Leave things as they are; the land is not auctioned (R151)."""
    return Step(state.but(decision=None), (Passed(seat, current_decision(state).pos),))
