"""Execution that reads plain data by compiled projections and leaves all else to graphql-core.

A view has hundreds of leaves that are attributes of frozen objects; the stock executor spends a
dozen calls on each. For an object whose selected fields are all plain, down to the leaves, a
projection is compiled once per selection and reads them directly. Whatever is out of the ordinary
(an error, a null where none may be, an unknown value) makes the projection give up, and the stock
executor answers for that object instead: its errors and null rules hold to the letter.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from operator import attrgetter
from typing import Any, cast

from graphql import (
    DirectiveNode,
    ExecutionResult,
    FieldNode,
    GraphQLEnumType,
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLScalarType,
    OperationDefinitionNode,
    TypeNameMetaFieldDef,
    VariableNode,
    Visitor,
    specified_scalar_types,
    visit,
)
from graphql.execution.collect_fields import FieldDetailsList
from graphql.pyutils import is_awaitable
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.base import StrawberryObjectDefinition

from api.context import Anyone
from api.sharing import Answers

Complete = Callable[[Any], Any]

KEPT_PROJECTIONS = 4096
KEPT_OPERATIONS = 256


class GiveUp(Exception):
    """The projection cannot vouch for this value; the stock executor shall complete it."""


class NotPlain(Exception):
    """The selection holds something that only the stock executor can resolve."""


class Executor(StrawberryGraphQLCoreExecutionContext):
    """graphql-core's executor, with projections for plain data."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.middleware_manager and not self.middleware_manager.middlewares:
            self.middleware_manager = None  # Strawberry always gives one, mostly without middleware
        shared = _is_static(self.operation, self.fragments)
        self._projections = _shared if shared else _Projections()

    def build_per_event_executor(self, payload: Any) -> Any:
        """The executor of one event; a shared one where the event is `alike` for many."""
        alike = getattr(payload, "alike", None)
        if alike is None or not _is_fixed(self.operation, self.fragments):
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
        if not self.middleware_manager:
            project = self._projections.of(self, return_type, field_details_list)
            if project is not None:
                try:
                    return project(result)
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
        self._key = (id(executor.operation), executor.context_value.locale, alike)

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


class _Projections:
    """Compiled projections by (type, field nodes); None for selections that are not plain."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Any, tuple[Any, Complete | None]] = OrderedDict()

    def of(
        self, executor: Executor, type_: GraphQLObjectType, details: FieldDetailsList
    ) -> Complete | None:
        """The projection of an object type for a selection, compiled at its first use."""
        # Nodes are told apart by identity; the entry keeps them, so no id is used again.
        key = (type_, *[id(each.node) for each in details])
        kept = self._kept.get(key)
        if kept is None:
            try:
                compiled = _object(executor, type_, details)
            except NotPlain:
                compiled = None
            kept = self._kept[key] = ([each.node for each in details], compiled)
            if len(self._kept) > KEPT_PROJECTIONS:
                self._kept.popitem(last=False)
        return kept[1]


_shared = _Projections()
"""Projections of operations whose selections depend on no variable."""

_traits: OrderedDict[int, tuple[OperationDefinitionNode, bool, bool]] = OrderedDict()


def _is_static(operation: OperationDefinitionNode, fragments: Any) -> bool:
    """Whether the operation selects the same fields whatever its variables are."""
    return _traits_of(operation, fragments)[1]


def _is_fixed(operation: OperationDefinitionNode, fragments: Any) -> bool:
    """Whether variables matter to the root field's own arguments at most."""
    return _traits_of(operation, fragments)[2]


def _traits_of(
    operation: OperationDefinitionNode, fragments: Any
) -> tuple[OperationDefinitionNode, bool, bool]:
    # By identity, as with the projections: the entry keeps the operation.
    kept = _traits.get(id(operation))
    if kept is None:
        finder = _Finder()
        finder.look_at(operation, fragments)
        fixed = not finder.directives and not finder.variables
        kept = _traits[id(operation)] = (operation, not finder.directives, fixed)
        if len(_traits) > KEPT_OPERATIONS:
            _traits.popitem(last=False)
    return kept


class _Finder(Visitor):
    """Finds directives anywhere, and variables below the root fields."""

    def __init__(self) -> None:
        super().__init__()
        self.directives = False
        self.variables = False

    def look_at(self, operation: OperationDefinitionNode, fragments: Any) -> None:
        """Look at an operation and all its fragments."""
        for node in (operation, *(fragment.definition for fragment in fragments.values())):
            visit(node, self)

    def enter_directive(self, node: DirectiveNode, *_: Any) -> None:
        self.directives = True

    def enter_variable(self, node: VariableNode, _k: Any, _p: Any, _path: Any, above: Any) -> None:
        fields = sum(isinstance(each, FieldNode) for each in above)
        is_definition = any(type(each).__name__ == "VariableDefinitionNode" for each in above)
        in_fragment = any(type(each).__name__ == "FragmentDefinitionNode" for each in above)
        self.variables = self.variables or in_fragment or (fields > 1 and not is_definition)


def _object(executor: Executor, type_: GraphQLObjectType, details: FieldDetailsList) -> Complete:
    """A function from an object of this type to its completed fields. Raises NotPlain."""
    collected = executor.collect_subfields(type_, details)
    if collected.new_defer_usages:
        raise NotPlain
    readers: list[tuple[str, Callable[[Any], Any], Complete]] = []
    for name, field_details in collected.grouped_field_set.items():
        field = executor.schema.get_field(type_, field_details[0].node.name.value)
        if field is TypeNameMetaFieldDef:
            readers.append((name, _itself, _constant(type_.name)))
        elif field is None or not _is_plain(field):
            raise NotPlain
        else:
            python_name = field.extensions[GraphQLCoreConverter.DEFINITION_BACKREF].python_name
            complete = _value(executor, field.type, field_details)
            readers.append((name, attrgetter(python_name), complete))

    def project(value: Any) -> dict[str, Any]:
        try:
            return {name: complete(read(value)) for name, read, complete in readers}
        except AttributeError:
            raise GiveUp from None

    return project


def _itself(value: Any) -> Any:
    return value


def _constant(text: str) -> Complete:
    return lambda _: text


def _is_plain(field: GraphQLField) -> bool:
    """Whether a field is an attribute and nothing more."""
    return not field.args and getattr(field.resolve, "_is_default", False)


def _value(executor: Executor, type_: Any, details: FieldDetailsList) -> Complete:
    """A function that completes a value of this type. Raises NotPlain."""
    if isinstance(type_, GraphQLNonNull):
        return _value_of(executor, type_.of_type, details)
    complete = _value_of(executor, type_, details)
    return lambda value: None if value is None else complete(value)


def _value_of(executor: Executor, type_: Any, details: FieldDetailsList) -> Complete:
    """The same for a value that may not be null."""
    if isinstance(type_, GraphQLList):
        return _list(_value(executor, type_.of_type, details))
    if isinstance(type_, GraphQLEnumType):
        return _enum(type_)
    if isinstance(type_, GraphQLScalarType):
        return _scalar(type_)
    if isinstance(type_, GraphQLObjectType):
        return _checked(type_, _object(executor, type_, details))
    if isinstance(type_, GraphQLInterfaceType):
        return _interface(executor, type_, details)
    raise NotPlain


def _list(complete: Complete) -> Complete:
    def complete_list(values: Any) -> list[Any]:
        if type(values) is not tuple and type(values) is not list:
            raise GiveUp
        return [complete(value) for value in values]

    return complete_list


def _enum(type_: GraphQLEnumType) -> Complete:
    members = getattr(type_, "wrapped_cls", None)
    if members is None:
        raise NotPlain
    names: dict[Any, str] = {members(each.value): name for name, each in type_.values.items()}

    def complete_enum(value: Any) -> str:
        if type(value) is not members:
            raise GiveUp
        return names[value]

    return complete_enum


def _scalar(type_: GraphQLScalarType) -> Complete:
    if type_ is specified_scalar_types["Int"]:
        return _int
    expected = {"String": str, "Boolean": bool}.get(type_.name)
    if expected is not None and type_ is specified_scalar_types[type_.name]:

        def same(value: Any) -> Any:
            if type(value) is not expected:
                raise GiveUp
            return value

        return same
    coerce = type_.coerce_output_value

    def coerced(value: Any) -> Any:
        try:
            completed = coerce(value)
        except Exception:
            raise GiveUp from None
        if completed is None or isinstance(value, Exception):
            raise GiveUp
        return completed

    return coerced


def _int(value: Any) -> int:
    if type(value) is not int or not -(2**31) <= value < 2**31:
        raise GiveUp
    return value


def _checked(type_: GraphQLObjectType, project: Complete) -> Complete:
    """The projection of a nested object: never of null, an error, or another type's value."""
    is_type_of: Any = type_.is_type_of

    def complete_object(value: Any) -> Any:
        if value is None or isinstance(value, Exception):
            raise GiveUp
        if is_type_of and is_type_of(value, None) is not True:
            raise GiveUp
        return project(value)

    return complete_object


def _interface(
    executor: Executor, type_: GraphQLInterfaceType, details: FieldDetailsList
) -> Complete:
    """Values whose class is itself a plain type; all others are left to the executor."""
    schema = executor.schema
    by_class: dict[type, Complete] = {}
    for possible in schema.get_possible_types(type_):
        definition = possible.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
        if not isinstance(definition, StrawberryObjectDefinition):
            raise NotPlain
        with suppress(NotPlain):  # the last event of a match has texts; the others are plain
            by_class[definition.origin] = _object(executor, possible, details)
    if not by_class:
        raise NotPlain

    def complete_interface(value: Any) -> Any:
        project = by_class.get(type(value))
        if project is None:
            raise GiveUp
        return project(value)

    return complete_interface
