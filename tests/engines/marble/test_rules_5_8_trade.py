"""§5.8: trades between players."""

import pytest

from engines.marble.actions import (
    PayIslandFee,
    ProposeTrade,
    RespondToTrade,
    Roll,
    TradeSide,
    UseEscapeCard,
)
from engines.marble.events import TradeProposed, TradeResolved
from engines.marble.reasons import Refusal, TradeReason
from engines.marble.state import Phase
from tests.engines.marble.table import ENGINE, Table, table

NOTHING = TradeSide((), 0)
TAIPEI = TradeSide((1,), 0)
FIFTY = TradeSide((), 50)
OFFER = ProposeTrade(1, TAIPEI, FIFTY)


def offered(seats: int = 2, **changes: object) -> Table:
    """Seat 0 has offered Taipei to seat 1 for 50."""
    t = table(seats, **{"lands": {1: (0, 2)}, "trade": True, **changes})
    t.do(0, OFFER)
    return t


def test_5_8_an_offer_waits_for_its_answer() -> None:
    """§5.8: told to everybody, awaited from one."""
    t = offered(3)
    assert t.told(TradeProposed) == [TradeProposed(0, 1, TAIPEI, FIFTY)]
    assert (t.phase, t.state.awaited, t.state.current) == (Phase.TRADE_RESPONSE, 1, 0)


def test_5_8_accepted_lands_go_with_their_buildings() -> None:
    """§5.8, R111: at their level, and the cash the other way."""
    t = offered()
    t.do(1, RespondToTrade(accept=True))
    assert t.told(TradeResolved) == [TradeResolved(0, 1, True, TradeReason.ACCEPTED, TAIPEI, FIFTY)]
    assert (t.lands, t.cash) == ({1: (1, 2)}, (350, 250))
    assert (t.phase, t.state.awaited) == (Phase.TURN_START, 0)


def test_5_8_both_sides_may_give_lands_and_cash() -> None:
    """R111: cities, landmarks and tours."""
    t = table(lands={1: 0, 39: (0, 4), 5: 1, 25: 1}, trade=True, landmark=True)
    t.do(0, ProposeTrade(1, TradeSide((1, 39), 30), TradeSide((5, 25), 70)))
    t.do(1, RespondToTrade(accept=True))
    assert t.lands == {1: (1, 0), 39: (1, 4), 5: (0, 0), 25: (0, 0)}
    assert t.cash == (340, 260)


def test_5_8_declined_nothing_changes() -> None:
    """§5.8: and ROLL is still due (R110)."""
    t = offered()
    t.do(1, RespondToTrade(accept=False))
    assert t.told(TradeResolved) == [
        TradeResolved(0, 1, False, TradeReason.DECLINED, TAIPEI, FIFTY)
    ]
    assert (t.lands, t.cash) == ({1: (0, 2)}, (300, 300))
    assert (t.phase, t.state.awaited) == (Phase.TURN_START, 0)
    t.roll(1, 3)


def test_5_8_no_answer_in_twenty_seconds_is_a_refusal() -> None:
    """§10 교환, R109: whatever turnSeconds is; the proposer's time starts afresh."""
    t = offered(turn_seconds=60)
    due = ENGINE.deadline(t.state)
    assert (due.since, due.until, due.seat) == (t.now, t.now + 20_000, 1)
    t.time_out()
    assert t.told(TradeResolved) == [
        TradeResolved(0, 1, False, TradeReason.TIMED_OUT, TAIPEI, FIFTY)
    ]
    assert (t.phase, t.state.awaited) == (Phase.TURN_START, 0)
    assert t.state.deadline_at == t.now + 60_000


def test_5_8_an_offer_of_nothing_is_refused() -> None:
    """R104: nothing at all on both sides."""
    t = table(lands={1: 0}, trade=True)
    t.refuses(0, ProposeTrade(1, NOTHING, NOTHING), Refusal.BAD_TRADE)


@pytest.mark.parametrize(("give", "take"), [(TAIPEI, NOTHING), (NOTHING, FIFTY)])
def test_5_8_gifts_and_demands_are_offers(give: TradeSide, take: TradeSide) -> None:
    """R104: one-sided offers are allowed."""
    t = table(lands={1: 0}, trade=True)
    t.do(0, ProposeTrade(1, give, take))
    t.do(1, RespondToTrade(accept=True))
    assert t.lands == {1: (1, 0)} if give is TAIPEI else {1: (0, 0)}
    assert t.cash == (300 + take.cash, 300 - take.cash)


@pytest.mark.parametrize("to", [0, 2, 3, -1, 9])
def test_5_8_only_another_living_player_is_asked(to: int) -> None:
    """R105: not oneself, not who is out, nobody from elsewhere."""
    t = table(3, lands={1: 0}, out=(2,), trade=True)
    t.refuses(0, ProposeTrade(to, TAIPEI, FIFTY), Refusal.BAD_TRADE)


@pytest.mark.parametrize(
    ("give", "take"),
    [
        (TradeSide((3,), 0), FIFTY),
        (TradeSide((1, 5), 0), FIFTY),
        (TAIPEI, TradeSide((1,), 0)),
        (TAIPEI, TradeSide((10,), 0)),
        (TradeSide((-1,), 0), FIFTY),
        (TradeSide((40,), 0), FIFTY),
    ],
)
def test_5_8_lands_must_be_the_givers(give: TradeSide, take: TradeSide) -> None:
    """R105: on both sides."""
    t = table(lands={1: 0, 5: 1}, trade=True)
    t.refuses(0, ProposeTrade(1, give, take), Refusal.NOT_OWNER)


@pytest.mark.parametrize(
    ("give", "take"), [(TradeSide((), 301), NOTHING), (TAIPEI, TradeSide((), 201))]
)
def test_5_8_cash_must_be_in_hand(give: TradeSide, take: TradeSide) -> None:
    """R105: on both sides, to the last coin."""
    t = table(cash=(300, 200), lands={1: 0}, trade=True)
    t.refuses(0, ProposeTrade(1, give, take), Refusal.NOT_ENOUGH_MONEY)
    t.do(0, ProposeTrade(1, TradeSide((1,), 300), TradeSide((), 200)))


@pytest.mark.parametrize(
    ("give", "take"),
    [
        (TradeSide((1, 1), 0), FIFTY),
        (TradeSide((1,), -5), FIFTY),
        (TAIPEI, TradeSide((5, 5), 0)),
        (TAIPEI, TradeSide((), -1)),
    ],
)
def test_5_8_lands_are_distinct_and_cash_is_not_negative(give: TradeSide, take: TradeSide) -> None:
    """R105: other faults of an offer."""
    t = table(lands={1: 0, 5: 1}, trade=True)
    t.refuses(0, ProposeTrade(1, give, take), Refusal.BAD_TRADE)


@pytest.mark.parametrize(
    "give",
    [
        TradeSide((True,), 0),
        TradeSide(("1",), 0),  # type: ignore[arg-type]
        TradeSide((1,), 5.0),  # type: ignore[arg-type]
        TradeSide((1,), True),
        None,
    ],
)
def test_5_8_values_have_their_types(give: TradeSide) -> None:
    """R105, R120: what is no number is no offer."""
    t = table(lands={1: 0}, trade=True)
    t.refuses(0, ProposeTrade(1, give, FIFTY), Refusal.BAD_PAYLOAD)


def test_5_8_two_offers_a_turn() -> None:
    """R106: whatever became of them, over extra rolls, anew in the next turn."""
    t = offered(pos=(16, 13))
    t.do(1, RespondToTrade(accept=False))
    t.roll(2, 2)
    t.do(0, OFFER)
    t.time_out()
    t.refuses(0, OFFER, Refusal.TRADE_LIMIT)
    assert t.state.trades_this_turn == 2
    t.roll(2, 5)
    t.time_out()
    assert (t.state.current, t.state.trades_this_turn) == (1, 0)


def test_5_8_a_refused_offer_does_not_count() -> None:
    """R105, R106: only offers accepted for delivery do."""
    t = table(lands={1: 0}, trade=True)
    for _ in range(3):
        t.refuses(0, ProposeTrade(1, NOTHING, NOTHING), Refusal.BAD_TRADE)
    assert t.state.trades_this_turn == 0


def test_5_8_before_the_roll_only() -> None:
    """R107: not in a decision, not in a debt."""
    t = table(lands={1: 0}, trade=True)
    t.roll(1, 3)
    t.refuses(0, OFFER, Refusal.WRONG_PHASE)
    t = table(cash=(1, 300), lands={1: 0, 39: 0}, top=("L07",), trade=True)
    t.roll(3, 4)
    t.refuses(0, OFFER, Refusal.WRONG_PHASE)


def test_5_8_not_in_the_turn_of_another() -> None:
    """R107: only the current player proposes."""
    t = table(lands={1: 1}, trade=True)
    t.refuses(1, ProposeTrade(0, TAIPEI, FIFTY), Refusal.NOT_YOUR_TURN)


def test_5_8_before_an_extra_roll_too() -> None:
    """R107: the phase is turnStart."""
    t = table(pos=16, lands={1: 0}, trade=True)
    t.roll(2, 2)
    t.do(0, OFFER)
    t.do(1, RespondToTrade(accept=True))
    assert (t.phase, t.state.awaited, t.state.doubles_this_turn) == (Phase.TURN_START, 0, 1)


def test_5_8_after_card_or_fee_too() -> None:
    """R107, R72: free again and not yet rolled."""
    for action in (UseEscapeCard(), PayIslandFee()):
        t = table(
            pos=10, island={0: 2}, held={0: ("L11",)}, lands={1: 0}, island_fee=10, trade=True
        )
        t.do(0, action)
        t.do(0, OFFER)
        assert t.phase is Phase.TRADE_RESPONSE


def test_5_8_on_the_island_and_before_a_flight() -> None:
    """R112, R107: those who are stuck or fly next can be asked and can propose."""
    t = offered(2, pos=10, island={0: 2, 1: 3})
    t.do(1, RespondToTrade(accept=True))
    assert t.state.players[0].island_left == 2
    t = offered(2, pos=30, space=(0, 1))
    t.do(1, RespondToTrade(accept=True))
    assert t.state.players[0].space_pending


@pytest.mark.parametrize(
    "break_it",
    [
        lambda state: state.with_player(1, cash=49),
        lambda state: state.with_land(1, None),
        lambda state: state.with_land(1, state.lands[1].__class__(2, 2)),
    ],
    ids=["cash", "bank's", "another's"],
)
def test_5_8_what_fails_on_acceptance_is_resolved_as_failed(break_it) -> None:
    """§10 교환, R108: not an error to be repeated (state injection; play cannot reach it)."""
    t = offered(3)
    t.state = break_it(t.state)
    cash = t.cash
    t.do(1, RespondToTrade(accept=True))
    assert t.told(TradeResolved) == [
        TradeResolved(0, 1, False, TradeReason.IMPOSSIBLE, TAIPEI, FIFTY)
    ]
    assert (t.phase, t.state.awaited, t.cash) == (Phase.TURN_START, 0, cash)


def test_5_8_only_the_one_asked_may_answer() -> None:
    """R110: others and the proposer wait; an offer cannot be withdrawn."""
    t = offered(3)
    for seat in (0, 2):
        t.refuses(seat, RespondToTrade(accept=True), Refusal.NOT_YOUR_TURN)
    t.refuses(0, Roll(), Refusal.NOT_YOUR_TURN)
    t.refuses(1, Roll(), Refusal.WRONG_PHASE)


def test_5_8_without_an_offer_there_is_no_answer() -> None:
    """R110: not at the start of the own turn either."""
    t = table(trade=True)
    t.refuses(0, RespondToTrade(accept=True), Refusal.WRONG_PHASE)


def test_5_8_without_the_option_no_trade() -> None:
    """R97: refused before anything else is looked at."""
    t = table(lands={1: 0})
    t.refuses(0, OFFER, Refusal.OPTION_OFF)
    t.refuses(1, OFFER, Refusal.OPTION_OFF)
