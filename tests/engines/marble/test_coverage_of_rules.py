"""Every resolution of the rule book and every line of its checklist is cited by a test."""

from pathlib import Path

import pytest

from tests.engines.laws import citations
from tests.engines.laws.citations import RuleBook, numbered

ELSEWHERE = {
    "R06": "what match history may store is the server's: there is no account field for money",
    "R145": "a remark on how long matches take in people's hands",
}

CHECKLIST = (
    "판 데이터",
    "월급",
    "더블",
    "더블로 우주여행",
    "무인도",
    "건설",
    "통행료",
    "빚 갚기",
    "L19",
    "사회복지기금",
    "우주여행",
    "인수",
    "독점 승리",
    "라운드 제한",
    "교환",
    "시간 초과",
    "연결 끊김",
    "정보 유출",
    "리플레이 결정성",
)

BOOK = RuleBook(
    Path(__file__).parent,
    citation=r"\bR\d{2,3}\b",
    resolutions=frozenset(numbered("R", 153)),
    elsewhere=ELSEWHERE,
    checklist=CHECKLIST,
)
LAWS = [law for name, law in vars(citations).items() if name.startswith("law_")]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_rule_book_is_covered(law) -> None:
    law(BOOK)
