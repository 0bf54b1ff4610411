"""What a document may ask for, and that finding out never costs more than reading it once."""

from dataclasses import dataclass
from typing import Annotated

import pytest
import strawberry
from graphql import build_schema, get_introspection_query, parse
from graphql.language import FieldNode, FragmentSpreadNode, InlineFragmentNode, Visitor, visit

from api.config import Config
from api.errors import Code
from api.games.derive import Derivation
from api.limits import QueryLimits, chosen, cost, exceeded, measure, weigh
from api.measure import Walk
from api.schema import bind, build
from engines.protocol import AtMost
from tests.api.transport.sample import SCHEMA as STRAWBERRY

LIMITS = QueryLimits(depth=6, fields=200, aliases=20, directives=10)

SCHEMA = build_schema(
    """
    type Query {
      a: Query
      x(n: Int): Int
      list: [Query!]!
      players(first: Int, last: Int): PlayerConnection
      rows(first: Int): [Row!]!
      nodes(ids: [ID!]!): [Row]!
      shape: Shape
    }
    type PlayerConnection { edges: [PlayerEdge!]! nodes: [Row!]! totalCount: Int }
    type PlayerEdge { node: Row cursor: String }
    type Row { id: ID name: String rows: [Row!]! }
    interface Shape { area: Int }
    type Square implements Shape { area: Int side: Int }
    type Circle implements Shape { area: Int radius: Int centre: Row }
    """
)


def broken(text: str) -> str | None:
    error = exceeded(parse(text), SCHEMA, LIMITS)
    return error.original_error.code if error else None


def cost_of(text: str, name: str | None = None, **variables: object) -> int:
    return cost(parse(text), name, variables, SCHEMA)


def doubling(levels: int, kind: str, spread: str, leaf: str) -> str:
    """Fragments F0 to F<levels>, each holding the next one twice."""
    chain = "".join(
        f"fragment F{level} on {kind} {{ {spread.format(next=f'...F{level + 1}')} }}\n"
        for level in range(levels)
    )
    return f"{chain}fragment F{levels} on {kind} {{ {leaf} }}"


class _Selections(Visitor):
    def __init__(self) -> None:
        super().__init__()
        self.number = 0

    def enter(self, node: object, *_: object) -> None:
        self.number += isinstance(node, (FieldNode, FragmentSpreadNode, InlineFragmentNode))


def selections(text: str) -> int:
    """How many selections are written down in a document."""
    counter = _Selections()
    visit(parse(text), counter)
    return counter.number


BOMBS = {
    "twenty doubling fragments": (
        "{ ...F0 }" + doubling(20, "Query", "{next} {next}", "x"),
        Code.QUERY_TOO_COMPLEX,
    ),
    "doubling fragments in fields": (
        "{ ...F0 }" + doubling(20, "Query", "a {{ {next} {next} }}", "x"),
        Code.QUERY_TOO_DEEP,
    ),
    "doubling aliases": (
        "{ ...F0 }" + doubling(20, "Query", "{next} {next}", "y: x"),
        Code.TOO_MANY_ALIASES,
    ),
    "doubling directives": (
        "{ ...F0 }" + doubling(5, "Query", "{next} {next}", "x @skip(if: false)"),
        Code.QUERY_TOO_COMPLEX,
    ),
    "doubling introspection": (
        "{ __schema { types { ...F0 } } }" + doubling(20, "__Type", "{next} {next}", "name"),
        Code.QUERY_TOO_COMPLEX,
    ),
    "deep introspection": (
        "{ __schema { types { fields { type { fields { type { fields { type { fields { type "
        "{ name } } } } } } } } } } }",
        Code.QUERY_TOO_COMPLEX,
    ),
    "many full introspections": (
        "query Q {"
        + "".join(f"s{number}: __schema {{ ...S }}" for number in range(20))
        + "} fragment S on __Schema { types { fields { args "
        "{ name type { name ofType { name ofType { name ofType { name } } } } } } } }",
        Code.QUERY_TOO_COMPLEX,
    ),
    "ten thousand aliases": (
        "{" + " ".join(f"a{number}: x" for number in range(10_000)) + "}",
        Code.TOO_MANY_ALIASES,
    ),
    "one field a thousand times": ("{" + "x " * 1_000 + "}", Code.QUERY_TOO_COMPLEX),
    "a thousand directives": ("{ x " + "@skip(if: false) " * 1_000 + "}", Code.QUERY_TOO_COMPLEX),
    "a thousand directives on the operation": (
        "query Q " + "@skip(if: false) " * 1_000 + "{ x }",
        Code.QUERY_TOO_COMPLEX,
    ),
    "an object of a thousand fields": (
        "{ x(n: {" + " ".join(f"a{number}: 1" for number in range(1_000)) + "}) }",
        Code.QUERY_TOO_COMPLEX,
    ),
    "a list of a thousand items in a variable's default": (
        "query($ids: [ID!]! = [" + "1 " * 1_000 + "]) { nodes(ids: $ids) { id } }",
        Code.QUERY_TOO_COMPLEX,
    ),
    "lists in an unused fragment's directive": (
        "{ x } fragment F on Query @a(b: [" + "[[1]] " * 200 + "]) { x }",
        Code.QUERY_TOO_COMPLEX,
    ),
    "a hundred levels": ("{ a " * 90 + "{ x }" + "}" * 90, Code.QUERY_TOO_DEEP),
    "a hundred inline fragments": (
        "{ ... on Query " * 90 + "{ x }" + "}" * 90,
        Code.QUERY_TOO_DEEP,
    ),
    "a long chain of fragments": (
        "{ ...F0 }" + doubling(300, "Query", "{next}", "x"),
        Code.QUERY_TOO_DEEP,
    ),
    "hidden in a second operation": (
        "query A { x } query B { a { a { a { a { a { a { x } } } } } } }",
        Code.QUERY_TOO_DEEP,
    ),
}


@pytest.mark.parametrize(("text", "code"), BOMBS.values(), ids=BOMBS.keys())
def test_bomb_is_refused_after_reading_it_once(text: str, code: Code) -> None:
    assert broken(text) == code
    walk = Walk(parse(text), SCHEMA, {})
    for definition in parse(text).definitions:
        if hasattr(definition, "operation"):
            walk.operation(definition)
        else:
            walk.fragment(definition.name.value)
    assert walk.visits <= selections(text)


def test_doubling_counts_every_spread() -> None:
    text = "{ ...F0 }" + doubling(20, "Query", "{next} {next}", "x")
    assert measure(parse(text), SCHEMA).fields == 2**20
    assert cost_of(text) == 2**20


@pytest.mark.parametrize(
    "text",
    [
        "{ ...F } fragment F on Query { ...F x }",
        "{ ...A } fragment A on Query { a { ...B } } fragment B on Query { a { ...A } }",
        "{ ...Missing }",
        "{ nothing { of { this } } }",
        "fragment F on Nothing { x }",
        "mutation { x }",
    ],
)
def test_invalid_documents_are_left_to_validation(text: str) -> None:
    assert broken(text) is None


def test_limits_are_kept_to_the_last_one() -> None:
    assert broken("{ a { a { a { a { a { x } } } } } }") is None
    assert broken("{ a { a { a { a { a { a { x } } } } } } }") == Code.QUERY_TOO_DEEP
    assert broken("{" + "".join(f"a{number}: x " for number in range(20)) + "}") is None
    assert broken("{" + "".join(f"a{number}: x " for number in range(21)) + "}") == (
        Code.TOO_MANY_ALIASES
    )
    assert broken("{" + "x " * 200 + "}") is None
    assert broken("{" + "x " * 201 + "}") == Code.QUERY_TOO_COMPLEX
    assert broken("{ x " + "@skip(if: false)" * 10 + "}") is None
    assert broken("{ x " + "@skip(if: false)" * 11 + "}") == Code.QUERY_TOO_COMPLEX
    assert broken("{ nodes(ids: [" + "1 " * 500 + "]) { id } }") is None
    assert broken("{ nodes(ids: [" + "1 " * 501 + "]) { id } }") == Code.QUERY_TOO_COMPLEX


def test_tools_may_introspect_with_any_query_of_theirs() -> None:
    full = get_introspection_query(
        specified_by_url=True,
        directive_is_repeatable=True,
        schema_description=True,
        input_value_deprecation=True,
        one_of=True,
    )
    assert exceeded(parse(get_introspection_query()), SCHEMA, QueryLimits()) is None
    assert exceeded(parse(full), SCHEMA, QueryLimits()) is None
    assert cost_of(full) == 0


def test_an_address_can_pay_for_the_whole_schema_again_and_again() -> None:
    query = parse(get_introspection_query(schema_description=True, input_value_deprecation=True))
    price = weigh(query, None, {}, build(bind())._schema).price
    assert 10_000 < price < Config.address_budget / 8


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{ x }", 1),
        ("{ a { x a { x } } }", 4),
        ("{ list { x } }", 10 * 2),
        ("{ list { list { x } } }", 10 * (1 + 10 * 2)),
        ("{ players(first: 5) { totalCount nodes { id name } } }", 1 + 1 + 5 * 3),
        ("{ players(last: 7) { edges { cursor node { id } } } }", 1 + 7 * (1 + 1 + 2)),
        ("{ players(first: 3, last: 7) { nodes { id } } }", 1 + 7 * 2),
        ("{ players { nodes { id } } }", 1 + 100 * 2),
        ("{ players(first: -5) { nodes { id } } }", 1),
        ("{ players(first: 99999999999999999999) { nodes { id } } }", 1 + 10**9 * 2),
        ("{ players(first: 2) { nodes { rows { id } } } }", 1 + 2 * (1 + 10 * 2)),
        ("{ rows(first: 3) { id } }", 3 * 2),
        ('{ nodes(ids: ["a", "b", "c", "d"]) { id } }', 4 * 2),
        ("{ nodes(ids: []) { id } }", 0),
        ("{ x(n: 5) }", 1),
    ],
)
def test_cost_counts_the_values_of_the_answer(text: str, expected: int) -> None:
    assert cost_of(text) == expected


def test_page_size_reaches_items_selected_in_a_fragment() -> None:
    text = """
      { players(first: 5) { ...Page } }
      fragment Page on PlayerConnection { totalCount ...Deeper }
      fragment Deeper on PlayerConnection { nodes { id name } }
    """
    assert cost_of(text) == 1 + 1 + 5 * 3


def test_one_fragment_under_two_page_sizes() -> None:
    text = """
      { a: players(first: 5) { ...Page } b: players(first: 50) { ...Page } }
      fragment Page on PlayerConnection { nodes { id } }
    """
    assert cost_of(text) == (1 + 5 * 2) + (1 + 50 * 2)


def test_of_an_interface_the_dearest_type_counts() -> None:
    text = """
      { shape { area ... on Square { side } ...Round ... on Shape { area } } }
      fragment Round on Circle { radius centre { id name } }
    """
    assert cost_of(text) == 1 + 2 + max(1, 4)
    assert cost_of("{ shape { ... on Square { side } ... on Square { area } } }") == 1 + 2


def test_variables_decide_sizes() -> None:
    text = "query($n: Int = 30, $ids: [ID!]!) { rows(first: $n) { id } nodes(ids: $ids) { id } }"
    assert cost_of(text, n=2, ids=["a"]) == 2 * 2 + 2
    assert cost_of(text, n=2.0, ids=["a"]) == 2 * 2 + 2
    assert cost_of(text, ids=["a", "b"]) == 30 * 2 + 2 * 2
    assert cost_of(text, n=None, ids=[]) == 10 * 2
    assert cost_of(text, n="no", ids="no") == 10 * 2 + 10 * 2


def test_schema_gives_the_size_of_a_list_and_the_default_of_a_page() -> None:
    schema = STRAWBERRY._schema
    assert cost(parse("{ cells { name } }"), None, None, schema) == 40 * 2
    assert cost(parse("{ items { nodes { name } } }"), None, None, schema) == 1 + 20 * 2


def test_operation_is_chosen_as_the_specification_says() -> None:
    text = "query A { x } query B { a { x } }"
    assert chosen(parse("{ x }"), None).operation.value == "query"
    assert chosen(parse(text), "B").name.value == "B"
    assert chosen(parse(text), None) is None
    assert chosen(parse(text), "C") is None
    assert chosen(parse("{ x }"), "A") is None
    assert chosen(parse("fragment F on Query { x }"), None) is None
    assert (cost_of(text, "A"), cost_of(text, "B"), cost_of(text)) == (1, 2, 0)


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand of cards."""

    cards: Annotated[tuple[int, ...], "Numbers of the cards."]
    seats: Annotated[tuple[int, ...], "Seats that see it.", AtMost(4)]


def test_a_game_tells_how_long_its_lists_may_get() -> None:
    hand = Derivation("Small").output(Hand)

    def given() -> Hand:
        return Hand((), ())

    given.__annotations__ = {"return": hand}
    query = strawberry.type(type("Query", (), {"hand": strawberry.field(resolver=given)}))
    schema = strawberry.Schema(query=query)._schema
    counts = {
        field: cost(parse(f"{{ hand {{ {field} }} }}"), None, {}, schema)
        for field in ("cards", "seats")
    }
    assert counts == {"cards": 1 + 10, "seats": 1 + 4}
