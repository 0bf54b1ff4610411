"""Execution that reads plain data by compiled projections and leaves all else to graphql-core.

A view has hundreds of leaves that are attributes of frozen objects; the stock executor spends a
dozen calls on each. For an object whose selected fields are all plain, down to the leaves, a
projection is compiled once per selection and reads them directly. Where it gives up, the stock
executor answers for that object instead: its errors and null rules hold to the letter.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from graphql import (
    DirectiveNode,
    ExecutionResult,
    FieldNode,
    GraphQLObjectType,
    OperationDefinitionNode,
    VariableNode,
    Visitor,
    visit,
)
from graphql.execution.collect_fields import FieldDetailsList
from graphql.pyutils import is_awaitable
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from api.context import Anyone
from api.projection import GiveUp, NotPlain, Project, of_event, of_object
from api.sharing import Answers

KEPT_PROJECTIONS = 4096
KEPT_OPERATIONS = 256


class Executor(StrawberryGraphQLCoreExecutionContext):
    """graphql-core's executor, with projections for plain data."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.middleware_manager and not self.middleware_manager.middlewares:
            self.middleware_manager = None  # Strawberry always gives one, mostly without middleware
        traits = _traits_of(self.operation, self.fragments)
        self.fixed = traits.fixed and traits.conditions is not None
        self.conditions = None
        if traits.conditions is not None:
            given = self.variable_values.coerced
            self.conditions = tuple(given.get(name) for name in traits.conditions)

    def build_per_event_executor(self, payload: Any) -> Any:
        """The executor of one event; a shared one where the event is `alike` for many."""
        alike = getattr(payload, "alike", None)
        if alike is None or not self.fixed:
            return super().build_per_event_executor(payload)
        return Sharing(self, payload, alike)

    def execute_operation(self, serially: bool | None = None) -> Any:
        """The answer; once begun it is made to its end, whether or not anybody still waits for it.

        graphql-core drops what a cancelled execution has not begun: coroutines never awaited.
        """
        result = super().execute_operation(serially)
        return asyncio.shield(asyncio.ensure_future(result)) if is_awaitable(result) else result

    def own_executor(self, payload: Any) -> "Executor":
        """The executor of one event for one subscriber."""
        return cast(Executor, super().build_per_event_executor(payload))

    def collect_and_execute_subfields(
        self,
        return_type: GraphQLObjectType,
        field_details_list: FieldDetailsList,
        path: Any,
        result: Any,
        position_context: Any,
    ) -> Any:
        """The object's fields: by projection if all are plain, else as graphql-core does it."""
        if not self.middleware_manager and self.conditions is not None:
            project = projections.of(self, return_type, field_details_list)
            if project is not None:
                try:
                    return project(result, self.context_value)
                except GiveUp:
                    pass
        return super().collect_and_execute_subfields(
            return_type, field_details_list, path, result, position_context
        )


class Sharing:
    """Executes an event that is alike for many once, and for each alone only where it must."""

    def __init__(self, executor: Executor, payload: Any, alike: Any) -> None:
        self._executor = executor
        self._payload = payload
        locale = executor.context_value.locale
        self._key = (id(executor.operation), executor.conditions, locale, alike)

    async def execute_operation(self, serially: bool | None = None) -> ExecutionResult:
        """The event's answer, its data encoded already if it is shared."""
        data = await _answers.get(self._key, self._executor.operation, self._for_anyone)
        if data is not None:
            return ExecutionResult(data, None)  # type: ignore[arg-type]
        return await _result(self._executor.own_executor(self._payload))

    async def _for_anyone(self) -> ExecutionResult | None:
        executor, context = self._executor.own_executor(self._payload), self._executor.context_value
        executor.context_value = anyone = Anyone(context.services, context.locale)
        result = await _result(executor)
        return None if anyone.personal else result


async def _result(executor: Executor) -> ExecutionResult:
    result: Any = executor.execute_operation(False)
    if is_awaitable(result):
        result = await result
    return result  # type: ignore[no-any-return]


_answers = Answers()


class Projections:
    """Compiled projections by what they are of; None for what is not plain.

    Compiled at their second use: it takes as long as a few executions.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[Any, list[Any]] = OrderedDict()

    def of(
        self, executor: Executor, type_: GraphQLObjectType, details: FieldDetailsList
    ) -> Project | None:
        """The projection of an object type for a selection, if there is one yet."""
        nodes = [each.node for each in details]
        # Nodes are told apart by identity; the entry keeps them, so no id is used again.
        key = (executor.conditions, type_, *map(id, nodes))
        return self._at(key, nodes, lambda: of_object(executor, type_, details))

    def of_events(self, executor: Executor) -> Project | None:
        """The projection of a subscription's events, if there is one yet."""
        key = (executor.conditions, id(executor.operation))
        return self._at(key, executor.operation, lambda: of_event(executor))

    def _at(self, key: Any, nodes: object, compile_: Callable[[], Project]) -> Project | None:
        kept = self._kept.get(key)
        if kept is None:
            self._kept[key] = [nodes, _NOT_YET]
            if len(self._kept) > KEPT_PROJECTIONS:
                self._kept.popitem(last=False)
            return None
        if kept[1] is _NOT_YET:
            try:
                kept[1] = compile_()
            except NotPlain:
                kept[1] = None
        return cast(Project | None, kept[1])


_NOT_YET = object()
projections = Projections()


@dataclass(frozen=True, slots=True)
class _Traits:
    """What of an operation depends on variables. It keeps the operation, told by its identity.

    `conditions` are those in directives, None if there are other directives than to skip and
    include; `fixed` says that all others matter to the root field's own arguments at most.
    """

    operation: OperationDefinitionNode
    conditions: tuple[str, ...] | None
    fixed: bool


_traits: OrderedDict[int, _Traits] = OrderedDict()


def _traits_of(operation: OperationDefinitionNode, fragments: Any) -> _Traits:
    kept = _traits.get(id(operation))
    if kept is None:
        finder = _Finder()
        finder.look_at(operation, fragments)
        conditions = None if finder.others else tuple(sorted(finder.conditions))
        kept = _traits[id(operation)] = _Traits(operation, conditions, not finder.variables)
        if len(_traits) > KEPT_OPERATIONS:
            _traits.popitem(last=False)
    return kept


class _Finder(Visitor):
    """Finds variables in directives, and below the root fields."""

    def __init__(self) -> None:
        super().__init__()
        self.conditions: set[str] = set()
        self.others = False
        self.variables = False

    def look_at(self, operation: OperationDefinitionNode, fragments: Any) -> None:
        """Look at an operation and all its fragments."""
        for node in (operation, *(fragment.definition for fragment in fragments.values())):
            visit(node, self)

    def enter_directive(self, node: DirectiveNode, *_: Any) -> None:
        self.others = self.others or node.name.value not in ("skip", "include")

    def enter_variable(self, node: VariableNode, _k: Any, _p: Any, _path: Any, above: Any) -> None:
        if any(isinstance(each, DirectiveNode) for each in above):
            self.conditions.add(node.name.value)
            return
        fields = sum(isinstance(each, FieldNode) for each in above)
        is_definition = any(type(each).__name__ == "VariableDefinitionNode" for each in above)
        in_fragment = any(type(each).__name__ == "FragmentDefinitionNode" for each in above)
        self.variables = self.variables or in_fragment or (fields > 1 and not is_definition)
