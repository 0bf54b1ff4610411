"""The schema as the transports run it: what is asked once is led to the executor directly."""

from collections.abc import Iterable
from typing import Any, cast

import strawberry
from graphql import GraphQLError, GraphQLSyntaxError
from graphql.execution import create_source_event_stream
from strawberry.exceptions import MissingQueryError
from strawberry.execution import optimized_is_awaitable
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext
from strawberry.types import ExecutionContext
from strawberry.types.execution import ExecutionResult, PreExecutionError
from strawberry.types.graphql import OperationType

from api.execution import Executor
from api.following import FOLLOWED, Feed
from api.limits import QueryLimits, chosen
from api.subscribing import Subscription
from api.transport.guard import Charge, Gate, Guard

_is_awaitable: Any = optimized_is_awaitable
_ONCE = frozenset({OperationType.QUERY, OperationType.MUTATION})


class Schema(strawberry.Schema):
    """A Strawberry schema behind a gate that limits what each document may ask for.

    Its errors are reported by the transport: only there are request and language known.
    """

    def __init__(
        self,
        *args: Any,
        limits: QueryLimits | None = None,
        charge: Charge | None = None,
        **kwargs: Any,
    ) -> None:
        self._gate = Gate(limits or QueryLimits(), charge)
        kwargs["extensions"] = [lambda: Guard(self._gate)]
        super().__init__(*args, **kwargs)

    async def execute(
        self,
        query: str | None,
        variable_values: dict[str, Any] | None = None,
        context_value: Any | None = None,
        root_value: Any | None = None,
        operation_name: str | None = None,
        allowed_operation_types: Iterable[OperationType] | None = None,
        operation_extensions: dict[str, Any] | None = None,
    ) -> ExecutionResult:
        """The answer to a query or mutation, as Strawberry gives it without any extension.

        Raises MissingQueryError, CannotGetOperationTypeError, InvalidOperationTypeError.
        """
        if not query:
            raise MissingQueryError
        try:
            document = self._gate.prepared(query, self._schema)
        except GraphQLSyntaxError as error:
            return PreExecutionError(data=None, errors=[error])
        # Without a name the first operation decides whether any may run; the gate wants one named.
        node = chosen(document.document, operation_name) or document.first(operation_name)
        if node is None:
            raise CannotGetOperationTypeError(operation_name)
        kind = OperationType(node.operation.value)
        if kind not in (_ONCE if allowed_operation_types is None else allowed_operation_types):
            raise InvalidOperationTypeError(kind)
        errors = await self._gate.admit(
            document, operation_name, variable_values, self._schema, context_value
        )
        if errors:
            return PreExecutionError(data=None, errors=errors)
        executor = (self.execution_context_class or StrawberryGraphQLCoreExecutionContext).build(
            self._schema,
            document.document,
            root_value,
            context_value,
            variable_values,
            operation_name,
            is_awaitable=_is_awaitable,
            operation_extensions=operation_extensions,
        )
        if isinstance(executor, list):  # the variables do not fit
            return ExecutionResult(data=None, errors=executor)
        result: Any = executor.execute_operation()
        if _is_awaitable(result):
            result = await result
        return ExecutionResult(data=result.data, errors=result.errors)

    async def follow(
        self,
        query: str,
        variables: dict[str, Any] | None,
        context: Any,
        operation_name: str | None,
        operation_extensions: dict[str, Any] | None,
    ) -> Subscription | list[GraphQLError] | None:
        """A subscription to a feed, or why there is none; None for what is not behind a feed, and
        for what is no valid document: `stream` has the answer.
        """
        try:
            document = self._gate.prepared(query, self._schema)
        except GraphQLSyntaxError:
            return None
        if document.errors or FOLLOWED not in document.about(operation_name, self._schema):
            return None
        errors = await self._gate.admit(document, operation_name, variables, self._schema, context)
        if errors:
            return errors
        executor = Executor.build(
            self._schema,
            document.document,
            None,
            context,
            variables,
            operation_name,
            operation_extensions=operation_extensions,
        )
        if isinstance(executor, list):  # the variables do not fit
            return executor
        source: Any = create_source_event_stream(executor)
        if _is_awaitable(source):
            source = await source
        if isinstance(source, Feed):
            return Subscription(cast(Executor, executor), source, context)
        return list(source.errors or ())

    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Leave logging to `api.transport.report`."""
