"""How much one GraphQL document may ask for; all that does not depend on the one who asks."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    OperationDefinitionNode,
    get_introspection_query,
    parse,
)

from api.errors import Code, RequestFault
from api.measure import NESTING, Tally, Walk, literal_members
from engines.texts import Text

_INTROSPECTIONS = 2
_INTROSPECTION_ENDS = 5
"""One in so many of the values that introspection asks for is there: chains of types are short."""


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """What one document may hold. Fields inside fragments count once for each spread.

    `tokens` lexical tokens; `depth` nested fields, introspection apart; `fields` selected fields;
    `aliases` renamed ones; `directives` anywhere; `literals` members of lists and objects written
    into the text; `cost` values in the answer, see `cost`.
    """

    tokens: int = 3_000
    depth: int = 15
    fields: int = 5_000
    aliases: int = 100
    directives: int = 100
    literals: int = 500
    cost: int = 20_000


def measure(document: DocumentNode, schema: GraphQLSchema) -> Tally:
    """The sums over all operations of a document, whichever is run.

    `values` and `introspection` are those of the dearest operation, with variables unknown.
    """
    walk = Walk(document, schema, {})
    total = Tally()
    for node in document.definitions:
        if isinstance(node, OperationDefinitionNode):
            part = walk.operation(node)
            dearest = max(total.values, part.values), max(total.introspection, part.introspection)
            total.add(part)
            total.values, total.introspection = dearest
    if walk.too_deep:
        total.depth = NESTING
    return total


def exceeded(
    document: DocumentNode, schema: GraphQLSchema, limits: QueryLimits
) -> GraphQLError | None:
    """The first limit that a document breaks whatever its variables are; None when it keeps all."""
    total = measure(document, schema)
    for code, asked, limit, text in (
        (Code.QUERY_TOO_DEEP, total.depth, limits.depth, _TOO_DEEP),
        (Code.TOO_MANY_ALIASES, total.aliases, limits.aliases, _ALIASES),
        (Code.QUERY_TOO_COMPLEX, total.fields, limits.fields, _FIELDS),
        (Code.QUERY_TOO_COMPLEX, total.directives, limits.directives, _DIRECTIVES),
        (Code.QUERY_TOO_COMPLEX, literal_members(document), limits.literals, _LITERALS),
        (
            Code.QUERY_TOO_COMPLEX,
            total.introspection,
            _INTROSPECTIONS * _introspection(schema),
            _INTROSPECTION,
        ),
    ):
        if asked > limit:
            return too_much(code, text, limit)
    return None


def cost(
    document: DocumentNode,
    operation_name: str | None,
    variables: Mapping[str, Any] | None,
    schema: GraphQLSchema,
) -> int:
    """How many values the answer to an operation may hold at most, 0 for an unknown operation.

    Every selected field is one value. A page counts as many items as `first` or `last` ask for,
    `ids` as many as are given, another list its `list_size` (field metadata) or ten; of a union or
    an interface the dearest type counts. Introspection has a limit of its own and is not counted.
    """
    return weigh(document, operation_name, variables, schema).cost


@dataclass(frozen=True, slots=True)
class Weight:
    """What an operation asks for: its cost, and the values of introspection beside it.

    `fixed`: both are the same for all variables.
    """

    cost: int = 0
    introspection: int = 0
    fixed: bool = True

    @property
    def price(self) -> int:
        """What it takes from the budget of the one who asks; nothing is free."""
        return max(1, self.cost + self.introspection // _INTROSPECTION_ENDS)


def weigh(
    document: DocumentNode,
    operation_name: str | None,
    variables: Mapping[str, Any] | None,
    schema: GraphQLSchema,
) -> Weight:
    """The weight of an operation; of an unknown one, nothing."""
    node = chosen(document, operation_name)
    if node is None:
        return Weight()
    defaults = {
        item.variable.name.value: item.default_value
        for item in node.variable_definitions or ()
        if item.default_value
    }
    walk = Walk(document, schema, {**defaults, **(variables or {})})
    total = walk.operation(node)
    return Weight(total.values, total.introspection, not walk.sized)


def too_costly(asked: int, limit: int) -> GraphQLError | None:
    """The error for a cost above the limit; None when it is within."""
    return too_much(Code.QUERY_TOO_COMPLEX, _COST, limit) if asked > limit else None


def too_much(code: Code, text: Text, limit: int) -> GraphQLError:
    """The error for a broken limit, said in the language of the one who asks."""
    fault = RequestFault(code, text.format(limit=limit))
    return GraphQLError(fault.text.en, original_error=fault)


def chosen(document: DocumentNode, name: str | None) -> OperationDefinitionNode | None:
    """The operation a request means (GetOperation of the GraphQL specification, section 6.1).

    None when no operation has that name, or when several are there and none is named.
    """
    operations = [
        node for node in document.definitions if isinstance(node, OperationDefinitionNode)
    ]
    if name is None:
        return operations[0] if len(operations) == 1 else None
    return next((node for node in operations if node.name and node.name.value == name), None)


@lru_cache(maxsize=8)
def _introspection(schema: GraphQLSchema) -> int:
    """The introspection values of the standard query that tools send, every part switched on."""
    query = get_introspection_query(
        specified_by_url=True,
        directive_is_repeatable=True,
        schema_description=True,
        input_value_deprecation=True,
        experimental_directive_deprecation=True,
        one_of=True,
    )
    return measure(parse(query), schema).introspection


_TOO_DEEP = Text(
    "쿼리가 너무 깊어요. 최대 {limit}단계예요.", "The query is too deep; at most {limit} levels."
)
_ALIASES = Text(
    "별칭이 너무 많아요. 최대 {limit}개예요.", "The query has too many aliases; at most {limit}."
)
_FIELDS = Text(
    "필드가 너무 많아요. 최대 {limit}개예요.", "The query has too many fields; at most {limit}."
)
_DIRECTIVES = Text(
    "지시어가 너무 많아요. 최대 {limit}개예요.",
    "The query has too many directives; at most {limit}.",
)
_LITERALS = Text(
    "쿼리에 적힌 값이 너무 많아요. 최대 {limit}개예요. 변수로 보내 주세요.",
    "The query has too many values written into it; at most {limit}. Send them as variables.",
)
_INTROSPECTION = Text(
    "스키마 조회가 너무 커요. 최대 {limit}개 값이에요.",
    "The introspection is too large; at most {limit} values.",
)
_COST = Text(
    "결과가 너무 커질 수 있어요. 최대 {limit}개 값이에요.",
    "The answer could hold too many values; at most {limit}. Ask for smaller pages.",
)
TOO_MANY_TOKENS = Text(
    "쿼리가 너무 길어요. 최대 {limit}개 토큰이에요.",
    "The query is too long; at most {limit} tokens.",
)
