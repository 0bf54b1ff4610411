"""Functions, compiled once per selection, that read plain data as GraphQL shows it.

The source of a projection is written from the schema and the selection: one function for each
object type, one expression for each field. Anything out of the ordinary (an error, a null where
none may be, an unknown value) makes it raise `GiveUp`, and the stock executor answers instead.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import is_dataclass
from functools import cache
from types import CoroutineType
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec
from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLScalarType,
    TypeNameMetaFieldDef,
    specified_scalar_types,
)
from graphql.execution.collect_fields import FieldDetailsList, collect_fields
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.base import StrawberryObjectDefinition

from api.context import Anyone

if TYPE_CHECKING:
    from api.execution import Executor

READS: Mapping[Any, Any] = {"reads": True}
"""Metadata of a field whose resolver only reads, at once: it may be asked twice, without anything
in `info` but the context.
"""

KEPT = "kept"
MOST_KEPT = 64
"""Most answers in one place: so many documents and languages at a time."""


def kept_by(place: str) -> Mapping[Any, Any]:
    """Metadata of such a field if it tells the same to all who read in one language.

    `place` is the attribute of its object that holds a dict for what the field was completed to, as
    JSON: of whatever stays the same as long as the field does.
    """
    return {**READS, KEPT: place}


Project = Callable[[Any, Any], Any]
"""From an object and the context to the object's completed fields. Raises GiveUp."""

_SAME = {"String": "str", "Boolean": "bool"}
_MANY = {"Int": "ints", "String": "strs", "Boolean": "bools"}


class GiveUp(Exception):
    """The projection cannot vouch for this value; the stock executor shall complete it."""


class NotPlain(Exception):
    """The selection holds something that only the stock executor can resolve."""


class Asking:
    """What a resolver that only reads is given as its info."""

    __slots__ = ("context",)

    def __init__(self, context: Any) -> None:
        self.context = context


def of_object(executor: "Executor", type_: GraphQLObjectType, details: FieldDetailsList) -> Project:
    """The projection of the objects of one type. Raises NotPlain."""
    writer = _Writer(executor)
    return writer.compiled(writer.object_(type_, details))


def of_event(executor: "Executor") -> Project:
    """The projection of a subscription's events, to the whole of `data`. Raises NotPlain."""
    type_ = executor.schema.subscription_type
    assert type_ is not None
    fields = collect_fields(
        executor.schema,
        executor.fragments,
        executor.variable_values,
        type_,
        executor.operation,
        executor.hide_suggestions,
    ).grouped_field_set
    writer, parts = _Writer(executor), []
    for name, details in fields.items():
        field = executor.schema.get_field(type_, details[0].node.name.value)
        if field is None or field is TypeNameMetaFieldDef:
            raise NotPlain
        # A subscription's field resolves to the event itself.
        parts.append(f"{name!r}: {writer.value('v', field.type, details)}")
    return writer.compiled(writer.function(f"return {{{', '.join(parts)}}}"))


class _Writer:
    """Writes the source of one projection, and keeps the objects that its names stand for."""

    def __init__(self, executor: "Executor") -> None:
        self._executor = executor
        self._source: list[str] = []
        self._names: dict[str, Any] = {
            "no": _give_up,
            "drop": _drop,
            "Coroutine": CoroutineType,
            "each": _each,
            "kept": _kept,
            "strs": _same(str),
            "bools": _same(bool),
            "ints": _ints,
        }
        self._used = 0
        self._asked = 0

    def compiled(self, function: str) -> Project:
        """The finished projection."""
        exec(compile("\n".join(self._source), "<projection>", "exec"), self._names)  # noqa: S102 - written here, from names that GraphQL and Python allow
        project = self._names[function]

        def projected(value: Any, context: Any) -> Any:
            try:
                return project(value, Asking(context))
            except Exception:
                raise GiveUp from None

        return projected

    def function(self, *lines: str) -> str:
        """The name of a function of a value `v` and of `info`."""
        name = self._new("f")
        self._source.append("\n    ".join((f"def {name}(v, info):", *lines)))
        return name

    def object_(self, type_: GraphQLObjectType, details: FieldDetailsList) -> str:
        """The name of the function of an object type."""
        collected = self._executor.collect_subfields(type_, details)
        if collected.new_defer_usages:
            raise NotPlain
        parts = []
        for name, field_details in collected.grouped_field_set.items():
            field = self._executor.schema.get_field(type_, field_details[0].node.name.value)
            if field is TypeNameMetaFieldDef:
                parts.append(f"{name!r}: {type_.name!r}")
            elif field is None:
                raise NotPlain
            else:
                parts.append(f"{name!r}: {self._field(field, field_details)}")
        check = "if v is None or isinstance(v, Exception): no()"
        if type_.is_type_of is not None:
            is_type_of = self._keep("t", type_.is_type_of)
            check = f"if v is None or {is_type_of}(v, None) is not True: no()"
        return self.function(check, f"return {{{', '.join(parts)}}}")

    def _field(self, field: GraphQLField, details: FieldDetailsList) -> str:
        """The expression that resolves a field of `v` and completes it."""
        value = self.value(self._read(field), field.type, details)
        definition = field.extensions[GraphQLCoreConverter.DEFINITION_BACKREF]
        place = definition.metadata.get(KEPT)
        if place is None:
            return value
        return f"kept(v.{place}, {self.function(f'return {value}')}, v, info)"

    def value(self, read: str, type_: Any, details: FieldDetailsList) -> str:
        """The expression that completes what the expression `read` gives."""
        x = self._new("x")
        if isinstance(type_, GraphQLNonNull):
            return self._present(f"({x} := {read})", x, type_.of_type, details)
        present = self._present(x, x, type_, details)
        return f"None if ({x} := {read}) is None else {present}"

    def _present(self, first: str, x: str, type_: Any, details: FieldDetailsList) -> str:
        """The same of a value that may not be null: `first` binds it to the name `x`."""
        if isinstance(type_, GraphQLList):
            return self._list(first, type_.of_type, details)
        if isinstance(type_, GraphQLEnumType):
            return self._enum(first, x, type_)
        if isinstance(type_, GraphQLScalarType):
            return self._scalar(first, x, type_)
        if isinstance(type_, GraphQLObjectType):
            return f"{self.object_(type_, details)}({first}, info)"
        if isinstance(type_, GraphQLInterfaceType):
            return f"{self._interface(type_, details)}.get({first}.__class__, no)({x}, info)"
        raise NotPlain

    def _list(self, first: str, type_: Any, details: FieldDetailsList) -> str:
        inner = type_.of_type if isinstance(type_, GraphQLNonNull) else None
        for name, many in _MANY.items():
            if inner is specified_scalar_types[name]:
                return f"{many}({first})"
        asked = self._asked
        item = self.function(f"return {self.value('v', type_, details)}")
        if asked == self._asked:  # whoever asks
            return f"{self._keep('l', _Same(self._names, item).each)}({first}, info)"
        return f"each({item}, {first}, info)"

    def _enum(self, first: str, x: str, type_: GraphQLEnumType) -> str:
        members = getattr(type_, "wrapped_cls", None)
        if members is None:
            raise NotPlain
        shown = {members(each.value).name: name for name, each in type_.values.items()}
        names, cls = self._keep("n", shown), self._keep("e", members)
        # A member's own hash is a call; that of its name is at hand.
        return f"({names}[{x}._name_] if {first}.__class__ is {cls} else no())"

    def _scalar(self, first: str, x: str, type_: GraphQLScalarType) -> str:
        if type_ is specified_scalar_types["Int"]:
            bounds = f"-2147483648 <= {x} <= 2147483647"
            return f"({x} if {first}.__class__ is int and {bounds} else no())"
        expected = _SAME.get(type_.name)
        if expected is not None and type_ is specified_scalar_types[type_.name]:
            return f"({x} if {first}.__class__ is {expected} else no())"
        return f"{self._keep('s', _coerced(type_))}({first})"

    def _interface(self, type_: GraphQLInterfaceType, details: FieldDetailsList) -> str:
        """Values whose class is itself a plain type; all others are left to the executor."""
        by_class: dict[type, str] = {}
        for possible in self._executor.schema.get_possible_types(type_):
            definition = possible.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
            if not isinstance(definition, StrawberryObjectDefinition):
                raise NotPlain
            with suppress(NotPlain):  # one type may have what the others have not
                by_class[definition.origin] = self.object_(possible, details)
        if not by_class:
            raise NotPlain
        table = self._new("d")
        entries = (f"{self._keep('c', cls)}: {name}" for cls, name in by_class.items())
        self._source.append(f"{table} = {{{', '.join(entries)}}}")
        return table

    def _read(self, field: GraphQLField) -> str:
        """The expression that resolves a field of `v`."""
        definition = field.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
        if field.args or definition is None:  # introspection has none
            raise NotPlain
        if getattr(field.resolve, "_is_default", False):
            return f"v.{definition.python_name}"
        self._asked += 1
        resolver = definition.base_resolver
        if resolver is None or resolver.is_async or "reads" not in definition.metadata:
            raise NotPlain
        info = f", {resolver.info_parameter.name}=info" if resolver.info_parameter else ""
        call = f"{self._keep('r', resolver.wrapped_func)}(v{info})"
        y = self._new("y")
        # What is not at hand is asked for, but not here.
        return f"({y} if ({y} := {call}).__class__ is not Coroutine else drop({y}))"

    def _keep(self, kind: str, value: Any) -> str:
        name = self._new(kind)
        self._names[name] = value
        return name

    def _new(self, kind: str) -> str:
        self._used += 1
        return f"{kind}{self._used}"


def _give_up(*_: Any) -> NoReturn:
    raise GiveUp


def _drop(coroutine: Any) -> NoReturn:
    coroutine.close()
    raise GiveUp


def _kept(answers: dict[Any, Any], complete: Project, value: Any, info: Asking) -> Any:
    """What `complete` gives, from `answers` or made for them; JSON already."""
    locale = info.context.locale
    answer = answers.get((complete, locale))
    if answer is None:
        anyone = Anyone(info.context.services, locale)
        answer = msgspec.Raw(msgspec.json.encode(complete(value, Asking(anyone))))
        if anyone.personal:
            return complete(value, info)
        if len(answers) >= MOST_KEPT:
            answers.clear()
        answers[complete, locale] = answer
    return answer


class _Same:
    """Completes lists, the list it had last without looking again: those at a table are often
    told of the same objects, one after the other. Only frozen ones are sure to be as they were.
    """

    __slots__ = ("_item", "_last", "_names")

    def __init__(self, names: dict[str, Any], item: str) -> None:
        self._names = names
        self._item = item
        self._last: tuple[Any, list[Any]] = (None, [])

    def each(self, values: Any, info: Any) -> list[Any]:
        """The completed items of a list."""
        known, completed = self._last
        if values is not known or known is None:
            completed = _each(self._names[self._item], values, info)
            if values.__class__ is tuple and all(map(_is_frozen, map(type, values))):
                self._last = (values, completed)
        return completed


@cache
def _is_frozen(cls: type) -> bool:
    """Whether values of a class never change, nor what is in them, by the rules of the engines."""
    return is_dataclass(cls) and cls.__dataclass_params__.frozen  # type: ignore[attr-defined]


def _each(complete: Callable[[Any, Any], Any], values: Any, info: Any) -> list[Any]:
    if values.__class__ is not tuple and values.__class__ is not list:
        raise GiveUp
    return [complete(value, info) for value in values]


def _same(expected: type) -> Callable[[Any], list[Any]]:
    def same(values: Any) -> list[Any]:
        if values.__class__ is not tuple and values.__class__ is not list:
            raise GiveUp
        for value in values:
            if value.__class__ is not expected:
                raise GiveUp
        return list(values)

    return same


def _ints(values: Any) -> list[Any]:
    if values.__class__ is not tuple and values.__class__ is not list:
        raise GiveUp
    for value in values:
        if value.__class__ is not int or not -2147483648 <= value <= 2147483647:
            raise GiveUp
    return list(values)


def _coerced(type_: GraphQLScalarType) -> Callable[[Any], Any]:
    coerce = type_.coerce_output_value

    def coerced(value: Any) -> Any:
        completed = coerce(value)
        if completed is None or value is None or isinstance(value, Exception):
            raise GiveUp
        return completed

    return coerced
