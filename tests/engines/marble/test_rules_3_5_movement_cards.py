"""§3.5: the cards that move a pawn, and the limit of five."""

import pytest

from engines.marble.cards import CardId
from engines.marble.events import (
    CardDrawn,
    FundReceived,
    Moved,
    SalaryPaid,
    SentToIsland,
    TollPaid,
    TurnStarted,
)
from engines.marble.money import party
from engines.marble.reasons import IslandReason, MoveCause
from engines.marble.state import Phase
from tests.engines.marble.table import draw, table

CARD_CELLS = (2, 7, 12, 17, 22, 28, 33)


TARGETS = {
    "L13": (0, 0, 0, 0, 0, 0, 0),
    "L14": (30, 30, 30, 30, 30, 30, 30),
    "L15": (39, 39, 39, 39, 39, 39, 39),
    "L16": (39, 4, 9, 14, 19, 25, 30),
    "L17": (20, 20, 20, 20, 20, 20, 20),
    "L18": (5, 15, 15, 25, 25, 35, 35),
}
PAID = {"L13": CARD_CELLS, "L14": (33,), "L15": (), "L16": (), "L17": (22, 28, 33), "L18": ()}
MOVES = [
    (card, cell, target)
    for card, targets in TARGETS.items()
    for cell, target in zip(CARD_CELLS, targets, strict=True)
]


@pytest.mark.parametrize(("card", "cell", "target"), MOVES)
def test_3_5_where_movement_cards_lead(card: str, cell: int, target: int) -> None:
    """R27, R28, R29, R30, R31, R32, R148: the cell reached and whether a salary follows.

    R17: none of them is a card cell, so cards never chain on this board.
    """
    t = table(pos=(cell - 3) % 40, top=(card,))
    t.roll(1, 2)
    by_card = [move for move in t.told(Moved) if move.move_cause is MoveCause.CARD]
    assert [(m.from_pos, m.to_pos, m.passed_start) for m in by_card] == [
        (cell, target, cell in PAID[card])
    ]
    assert t.pos[0] == target
    by_dice = cell == 2
    assert t.cash[0] == 300 + 20 * ((cell in PAID[card]) + by_dice)
    assert target not in CARD_CELLS


def test_3_5_to_the_start_is_one_salary_and_keeps_the_extra_roll() -> None:
    """R27: not one for the move and one for the card."""
    t = table(top=("L13",))
    t.roll(1, 1)
    assert t.told(SalaryPaid) == [SalaryPaid(0, 20)]
    assert (t.state.current, t.phase, t.cash[0]) == (0, Phase.TURN_START, 320)


def test_3_5_the_storm_strands_at_once() -> None:
    """R26: no move, no salary, no further roll; the turn is over."""
    t = table(pos=31, top=("L10",), island_turns=2)
    t.roll(1, 1)
    assert t.told(Moved)[-1].to_pos == 33
    assert len(t.told(Moved)) == 1
    assert t.told(SentToIsland) == [SentToIsland(0, IslandReason.CARD, 2)]
    assert t.told(SalaryPaid) == []
    assert (t.pos[0], t.state.players[0].island_left) == (10, 2)
    assert t.state.current == 1


def test_3_5_invitation_to_space_is_a_landing_on_30() -> None:
    """R28: the flight is due next turn and the extra roll is gone."""
    t = table(top=("L14",))
    t.roll(1, 1)
    assert t.state.players[0].space_pending
    assert t.state.current == 1


def test_3_5_three_back_takes_full_effect() -> None:
    """R30: 33 → 30 makes the flight due; 7 → 4 meets the owner; 28 → 25 is a tour."""
    t = table(pos=26, top=("L16",))
    t.roll(3, 4)
    assert t.state.players[0].space_pending
    t = draw("L16", lands={4: (1, 1)})
    assert t.told(TollPaid) == [TollPaid(0, party(1), 4, 5, waived=False)]
    t = table(pos=21, top=("L16",), lands={25: 1})
    t.roll(3, 4)
    assert t.told(TollPaid) == [TollPaid(0, party(1), 25, 15, waived=False)]


def test_3_5_back_over_the_start_pays_no_salary() -> None:
    """§10 월급, R30: 2 → 39 over 0."""
    t = table(top=("L16",))
    t.roll(1, 1)
    assert t.told(Moved)[-1].path == (1, 0, 39)
    assert t.told(Moved)[-1].passed_start is False
    assert (t.pos[0], t.cash[0]) == (39, 300)


def test_3_5_charity_angel_pays_out_once() -> None:
    """R31: one payout, and the fund is empty."""
    t = draw("L17", fund=40)
    assert t.told(FundReceived) == [FundReceived(0, 40)]
    assert (t.cash[0], t.state.fund) == (340, 0)


def test_3_5_sightseeing_goes_strictly_ahead() -> None:
    """R32: from 12 to 15, and the toll there is due."""
    t = table(pos=5, top=("L18",), lands={15: 1})
    t.roll(3, 4)
    assert t.told(TollPaid) == [TollPaid(0, party(1), 15, 10, waived=False)]


# The limit of five


def test_3_5_the_fifth_card_is_drawn_and_the_sixth_is_not() -> None:
    """R17: `cards_this_turn` counts the turn's draws, extra rolls included (state injection)."""
    t = table(top=("L01", "L02"))
    t.state = t.state.but(cards_this_turn=4)
    t.roll(1, 1)
    assert t.told(CardDrawn) == [CardDrawn(0, CardId.L01, kept=False)]
    assert t.state.cards_this_turn == 5
    t.roll(2, 3)
    assert t.pos[0] == 7
    assert t.told(CardDrawn) == []
    assert t.state.deck[0] is CardId.L02
    assert t.told(TurnStarted) == [TurnStarted(1, 1)]
    assert t.state.cards_this_turn == 0
