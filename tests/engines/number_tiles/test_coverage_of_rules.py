"""Every resolution of the rule book and every line of its checklist is cited by a test."""

from pathlib import Path

import pytest

from tests.engines.laws import citations
from tests.engines.laws.citations import RuleBook, numbered

LAST = {
    "T": 3,
    "O": 6,
    "S": 9,
    "N": 15,
    "J": 4,
    "M": 10,
    "D": 15,
    "C": 10,
    "P": 8,
    "W": 12,
    "R": 15,
    "L": 6,
    "V": 10,
    "X": 4,
    "E": 2,
    "U": 7,
    "F": 11,
}

ELSEWHERE = {
    "D-12": "server policy: the rate limit is outside the engine",
    "W-07": "server policy: the time of an action is compared with the deadline by the service",
    "W-11": "server policy: the service counts time-outs in a row",
    "U-03": "client: which buttons are on the screen",
    "U-04": "client: the sorting of the rack",
    "U-05": "client: where a drawn tile is put in the rack",
    "U-06": "client: the question before a commit that would be punished",
    "F-10": "client: the same as U-03",
    "F-11": "a figure, not a rule: measured by the benchmark",
}

CHECKLIST = (
    "셋업",
    "세트 판정",
    "조커 해석",
    "첫 등록",
    "재배치",
    "조커 회수",
    "랙 타일 없이",
    "시간 초과",
    "되돌리기",
    "점수",
    "교착 종료",
    "정보 유출",
    "동시성",
)

BOOK = RuleBook(
    Path(__file__).parent,
    citation=r"\b[A-Z]-\d\d\b",
    resolutions=frozenset(
        rule for part, last in LAST.items() for rule in numbered(f"{part}-", last)
    ),
    elsewhere=ELSEWHERE,
    checklist=CHECKLIST,
)
LAWS = [law for name, law in vars(citations).items() if name.startswith("law_")]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_rule_book_is_covered(law) -> None:
    law(BOOK)
