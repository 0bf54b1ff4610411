"""The board as data: 40 cells with prices, building costs, tolls and sale values (§3)."""

from dataclasses import dataclass
from typing import Annotated, Final

from engines.marble.cards import CARDS, Card
from engines.protocol import Described
from engines.texts import Text

Pos = int
"""A cell, 0..39 clockwise from the start."""

CELL_COUNT: Final = 40
START: Final = 0
ISLAND: Final = 10
FUND_TAKE: Final = 20
SPACE_CENTRE: Final = 25
SPACE: Final = 30
FUND_PAY: Final = 38
SEOUL: Final = 39

FUND_PAYMENT: Final = 15
BOARDING_FEE: Final = 20

HOTEL: Final = 3
LANDMARK: Final = 4


class CellKind(Described):
    """What happens on a cell."""

    START = "start", "The start: passing it or ending a move on it pays the salary."
    CITY = "city", "A city that can be bought and built on."
    TOUR = "tour", "A tourist site: can be bought, never built on or taken over."
    CARD = "card", "Draw a lucky card."
    ISLAND = "island", "The deserted island: who ends a move here is stuck."
    FUND_TAKE = "fundTake", "Receive the whole welfare fund."
    SPACE = "space", "Space travel: fly to any cell in the next turn."
    FUND_PAY = "fundPay", "Pay 15 into the welfare fund."


class Group(Described):
    """The eight groups of three cities; three whole groups make a triple monopoly."""

    A = "A", "Taipei, Manila, Hanoi."
    B = "B", "Bangkok, Singapore, Cairo."
    C = "C", "Istanbul, Athens, Rome."
    D = "D", "Copenhagen, Stockholm, Berlin."
    E = "E", "Buenos Aires, São Paulo, Sydney."
    F = "F", "Lisbon, Madrid, Paris."
    G = "G", "London, Vancouver, San Francisco."
    H = "H", "New York, Tokyo, Seoul."


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the board."""

    pos: Annotated[int, "Number of the cell, 0..39 clockwise from the start."]
    name: Annotated[Text, "Name of the cell in the reader's language."]
    kind: Annotated[CellKind, "What happens here."]
    group: Annotated[Group | None, "City group; null for all but cities."]
    line: Annotated[int | None, "Side of the board, 1..4; null for all but cities."]
    price: Annotated[int | None, "Price of the land in 만; null if it can't be bought."]
    build_costs: Annotated[
        tuple[int, ...],
        "Cost in 만 of villa, building, hotel and landmark, each paid by itself; "
        "empty for all but cities.",
    ]
    tolls: Annotated[
        tuple[int, ...],
        "Toll in 만 by level: land, villa, building, hotel, landmark; one value for a tourist site "
        "(doubled while its owner has two or more); empty for cells that can't be owned.",
    ]
    sale_values: Annotated[
        tuple[int, ...],
        "What the bank pays in 만 for the land and then for each stage by itself: half of its "
        "price, rounded down; empty for cells that can't be owned.",
    ]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The fixed material of the game: the board and the lucky cards."""

    cells: Annotated[tuple[Cell, ...], "The 40 cells in the order of their numbers."]
    cards: Annotated[tuple[Card, ...], "The twenty lucky cards, one of each."]
    boarding_fee: Annotated[
        int, "Fee in 만 for a space flight, due to another player who owns the space centre."
    ]
    fund_payment: Annotated[int, "What cell 38 puts into the welfare fund, in 만."]


# §3.2, the printed table: pos, name, group, land price, cost of each stage, toll by level.
_CITIES: Final = (
    (1, "타이베이", "Taipei", Group.A, 6, (3, 6, 9, 12), (1, 4, 9, 15, 24)),
    (3, "마닐라", "Manila", Group.A, 6, (3, 6, 9, 12), (1, 4, 9, 15, 24)),
    (4, "하노이", "Hanoi", Group.A, 8, (4, 8, 12, 16), (2, 5, 12, 20, 32)),
    (6, "방콕", "Bangkok", Group.B, 10, (5, 10, 15, 20), (2, 6, 15, 25, 40)),
    (8, "싱가포르", "Singapore", Group.B, 10, (5, 10, 15, 20), (2, 6, 15, 25, 40)),
    (9, "카이로", "Cairo", Group.B, 12, (6, 12, 18, 24), (2, 7, 18, 30, 48)),
    (11, "이스탄불", "Istanbul", Group.C, 14, (7, 14, 21, 28), (3, 8, 21, 35, 56)),
    (13, "아테네", "Athens", Group.C, 14, (7, 14, 21, 28), (3, 8, 21, 35, 56)),
    (14, "로마", "Rome", Group.C, 16, (8, 16, 24, 32), (3, 10, 24, 40, 64)),
    (16, "코펜하겐", "Copenhagen", Group.D, 18, (9, 18, 27, 36), (4, 11, 27, 45, 72)),
    (18, "스톡홀름", "Stockholm", Group.D, 18, (9, 18, 27, 36), (4, 11, 27, 45, 72)),
    (19, "베를린", "Berlin", Group.D, 20, (10, 20, 30, 40), (4, 12, 30, 50, 80)),
    (21, "부에노스아이레스", "Buenos Aires", Group.E, 22, (11, 22, 33, 44), (4, 13, 33, 55, 88)),
    (23, "상파울루", "São Paulo", Group.E, 22, (11, 22, 33, 44), (4, 13, 33, 55, 88)),
    (24, "시드니", "Sydney", Group.E, 24, (12, 24, 36, 48), (5, 14, 36, 60, 96)),
    (26, "리스본", "Lisbon", Group.F, 26, (13, 26, 39, 52), (5, 16, 39, 65, 104)),
    (27, "마드리드", "Madrid", Group.F, 26, (13, 26, 39, 52), (5, 16, 39, 65, 104)),
    (29, "파리", "Paris", Group.F, 28, (14, 28, 42, 56), (6, 17, 42, 70, 112)),
    (31, "런던", "London", Group.G, 30, (15, 30, 45, 60), (6, 18, 45, 75, 120)),
    (32, "밴쿠버", "Vancouver", Group.G, 30, (15, 30, 45, 60), (6, 18, 45, 75, 120)),
    (34, "샌프란시스코", "San Francisco", Group.G, 32, (16, 32, 48, 64), (6, 19, 48, 80, 128)),
    (36, "뉴욕", "New York", Group.H, 35, (18, 35, 53, 70), (7, 21, 53, 88, 140)),
    (37, "도쿄", "Tokyo", Group.H, 35, (18, 35, 53, 70), (7, 21, 53, 88, 140)),
    (39, "서울", "Seoul", Group.H, 40, (20, 40, 60, 80), (8, 24, 60, 100, 160)),
)

# §3.3: pos, name, land, toll.
_TOURS: Final = (
    (5, "제주도", "Jeju Island", 20, 10),
    (15, "경주", "Gyeongju", 20, 10),
    (25, "우주센터", "Space Centre", 30, 15),
    (35, "부산", "Busan", 25, 12),
)

_SPECIAL: Final = (
    (START, "출발", "Start", CellKind.START),
    (ISLAND, "무인도", "Deserted Island", CellKind.ISLAND),
    (FUND_TAKE, "사회복지기금 받는 곳", "Welfare Fund Payout", CellKind.FUND_TAKE),
    (SPACE, "우주여행", "Space Travel", CellKind.SPACE),
    (FUND_PAY, "사회복지기금 내는 곳", "Welfare Fund Donation", CellKind.FUND_PAY),
)

_CARD_CELLS: Final = (2, 7, 12, 17, 22, 28, 33)


def _cells() -> tuple[Cell, ...]:
    cells = [
        Cell(pos, Text(ko, en), kind, None, None, None, (), (), ())
        for pos, ko, en, kind in _SPECIAL
    ]
    cells += [
        Cell(pos, Text("행운카드", "Lucky Card"), CellKind.CARD, None, None, None, (), (), ())
        for pos in _CARD_CELLS
    ]
    cells += [
        Cell(pos, Text(ko, en), CellKind.TOUR, None, None, price, (), (toll,), (price // 2,))
        for pos, ko, en, price, toll in _TOURS
    ]
    for pos, ko, en, group, price, costs, tolls in _CITIES:
        # R14: each stage and the land are halved and rounded down by themselves.
        values = tuple(paid // 2 for paid in (price, *costs))
        line = pos // 10 + 1
        name = Text(ko, en)
        cells.append(Cell(pos, name, CellKind.CITY, group, line, price, costs, tolls, values))
    return tuple(sorted(cells, key=lambda cell: cell.pos))


CELLS: Final[tuple[Cell, ...]] = _cells()
CATALOGUE: Final = Catalogue(CELLS, CARDS, BOARDING_FEE, FUND_PAYMENT)

KINDS: Final[tuple[CellKind, ...]] = tuple(cell.kind for cell in CELLS)
PRICES: Final[tuple[int, ...]] = tuple(cell.price or 0 for cell in CELLS)
TOURS: Final[tuple[Pos, ...]] = tuple(c.pos for c in CELLS if c.kind is CellKind.TOUR)
GROUPS: Final[tuple[tuple[Pos, ...], ...]] = tuple(
    tuple(c.pos for c in CELLS if c.group is group) for group in Group
)
LINES: Final[tuple[tuple[Pos, ...], ...]] = tuple(
    tuple(c.pos for c in CELLS if c.line == line) for line in (1, 2, 3, 4)
)

INVESTED: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(PRICES[c.pos] + sum(c.build_costs[:level]) for level in range(len(c.tolls)))
    for c in CELLS
)
"""List price in 만 of a land with everything built on it: `INVESTED[pos][level]`."""

SALE_TOTALS: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(sum(c.sale_values[: level + 1]) for level in range(len(c.tolls))) for c in CELLS
)
"""What the bank pays in 만 for a land with everything built on it: `SALE_TOTALS[pos][level]`."""
