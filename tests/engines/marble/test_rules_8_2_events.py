"""§8.2: which facts are told, and with what."""

from engines.marble.actions import Buy, SaleKind, Sell, UseEscapeCard
from engines.marble.cards import CardId
from engines.marble.events import (
    Bought,
    CardUsed,
    DebtOpened,
    DecisionOpened,
    Escaped,
    FundPaid,
    IslandRolled,
    Moved,
    Rolled,
    SalaryPaid,
    Sold,
    TollPaid,
    TurnStarted,
)
from engines.marble.money import FUND, PaymentCause, party
from engines.marble.reasons import EscapeMeans, MoveCause
from tests.engines.marble.table import table


def test_8_2_a_roll_with_a_decision() -> None:
    """R121, R122: roll, move, what is offered."""
    t = table()
    t.roll(1, 3)
    assert t.events == (
        Rolled(0, (1, 3), double=False, doubles=0),
        Moved(0, 0, 4, (1, 2, 3, 4), passed_start=False, move_cause=MoveCause.DICE),
        DecisionOpened(0, 4, True, None, None, False),
    )
    t.do(0, Buy())
    assert t.events == (Bought(0, 4, 8), TurnStarted(1, 1))


def test_8_2_a_salary_and_a_toll() -> None:
    """R121, R148: passed_start is told where a salary follows."""
    t = table(pos=(36, 0), lands={3: 1})
    t.roll(3, 4)
    assert t.events == (
        Rolled(0, (3, 4), double=False, doubles=0),
        Moved(0, 36, 3, (37, 38, 39, 0, 1, 2, 3), passed_start=True, move_cause=MoveCause.DICE),
        SalaryPaid(0, 20),
        TollPaid(0, party(1), 3, 1, waived=False),
        TurnStarted(1, 1),
    )


def test_8_2_an_island_roll_is_told_as_such() -> None:
    """R123: `islandRoll` alone, `escaped` and `moved` with a double; both set lastRoll."""
    t = table(pos=(10, 13), island={0: 3})
    t.roll(1, 2)
    assert t.events == (IslandRolled(0, (1, 2), double=False, island_left=2), TurnStarted(1, 1))
    assert t.state.last_roll == (1, 2)
    t = table(pos=(10, 13), island={0: 3})
    t.roll(5, 5)
    assert t.events == (
        IslandRolled(0, (5, 5), double=True, island_left=0),
        Escaped(0, EscapeMeans.DOUBLE, 0),
        Moved(0, 10, 20, tuple(range(11, 21)), passed_start=False, move_cause=MoveCause.DICE),
        TurnStarted(1, 1),
    )
    assert t.state.last_roll == (5, 5)


def test_8_2_a_spent_card_is_told() -> None:
    """R121: cardUsed, for the escape card and the exemption."""
    t = table(pos=10, island={0: 1}, held={0: ("L11",)})
    t.do(0, UseEscapeCard())
    assert t.events == (CardUsed(0, CardId.L11), Escaped(0, EscapeMeans.CARD, 0))


def test_8_2_a_debt_from_its_opening_to_its_payment() -> None:
    """R121, R122: debtOpened, then what was sold and what was paid."""
    t = table(cash=(14, 300), pos=31, lands={39: 0})
    t.roll(3, 4)
    assert t.events[2:] == (DebtOpened(0, 15, FUND, PaymentCause.FUND),)
    t.do(0, Sell(39, SaleKind.ALL))
    assert t.events == (
        Sold(0, 39, SaleKind.ALL, 20),
        FundPaid(0, 15, FUND),
        TurnStarted(1, 1),
    )
