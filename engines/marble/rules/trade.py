"""§5.8 Offers between players, before the roll."""

from engines.marble.actions import ProposeTrade, RespondToTrade, TradeSide
from engines.marble.events import Log, TradeProposed, TradeResolved
from engines.marble.reasons import Refusal, TradeReason
from engines.marble.state import JudgeMonopoly, Land, State, TradeOffer, owner_of
from engines.protocol import Seat, Step, refuse

OFFERS_PER_TURN = 2


def check_propose_trade(state: State, seat: Seat, offer: ProposeTrade) -> None:
    """Two offers a turn to a living player, of what both sides own, not empty (R104 to R106)."""
    partner = offer.to if _can_be_asked(state, seat, offer.to) else None
    _check_owned(state, seat, offer.give, "give")
    if partner is not None:
        _check_owned(state, partner, offer.take, "take")
    if state.trades_this_turn >= OFFERS_PER_TURN:
        refuse(Refusal.TRADE_LIMIT, "5.8")
    if partner is None:
        refuse(Refusal.BAD_TRADE, "5.8", path=("to",))
    _check_shape(offer.give, "give")
    _check_shape(offer.take, "take")
    if not (offer.give.lands or offer.give.cash or offer.take.lands or offer.take.cash):
        refuse(Refusal.BAD_TRADE, "5.8")
    for owner, side, name in ((seat, offer.give, "give"), (partner, offer.take, "take")):
        if side.cash > state.players[owner].cash:
            refuse(Refusal.NOT_ENOUGH_MONEY, "5.8", path=(name, "cash"))


def _can_be_asked(state: State, seat: Seat, other: int) -> bool:
    return 0 <= other < len(state.players) and other != seat and state.players[other].alive


def _check_owned(state: State, owner: Seat, side: TradeSide, name: str) -> None:
    if any(owner_of(state, pos) != owner for pos in side.lands):
        refuse(Refusal.NOT_OWNER, "5.8", path=(name, "lands"))


def _check_shape(side: TradeSide, name: str) -> None:
    if len(set(side.lands)) < len(side.lands):
        refuse(Refusal.BAD_TRADE, "5.8", path=(name, "lands"))
    if side.cash < 0:
        refuse(Refusal.BAD_TRADE, "5.8", path=(name, "cash"))


def do_propose_trade(state: State, seat: Seat, offer: ProposeTrade) -> Step[State]:
    """Put the offer to the other player; nothing is reserved meanwhile (R108)."""
    opened = TradeOffer(seat, offer.to, offer.give, offer.take)
    state = state.but(offer=opened, trades_this_turn=state.trades_this_turn + 1)
    return Step(state, (TradeProposed(seat, offer.to, offer.give, offer.take),))


def check_respond_to_trade(state: State, seat: Seat, _: RespondToTrade) -> None:
    """Always possible for the player asked."""


def do_respond_to_trade(state: State, seat: Seat, answer: RespondToTrade) -> Step[State]:
    """Carry the trade out or decline it; one that no longer holds is void, not an error (R108)."""
    log: Log = []
    if not answer.accept:
        return Step(close_offer(state, log, TradeReason.DECLINED), tuple(log))
    offer = open_offer(state)
    if not _holds(state, offer):
        return Step(close_offer(state, log, TradeReason.IMPOSSIBLE), tuple(log))
    state = _hand_over(state, offer.proposer, offer.responder, offer.give)
    state = _hand_over(state, offer.responder, offer.proposer, offer.take)
    state = close_offer(state, log, TradeReason.ACCEPTED)
    return Step(state.then(JudgeMonopoly()), tuple(log))


def open_offer(state: State) -> TradeOffer:
    """The open offer; to be asked for in the trade response phase only."""
    assert state.offer is not None
    return state.offer


def close_offer(state: State, log: Log, reason: TradeReason) -> State:
    """Say how the open offer ended; the proposer's turn goes on."""
    offer = open_offer(state)
    accepted = reason is TradeReason.ACCEPTED
    log.append(
        TradeResolved(offer.proposer, offer.responder, accepted, reason, offer.give, offer.take)
    )
    return state.but(offer=None)


def _holds(state: State, offer: TradeOffer) -> bool:
    return all(
        side.cash <= state.players[owner].cash
        and all(owner_of(state, pos) == owner for pos in side.lands)
        for owner, side in ((offer.proposer, offer.give), (offer.responder, offer.take))
    )


def _hand_over(state: State, giver: Seat, taker: Seat, side: TradeSide) -> State:
    lands = list(state.lands)
    for pos in side.lands:
        land = lands[pos]
        assert land is not None
        lands[pos] = Land(taker, land.level)
    state = state.but(lands=tuple(lands))
    state = state.with_player(giver, cash=state.players[giver].cash - side.cash)
    return state.with_player(taker, cash=state.players[taker].cash + side.cash)
