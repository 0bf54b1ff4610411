"""Guides that are plays: the blocks of a Markdown file are run in order against a server.

    ```graphql    is run; variables take what was kept under their name
    ```json       after it, shows a part of what it answered: "…" stands for anything, "$name" for
                  what was kept, a list for its first items
    ```http       is sent as it stands, with what was kept in place of <name>; the ```text or
                  ```json after it shows how the answer begins
    ```console    runs `python -m api …`; the ```text after it shows how the output begins

HTML comments, which readers do not see, direct the play, one direction a line:

    <!-- as friend -->                who acts next, signed in by then; else the first person
    <!-- as seat $current -->         who holds this seat of the match that was kept as `matchId`
    <!-- with $apiKey -->             the next block is sent with this token
    <!-- speaking ko -->              the next block is asked in this language
    <!-- given {"code": "…"} -->      variables of the next block, over those kept
    <!-- keep roomId = createRoom.room.id -->      from the last answer, by names and numbers;
                                                   from text, what an expression matches
    <!-- next of Follow -->           the JSON that follows is a later item of this subscription
    <!-- closed 4403 -->              the server closes this person's socket with this code
    <!-- mutation {…} -->             an operation that the reader does not see

An answer with errors that the guide does not show fails the play.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from graphql import OperationDefinitionNode, OperationType, parse

_PARTS = re.compile(r"^```(\w+)\n(.*?)^```$|<!--(.*?)-->", re.DOTALL | re.MULTILINE)
_RUN = ("graphql", "http", "console")
_SHOWN = ("json", "text")
_ELSEWHERE = ("ts",)  # run by tests/conformance/test_snippets.py
ANYTHING = "…"


class Step(NamedTuple):
    """A block with its language, or a direction, and the line of the file it stands on."""

    kind: str
    text: str
    line: int


def steps(text: str) -> Iterator[Step]:
    """The blocks and directions of a guide, in order."""
    for found in _PARTS.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        language, block, comment = found.groups()
        if language is not None:
            assert language in (*_RUN, *_SHOWN, *_ELSEWHERE), f"line {line}: {language}"
            yield Step(language, block, line)
            continue
        hidden = re.search(r"^\s*(query|mutation|subscription)\b", comment, re.MULTILINE)
        directions = comment[: hidden.start()] if hidden else comment
        for direction in filter(None, map(str.strip, directions.splitlines())):
            yield Step("direction", direction, line)
        if hidden:
            yield Step("graphql", comment[hidden.start() :], line)


def blocks(text: str, language: str) -> list[str]:
    """The blocks of a language that a reader sees."""
    found = (match.groups() for match in _PARTS.finditer(text))
    return [block for given, block, _ in found if given == language]


def operations(text: str) -> list[str]:
    """The documents that a reader sees."""
    return blocks(text, "graphql")


@dataclass
class Operation:
    """A document of one operation: its name, its kind and the variables it declares."""

    document: str
    name: str = ""
    kind: OperationType = OperationType.QUERY
    variables: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        (node,) = (
            each
            for each in parse(self.document).definitions
            if isinstance(each, OperationDefinitionNode)
        )
        self.name = node.name.value if node.name else ""
        self.kind = node.operation
        self.variables = [each.variable.name.value for each in node.variable_definitions or ()]


def fill(pattern: Any, kept: Mapping[str, Any]) -> Any:
    """The pattern with what was kept in place of each `$name`."""
    if isinstance(pattern, dict):
        return {key: fill(value, kept) for key, value in pattern.items()}
    if isinstance(pattern, list):
        return [fill(item, kept) for item in pattern]
    if isinstance(pattern, str) and pattern.startswith("$"):
        return kept[pattern[1:]]
    return pattern


def fits(shown: Any, told: Any) -> bool:
    """Whether a pattern shows a part of what was told."""
    if shown == ANYTHING:
        return True
    if isinstance(shown, dict):
        return isinstance(told, dict) and all(
            key in told and fits(value, told[key]) for key, value in shown.items()
        )
    if isinstance(shown, list):
        return (
            isinstance(told, list)
            and len(shown) <= len(told)
            and all(map(fits, shown, told))
            and (bool(shown) or not told)
        )
    return type(shown) is type(told) and bool(shown == told)


def begins(shown: str, told: str) -> bool:
    """Whether a text begins as shown, "…" standing for any characters of one line."""
    pattern = ".*?".join(re.escape(part) for part in shown.strip().split(ANYTHING))
    return re.match(pattern, told.replace("\r\n", "\n").lstrip()) is not None


def pick(told: Any, path: str) -> Any:
    """What lies at a path such as `games.0.id`; in a text, what an expression matches."""
    if isinstance(told, dict):
        told = told.get("data", told)
    if isinstance(told, str):
        found = re.search(path, told)
        assert found is not None, f"{path} is not in {told!r}"
        return found[0]
    for name in path.split("."):
        told = told[int(name)] if isinstance(told, list) else told[name]
    return told


def refusals(told: Any) -> list[Any]:
    """Every error and every userError of an answer."""
    payloads = (told.get("data") or {}).values()
    return [
        *(told.get("errors") or ()),
        *(
            error
            for payload in payloads
            if isinstance(payload, dict)
            for error in payload.get("userErrors") or ()
        ),
    ]
