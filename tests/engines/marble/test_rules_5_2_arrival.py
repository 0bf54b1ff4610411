"""§5.2: what happens on the cell reached."""

import pytest

from engines.marble.actions import (
    ActionName,
    Build,
    Buy,
    Pass,
    ProposeTrade,
    RespondToTrade,
    SaleKind,
    Sell,
    Takeover,
    TradeSide,
)
from engines.marble.events import (
    Bought,
    Built,
    DebtOpened,
    DecisionOpened,
    FundPaid,
    FundReceived,
    Passed,
    SentToIsland,
    TollPaid,
    TurnStarted,
    WentBankrupt,
)
from engines.marble.money import FUND, PaymentCause, party
from engines.marble.reasons import IslandReason, Refusal
from engines.marble.state import Decision, Phase
from engines.protocol import Away
from tests.engines.marble.table import ENGINE, table


def test_5_2_land_of_nobody_is_offered() -> None:
    """§5.2, R150: BUY or PASS, on the very cell the player stands on."""
    t = table()
    t.roll(1, 3)
    assert t.state.decision == Decision(4, True, None, None, False)
    assert t.told(DecisionOpened) == [DecisionOpened(0, 4, True, None, None, False)]
    t.do(0, Buy())
    assert t.told(Bought) == [Bought(0, 4, 8)]
    assert (t.cash, t.lands) == ((292, 300), {4: (0, 0)})
    assert t.told(TurnStarted) == [TurnStarted(1, 1)]


def test_5_2_tours_are_bought_too() -> None:
    """§5.2: a tour costs its land price."""
    t = table()
    t.roll(2, 3)
    t.do(0, Buy())
    assert (t.cash[0], t.lands) == (280, {5: (0, 0)})


def test_5_2_passing_leaves_the_land_with_the_bank() -> None:
    """R151: no auction, nobody else is asked."""
    t = table(3)
    t.roll(1, 3)
    t.do(0, Pass())
    assert t.told(Passed) == [Passed(0, 4)]
    assert (t.lands, t.cash) == ({}, (300, 300, 300))
    assert (t.state.current, t.phase) == (1, Phase.TURN_START)


def test_5_2_the_offer_is_made_without_the_cash() -> None:
    """R44: canBuy is what the rules offer; the purchase fails, exactly with 돈이 부족해요."""
    t = table(cash=(7, 300))
    t.roll(1, 3)
    assert t.state.decision == Decision(4, True, None, None, False)
    refused = t.refuses(0, Buy(), Refusal.NOT_ENOUGH_MONEY)
    assert refused.text.ko == "돈이 부족해요."
    view = ENGINE.view(t.state, 0)
    assert view.available == (ActionName.PASS, ActionName.CONCEDE)
    assert view.choices.buy.affordable is False
    assert (view.choices.buy.price, view.choices.buy.cash_after) == (8, None)


def test_5_2_the_last_coin_suffices() -> None:
    """R45: cash equal to the price leaves 0."""
    t = table(cash=(8, 300))
    t.roll(1, 3)
    t.do(0, Buy())
    assert (t.cash[0], t.lands) == (0, {4: (0, 0)})


def test_5_2_nothing_is_sold_to_buy() -> None:
    """R45, R69: selling exists in a debt only."""
    t = table(cash=(7, 300), lands={39: 0})
    t.roll(1, 3)
    t.refuses(0, Sell(39, SaleKind.ALL), Refusal.WRONG_PHASE)


@pytest.mark.parametrize(("level", "cost"), [(0, 20), (1, 40), (2, 60)])
def test_5_2_the_next_stage_may_be_built(level: int, cost: int) -> None:
    """§10 건설: villa, building, hotel, one after the other."""
    t = table(pos=31, lands={39: (0, level)})
    t.roll(3, 5)
    assert t.state.decision == Decision(39, False, level + 1, None, False)
    t.do(0, Build(level + 1))
    assert t.told(Built) == [Built(0, 39, level + 1, cost)]
    assert (t.lands, t.cash[0]) == ({39: (0, level + 1)}, 300 - cost)
    assert t.state.current == 1


def test_5_2_not_building_costs_nothing() -> None:
    """§5.2: PASS on the own city."""
    t = table(pos=31, lands={39: (0, 1)})
    t.roll(3, 5)
    t.do(0, Pass())
    assert (t.lands, t.cash[0]) == ({39: (0, 1)}, 300)


@pytest.mark.parametrize("level", [0, 2, 3, 4, -1, 5, True, False])
def test_5_2_only_the_next_stage(level: int) -> None:
    """§10 건설, R50: skipping, repeating and anything else is refused, booleans too."""
    t = table(pos=31, lands={39: (0, 0)}, landmark=True)
    t.roll(3, 5)
    t.refuses(0, Build(level), Refusal.BAD_LEVEL)


def test_5_2_building_needs_the_cash() -> None:
    """§8.2 BUILD: a villa for 20 with 19 in hand is refused, with 20 it is built."""
    t = table(cash=(19, 300), pos=31, lands={39: 0})
    t.roll(3, 5)
    t.refuses(0, Build(1), Refusal.NOT_ENOUGH_MONEY)
    t = table(cash=(20, 300), pos=31, lands={39: 0})
    t.roll(3, 5)
    t.do(0, Build(1))
    assert t.cash[0] == 0


def test_5_2_one_stage_a_visit() -> None:
    """§10 건설, R49: BUILD ends the visit."""
    t = table(pos=35, lands={39: 0})
    t.roll(2, 2)
    t.do(0, Build(1))
    assert (t.phase, t.state.current) == (Phase.TURN_START, 0)
    t.refuses(0, Build(2), Refusal.WRONG_PHASE)


@pytest.mark.parametrize(("level", "landmark"), [(3, False), (4, True), (4, False)])
def test_5_2_a_finished_city_asks_nothing(level: int, landmark: bool) -> None:
    """R46: after the last stage the visit is over at once."""
    t = table(pos=31, lands={39: (0, level)}, landmark=landmark)
    t.roll(3, 5)
    assert t.told(DecisionOpened) == []
    assert (t.state.decision, t.state.current) == (None, 1)


def test_5_2_an_own_tour_asks_nothing() -> None:
    """R46: tours have no buildings."""
    t = table(lands={5: 0})
    t.roll(2, 3)
    assert (t.state.decision, t.state.current, t.cash[0]) == (None, 1, 300)


def test_5_2_no_build_on_the_visit_of_the_purchase() -> None:
    """§10 건설, R47: neither in the buying decision nor after it."""
    t = table()
    t.roll(1, 3)
    t.refuses(0, Build(1), Refusal.CANNOT_BUILD)
    t.do(0, Buy())
    t.refuses(0, Build(1), Refusal.NOT_YOUR_TURN)
    t = table()
    t.roll(2, 2)
    t.do(0, Buy())
    t.refuses(0, Build(1), Refusal.WRONG_PHASE)


def test_5_2_a_later_arrival_in_the_same_turn_is_a_new_visit() -> None:
    """R47: bought on 4, on to 7, three back: a villa may be built."""
    t = table(top=("L16",))
    t.roll(2, 2)
    t.do(0, Buy())
    t.roll(1, 2)
    assert t.pos[0] == 4
    assert t.state.decision == Decision(4, False, 1, None, False)
    t.do(0, Build(1))
    assert t.lands == {4: (0, 1)}


def test_5_2_the_next_visit_allows_the_villa_only() -> None:
    """§10 건설: after the purchase comes the villa; the building is refused."""
    t = table(pos=31, lands={39: 0})
    t.roll(3, 5)
    t.refuses(0, Build(2), Refusal.BAD_LEVEL)
    t.do(0, Build(1))
    assert t.lands == {39: (0, 1)}


def test_5_2_build_on_purchase_offers_the_villa_at_once() -> None:
    """R48: a second decision; level 1 and nothing more."""
    t = table(build_on_purchase=True)
    t.roll(1, 3)
    t.do(0, Buy())
    assert t.state.decision == Decision(4, False, 1, None, True)
    assert (t.phase, t.state.awaited) == (Phase.DECIDE, 0)
    t.refuses(0, Build(2), Refusal.BAD_LEVEL)
    t.refuses(0, Buy(), Refusal.CANNOT_BUY)
    t.do(0, Build(1))
    assert (t.lands, t.cash[0], t.state.current) == ({4: (0, 1)}, 288, 1)


def test_5_2_build_on_purchase_may_be_passed() -> None:
    """R48: the land stays bare."""
    t = table(build_on_purchase=True)
    t.roll(1, 3)
    t.do(0, Buy())
    t.do(0, Pass())
    assert (t.lands, t.state.current) == ({4: (0, 0)}, 1)


def test_5_2_build_on_purchase_is_offered_without_the_cash() -> None:
    """R48, R44: the decision opens, the villa is refused."""
    t = table(cash=(11, 300), build_on_purchase=True)
    t.roll(1, 3)
    t.do(0, Buy())
    assert t.state.decision == Decision(4, False, 1, None, True)
    t.refuses(0, Build(1), Refusal.NOT_ENOUGH_MONEY)


def test_5_2_build_on_purchase_does_not_concern_tours() -> None:
    """R48: the visit is over."""
    t = table(build_on_purchase=True)
    t.roll(2, 3)
    t.do(0, Buy())
    assert (t.state.decision, t.state.current) == (None, 1)


@pytest.mark.parametrize(("level", "toll"), [(0, 8), (1, 24), (2, 60), (3, 100), (4, 160)])
def test_5_2_the_toll_is_what_the_table_says(level: int, toll: int) -> None:
    """§10 통행료: paid to the owner at once, and the turn goes on."""
    t = table(pos=(31, 0), lands={39: (1, level)}, landmark=True)
    t.roll(3, 5)
    assert t.told(TollPaid) == [TollPaid(0, party(1), 39, toll, waived=False)]
    assert t.cash == (300 - toll, 300 + toll)
    assert (t.state.decision, t.state.current) == (None, 1)


def test_5_2_the_owner_is_paid_on_the_island() -> None:
    """R52: stuck owners receive their tolls."""
    t = table(pos=(31, 10), lands={39: 1}, island={1: 2})
    t.roll(3, 5)
    assert t.cash == (292, 308)


def test_5_2_the_owner_is_paid_while_waiting_for_a_flight() -> None:
    """R52: so do those who fly next."""
    t = table(pos=(31, 30), lands={39: 1}, space=(1,))
    t.roll(3, 5)
    assert t.cash == (292, 308)


def test_5_2_the_owner_is_paid_while_away() -> None:
    """§10 연결 끊김, R52, R137: tolls go on being received."""
    t = table(pos=(31, 0), lands={39: 1})
    t.system(Away(1))
    t.roll(3, 5)
    assert t.cash == (292, 308)


def test_5_2_own_land_costs_no_toll() -> None:
    """§5.2: nobody pays himself."""
    t = table(pos=31, lands={39: (0, 3)})
    t.roll(3, 5)
    assert (t.told(TollPaid), t.cash) == ([], (300, 300))


def test_5_2_ending_a_move_on_the_island_traps() -> None:
    """R51: there is no mere visit."""
    t = table(pos=3)
    t.roll(3, 4)
    assert t.told(SentToIsland) == [SentToIsland(0, IslandReason.LANDED, 3)]
    assert t.state.players[0].island_left == 3


def test_5_2_passing_the_island_is_free() -> None:
    """R51: over 10 to 13."""
    t = table(pos=6)
    t.roll(3, 4)
    assert (t.pos[0], t.told(SentToIsland), t.state.players[0].island_left) == (13, [], 0)


def test_5_2_the_fund_is_a_creditor_too() -> None:
    """R53: less than 15 is a debt to the fund, and what is paid goes into it."""
    t = table(cash=(14, 300), pos=31, lands={1: 0}, fund=2)
    t.roll(3, 4)
    assert t.told(DebtOpened) == [DebtOpened(0, 15, FUND, PaymentCause.FUND)]
    t.do(0, Sell(1, SaleKind.ALL))
    assert t.told(FundPaid) == [FundPaid(0, 15, FUND)]
    assert (t.cash[0], t.state.fund) == (2, 17)


def test_5_2_what_a_bankrupt_leaves_goes_into_the_fund() -> None:
    """R53, R62: 10 and the 3 of a land."""
    t = table(3, cash=(10, 300, 300), pos=31, lands={1: 0}, fund=2)
    t.roll(3, 4)
    assert t.told(WentBankrupt) == [WentBankrupt(0, FUND, 13, 1)]
    assert t.told(FundPaid) == []
    assert t.state.fund == 15


def test_5_2_an_empty_fund_pays_nothing() -> None:
    """R54: no event at 0."""
    t = table(pos=13)
    t.roll(3, 4)
    assert (t.pos[0], t.told(FundReceived), t.cash) == (20, [], (300, 300))


def test_5_2_a_takeover_ends_the_visit() -> None:
    """R55: no building on it, even with buildOnPurchase."""
    t = table(pos=(35, 0), lands={39: (1, 1)}, takeover=True, build_on_purchase=True)
    t.roll(2, 2)
    t.do(0, Takeover())
    assert (t.phase, t.state.current, t.lands) == (Phase.TURN_START, 0, {39: (0, 1)})
    t.refuses(0, Build(2), Refusal.WRONG_PHASE)


def test_5_2_land_got_by_trade_is_no_visit() -> None:
    """R55: it may be built on at the next arrival, even in the same turn."""
    t = table(pos=31, lands={39: 1}, trade=True)
    t.do(0, ProposeTrade(1, TradeSide((), 50), TradeSide((39,), 0)))
    t.do(1, RespondToTrade(accept=True))
    t.roll(3, 5)
    assert t.state.decision == Decision(39, False, 1, None, False)
