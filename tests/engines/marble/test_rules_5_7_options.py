"""§5.7: takeover, landmark and monopoly."""

import pytest

from engines.marble.actions import (
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
    GameOver,
    MonopolyWon,
    Sold,
    TakenOver,
    TollPaid,
)
from engines.marble.money import party
from engines.marble.reasons import EndReason, MonopolyType, Refusal
from engines.marble.state import Decision, Phase
from tests.engines.marble.table import Table, table

GROUP_A = {1: 0, 3: 0, 4: 0}
GROUP_C = {11: 0, 13: 0, 14: 0}
GROUP_E = {21: 0, 23: 0}
"""Without 24, which completes it."""


@pytest.mark.parametrize(("level", "toll", "price"), [(0, 8, 80), (2, 60, 200), (3, 100, 320)])
def test_5_7_takeover_costs_twice_what_was_invested(level: int, toll: int, price: int) -> None:
    """§10 인수, R91: the toll, then 2 × (land + buildings), both to the owner; as it stands."""
    t = table(cash=(500, 300), pos=(31, 0), lands={39: (1, level)}, takeover=True)
    t.roll(3, 5)
    assert t.told(TollPaid) == [TollPaid(0, party(1), 39, toll, waived=False)]
    assert t.state.decision == Decision(39, False, None, price, False)
    t.do(0, Takeover())
    assert t.told(TakenOver) == [TakenOver(0, 1, 39, price)]
    assert t.cash == (500 - toll - price, 300 + toll + price)
    assert t.lands == {39: (0, level)}
    assert t.state.current == 1


def test_5_7_passing_leaves_the_city_alone() -> None:
    """§5.7: the takeover is a choice."""
    t = table(pos=(31, 0), lands={39: 1}, takeover=True)
    t.roll(3, 5)
    t.do(0, Pass())
    assert (t.lands, t.cash) == ({39: (1, 0)}, (292, 308))


def test_5_7_takeover_off() -> None:
    """§10 인수, R97: no decision, and the action is refused before turn and phase."""
    t = table(pos=(31, 0), lands={39: 1})
    t.roll(3, 5)
    assert t.told(DecisionOpened) == []
    t.refuses(0, Takeover(), Refusal.OPTION_OFF)
    t.refuses(1, Takeover(), Refusal.OPTION_OFF)


def test_5_7_the_toll_may_come_out_of_a_debt() -> None:
    """R92: if a large sale leaves enough cash, the takeover is offered and affordable."""
    t = table(cash=(5, 300), pos=(24, 0), lands={31: 1, 37: (0, 3)}, takeover=True)
    t.roll(3, 4)
    assert t.phase is Phase.DEBT
    t.do(0, Sell(37, SaleKind.ALL))
    assert t.state.decision == Decision(31, False, None, 60, False)
    t.do(0, Takeover())
    assert t.cash == (5 + 69 - 6 - 60, 366)


def test_5_7_takeover_is_never_a_debt() -> None:
    """R92, R93: the decision opens without the cash, the takeover is refused."""
    t = table(cash=(87, 300), pos=(31, 0), lands={39: 1, 36: (0, 3)}, takeover=True)
    t.roll(3, 5)
    assert t.state.decision == Decision(39, False, None, 80, False)
    t.refuses(0, Takeover(), Refusal.NOT_ENOUGH_MONEY)
    t.refuses(0, Sell(36, SaleKind.ALL), Refusal.WRONG_PHASE)
    t.do(0, Pass())
    assert t.told(DebtOpened) == []


def test_5_7_tours_and_landmarks_are_safe() -> None:
    """§10 인수, R94: no takeover decision."""
    for lands, pos in (({5: 1}, 37), ({39: (1, 4)}, 31)):
        t = table(pos=(pos, 0), lands=lands, takeover=True, landmark=True)
        t.roll(3, 5)
        assert t.told(DecisionOpened) == []
        assert t.state.current == 1
        t.state = t.state.but(current=0)
        t.refuses(0, Takeover(), Refusal.WRONG_PHASE)


def test_5_7_in_another_decision_there_is_no_takeover() -> None:
    """§8.2 TAKEOVER: only where it is offered."""
    t = table(takeover=True)
    t.roll(1, 3)
    t.refuses(0, Takeover(), Refusal.CANNOT_TAKEOVER)


def test_5_7_in_a_takeover_decision_nothing_is_bought_or_built() -> None:
    """§5.7, R55: it is neither land of nobody nor an own city."""
    t = table(pos=(31, 0), lands={39: 1}, takeover=True)
    t.roll(3, 5)
    t.refuses(0, Buy(), Refusal.CANNOT_BUY)
    t.refuses(0, Build(1), Refusal.CANNOT_BUILD)


def test_5_7_the_old_owner_may_take_it_back() -> None:
    """R95: no protection."""
    t = table(cash=500, pos=(31, 31), lands={39: 1}, takeover=True)
    t.roll(3, 5)
    t.do(0, Takeover())
    t.roll(3, 5)
    t.do(1, Takeover())
    assert t.lands == {39: (1, 0)}
    assert t.cash == (500 - 88 + 88, 500 + 88 - 88)


def test_5_7_the_landmark_is_the_fifth_stage() -> None:
    """R94: on a later visit to a city with a hotel."""
    t = table(pos=31, lands={39: (0, 3)}, landmark=True)
    t.roll(3, 5)
    assert t.state.decision == Decision(39, False, 4, None, False)
    t.do(0, Build(4))
    assert t.told(Built) == [Built(0, 39, 4, 80)]
    assert t.lands == {39: (0, 4)}


def test_5_7_no_landmark_before_the_hotel() -> None:
    """R94: only after level 3."""
    t = table(pos=31, lands={39: (0, 2)}, landmark=True)
    t.roll(3, 5)
    t.refuses(0, Build(4), Refusal.BAD_LEVEL)


def test_5_7_no_landmark_without_the_option() -> None:
    """R94, R46: the hotel is the last stage."""
    t = table(pos=31, lands={39: (0, 3)})
    t.roll(3, 5)
    assert t.state.decision is None


def test_5_7_a_landmark_can_be_sold_and_traded() -> None:
    """R96: it is protected from takeover only; 40 for the one in Seoul."""
    t = table(cash=(1, 300), lands={39: (0, 4)}, top=("L07",), landmark=True)
    t.roll(3, 4)
    t.do(0, Sell(39, SaleKind.TOP))
    assert t.told(Sold) == [Sold(0, 39, SaleKind.TOP, 40)]
    t = table(lands={39: (0, 4)}, landmark=True, trade=True)
    t.do(0, ProposeTrade(1, TradeSide((39,), 0), TradeSide((), 200)))
    t.do(1, RespondToTrade(accept=True))
    assert t.lands == {39: (1, 4)}


# Monopoly


def wins(t: Table, seat: int, kind: MonopolyType) -> None:
    """The match has just ended by this monopoly."""
    assert t.told(MonopolyWon) == [MonopolyWon(seat, kind)]
    assert t.phase is Phase.FINISHED
    assert (t.result.reason, t.result.monopoly_type) == (EndReason.MONOPOLY, kind)
    assert t.result.winners == (seat,)
    assert [type(event) for event in t.events[-2:]] == [MonopolyWon, GameOver]


def test_5_7_four_tours_win_at_once() -> None:
    """§10 독점 승리, R98: with the purchase of the fourth."""
    t = table(pos=30, lands={5: 0, 15: 0, 25: 0}, monopoly_win=True)
    t.roll(2, 3)
    t.do(0, Buy())
    assert t.told(Bought) == [Bought(0, 35, 25)]
    wins(t, 0, MonopolyType.TOUR)


def test_5_7_six_cities_of_a_line_win() -> None:
    """R07, R98: tours of the line do not matter."""
    t = table(pos=31, lands=dict.fromkeys((31, 32, 34, 36, 37), 0), monopoly_win=True)
    t.roll(3, 5)
    t.do(0, Buy())
    wins(t, 0, MonopolyType.LINE)


def test_5_7_three_groups_win() -> None:
    """R102: groups of three different lines."""
    t = table(pos=17, lands={**GROUP_A, **GROUP_C, **GROUP_E}, monopoly_win=True)
    t.roll(3, 4)
    t.do(0, Buy())
    wins(t, 0, MonopolyType.TRIPLE)


def test_5_7_two_groups_of_different_lines_do_not_win() -> None:
    """R102: only with the third."""
    t = table(pos=17, lands={**GROUP_A, **GROUP_E}, monopoly_win=True)
    t.roll(3, 4)
    t.do(0, Buy())
    assert t.told(MonopolyWon) == []


def test_5_7_before_the_villa_of_the_purchase() -> None:
    """R98: BUY is judged before the decision of buildOnPurchase."""
    t = table(
        pos=17,
        lands={**GROUP_A, **GROUP_C, **GROUP_E},
        monopoly_win=True,
        build_on_purchase=True,
    )
    t.roll(3, 4)
    t.do(0, Buy())
    assert t.told(DecisionOpened) == []
    wins(t, 0, MonopolyType.TRIPLE)


def test_5_7_a_takeover_may_complete_a_line() -> None:
    """R98: price paid, then the match is over."""
    t = table(
        pos=(31, 0),
        lands={**dict.fromkeys((31, 32, 34, 36, 37), 0), 39: 1},
        monopoly_win=True,
        takeover=True,
    )
    t.roll(3, 5)
    t.do(0, Takeover())
    assert t.cash == (300 - 88, 388)
    wins(t, 0, MonopolyType.LINE)


def traded(lands: dict[int, int], give: tuple[int, ...], take: tuple[int, ...]) -> Table:
    """Seat 0 and seat 1 have just swapped lands."""
    t = table(3, lands=lands, monopoly_win=True, trade=True)
    t.do(0, ProposeTrade(1, TradeSide(give, 0), TradeSide(take, 0)))
    t.do(1, RespondToTrade(accept=True))
    return t


def test_5_7_a_trade_may_complete_the_tours() -> None:
    """R98: judged on acceptance."""
    wins(traded({5: 0, 15: 0, 25: 0, 1: 0, 35: 1}, (1,), (35,)), 0, MonopolyType.TOUR)


def test_5_7_the_responder_may_win_in_the_turn_of_another() -> None:
    """R101: not only the current player."""
    wins(traded({5: 1, 15: 1, 25: 1, 1: 1, 35: 0}, (35,), (1,)), 1, MonopolyType.TOUR)


def test_5_7_one_trade_completes_a_set_for_both() -> None:
    """R99: the current player wins; there is no joint monopoly."""
    lands = {5: 0, 15: 0, 25: 0, 1: 0, 35: 1, **dict.fromkeys((3, 4, 6, 8, 9), 1)}
    wins(traded(lands, (1,), (35,)), 0, MonopolyType.TOUR)


def test_5_7_triple_is_named_before_line() -> None:
    """R100: 19 with A, C and 16, 18 owned is both."""
    t = table(pos=11, lands={**GROUP_A, **GROUP_C, 16: 0, 18: 0}, monopoly_win=True)
    t.roll(3, 5)
    t.do(0, Buy())
    wins(t, 0, MonopolyType.TRIPLE)


def test_5_7_line_is_named_before_tour() -> None:
    """R100: a trade that completes both at once."""
    lands = {**GROUP_C, 16: 0, 18: 0, 5: 0, 15: 0, 25: 0, 1: 0, 19: 1, 35: 1}
    wins(traded(lands, (1,), (19, 35)), 0, MonopolyType.LINE)


def test_5_7_without_the_option_nothing_is_judged() -> None:
    """R103: four tours are just four tours."""
    t = table(pos=30, lands={5: 0, 15: 0, 25: 0})
    t.roll(2, 3)
    t.do(0, Buy())
    assert t.told(MonopolyWon) == []
    assert (t.result, t.state.current) == (None, 1)
