"""§3.1: the forty cells, typed in from the document."""

from engines.marble.board import CELLS, GROUPS, LINES, TOURS, CellKind
from tests.engines.marble.table import table

BOARD = """
0 출발 start|1 타이베이 A|2 행운카드 card|3 마닐라 A|4 하노이 A|5 제주도 tour|6 방콕 B
7 행운카드 card|8 싱가포르 B|9 카이로 B|10 무인도 island|11 이스탄불 C|12 행운카드 card
13 아테네 C|14 로마 C|15 경주 tour|16 코펜하겐 D|17 행운카드 card|18 스톡홀름 D|19 베를린 D
20 사회복지기금 받는 곳 fundTake|21 부에노스아이레스 E|22 행운카드 card|23 상파울루 E|24 시드니 E
25 우주센터 tour|26 리스본 F|27 마드리드 F|28 행운카드 card|29 파리 F|30 우주여행 space
31 런던 G|32 밴쿠버 G|33 행운카드 card|34 샌프란시스코 G|35 부산 tour|36 뉴욕 H|37 도쿄 H
38 사회복지기금 내는 곳 fundPay|39 서울 H
"""


def test_3_1_the_board_reads_as_printed() -> None:
    """§10 판 데이터: every cell in its place, R09."""
    printed = []
    for entry in BOARD.strip().replace("\n", "|").split("|"):
        pos, *name, kind = entry.split(" ")
        printed.append((int(pos), " ".join(name), kind))
    assert [
        (cell.pos, cell.name.ko, cell.group.value if cell.group else cell.kind.value)
        for cell in CELLS
    ] == printed


def test_3_1_forty_cells_by_kind() -> None:
    """§10 판 데이터, R09: 24 cities, 4 tours, 7 card cells, four corners and one more special."""
    kinds = [cell.kind for cell in CELLS]
    assert {kind: kinds.count(kind) for kind in CellKind} == {
        CellKind.START: 1,
        CellKind.CITY: 24,
        CellKind.TOUR: 4,
        CellKind.CARD: 7,
        CellKind.ISLAND: 1,
        CellKind.FUND_TAKE: 1,
        CellKind.SPACE: 1,
        CellKind.FUND_PAY: 1,
    }


def test_3_1_the_four_lines() -> None:
    """R07: 1~9, 11~19, 21~29 and 31~39, six cities each, no tour among them."""
    assert LINES == (
        (1, 3, 4, 6, 8, 9),
        (11, 13, 14, 16, 18, 19),
        (21, 23, 24, 26, 27, 29),
        (31, 32, 34, 36, 37, 39),
    )
    assert [cell.line for cell in CELLS if cell.kind is CellKind.CITY] == (
        [1] * 6 + [2] * 6 + [3] * 6 + [4] * 6
    )


def test_3_1_eight_groups_of_three() -> None:
    """§3.1: 8 groups × 3 cities, and the four tours."""
    assert GROUPS == (
        (1, 3, 4),
        (6, 8, 9),
        (11, 13, 14),
        (16, 18, 19),
        (21, 23, 24),
        (26, 27, 29),
        (31, 32, 34),
        (36, 37, 39),
    )
    assert TOURS == (5, 15, 25, 35)


def test_3_1_names_come_in_english_too() -> None:
    """§3.1: real place names in the reader's language."""
    names = {cell.pos: cell.name.en for cell in CELLS}
    assert (names[1], names[16], names[34], names[39]) == (
        "Taipei",
        "Copenhagen",
        "San Francisco",
        "Seoul",
    )


def test_3_several_pawns_may_share_a_cell() -> None:
    """R11: pawns do not disturb each other, and there is no stock of buildings to run out."""
    hotels = {pos: (1, 3) for line in LINES for pos in line if pos != 6}
    t = table(pos=(0, 6), lands={**hotels, 6: (0, 2)})
    t.roll(2, 4)
    assert t.pos == (6, 6)
    assert t.state.decision is not None
    assert t.state.decision.can_build == 3
