"""§5.4: the deserted island."""

import pytest

from engines.marble.actions import ActionName, PayIslandFee, UseEscapeCard
from engines.marble.events import (
    CardUsed,
    DecisionOpened,
    Escaped,
    IslandRolled,
    Moved,
    Rolled,
    SalaryPaid,
    SentToIsland,
    TurnStarted,
)
from engines.marble.reasons import EscapeMeans, IslandReason, MoveCause, Refusal
from engines.marble.state import Phase
from tests.engines.marble.table import ENGINE, table


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_5_4_so_many_turns_are_missed(turns: int) -> None:
    """§10 무인도, R70: after islandTurns misses the next turn is a normal one from cell 10."""
    t = table(pos=(3, 13), island_turns=turns, fund=0, max_rounds=0)
    t.roll(3, 4)
    assert t.state.players[0].island_left == turns
    for left in reversed(range(turns)):
        t.state = t.state.but(current=0).with_player(1, pos=13)
        t.roll(1, 2)
        assert t.told(IslandRolled) == [IslandRolled(0, (1, 2), False, left)]
        assert t.told(Moved, Escaped) == []
        assert (t.pos[0], t.state.current) == (10, 1)
        assert t.state.players[0].island_left == left
    t.roll(3, 4)
    t.refuses(0, PayIslandFee(), Refusal.OPTION_OFF)
    t.roll(3, 5)
    assert t.told(IslandRolled) == []
    assert t.told(Rolled) == [Rolled(0, (3, 5), double=False, doubles=0)]
    assert t.pos[0] == 18


def test_5_4_once_free_card_and_fee_no_longer_apply() -> None:
    """R70: after the last miss the player is no longer stuck."""
    t = table(pos=(10, 13), held={0: ("L11",)}, island={0: 1}, island_fee=10)
    t.roll(1, 2)
    t.roll(3, 4)
    t.refuses(0, UseEscapeCard(), Refusal.NOT_ON_ISLAND)
    t.refuses(0, PayIslandFee(), Refusal.NOT_ON_ISLAND)


def test_5_4_a_double_leaves_at_once() -> None:
    """§10 무인도, R71, R123: by the sum, full effect on arrival, no extra roll."""
    t = table(pos=10, island={0: 3})
    t.roll(3, 3)
    assert t.told(IslandRolled) == [IslandRolled(0, (3, 3), True, 0)]
    assert t.told(Escaped) == [Escaped(0, EscapeMeans.DOUBLE, 0)]
    assert t.told(Rolled) == []
    assert (t.pos[0], t.state.players[0].island_left) == (16, 0)
    assert t.told(DecisionOpened)[0].pos == 16
    assert t.state.extra_roll is False
    t.time_out()
    assert t.state.current == 1


def test_5_4_an_island_double_may_pass_the_start() -> None:
    """§5.4: an ordinary move in every other respect; from 10 it never does."""
    t = table(pos=10, island={0: 1})
    t.roll(6, 6)
    assert t.told(Moved)[0].path == tuple(range(11, 23))
    assert t.told(Moved)[0].move_cause is MoveCause.DICE
    assert t.told(SalaryPaid) == []


def test_5_4_the_escape_card_frees_for_a_normal_roll() -> None:
    """§10 무인도, R72: same turn, doubles count as usual."""
    t = table(pos=10, held={0: ("L11",)}, island={0: 3}, lands={14: (0, 3)})
    t.do(0, UseEscapeCard())
    assert [type(e) for e in t.events] == [CardUsed, Escaped]
    assert t.told(Escaped) == [Escaped(0, EscapeMeans.CARD, 0)]
    assert (t.phase, t.state.current, t.pos[0]) == (Phase.TURN_START, 0, 10)
    assert t.state.players[0].island_left == 0
    t.roll(2, 2)
    assert t.told(Rolled) == [Rolled(0, (2, 2), double=True, doubles=1)]
    assert (t.state.current, t.phase) == (0, Phase.TURN_START)


def test_5_4_the_fee_frees_for_a_normal_roll() -> None:
    """R72: paid to the bank, then ROLL in the same turn."""
    t = table(pos=10, island={0: 2}, island_fee=20)
    t.do(0, PayIslandFee())
    assert t.told(Escaped) == [Escaped(0, EscapeMeans.FEE, 20)]
    assert (t.cash[0], t.state.current, t.phase) == (280, 0, Phase.TURN_START)
    t.roll(3, 5)
    assert t.pos[0] == 18


def test_5_4_one_of_them_is_enough() -> None:
    """R72: afterwards both are refused."""
    t = table(pos=10, held={0: ("L11",)}, island={0: 2}, island_fee=20)
    t.do(0, PayIslandFee())
    t.refuses(0, UseEscapeCard(), Refusal.NOT_ON_ISLAND)
    t.refuses(0, PayIslandFee(), Refusal.NOT_ON_ISLAND)


def test_5_4_freedom_has_a_fresh_deadline() -> None:
    """R72, R152: the roll gets the whole time."""
    t = table(pos=10, island={0: 2}, island_fee=20)
    t.do(0, PayIslandFee())
    assert (t.state.prompted_at, t.state.deadline_at) == (t.now, t.now + 30_000)


def test_5_4_the_fee_is_never_a_debt() -> None:
    """R73: with too little cash it is refused, whatever could be sold."""
    t = table(cash=(19, 300), pos=10, island={0: 2}, island_fee=20, lands={39: (0, 3)})
    t.refuses(0, PayIslandFee(), Refusal.NOT_ENOUGH_MONEY)
    t = table(cash=(20, 300), pos=10, island={0: 2}, island_fee=20)
    t.do(0, PayIslandFee())
    assert t.cash[0] == 0


def test_5_4_without_the_option_there_is_no_fee() -> None:
    """R73, R97: islandFee = 0."""
    t = table(pos=10, island={0: 2})
    t.refuses(0, PayIslandFee(), Refusal.OPTION_OFF)


def test_5_4_no_card_no_escape() -> None:
    """§8.2 USE_ESCAPE_CARD: L11 must be held; L12 is no help."""
    t = table(pos=10, island={0: 2}, held={0: ("L12",)})
    t.refuses(0, UseEscapeCard(), Refusal.NO_CARD)


def test_5_4_back_on_the_island_the_turns_start_anew() -> None:
    """R74: a double from 10 to 12, where the storm strikes."""
    t = table(pos=10, island={0: 1}, top=("L10",), island_turns=3)
    t.roll(1, 1)
    assert t.told(SentToIsland) == [SentToIsland(0, IslandReason.CARD, 3)]
    assert (t.pos[0], t.state.players[0].island_left, t.state.current) == (10, 3, 1)
    assert t.told(TurnStarted) == [TurnStarted(1, 1)]


def test_5_4_the_ways_out_are_shown() -> None:
    """§8.3: to the player whose turn it is, with their costs."""
    t = table(cash=(25, 300), pos=10, island={0: 2}, held={0: ("L11",)}, island_fee=20)
    view = ENGINE.view(t.state, 0)
    assert view.available == (
        ActionName.ROLL,
        ActionName.PAY_ISLAND_FEE,
        ActionName.USE_ESCAPE_CARD,
        ActionName.CONCEDE,
    )
    assert view.choices.island.escape_card is True
    fee = view.choices.island.fee
    assert (fee.price, fee.affordable, fee.cash_after, fee.low_cash) == (20, True, 5, True)
