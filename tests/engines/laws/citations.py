"""Every resolution of a rule book and every line of its checklist is cited by a test.

Tests cite in the first lines of their docstrings; a game's `test_coverage_of_rules.py` says what
there is to be cited.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class RuleBook:
    """What the tests in a folder must cite; `elsewhere` says of some rules why they do not."""

    folder: Path
    citation: str
    resolutions: frozenset[str]
    elsewhere: Mapping[str, str]
    checklist: tuple[str, ...]

    def tests(self) -> Iterator[tuple[str, ast.FunctionDef]]:
        """Every test of the folder, by file and name."""
        for path in sorted(self.folder.glob("test_*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                    yield f"{path.name}::{node.name}", node

    def docstrings(self) -> dict[str, str]:
        """The docstring of every test."""
        return {name: ast.get_docstring(node) or "" for name, node in self.tests()}

    def rule_tests(self) -> dict[str, str]:
        """The docstrings of the tests of single rules."""
        found = self.docstrings()
        return {name: text for name, text in found.items() if name.startswith("test_rules_")}


def numbered(prefix: str, last: int) -> Iterable[str]:
    """`R01`, `R02` and so on."""
    return (f"{prefix}{number:02}" for number in range(1, last + 1))


def law_every_resolution_is_cited(book: RuleBook) -> None:
    cited = {
        rule for text in book.docstrings().values() for rule in re.findall(book.citation, text)
    }
    assert cited - book.resolutions == set()
    assert book.resolutions - cited == set(book.elsewhere)


def law_every_line_of_the_checklist_is_cited(book: RuleBook) -> None:
    texts = book.docstrings().values()
    missing = [line for line in book.checklist if not any(f"§10 {line}" in text for text in texts)]
    assert missing == []


def law_rule_tests_say_which_rule(book: RuleBook) -> None:
    for name, text in book.rule_tests().items():
        assert re.search(rf"{book.citation}|§\d", text), name


def law_rule_tests_are_named_by_their_section(book: RuleBook) -> None:
    for name in book.rule_tests():
        assert re.search(r"::test_\d(_\d)?_[a-z]", name), name


def law_no_test_hides_another(book: RuleBook) -> None:
    names = Counter(name for name, _ in book.tests())
    assert [name for name, count in names.items() if count > 1] == []
