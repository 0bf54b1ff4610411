"""Parses, limits and validates each document, once while it is remembered."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    GraphQLError,
    GraphQLSchema,
    OperationDefinitionNode,
    parse,
    specified_rules,
    validate,
)
from graphql.validation.rules import overlapping_fields_can_be_merged
from strawberry.extensions import SchemaExtension
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule
from strawberry.types import ExecutionContext

from api.errors import Code, RequestFault
from api.limits import (
    QueryLimits,
    Weight,
    chosen,
    exceeded,
    too_costly,
    weigh,
)
from engines.texts import Text

DOCUMENTS = 128
ERRORS = 10
REFUSED_PRICE = 100
"""What a document that is refused takes from the budget: it had to be read and validated."""

Charge = Callable[[Any, int, Mapping[Any, Any]], Awaitable[None]]
"""Takes the price of an operation from the budget behind a context; the metadata of its only field
says what the operation is about. Raises RequestFault.
"""

_RULES = (*specified_rules, MaybeNullValidationRule, OneOfInputValidationRule)

# The rule compares fields pair by pair and stops at a budget; the library's own, 500,000, is half
# a second of work. Every field of a match selected thrice needs less than this.
overlapping_fields_can_be_merged.MAX_COMPLEXITY_BUDGET = 20_000


@dataclass(slots=True, eq=False)
class Prepared:
    """A parsed document and all that is known of it without its variables.

    `weights` holds those of operations whose weight no variable changes, by name, and `metadata`
    that of the field of operations that have a single one.
    """

    document: DocumentNode
    errors: tuple[GraphQLError, ...]
    weights: dict[str | None, Weight] = field(default_factory=dict)
    metadata: dict[str | None, Mapping[Any, Any]] = field(default_factory=dict)

    def first(self, name: str | None) -> OperationDefinitionNode | None:
        """The first operation, of a document from which none was named."""
        operations = (
            node for node in self.document.definitions if isinstance(node, OperationDefinitionNode)
        )
        return next(operations, None) if name is None else None

    def weight(
        self, name: str | None, variables: Mapping[str, Any] | None, schema: GraphQLSchema
    ) -> Weight:
        """The weight of one operation, see `api.limits.weigh`."""
        if (known := self.weights.get(name)) is not None:
            return known
        asked = weigh(self.document, name, variables, schema)
        if asked.fixed:
            self.weights[name] = asked
        return asked

    def about(self, name: str | None, schema: GraphQLSchema) -> Mapping[Any, Any]:
        """The metadata of the field that is all an operation selects; empty if it selects more."""
        known = self.metadata.get(name)
        if known is None:
            known = self.metadata[name] = _metadata(chosen(self.document, name), schema)
        return known


@dataclass(frozen=True, slots=True)
class Gate:
    """Stands before every execution: nothing that breaks a limit is validated or run."""

    limits: QueryLimits
    charge: Charge | None = None

    def prepared(self, text: str, schema: GraphQLSchema) -> Prepared:
        """The document of a text, see `prepared`. Raises GraphQLSyntaxError."""
        return prepared(text, schema, self.limits)

    async def admit(
        self,
        document: Prepared,
        name: str | None,
        variables: Mapping[str, Any] | None,
        schema: GraphQLSchema,
        caller: Any,
    ) -> list[GraphQLError]:
        """Why an operation must not run, nothing if it may; what is refused is paid for as well."""
        errors, price = self._judge(document, name, variables, schema)
        if self.charge is not None:
            try:
                await self.charge(caller, price, document.about(name, schema))
            except RequestFault as fault:
                return [GraphQLError(fault.text.en, original_error=fault)]
        return errors

    def _judge(
        self,
        document: Prepared,
        name: str | None,
        variables: Mapping[str, Any] | None,
        schema: GraphQLSchema,
    ) -> tuple[list[GraphQLError], int]:
        """What is wrong with the operation, and its price."""
        if document.errors:
            return list(document.errors), REFUSED_PRICE
        if chosen(document.document, name) is None:
            return [_ambiguous()], REFUSED_PRICE
        asked = document.weight(name, variables, schema)
        if too_high := too_costly(asked.cost, self.limits.cost):
            return [too_high], REFUSED_PRICE
        return [], asked.price


class Guard(SchemaExtension):
    """The gate before a stream, where Strawberry leads the execution."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    def on_parse(self) -> Iterator[None]:
        """Use the document at hand; a text that cannot be parsed is Strawberry's to refuse."""
        context = self.execution_context
        context.parse_options["max_tokens"] = self._gate.limits.tokens
        with suppress(GraphQLError):
            context.graphql_document = self._prepared(context).document
        yield

    async def on_validate(self) -> AsyncIterator[None]:
        """Refuse before execution, as a request error."""
        context = self.execution_context
        context.pre_execution_errors = await self._gate.admit(
            self._prepared(context),
            # The public name falls back to the first operation; the specification wants an error.
            context._provided_operation_name,
            context.variables,
            context.schema._schema,
            context.context,
        )
        yield

    def _prepared(self, context: ExecutionContext) -> Prepared:
        return self._gate.prepared(context.query or "", context.schema._schema)


@lru_cache(maxsize=DOCUMENTS)
def prepared(text: str, schema: GraphQLSchema, limits: QueryLimits) -> Prepared:
    """The document of a text with what is wrong with it. Raises GraphQLSyntaxError.

    Remembered by its text: to hash a document is to read it again.
    """
    document = parse(text, max_tokens=limits.tokens)
    # The limits come first: they are cheap whatever is sent, the specification's rules are not.
    if error := exceeded(document, schema, limits):
        return Prepared(document, (error,))
    errors = validate(schema, document, _RULES, max_errors=ERRORS)
    for error in errors:
        is_abort = error.message == "Validation aborted."
        code = Code.QUERY_TOO_COMPLEX if is_abort else Code.GRAPHQL_VALIDATION_FAILED
        error.extensions = {**(error.extensions or {}), "code": code}
    return Prepared(document, tuple(errors))


def _metadata(node: OperationDefinitionNode | None, schema: GraphQLSchema) -> Mapping[Any, Any]:
    selections = () if node is None else node.selection_set.selections
    if len(selections) != 1 or not isinstance(selections[0], FieldNode):
        return {}
    root = node and schema.get_root_type(node.operation)
    field_ = root and root.fields.get(selections[0].name.value)
    definition = field_ and field_.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
    return definition.metadata if definition else {}


def _ambiguous() -> GraphQLError:
    fault = RequestFault(
        Code.OPERATION_RESOLUTION_FAILURE,
        Text(
            "operationName으로 실행할 작업을 하나 골라 주세요.",
            "Name the operation to run with operationName: the document holds several.",
        ),
    )
    return GraphQLError(fault.text.en, original_error=fault)
