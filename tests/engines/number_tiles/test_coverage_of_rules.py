"""Every resolution of the rule book and every line of its checklist is cited by a test."""

import ast
import re
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
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
RESOLUTIONS = {f"{part}-{n:02}" for part, last in LAST.items() for n in range(1, last + 1)}

NOT_TESTABLE_HERE = {
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
CITATION = re.compile(r"\b[A-Z]-\d\d\b")


def docstrings() -> dict[str, str]:
    """The docstring of every test of this folder, by file and name."""
    found = {}
    for path in sorted(HERE.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found[f"{path.name}::{node.name}"] = ast.get_docstring(node) or ""
    return found


def test_every_resolution_is_cited() -> None:
    cited = {rule for text in docstrings().values() for rule in CITATION.findall(text)}
    assert cited - RESOLUTIONS == set()
    assert RESOLUTIONS - cited == set(NOT_TESTABLE_HERE)


def test_every_line_of_the_checklist_is_cited() -> None:
    texts = docstrings().values()
    missing = [line for line in CHECKLIST if not any(f"§10 {line}" in text for text in texts)]
    assert missing == []


def test_rule_tests_say_which_rule() -> None:
    for name, text in docstrings().items():
        if name.startswith("test_rules_"):
            assert CITATION.search(text) or re.search(r"§\d", text), name


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
