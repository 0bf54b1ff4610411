"""GraphQL types derived from engine classes, beside what the games' own schema shows of them."""

from dataclasses import dataclass
from typing import Annotated

import pytest
import strawberry

from api.games.derive import Derivation
from engines.texts import Text


@strawberry.interface
class Fact:
    version: int


@dataclass(frozen=True, slots=True)
class Spoke:
    """Somebody said something."""

    seat: Annotated[int, "Who spoke."]
    said: Annotated[Text, "What was said."]
    aside: Annotated[Text | None, "What was said more quietly; null if nothing was."]
    lines: Annotated[tuple[Text, ...], "Everything said so far."]


class Reader:
    """A context that reads one language."""

    def __init__(self, locale: str) -> None:
        self.locale = locale

    def say(self, text: Text) -> str:
        return str(getattr(text, self.locale))


@pytest.mark.parametrize(("locale", "hello"), [("ko", "안녕하세요"), ("en", "Hello")])
def test_texts_of_what_is_presented_are_said_in_the_readers_language(
    locale: str, hello: str
) -> None:
    derived, present = Derivation("Small").presented(Spoke, Fact)
    greeting = Text("안녕하세요", "Hello")

    def fact() -> Fact:
        shown: Fact = present(Spoke(2, greeting, None, (greeting,)), None, version=7)
        return shown

    query = strawberry.type(type("Query", (), {"fact": strawberry.field(resolver=fact)}))
    schema = strawberry.Schema(query=query, types=[derived])
    document = "{ fact { version ... on SmallSpoke { seat said aside lines } } }"
    answer = schema.execute_sync(document, context_value=Reader(locale))
    assert answer.errors is None
    assert answer.data == {
        "fact": {"version": 7, "seat": 2, "said": hello, "aside": None, "lines": [hello]}
    }
