"""Parses, limits and validates each document, once while it is remembered."""

from collections.abc import Callable, Iterator
from functools import lru_cache

import strawberry
from graphql import (
    ASTValidationRule,
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    parse,
)
from graphql.validation.rules import overlapping_fields_can_be_merged
from strawberry.extensions import SchemaExtension
from strawberry.schema.schema import validate_document
from strawberry.types import ExecutionContext

from api.errors import Code, RequestFault
from api.limits import (
    QueryLimits,
    chosen,
    cost,
    exceeded,
    too_costly,
)
from engines.texts import Text

DOCUMENTS = 128

# The rule compares fields pair by pair; a tenth of the library's budget is some 50 ms.
overlapping_fields_can_be_merged.MAX_COMPLEXITY_BUDGET = 50_000


class Guard(SchemaExtension):
    """Stands before every execution: nothing that breaks a limit is validated or run."""

    def __init__(self, limits: QueryLimits) -> None:
        self.limits = limits

    def on_parse(self) -> Iterator[None]:
        """Use the document at hand; a text that cannot be parsed is Strawberry's to refuse."""
        context = self.execution_context
        context.parse_options["max_tokens"] = self.limits.tokens
        try:
            context.graphql_document = parsed(context.query or "", self.limits.tokens)
        except GraphQLError:
            context.graphql_document = None
        yield

    def on_validate(self) -> Iterator[None]:
        """Refuse before execution, as a request error."""
        self.execution_context.pre_execution_errors = self._errors(self.execution_context)
        yield

    def _errors(self, context: ExecutionContext) -> list[GraphQLError]:
        document, schema = context.graphql_document, context.schema._schema
        assert document is not None
        # The public name falls back to the first operation; the specification wants an error.
        name = context._provided_operation_name
        if chosen(document, name) is None:
            return [_ambiguous()]
        errors = checked(schema, document, self.limits, context.validation_rules)
        if errors:
            return list(errors)
        asked = cost(document, name, context.variables, schema)
        too_high = too_costly(asked, self.limits.cost)
        return [too_high] if too_high else []


class Schema(strawberry.Schema):
    """A schema whose errors the transport reports: only there are request and language known."""

    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Leave logging to `api.transport.report`."""


def guard(limits: QueryLimits) -> Callable[[], Guard]:
    """The factory to list among a schema's extensions."""
    return lambda: Guard(limits)


@lru_cache(maxsize=DOCUMENTS)
def parsed(text: str, tokens: int) -> DocumentNode:
    """The document of a text. Raises GraphQLSyntaxError, also for more than `tokens` tokens."""
    return parse(text, max_tokens=tokens)


@lru_cache(maxsize=DOCUMENTS)
def checked(
    schema: GraphQLSchema,
    document: DocumentNode,
    limits: QueryLimits,
    rules: tuple[type[ASTValidationRule], ...],
) -> tuple[GraphQLError, ...]:
    """What is wrong with a document whatever its variables are.

    The limits come first: they are cheap whatever is sent, the rules of the specification are not.
    """
    if error := exceeded(document, schema, limits):
        return (error,)
    errors = validate_document(schema, document, rules)
    for error in errors:
        error.extensions = {**(error.extensions or {}), "code": Code.GRAPHQL_VALIDATION_FAILED}
        if error.message == "Validation aborted.":
            error.extensions["code"] = Code.QUERY_TOO_COMPLEX
    return tuple(errors)


def _ambiguous() -> GraphQLError:
    fault = RequestFault(
        Code.OPERATION_RESOLUTION_FAILURE,
        Text(
            "operationName으로 실행할 작업을 하나 골라 주세요.",
            "Name the operation to run with operationName: the document holds several.",
        ),
    )
    return GraphQLError(fault.text.en, original_error=fault)
