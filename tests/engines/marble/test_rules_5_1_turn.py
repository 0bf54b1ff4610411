"""§5.1: rolling, doubles and the end of a turn."""

import pytest

from engines.marble.actions import (
    ActionName,
    Buy,
    Concede,
    Pass,
    Roll,
    SaleKind,
    Sell,
    UseEscapeCard,
)
from engines.marble.events import (
    DecisionOpened,
    ExtraRollStarted,
    IslandRolled,
    Moved,
    Rolled,
    SalaryPaid,
    SentToIsland,
    SpaceTravelReady,
    TurnStarted,
)
from engines.marble.reasons import IslandReason, Refusal
from engines.marble.state import Phase
from tests.engines.marble.table import ENGINE, table


def test_5_1_a_roll_moves_by_the_sum() -> None:
    """§5.1: two dice, clockwise; then the cell is dealt with."""
    t = table(pos=10)
    t.roll(3, 5)
    assert t.told(Rolled) == [Rolled(0, (3, 5), double=False, doubles=0)]
    assert t.pos == (18, 10)
    assert t.told(Moved)[0].path == (11, 12, 13, 14, 15, 16, 17, 18)
    assert t.state.last_roll == (3, 5)


def test_5_1_without_a_double_the_turn_ends() -> None:
    """§5.1: the next of the order has its turn."""
    t = table(3, pos=13, order=(1, 2, 0))
    t.roll(3, 4)
    assert t.told(TurnStarted) == [TurnStarted(2, 1)]
    assert (t.state.current, t.phase) == (2, Phase.TURN_START)


def test_5_1_a_double_is_dealt_with_and_rolls_again() -> None:
    """§10 더블, R39, R149: the decision first, then one more roll."""
    t = table()
    t.roll(2, 2)
    assert t.told(Rolled) == [Rolled(0, (2, 2), double=True, doubles=1)]
    assert (t.phase, t.state.extra_roll) == (Phase.DECIDE, True)
    t.do(0, Buy())
    assert (t.phase, t.state.extra_roll, t.state.current) == (Phase.TURN_START, False, 0)
    assert t.state.doubles_this_turn == 1
    assert t.told(ExtraRollStarted) == [ExtraRollStarted(0)]
    assert t.told(TurnStarted) == []
    t.roll(3, 4)
    assert t.pos[0] == 11


def test_5_1_the_extra_roll_cannot_be_declined() -> None:
    """R39: there is no way to end the turn but to roll (or to give up)."""
    t = table(fund=0, pos=16)
    t.roll(2, 2)
    assert (t.phase, t.state.current, t.pos[0]) == (Phase.TURN_START, 0, 20)
    t.refuses(0, Pass(), Refusal.WRONG_PHASE)
    available = ENGINE.view(t.state, 0).available
    assert available == (ActionName.ROLL, ActionName.CONCEDE)


def test_5_1_the_third_double_leads_to_the_island() -> None:
    """§10 더블, R40: no move, no salary; the turn is over and the count starts anew."""
    t = table(pos=10, lands={14: (0, 3), 18: (0, 3)})
    t.roll(2, 2)
    t.roll(2, 2)
    t.roll(3, 3)
    assert t.told(Rolled) == [Rolled(0, (3, 3), double=True, doubles=3)]
    assert t.told(SentToIsland) == [SentToIsland(0, IslandReason.DOUBLES, 3)]
    assert t.told(Moved, SalaryPaid) == []
    assert [type(event) for event in t.events[:2]] == [Rolled, SentToIsland]
    assert (t.pos[0], t.cash[0], t.state.players[0].island_left) == (10, 300, 3)
    assert (t.state.current, t.state.doubles_this_turn) == (1, 0)


def test_5_1_doubles_of_different_turns_do_not_add_up() -> None:
    """R40: only the rolls of this turn count."""
    t = table(pos=(16, 16), lands={27: (0, 3)})
    t.roll(2, 2)
    t.roll(3, 4)
    assert t.state.current == 1
    t.roll(2, 2)
    assert t.told(Rolled) == [Rolled(1, (2, 2), double=True, doubles=1)]


def test_5_1_an_island_roll_is_not_counted() -> None:
    """R40: the double that frees a player gives no extra roll and is no double of the turn."""
    t = table(pos=10, island={0: 2}, fund=0)
    t.roll(5, 5)
    assert t.told(IslandRolled)[0].double is True
    assert t.told(Rolled) == []
    assert (t.pos[0], t.state.current, t.state.doubles_this_turn) == (20, 1, 0)


def test_5_1_three_doubles_after_the_escape_card_lead_back() -> None:
    """R41: after card or fee the count starts at 0."""
    t = table(pos=10, island={0: 3}, held={0: ("L11",)}, lands={14: (0, 3), 18: (0, 3)})
    t.do(0, UseEscapeCard())
    t.roll(2, 2)
    assert t.state.doubles_this_turn == 1
    t.roll(2, 2)
    assert t.state.doubles_this_turn == 2
    t.roll(1, 1)
    assert t.told(SentToIsland) == [SentToIsland(0, IslandReason.DOUBLES, 3)]
    assert (t.pos[0], t.state.players[0].island_left, t.state.current) == (10, 3, 1)


def test_5_1_a_double_onto_the_island_rolls_no_more() -> None:
    """§5.1, R42, R51: stuck, and the extra roll is gone."""
    t = table(pos=6)
    t.roll(2, 2)
    assert t.told(SentToIsland) == [SentToIsland(0, IslandReason.LANDED, 3)]
    assert t.told(ExtraRollStarted) == []
    assert (t.state.current, t.state.extra_roll) == (1, False)


def test_5_1_a_double_onto_space_travel_rolls_no_more() -> None:
    """§10 더블로 우주여행, R42, R83: next turn only a flight is possible."""
    t = table(pos=(26, 13), fund=0)
    t.roll(2, 2)
    assert t.told(SpaceTravelReady) == [SpaceTravelReady(0)]
    assert (t.state.current, t.state.players[0].space_pending) == (1, True)
    t.roll(3, 4)
    t.refuses(0, Roll(), Refusal.MUST_SPACE_TRAVEL)


@pytest.mark.parametrize("card", ["L10", "L14"])
def test_5_1_cards_that_take_the_extra_roll(card: str) -> None:
    """R42: the storm, and reaching 30 in any way."""
    t = table(top=(card,))
    t.roll(1, 1)
    assert (t.state.current, t.told(ExtraRollStarted)) == (1, [])


@pytest.mark.parametrize("card", ["L01", "L06", "L11", "L12", "L13", "L17"])
def test_5_1_cards_that_keep_the_extra_roll(card: str) -> None:
    """R42: money, kept cards, the start and the fund."""
    t = table(top=(card,))
    t.roll(1, 1)
    assert (t.state.current, t.phase) == (0, Phase.TURN_START)
    assert t.told(ExtraRollStarted) == [ExtraRollStarted(0)]


@pytest.mark.parametrize("card", ["L15", "L16", "L18"])
def test_5_1_cards_that_keep_it_through_a_decision(card: str) -> None:
    """R42: a decision on the cell reached, then the extra roll."""
    t = table(top=(card,))
    t.roll(1, 1)
    assert (t.phase, t.state.extra_roll) == (Phase.DECIDE, True)
    t.do(0, Pass())
    assert (t.state.current, t.phase) == (0, Phase.TURN_START)


def test_5_1_the_extra_roll_outlives_an_own_debt() -> None:
    """R42: sell, pay, roll again."""
    t = table(cash=(1, 300), pos=(36, 0), lands={39: 0})
    t.roll(1, 1)
    assert (t.phase, t.state.extra_roll) == (Phase.DEBT, True)
    t.do(0, Sell(39, SaleKind.ALL))
    assert (t.cash[0], t.state.current, t.phase) == (6, 0, Phase.TURN_START)


def test_5_1_the_extra_roll_outlives_the_debt_of_another() -> None:
    """R42: a birthday puts seat 1 into debt; seat 0 rolls again afterwards."""
    t = table(3, cash=(300, 0, 300), top=("L04",), lands={39: 1})
    t.roll(1, 1)
    assert t.state.awaited == 1
    t.do(1, Sell(39, SaleKind.ALL))
    assert (t.state.current, t.phase, t.state.awaited) == (0, Phase.TURN_START, 0)


def test_5_1_giving_up_takes_the_extra_roll() -> None:
    """R42: the next player's turn begins."""
    t = table(3)
    t.roll(2, 2)
    t.do(0, Concede())
    assert (t.state.current, t.state.extra_roll, t.phase) == (1, False, Phase.TURN_START)
    assert t.told(ExtraRollStarted) == []


def test_5_1_the_extra_roll_is_announced_while_it_is_to_come() -> None:
    """R149: true from the double until the extra turn start opens, then the count tells."""
    t = table()
    t.roll(2, 2)
    assert (t.state.extra_roll, ENGINE.view(t.state, None).extra_roll) == (True, True)
    t.do(0, Pass())
    assert (t.state.extra_roll, t.state.doubles_this_turn) == (False, 1)


def test_5_1_a_non_double_announces_nothing() -> None:
    """R149: no extra roll, no announcement."""
    t = table()
    t.roll(1, 3)
    assert (t.state.extra_roll, t.state.doubles_this_turn) == (False, 0)
    assert t.told(DecisionOpened)[0].pos == 4
