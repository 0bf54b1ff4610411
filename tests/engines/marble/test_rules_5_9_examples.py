"""§5.9: the three examples of the rule book, step by step."""

from engines.marble.actions import Buy, SaleKind, Sell, SpaceTravel
from engines.marble.events import (
    DebtOpened,
    DecisionOpened,
    ExtraRollStarted,
    Moved,
    SalaryPaid,
    Sold,
    SpaceFeePaid,
    TollPaid,
)
from engines.marble.money import PaymentCause, party
from engines.marble.state import Phase, raisable
from tests.engines.marble.table import table


def test_5_9_a_debt_paid_by_selling_lisbon() -> None:
    """§10 빚 갚기, R143, R14: 70 + 13 + 6 + 13 = 102, pays 100, 2 are left."""
    t = table(cash=(70, 300), pos=(31, 0), lands={39: (1, 3), 26: (0, 2), 27: 0, 6: 0})
    assert raisable(t.state, 0) == 70 + 50
    t.roll(3, 5)
    assert t.told(DebtOpened) == [DebtOpened(0, 100, party(1), PaymentCause.TOLL)]
    sold = []
    for what in (SaleKind.TOP, SaleKind.TOP, SaleKind.ALL):
        assert t.phase is Phase.DEBT
        t.do(0, Sell(26, what))
        sold += t.told(Sold)
    assert sold == [
        Sold(0, 26, SaleKind.TOP, 13),
        Sold(0, 26, SaleKind.TOP, 6),
        Sold(0, 26, SaleKind.ALL, 13),
    ]
    assert t.told(TollPaid) == [TollPaid(0, party(1), 39, 100, waived=False)]
    assert t.cash == (2, 400)
    assert t.lands == {39: (1, 3), 27: (0, 0), 6: (0, 0)}


def test_5_9_a_double_over_the_start() -> None:
    """R43: 37 + 8 is 5, one salary, the purchase, and one more roll."""
    t = table(pos=37)
    t.roll(4, 4)
    assert t.pos[0] == 5
    assert t.told(Moved)[0].path == (38, 39, 0, 1, 2, 3, 4, 5)
    assert t.told(SalaryPaid) == [SalaryPaid(0, 20)]
    assert t.told(DecisionOpened) == [DecisionOpened(0, 5, True, None, None, False)]
    t.do(0, Buy())
    assert t.cash[0] == 300 + 20 - 20
    assert t.told(ExtraRollStarted) == [ExtraRollStarted(0)]


def test_5_9_a_flight_to_seoul() -> None:
    """R144: 20 to the owner of the space centre, no salary, then Seoul."""
    t = table(3, pos=(23, 13, 13), lands={25: 2})
    t.roll(3, 4)
    t.roll(3, 4)
    t.roll(3, 4)
    t.do(0, SpaceTravel(39))
    assert t.told(SpaceFeePaid) == [SpaceFeePaid(0, party(2), 20)]
    assert t.told(SalaryPaid) == []
    assert t.pos[0] == 39
    assert t.told(DecisionOpened) == [DecisionOpened(0, 39, True, None, None, False)]
    assert t.cash == (280, 300, 320)
