"""§5.3: compulsory payments, debts and bankruptcy."""

import pytest

from engines.marble.actions import Pass, Roll, SaleKind, Sell
from engines.marble.cards import CardId
from engines.marble.events import (
    CardMoney,
    DebtOpened,
    DecisionOpened,
    ExtraRollStarted,
    GameOver,
    Sold,
    TollPaid,
    TurnStarted,
    WentBankrupt,
)
from engines.marble.money import BANK, FUND, PaymentCause, party
from engines.marble.previews import SalePreview
from engines.marble.reasons import EndReason, Refusal
from engines.marble.state import Phase
from tests.engines.marble.table import ENGINE, Table, table


def in_debt(**changes: object) -> Table:
    """Seat 0, with 10 in cash and a land or two, owes seat 1 the 100 of a hotel in Seoul."""
    given = {
        "cash": (10, 300),
        "pos": (31, 0),
        "lands": {39: (1, 3), 36: (0, 3), 37: (0, 1), 5: 0},
        **changes,
    }
    t = table(**given)
    t.roll(3, 5)
    assert t.phase is Phase.DEBT
    return t


def test_5_3_enough_cash_is_paid_at_once() -> None:
    """R56: no phase, no question."""
    t = table(cash=(100, 300), pos=(31, 0), lands={39: (1, 3)})
    t.roll(3, 5)
    assert t.told(DebtOpened) == []
    assert (t.cash, t.state.current) == ((0, 400), 1)


@pytest.mark.parametrize(
    ("build", "dice"),
    [
        ({"pos": (31, 0), "lands": {39: (1, 1), 1: 0, 3: 0, 4: 0}}, (3, 5)),
        ({"pos": 31, "lands": {1: 0, 3: 0, 4: 0, 6: 0}}, (3, 4)),
        ({"top": ("L06",), "lands": {1: 0, 3: 0}}, (3, 4)),
        ({"top": ("L07",), "lands": {1: 0, 3: 0, 4: 0, 6: 0}}, (3, 4)),
        ({"top": ("L08",), "lands": {1: 0, 3: 0, 4: 0, 6: 0}}, (3, 4)),
        ({"top": ("L09",), "lands": {39: (0, 1)}}, (3, 4)),
        ({"top": ("L19",), "lands": {1: 0, 3: 0}}, (3, 4)),
        ({"top": ("L20",), "lands": {1: 0, 3: 0}}, (3, 4)),
    ],
    ids=["toll", "fund", "L06", "L07", "L08", "L09", "L19", "L20"],
)
def test_5_3_what_must_be_paid(build: dict[str, object], dice: tuple[int, int]) -> None:
    """R56: tolls, the fund and every card that takes money open a debt when cash is short."""
    cash = 14 if build.get("pos") == (31, 0) else 2
    t = table(cash=(cash, 300), **build)
    t.roll(*dice)
    assert (t.phase, t.state.awaited) == (Phase.DEBT, 0)


def test_5_3_bankrupt_if_everything_is_too_little() -> None:
    """§10 빚 갚기, R57, R62: the creditor gets all cash after the sale, lands go to the bank."""
    t = table(3, cash=(60, 300, 300), pos=(31, 0, 0), lands={39: (1, 3), 31: (0, 1), 5: 0})
    t.roll(3, 5)
    assert t.told(WentBankrupt) == [WentBankrupt(0, party(1), 60 + 15 + 7 + 10, 1)]
    assert t.cash == (0, 300 + 92, 300)
    assert t.lands == {39: (1, 3)}
    assert (t.state.players[0].alive, t.state.current) == (False, 1)


def test_5_3_the_bound_is_strict() -> None:
    """R57: equal to the debt is enough; everything is sold and the player lives on with 0."""
    t = table(cash=(70, 300), pos=(31, 0), lands={39: (1, 3), 31: 0, 32: 0})
    t.roll(3, 5)
    assert t.phase is Phase.DEBT
    t.do(0, Sell(31, SaleKind.ALL))
    t.do(0, Sell(32, SaleKind.ALL))
    assert (t.cash, t.state.players[0].alive) == ((0, 400), True)
    t = table(3, cash=(69, 300, 300), pos=(31, 0, 0), lands={39: (1, 3), 31: 0, 32: 0})
    t.roll(3, 5)
    assert t.told(WentBankrupt) == [WentBankrupt(0, party(1), 99, 1)]
    assert t.cash == (0, 399, 300)


def test_5_3_cash_and_sales_alone_count() -> None:
    """R58: no held card and no receipt to come; 99 are less than 100."""
    t = table(
        3, cash=(99, 300, 300), pos=(31, 0, 0), lands={39: (1, 3)}, held={0: ("L11",)}, fund=500
    )
    t.roll(3, 5)
    assert t.told(WentBankrupt) == [WentBankrupt(0, party(1), 99, 1)]


def test_5_3_selling_keeps_the_sum() -> None:
    """R58: cash and what can still be raised are the same before and after every sale."""
    t = in_debt()
    total = 10 + 69 + 17 + 9 + 10
    for sale, cash, rest in [
        (Sell(36, SaleKind.TOP), 10 + 26, 17 + 9 + 17 + 17 + 9 + 10),
        (Sell(37, SaleKind.TOP), 10 + 26 + 9, 17 + 9 + 17 + 17 + 10),
        (Sell(5, SaleKind.ALL), 10 + 26 + 9 + 10, 17 + 9 + 17 + 17),
    ]:
        t.do(0, sale)
        assert (t.cash[0], cash + rest) == (cash, total)
        assert t.phase is Phase.DEBT


def test_5_3_a_debt_is_fixed_when_it_falls_due() -> None:
    """R61: selling changes what is missing, never what is owed."""
    t = in_debt()
    t.do(0, Sell(36, SaleKind.TOP))
    debt = ENGINE.view(t.state, None).debt
    assert (debt.amount, debt.missing, debt.to) == (100, 64, party(1))


def test_5_3_it_is_paid_as_soon_as_it_can_be() -> None:
    """R59: then selling is over."""
    t = in_debt()
    t.do(0, Sell(36, SaleKind.ALL))
    t.do(0, Sell(5, SaleKind.ALL))
    assert t.cash == (89, 300)
    t.do(0, Sell(37, SaleKind.ALL))
    assert t.told(TollPaid) == [TollPaid(0, party(1), 39, 100, waived=False)]
    assert t.cash == (89 + 26 - 100, 400)
    t.refuses(0, Sell(39, SaleKind.ALL), Refusal.NOT_YOUR_TURN)


def test_5_3_more_may_be_sold_than_is_needed() -> None:
    """R59: the surplus stays as cash."""
    t = table(cash=(99, 300), pos=(31, 0), lands={39: (1, 3), 37: (0, 3), 1: 0})
    t.roll(3, 5)
    t.do(0, Sell(37, SaleKind.ALL))
    assert t.cash == (99 + 69 - 100, 400)
    assert t.lands == {39: (1, 3), 1: (0, 0)}


def test_5_3_the_top_stage_alone() -> None:
    """§5.3, R60: from the top down, one stage each; no even selling."""
    t = in_debt()
    t.do(0, Sell(36, SaleKind.TOP))
    assert t.told(Sold) == [Sold(0, 36, SaleKind.TOP, 26)]
    t.do(0, Sell(36, SaleKind.TOP))
    assert t.told(Sold) == [Sold(0, 36, SaleKind.TOP, 17)]
    assert t.lands[36] == (0, 1)
    t.do(0, Sell(36, SaleKind.TOP))
    assert t.told(Sold) == [Sold(0, 36, SaleKind.TOP, 9)]
    t.refuses(0, Sell(36, SaleKind.TOP), Refusal.NO_BUILDING)


def test_5_3_all_sells_the_land_with_everything() -> None:
    """R60, R14: at any level, each part rounded down by itself; the land is the bank's."""
    t = in_debt()
    t.do(0, Sell(36, SaleKind.ALL))
    assert t.told(Sold) == [Sold(0, 36, SaleKind.ALL, 69)]
    assert 36 not in t.lands


@pytest.mark.parametrize("pos", [5, 1])
def test_5_3_no_building_no_top(pos: int) -> None:
    """R60: tours and bare land can only be sold whole."""
    t = table(cash=(95, 300), pos=(31, 0), lands={39: (1, 3), 5: 0, 1: 0})
    t.roll(3, 5)
    t.refuses(0, Sell(pos, SaleKind.TOP), Refusal.NO_BUILDING)


@pytest.mark.parametrize("pos", [39, 1, 0, 10, -1, 40])
def test_5_3_only_own_land_is_sold(pos: int) -> None:
    """R60: another's, the bank's, or no land at all."""
    t = in_debt()
    for what in SaleKind:
        t.refuses(0, Sell(pos, what), Refusal.NOT_OWNER)


def test_5_3_in_a_debt_there_is_nothing_but_selling() -> None:
    """R69, §8.2: no roll, no pass, by nobody."""
    t = in_debt()
    t.refuses(0, Roll(), Refusal.WRONG_PHASE)
    t.refuses(0, Pass(), Refusal.WRONG_PHASE)
    t.refuses(1, Sell(39, SaleKind.ALL), Refusal.NOT_YOUR_TURN)


def test_5_3_selling_at_will_does_not_exist() -> None:
    """R69: not at the start of a turn."""
    t = table(lands={39: 0})
    t.refuses(0, Sell(39, SaleKind.ALL), Refusal.WRONG_PHASE)


def test_5_3_a_bankruptcy_is_told_once() -> None:
    """R62: no sale for each land, no toll; the lands are not the creditor's."""
    t = table(3, cash=(5, 300, 300), pos=(31, 0, 0), lands={39: (1, 3), 36: (0, 1), 5: 0})
    t.roll(3, 5)
    assert t.told(WentBankrupt) == [WentBankrupt(0, party(1), 5 + 17 + 9 + 10, 1)]
    assert t.told(Sold, TollPaid, DebtOpened) == []
    assert t.cash == (0, 341, 300)
    assert t.lands == {39: (1, 3)}


def test_5_3_bankrupt_to_the_bank() -> None:
    """R62: what is left is gone."""
    t = table(3, cash=(4, 300, 300), top=("L07",), fund=9)
    t.roll(3, 4)
    assert t.told(WentBankrupt) == [WentBankrupt(0, BANK, 4, 1)]
    assert (t.cash, t.state.fund) == ((0, 300, 300), 9)


def test_5_3_bankrupt_to_the_fund() -> None:
    """R62: what is left goes into the fund."""
    t = table(3, cash=(4, 300, 300), top=("L08",), fund=9)
    t.roll(3, 4)
    assert t.told(WentBankrupt) == [WentBankrupt(0, FUND, 4, 1)]
    assert t.state.fund == 13


def test_5_3_who_is_out_has_nothing() -> None:
    """R65, R141: no cash, lands, cards or waits; round and place of elimination are kept."""
    t = table(3, cash=(4, 300, 300), pos=31, held={0: ("L12",)}, lands={1: 0}, round=7)
    t.roll(3, 4)
    player = t.state.players[0]
    assert (player.alive, player.cash, player.held) == (False, 0, ())
    assert (player.island_left, player.space_pending) == (0, False)
    assert (player.bankrupt_at_round, player.out_seq) == (7, 1)
    assert t.lands == {}
    assert ENGINE.view(t.state, 0).players[0].pos is None
    t.refuses(0, Roll(), Refusal.ELIMINATED)


def test_5_3_bankrupt_on_an_own_double() -> None:
    """R66: the turn passes on, nothing of it remains."""
    t = table(3, cash=(4, 300, 300), pos=34)
    t.roll(2, 2)
    assert t.told(WentBankrupt) == [WentBankrupt(0, FUND, 4, 1)]
    assert t.told(ExtraRollStarted) == []
    assert t.told(TurnStarted) == [TurnStarted(1, 1)]
    assert (t.state.extra_roll, t.state.pending, t.state.decision) == (False, (), None)


def test_5_3_the_last_survivor_wins_at_once() -> None:
    """R67: in the middle of a birthday too; nothing more is collected."""
    t = table(cash=(300, 3), top=("L04",))
    t.roll(3, 4)
    assert t.result.reason is EndReason.LAST_SURVIVOR
    assert t.cash == (303, 0)
    assert t.told(TurnStarted) == []
    assert isinstance(t.events[-1], GameOver)


def test_5_3_a_birthday_stops_with_the_last_survivor() -> None:
    """R67, R84: two go bankrupt one after the other; their places follow the settlement."""
    t = table(3, cash=(300, 3, 2), top=("L04",))
    t.roll(3, 4)
    assert t.told(WentBankrupt) == [
        WentBankrupt(1, party(0), 3, 1),
        WentBankrupt(2, party(0), 2, 1),
    ]
    assert [player.out_seq for player in t.state.players] == [None, 1, 2]
    assert [place.seat for place in t.result.ranking] == [0, 2, 1]


def test_5_3_bankrupt_in_the_turn_of_another() -> None:
    """R68: the current player's turn continues, extra roll included."""
    t = table(3, cash=(300, 3, 300), top=("L04",))
    t.roll(1, 1)
    assert t.told(WentBankrupt) == [WentBankrupt(1, party(0), 3, 1)]
    assert t.told(ExtraRollStarted) == [ExtraRollStarted(0)]
    assert (t.state.current, t.phase) == (0, Phase.TURN_START)


def test_5_3_land_of_a_bankrupt_is_for_sale_again() -> None:
    """R153: at the land price, without buildings, from the next arrival on."""
    t = table(3, cash=(1, 300, 300), pos=(31, 32, 0), lands={1: (0, 1)})
    t.roll(3, 4)
    assert t.lands == {}
    t.roll(3, 6)
    assert t.told(DecisionOpened) == [DecisionOpened(1, 1, True, None, None, False)]


def test_5_3_the_debtor_sees_what_can_be_sold() -> None:
    """§8.3: every stage on top and every land, with what it brings; for the debtor alone."""
    t = in_debt()
    choices = ENGINE.view(t.state, 0).choices
    assert choices.sales == (
        SalePreview(5, SaleKind.ALL, 10),
        SalePreview(36, SaleKind.TOP, 26),
        SalePreview(36, SaleKind.ALL, 69),
        SalePreview(37, SaleKind.TOP, 9),
        SalePreview(37, SaleKind.ALL, 26),
    )
    assert ENGINE.view(t.state, 1).choices is None


def test_5_3_a_debt_names_its_debtor() -> None:
    """R21: with whom, to whom, how much and what for."""
    t = in_debt()
    assert t.told(DebtOpened) == [DebtOpened(0, 100, party(1), PaymentCause.TOLL)]
    assert t.state.debt is not None
    assert t.state.debt.debtor == 0


def test_5_3_cards_wait_their_turn_behind_a_debt() -> None:
    """R21, R64: what is still due stays pending and is charged when the debt is paid."""
    t = table(4, cash=(300, 300, 0, 300), top=("L04",), lands={39: 2})
    t.roll(3, 4)
    assert t.told(CardMoney) == [CardMoney(CardId.L04, party(1), party(0), 5)]
    assert t.state.awaited == 2
    t.do(2, Sell(39, SaleKind.ALL))
    assert t.told(CardMoney) == [
        CardMoney(CardId.L04, party(2), party(0), 5),
        CardMoney(CardId.L04, party(3), party(0), 5),
    ]
