"""§3.5: the twenty lucky cards."""

import pytest

from engines.marble.actions import (
    SaleKind,
    Sell,
)
from engines.marble.cards import CARDS, CardId
from engines.marble.events import (
    CardDrawn,
    CardMoney,
    DebtOpened,
    FundPaid,
    Moved,
    Rolled,
    TurnStarted,
    WentBankrupt,
)
from engines.marble.money import BANK, FUND, PaymentCause, party
from engines.marble.reasons import Refusal
from engines.marble.state import Phase
from tests.engines.marble.table import draw, table


def test_3_5_twenty_different_cards() -> None:
    """§3.5: L01 to L20, of which L11 and L12 are kept."""
    assert [card.card_id.value for card in CARDS] == [f"L{n:02}" for n in range(1, 21)]
    assert [card.card_id for card in CARDS if card.kept] == [CardId.L11, CardId.L12]
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
