"""§3.5: the twenty lucky cards."""

import pytest

from engines.marble.actions import (
    ProposeTrade,
    RespondToTrade,
    SaleKind,
    Sell,
    SpaceTravel,
    Takeover,
    TradeSide,
    UseEscapeCard,
)
from engines.marble.cards import CARDS, CardId
from engines.marble.events import (
    CardDrawn,
    CardMoney,
    CardUsed,
    DebtOpened,
    FundPaid,
    FundReceived,
    Moved,
    Rolled,
    SalaryPaid,
    SentToIsland,
    SpaceFeePaid,
    TollPaid,
    TurnStarted,
    WentBankrupt,
)
from engines.marble.money import BANK, FUND, PaymentCause, party
from engines.marble.reasons import IslandReason, MoveCause, Refusal
from engines.marble.state import Phase
from tests.engines.marble.table import Table, table

CARD_CELLS = (2, 7, 12, 17, 22, 28, 33)


def draw(card: str, seats: int = 2, **changes: object) -> Table:
    """Seat 0 has rolled 3-4 from the start to cell 7 and drawn `card`."""
    t = table(seats, top=(card,), **changes)
    t.roll(3, 4)
    return t


def test_3_5_twenty_different_cards() -> None:
    """§3.5: L01 to L20, of which L11 and L12 are kept."""
    assert [card.id.value for card in CARDS] == [f"L{n:02}" for n in range(1, 21)]
    assert [card.id for card in CARDS if card.kept] == [CardId.L11, CardId.L12]
    assert CARDS[0].name.ko == "복권 당첨"
    assert CARDS[19].name.ko == "재산세"


@pytest.mark.parametrize(("card", "amount"), [("L01", 20), ("L02", 10), ("L03", 15), ("L05", 10)])
def test_3_5_the_bank_gives(card: str, amount: int) -> None:
    """§3.5, R121: L01, L02, L03 and L05 bring money from the bank."""
    t = draw(card)
    assert t.told(CardMoney) == [CardMoney(CardId[card], BANK, party(0), amount)]
    assert (t.cash, t.state.fund) == ((300 + amount, 300), 0)


def test_3_5_the_hospital_bill() -> None:
    """§3.5 L07: 10 to the bank."""
    t = draw("L07")
    assert t.told(CardMoney) == [CardMoney(CardId.L07, party(0), BANK, 10)]
    assert (t.cash, t.state.fund) == ((290, 300), 0)


@pytest.mark.parametrize(("card", "amount"), [("L06", 5), ("L08", 10)])
def test_3_5_the_fund_grows(card: str, amount: int) -> None:
    """§10 사회복지기금: L06 and L08 pay into the fund."""
    t = draw(card, fund=3)
    assert t.told(FundPaid) == [FundPaid(0, amount, FUND)]
    assert (t.cash, t.state.fund) == ((300 - amount, 300), 3 + amount)


def test_3_5_a_drawn_card_is_shown_and_goes_to_the_bottom() -> None:
    """R18: at once, so that deck and held cards are always twenty."""
    t = draw("L02")
    assert t.told(CardDrawn) == [CardDrawn(0, CardId.L02, kept=False)]
    assert t.state.deck[-1] is CardId.L02
    assert len(t.state.deck) == 20


def test_3_5_the_bottom_comes_before_the_effect() -> None:
    """R18: L15 to Seoul and the toll waived by L12 leaves "…, L15, L12"."""
    t = draw("L15", held={0: ("L12",)}, lands={39: (1, 3)})
    assert t.state.deck[-2:] == (CardId.L15, CardId.L12)
    assert len(t.state.deck) == 20


def test_3_5_a_card_waits_at_the_bottom_while_its_debt_is_open() -> None:
    """R18: the payment is pending, the card is back already."""
    t = draw("L07", cash=(8, 300), lands={39: 0})
    assert t.phase is Phase.DEBT
    assert t.state.deck[-1] is CardId.L07
    assert len(t.state.deck) == 20


@pytest.mark.parametrize("card", ["L11", "L12"])
def test_3_5_two_cards_are_kept(card: str) -> None:
    """R19: they lie before the player, the deck has one card less."""
    t = draw(card)
    assert t.told(CardDrawn) == [CardDrawn(0, CardId[card], kept=True)]
    assert t.state.players[0].held == (CardId[card],)
    assert len(t.state.deck) == 19
    assert CardId[card] not in t.state.deck


def test_3_5_the_deck_never_holds_less_than_eighteen() -> None:
    """R19: with both kept cards held there are eighteen, and a draw is still possible."""
    t = draw("L01", held={0: ("L11",), 1: ("L12",)})
    assert len(t.state.deck) == 18
    assert t.cash == (320, 300)


def test_3_5_kept_cards_of_a_bankrupt_go_back_in_the_order_acquired() -> None:
    """R19: L12 was acquired first, so it lies above L11."""
    t = table(3, cash=(1, 300, 300), pos=(31, 0, 0), lands={39: 1}, held={0: ("L12", "L11")})
    t.roll(3, 4)
    assert t.told(WentBankrupt) == [WentBankrupt(0, FUND, 1, 1)]
    assert t.state.deck[-2:] == (CardId.L12, CardId.L11)
    assert len(t.state.deck) == 20


# L04 and L19


def test_3_5_birthday_collects_from_everybody_in_seat_order() -> None:
    """R22: from the seat after the drawer on, by turns, not by room seats."""
    t = draw("L04", 4, order=(2, 0, 3, 1), current=0)
    assert t.told(CardMoney) == [
        CardMoney(CardId.L04, party(3), party(0), 5),
        CardMoney(CardId.L04, party(1), party(0), 5),
        CardMoney(CardId.L04, party(2), party(0), 5),
    ]
    assert t.cash == (315, 295, 295, 295)


def test_3_5_birthday_skips_the_eliminated() -> None:
    """R22: who is out neither pays nor counts."""
    t = draw("L04", 3, out=(1,))
    assert t.cash == (305, 0, 295)


def test_3_5_birthday_puts_others_into_debt() -> None:
    """R20, R21: the debtor is another than the current player, who can only wait or concede."""
    t = draw("L04", 3, cash=(300, 3, 300), lands={1: 1})
    assert (t.phase, t.state.awaited, t.state.current) == (Phase.DEBT, 1, 0)
    assert t.told(DebtOpened) == [DebtOpened(1, 5, party(0), PaymentCause.CARD)]
    t.refuses(0, Sell(1, SaleKind.ALL), Refusal.NOT_YOUR_TURN)
    t.do(1, Sell(1, SaleKind.ALL))
    assert t.cash == (310, 1, 295)
    assert t.told(CardMoney) == [
        CardMoney(CardId.L04, party(1), party(0), 5),
        CardMoney(CardId.L04, party(2), party(0), 5),
    ]
    assert t.told(TurnStarted) == [TurnStarted(1, 1)]


def test_3_5_birthday_bankrupts_in_favour_of_the_drawer() -> None:
    """R23: all that is left, less than 5; then the next seat is charged as usual."""
    t = draw("L04", 3, cash=(300, 3, 300))
    assert t.told(WentBankrupt) == [WentBankrupt(1, party(0), 3, 1)]
    assert t.cash == (308, 0, 295)


def test_3_5_travel_costs_pay_one_after_another() -> None:
    """R22, R63: seat order from the drawer on."""
    t = draw("L19", 3, order=(1, 0, 2), current=0)
    assert t.told(CardMoney) == [
        CardMoney(CardId.L19, party(0), party(2), 5),
        CardMoney(CardId.L19, party(0), party(1), 5),
    ]
    assert t.cash == (290, 305, 305)


def test_3_5_bankrupt_on_travel_costs() -> None:
    """§10 L19, R63, R64: the one being paid gets the rest, later ones nothing."""
    t = draw("L19", 4, cash=(7, 300, 300, 300))
    assert t.told(CardMoney) == [CardMoney(CardId.L19, party(0), party(1), 5)]
    assert t.told(WentBankrupt) == [WentBankrupt(0, party(2), 2, 1)]
    assert t.cash == (0, 305, 302, 300)


def test_3_5_each_of_the_travel_costs_is_a_debt_of_its_own() -> None:
    """R64: 5 is compared with what can be raised when its turn comes, not the total of 10."""
    t = draw("L19", 3, cash=(7, 300, 300), lands={1: 0})
    assert t.told(CardMoney) == [CardMoney(CardId.L19, party(0), party(1), 5)]
    assert t.told(DebtOpened) == [DebtOpened(0, 5, party(2), PaymentCause.CARD)]
    t.do(0, Sell(1, SaleKind.ALL))
    assert t.cash == (0, 305, 305)
    assert t.state.players[0].alive


# L09 and L20


@pytest.mark.parametrize(("level", "cost"), [(1, 3), (2, 9), (3, 19), (4, 34)])
def test_3_5_repairs_add_up_the_stages_of_a_city(level: int, cost: int) -> None:
    """R24: 3, 9, 19, 34."""
    t = draw("L09", lands={39: (0, level)}, landmark=True)
    assert t.told(CardMoney) == [CardMoney(CardId.L09, party(0), BANK, cost)]
    assert t.cash == (300 - cost, 300)


def test_3_5_repairs_count_all_own_cities() -> None:
    """§3.5 L09: a villa, a building and a hotel are 3 + 9 + 19; others' do not count."""
    t = draw("L09", lands={1: (0, 1), 3: (0, 2), 4: (0, 3), 39: (1, 3)})
    assert t.cash == (300 - 31, 300)


def test_3_5_no_buildings_no_repairs() -> None:
    """R24, R56: 0 is no payment, no event, no debt."""
    t = draw("L09", cash=(0, 300), lands={1: 0, 5: 0})
    assert t.told(CardMoney, DebtOpened, WentBankrupt) == []
    assert t.cash == (0, 300)


def test_3_5_repairs_are_fixed_when_drawn() -> None:
    """R24, R61: selling the hotel does not make them cheaper."""
    t = draw("L09", cash=(2, 300), lands={39: (0, 3)})
    assert t.told(DebtOpened) == [DebtOpened(0, 19, BANK, PaymentCause.CARD)]
    t.do(0, Sell(39, SaleKind.TOP))
    assert t.told(CardMoney) == [CardMoney(CardId.L09, party(0), BANK, 19)]
    assert t.cash[0] == 2 + 30 - 19


def test_3_5_property_tax_counts_lands() -> None:
    """R25: 2 for each land, tours too, buildings not."""
    t = draw("L20", lands={1: (0, 3), 5: 0, 39: 0, 37: 1})
    assert t.told(CardMoney) == [CardMoney(CardId.L20, party(0), BANK, 6)]
    assert t.cash == (294, 300)


def test_3_5_property_tax_without_land() -> None:
    """R56: an amount of 0 is no payment."""
    t = draw("L20", cash=(0, 300))
    assert t.told(CardMoney, DebtOpened, WentBankrupt) == []


def test_3_5_property_tax_is_fixed_when_drawn() -> None:
    """R25, R61: selling land to pay it does not lower it."""
    t = draw("L20", cash=(1, 300), lands={1: 0, 3: 0})
    assert t.told(DebtOpened) == [DebtOpened(0, 4, BANK, PaymentCause.CARD)]
    t.do(0, Sell(1, SaleKind.ALL))
    assert t.cash == (0, 300)
    assert t.told(CardMoney) == [CardMoney(CardId.L20, party(0), BANK, 4)]


# Movement

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


# Kept cards


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


def test_3_5_a_roll_is_told_before_the_card() -> None:
    """R18, R121: roll, move, card, money, next turn, in this order."""
    t = draw("L01")
    assert [type(event) for event in t.events] == [
        Rolled,
        Moved,
        CardDrawn,
        CardMoney,
        TurnStarted,
    ]
