"""§3.2, §3.3, §3.4: the price tables, typed in from the document."""

import pytest

from engines.marble.actions import SaleKind, Sell, Takeover
from engines.marble.board import CELLS, INVESTED, SALE_TOTALS, CellKind
from engines.marble.events import Sold, TollPaid
from engines.marble.money import party
from engines.marble.views import LandView
from tests.engines.marble.table import ENGINE, table

PRICES = """
1	6	3	6	9	12	1	4	9	15	24
3	6	3	6	9	12	1	4	9	15	24
4	8	4	8	12	16	2	5	12	20	32
6	10	5	10	15	20	2	6	15	25	40
8	10	5	10	15	20	2	6	15	25	40
9	12	6	12	18	24	2	7	18	30	48
11	14	7	14	21	28	3	8	21	35	56
13	14	7	14	21	28	3	8	21	35	56
14	16	8	16	24	32	3	10	24	40	64
16	18	9	18	27	36	4	11	27	45	72
18	18	9	18	27	36	4	11	27	45	72
19	20	10	20	30	40	4	12	30	50	80
21	22	11	22	33	44	4	13	33	55	88
23	22	11	22	33	44	4	13	33	55	88
24	24	12	24	36	48	5	14	36	60	96
26	26	13	26	39	52	5	16	39	65	104
27	26	13	26	39	52	5	16	39	65	104
29	28	14	28	42	56	6	17	42	70	112
31	30	15	30	45	60	6	18	45	75	120
32	30	15	30	45	60	6	18	45	75	120
34	32	16	32	48	64	6	19	48	80	128
36	35	18	35	53	70	7	21	53	88	140
37	35	18	35	53	70	7	21	53	88	140
39	40	20	40	60	80	8	24	60	100	160
"""

ROWS = [tuple(map(int, row.split("\t"))) for row in PRICES.strip().splitlines()]
COST_TENTHS = (5, 10, 15, 20)
TOLL_TENTHS = (2, 6, 15, 25, 40)


def half_up(value: int, tenths: int) -> int:
    """`value` × tenths/10, halves upwards, in whole numbers only."""
    return (2 * value * tenths + 10) // 20


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row[0]))
def test_3_2_a_city_costs_what_the_table_says(row: tuple[int, ...]) -> None:
    """§10 판 데이터, R08: the printed table in all its cells."""
    pos, price, *rest = row
    cell = CELLS[pos]
    assert cell.kind is CellKind.CITY
    assert (cell.price, cell.build_costs, cell.tolls) == (price, tuple(rest[:4]), tuple(rest[4:]))


def test_3_2_the_table_is_the_formula_rounded_half_up() -> None:
    """R08: all 216 cells agree with the formula; binary rounding would not (52.5 → 53)."""
    cells = 0
    for pos, price, *rest in ROWS:
        assert rest[:4] == [half_up(price, tenths) for tenths in COST_TENTHS], pos
        assert rest[4:] == [half_up(price, tenths) for tenths in TOLL_TENTHS], pos
        cells += 9
    assert cells == 216
    assert [half_up(35, 15), round(35 * 1.5)] == [53, 52]


def test_3_2_the_minimum_toll_never_binds() -> None:
    """R10: the smallest toll is 6 × 0.2 = 1.2 → 1 without any help."""
    assert min(half_up(row[1], 2) for row in ROWS) == 1


def test_3_3_tours_have_a_price_and_one_toll() -> None:
    """§3.3: the four tours."""
    tours = {c.pos: (c.price, c.tolls, c.build_costs) for c in CELLS if c.kind is CellKind.TOUR}
    assert tours == {
        5: (20, (10,), ()),
        15: (20, (10,), ()),
        25: (30, (15,), ()),
        35: (25, (12,), ()),
    }


@pytest.mark.parametrize(
    ("owned", "toll"),
    [((5,), 10), ((5, 15), 20), ((5, 15, 25), 20), ((5, 15, 25, 35), 20)],
)
def test_3_3_two_tours_double_the_toll_once(owned: tuple[int, ...], toll: int) -> None:
    """§10 통행료, R12: flat ×2 from the second tour on, whatever the number."""
    t = table(lands=dict.fromkeys(owned, 1))
    t.roll(2, 3)
    assert t.told(TollPaid) == [TollPaid(0, party(1), 5, toll, waived=False)]
    assert t.cash == (300 - toll, 300 + toll)


def test_3_3_tours_of_different_owners_do_not_double() -> None:
    """R12: the owner must hold two."""
    t = table(3, lands={5: 1, 15: 2})
    t.roll(2, 3)
    assert t.cash == (290, 310, 300)


def test_3_3_the_view_shows_the_toll_that_holds_now() -> None:
    """§3.2, R12: level by level, and doubled for tours."""
    t = table(lands={5: 1, 15: 1, 39: (0, 3), 1: (0, 0), 25: 0, 9: (1, 4)}, landmark=True)
    assert ENGINE.view(t.state, None).lands == (
        LandView(1, 0, 0, 1),
        LandView(5, 1, 0, 20),
        LandView(9, 1, 4, 48),
        LandView(15, 1, 0, 20),
        LandView(25, 0, 0, 15),
        LandView(39, 0, 3, 100),
    )


def test_3_4_sale_values_are_floored_part_by_part() -> None:
    """R14: New York with hotel is 17+9+17+26 = 69, not floor(141/2) = 70."""
    assert CELLS[36].sale_values == (17, 9, 17, 26, 35)
    assert [SALE_TOTALS[36][level] for level in range(5)] == [17, 26, 43, 69, 104]
    assert INVESTED[36] == (35, 53, 88, 141, 211)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row[0]))
def test_3_4_the_bank_pays_half_of_every_part(row: tuple[int, ...]) -> None:
    """R14: land and each stage, halved and rounded down by itself."""
    pos, price, *rest = row
    assert CELLS[pos].sale_values == tuple(part // 2 for part in (price, *rest[:4]))


def test_3_4_tours_sell_for_half() -> None:
    """§3.4: the land price of a tour, halved and rounded down (25 → 12)."""
    assert [CELLS[pos].sale_values for pos in (5, 15, 25, 35)] == [(10,), (10,), (15,), (12,)]


def test_3_4_list_price_counts_however_the_land_was_acquired() -> None:
    """R13: a city got by takeover for 2 × 60 sells for half of its list price."""
    t = table(3, cash=(150, 300, 300), pos=(31, 0, 0), lands={39: (1, 1)}, takeover=True)
    t.roll(3, 5)
    t.do(0, Takeover())
    assert t.cash == (150 - 24 - 120, 300 + 24 + 120, 300)
    t.state = t.state.but(current=0).with_player(0, pos=31)
    t.roll(3, 4)
    t.do(0, Sell(39, SaleKind.ALL))
    assert t.told(Sold) == [Sold(0, 39, SaleKind.ALL, 20 + 10)]
    assert t.cash[0] == 6 + 30 - 15
