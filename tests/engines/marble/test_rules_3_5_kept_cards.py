"""§3.5: the escape card and the toll exemption."""

import pytest

from engines.marble.actions import (
    ProposeTrade,
    RespondToTrade,
    SpaceTravel,
    Takeover,
    TradeSide,
    UseEscapeCard,
)
from engines.marble.cards import CardId
from engines.marble.events import (
    CardUsed,
    SpaceFeePaid,
    TollPaid,
)
from engines.marble.money import party
from engines.marble.reasons import Refusal
from tests.engines.marble.table import draw, table


def test_3_5_the_escape_card_serves_on_the_island_only() -> None:
    """R33: on the own turn, before the island roll; spent it goes to the bottom."""
    t = table(pos=(10, 10), held={0: ("L11",)}, island={0: 3, 1: 3})
    t.refuses(1, UseEscapeCard(), Refusal.NOT_YOUR_TURN)
    t.do(0, UseEscapeCard())
    assert t.told(CardUsed) == [CardUsed(0, CardId.L11)]
    assert t.state.players[0].held == ()
    assert t.state.deck[-1] is CardId.L11
    free = table(held={0: ("L11",)})
    free.refuses(0, UseEscapeCard(), Refusal.NOT_ON_ISLAND)
    free.roll(1, 3)
    free.refuses(0, UseEscapeCard(), Refusal.WRONG_PHASE)


def test_3_5_the_escape_card_is_never_used_by_itself() -> None:
    """R33: an island roll that misses leaves it in hand."""
    t = table(pos=10, held={0: ("L11",)}, island={0: 3})
    t.roll(1, 2)
    assert t.state.players[0].held == (CardId.L11,)
    assert t.state.players[0].island_left == 2


@pytest.mark.parametrize(
    ("cell", "lands", "toll"),
    [(1, {1: 1}, 1), (5, {5: 1, 15: 1}, 20), (39, {39: (1, 4)}, 160)],
)
def test_3_5_the_exemption_waives_the_next_toll(
    cell: int, lands: dict[int, int | tuple[int, int]], toll: int
) -> None:
    """§10 통행료, R34: whatever its size, on a city or a tour, without asking, broke or not."""
    t = table(cash=(0, 300), pos=((cell - 3) % 40, 0), lands=lands, held={0: ("L12",)}, salary=10)
    t.roll(1, 2)
    assert t.told(TollPaid) == [TollPaid(0, party(1), cell, toll, waived=True)]
    assert t.told(CardUsed) == [CardUsed(0, CardId.L12)]
    assert t.cash == (10 if cell < 3 else 0, 300)
    assert t.state.deck[-1] is CardId.L12
    assert t.state.players[0].held == ()


def test_3_5_the_exemption_pays_for_nothing_else() -> None:
    """R34: not for cards, the fund or the boarding fee."""
    t = draw("L07", held={0: ("L12",)})
    assert (t.cash[0], t.state.players[0].held) == (290, (CardId.L12,))
    t = table(pos=31, held={0: ("L12",)})
    t.roll(3, 4)
    assert (t.cash[0], t.state.players[0].held) == (285, (CardId.L12,))
    t = table(pos=30, space=(0,), lands={25: 1}, held={0: ("L12",)})
    t.do(0, SpaceTravel(38))
    assert t.told(SpaceFeePaid) == [SpaceFeePaid(0, party(1), 20)]
    assert (t.cash[0], t.state.players[0].held) == (300 - 20 - 15, (CardId.L12,))


def test_3_5_a_waived_toll_is_discharged() -> None:
    """R35, R34: a takeover may follow, and its price is paid in full."""
    t = table(pos=(31, 0), lands={39: (1, 1)}, held={0: ("L12",)}, takeover=True)
    t.roll(3, 5)
    assert t.told(TollPaid) == [TollPaid(0, party(1), 39, 24, waived=True)]
    t.do(0, Takeover())
    assert t.cash == (300 - 120, 300 + 120)


def test_3_5_kept_cards_are_not_for_trade() -> None:
    """R33, R111: a trade hands over lands and cash; cards stay where they are."""
    t = table(lands={1: 0}, held={0: ("L11",), 1: ("L12",)}, trade=True)
    t.do(0, ProposeTrade(1, TradeSide((1,), 0), TradeSide((), 10)))
    t.do(1, RespondToTrade(accept=True))
    assert t.lands == {1: (1, 0)}
    assert [p.held for p in t.state.players] == [(CardId.L11,), (CardId.L12,)]
