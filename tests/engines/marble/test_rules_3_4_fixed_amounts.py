"""§3.4: the salary, the fund and what goes to the bank."""

import pytest

from engines.marble.actions import PayIslandFee
from engines.marble.events import Escaped, FundPaid, FundReceived, Moved, SalaryPaid
from engines.marble.money import FUND
from engines.marble.reasons import EscapeMeans
from tests.engines.marble.table import table


def test_3_4_passing_the_start_pays_once() -> None:
    """§10 월급, R16, R148: 37 + 5 → 2, one salary, before the effect of the cell."""
    t = table(pos=37, top=("L07",))
    t.roll(2, 3)
    assert t.pos[0] == 2
    assert t.told(SalaryPaid) == [SalaryPaid(0, 20)]
    assert t.told(Moved)[0].passed_start is True
    kinds = [type(event).__name__ for event in t.events]
    assert kinds.index("SalaryPaid") < kinds.index("CardDrawn")
    assert t.cash[0] == 300 + 20 - 10


def test_3_4_landing_exactly_on_the_start_pays_once() -> None:
    """§10 월급, §5.2, R16, R148: one salary, and the move says so."""
    t = table(pos=33)
    t.roll(3, 4)
    assert t.pos[0] == 0
    assert t.told(SalaryPaid) == [SalaryPaid(0, 20)]
    assert t.told(Moved)[0].passed_start is True
    assert t.cash == (320, 300)


def test_3_4_leaving_the_start_pays_nothing() -> None:
    """R16: moving away from 0 is no passing."""
    t = table(pos=0)
    t.roll(1, 3)
    assert t.told(SalaryPaid) == []
    assert t.told(Moved)[0].passed_start is False
    assert t.cash == (300, 300)


def test_3_4_the_path_lights_up_cell_by_cell() -> None:
    """§9: the cells on the way in order, over the start."""
    t = table(pos=37, top=("L01",))
    t.roll(2, 3)
    assert t.told(Moved)[0].path == (38, 39, 0, 1, 2)


@pytest.mark.parametrize("salary", [10, 20, 30])
def test_3_4_the_salary_is_the_rooms(salary: int) -> None:
    """§2 salary."""
    t = table(pos=33, salary=salary)
    t.roll(3, 4)
    assert t.cash[0] == 300 + salary


def test_3_4_the_salary_helps_to_pay_what_follows() -> None:
    """R16: paid before the effect of the cell, so it can pay the toll."""
    t = table(cash=(0, 300), pos=(34, 0), lands={1: (1, 2)})
    t.roll(3, 4)
    assert t.cash == (0 + 20 - 9, 309)


def test_3_4_the_fund_cell_takes_fifteen() -> None:
    """§10 사회복지기금: 38 puts 15 into the fund."""
    t = table(pos=31, fund=7)
    t.roll(3, 4)
    assert t.told(FundPaid) == [FundPaid(0, 15, FUND)]
    assert (t.cash, t.state.fund) == ((285, 300), 22)


def test_3_4_the_payout_cell_empties_the_fund() -> None:
    """§10 사회복지기금: 20 pays everything out and leaves 0."""
    t = table(pos=13, fund=45)
    t.roll(3, 4)
    assert t.told(FundReceived) == [FundReceived(0, 45)]
    assert (t.cash, t.state.fund) == ((345, 300), 0)


def test_3_4_the_island_fee_goes_to_the_bank() -> None:
    """R15: not into the fund, whose only sources are 38, L06 and L08."""
    t = table(pos=10, island={0: 3}, island_fee=20, fund=5)
    t.do(0, PayIslandFee())
    assert t.told(Escaped) == [Escaped(0, EscapeMeans.FEE, 20)]
    assert (t.cash, t.state.fund) == ((280, 300), 5)
