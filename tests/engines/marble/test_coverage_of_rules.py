"""Every resolution of the rule book and every line of its checklist is cited by a test."""

import ast
import re
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
RESOLUTIONS = {f"R{number:02}" for number in range(1, 154)}

NOT_TESTABLE_HERE = {
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


def docstrings() -> dict[str, str]:
    """The docstring of every test of this folder, by file and name."""
    found = {}
    for path in sorted(HERE.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found[f"{path.name}::{node.name}"] = ast.get_docstring(node) or ""
    return found


def test_every_resolution_is_cited() -> None:
    cited = {rule for text in docstrings().values() for rule in re.findall(r"\bR\d{2,3}\b", text)}
    assert cited - RESOLUTIONS == set()
    assert RESOLUTIONS - cited == set(NOT_TESTABLE_HERE)


def test_every_line_of_the_checklist_is_cited() -> None:
    texts = docstrings().values()
    missing = [line for line in CHECKLIST if not any(f"§10 {line}" in text for text in texts)]
    assert missing == []


def test_rule_tests_say_which_rule() -> None:
    for name, text in docstrings().items():
        if name.startswith("test_rules_"):
            assert re.search(r"\bR\d{2,3}\b|§\d", text), name


def test_rule_tests_are_named_by_their_section() -> None:
    for name in docstrings():
        if name.startswith("test_rules_"):
            assert re.search(r"::test_\d(_\d)?_[a-z]", name), name


def test_no_test_hides_another() -> None:
    names = Counter(
        (path.name, node.name)
        for path in sorted(HERE.glob("test_*.py"))
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
    )
    assert [name for name, count in names.items() if count > 1] == []
