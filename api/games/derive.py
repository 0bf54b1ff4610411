"""GraphQL types derived from an engine's dataclasses, so that each fact is written once.

A field `amount: Annotated[int, "Money in 만."]` of the event `TollPaid` becomes the described field
`amount: Int!` of `MarbleTollPaid`. Tuples become lists, `Text` becomes a string in the reader's
language, `Described` enums keep their descriptions.
"""

import dataclasses
import inspect
import types
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import strawberry
from strawberry.types.base import get_object_definition
from strawberry.types.enum import EnumValue, StrawberryEnumDefinition
from strawberry.utils.str_converters import to_camel_case

from api.context import Info
from api.projection import READS
from engines.protocol import AtMost
from engines.texts import Text

PLAIN = (int, bool, str)
Present = Callable[..., Any]
Made = Callable[[Mapping[str, Any], Any], Any]


class Derivation:
    """The GraphQL types of one game; each engine class is derived once.

    `bases` gives the GraphQL interfaces that certain engine classes implement.
    """

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.bases: dict[type, type] = {}
        self._outputs: dict[type, type] = {}
        self._inputs: dict[type, type] = {}
        self._inside: dict[type, Present] = {}

    def output(self, cls: type) -> type:
        """The object type of an engine dataclass. Engine instances resolve as they are."""
        if cls not in self._outputs:
            base = self.bases.get(cls)
            namespace: dict[str, Any] = {}
            if base:
                namespace["is_type_of"] = classmethod(lambda _, obj, __: isinstance(obj, cls))
            self._outputs[cls] = self._build(cls, (base,) if base else (), namespace)
        return self._outputs[cls]

    def presented(self, cls: type, base: type, name: str | None = None) -> tuple[type, Present]:
        """The object type of an engine dataclass that also implements the interface `base`, and
        its presenter: `present(instance, facts, **fields_of_base)`.
        """
        derived = self._build(cls, (base,), {}, name)
        texts = tuple(f.name for f, hint, _ in _described(cls) if _mentions_text(hint))
        names = tuple(f.name for f in dataclasses.fields(cls) if f.name not in texts)
        inner = [
            (f.name, self._inside[_bare(hint)])
            for f, hint, _ in _described(cls)
            if _bare(hint) in self._inside
        ]

        def present(instance: Any, match: Any, /, **extra: Any) -> Any:
            for field in names:
                extra[field] = getattr(instance, field)
            for field, convert in inner:
                if extra[field] is not None:
                    extra[field] = convert(extra[field], match, facts=match)
            shown = derived(**extra)
            for field in texts:  # a resolver says them, so they are no part of the constructor
                setattr(shown, field, getattr(instance, field))
            return shown

        return derived, present

    def present_inside(self, cls: type, derived: type, present: Present) -> None:
        """Where `cls` is a field of what is presented later, present it as `derived` too."""
        self._outputs[cls] = derived
        self._inside[cls] = present

    def input(self, cls: type) -> type:
        """The input type of an engine dataclass that lies inside an action."""
        if cls not in self._inputs:
            self._inputs[cls] = self._build_input(cls, f"{self._name(cls.__name__)}Input", ())
        return self._inputs[cls]

    def action_input(self, cls: type, base: type, made: Made) -> type:
        """The input of the mutation for an action. Its resolver is given what `made` makes of the
        fields of `base`, by their names in GraphQL, and of the action.
        """
        derived = self._build_input(cls, f"{self.prefix}{cls.__name__}Input", (base,))
        read = self._reader(cls)
        # Strawberry would convert everything to the derived classes first, member by member.
        definition = get_object_definition(derived, strict=True)
        definition.from_input = lambda _, given, __: made(given, read(given))
        return derived

    def enum(self, cls: type[Enum]) -> type[Enum]:
        """An engine enum, made known to GraphQL under the game's name."""
        if "__strawberry_definition__" not in cls.__dict__:
            name = self._name(cls.__name__)
            values = [
                EnumValue(m.name, m.value, description=getattr(m, "description", None)) for m in cls
            ]
            setattr(  # noqa: B010 - the engine's enum does not know of GraphQL
                cls,
                "__strawberry_definition__",
                StrawberryEnumDefinition(cls, name, values, inspect.getdoc(cls)),
            )
        return cls

    def _name(self, name: str) -> str:
        return name if name.startswith(self.prefix) else self.prefix + name

    def _build(
        self, cls: type, bases: tuple[type, ...], namespace: dict[str, Any], name: str | None = None
    ) -> type:
        annotations: dict[str, Any] = {}
        sizes = _sizes(cls)
        for field, hint, doc in _described(cls):
            if _mentions_text(hint):
                namespace[field.name] = _localised(field.name, hint, doc)
            else:
                annotations[field.name] = self._graphql(hint, self.output)
                namespace[field.name] = strawberry.field(
                    description=doc, name=_public_name(field.name), metadata=sizes.get(field.name)
                )
        namespace["__annotations__"] = annotations
        namespace["__module__"] = __name__
        public = self._name(name or cls.__name__)
        built = type(public, bases, namespace)
        return strawberry.type(built, name=public, description=describe(cls))

    def _build_input(self, cls: type, name: str, bases: tuple[type, ...]) -> type:
        namespace: dict[str, Any] = {"__module__": __name__}
        annotations: dict[str, Any] = {}
        for field, hint, doc in _described(cls):
            annotations[field.name] = self._graphql(hint, self.input)
            default: Any = field.default
            if default is dataclasses.MISSING and _optional(hint):
                default = None
            namespace[field.name] = strawberry.field(
                description=doc, name=_public_name(field.name), default=default
            )
        namespace["__annotations__"] = annotations
        return strawberry.input(
            type(name, bases, namespace), name=name, description=f"Input. {describe(cls)}"
        )

    def _graphql(self, hint: Any, nested: Callable[[type], type]) -> Any:
        origin = get_origin(hint)
        if origin is Annotated:
            return self._graphql(get_args(hint)[0], nested)
        if origin in (Union, types.UnionType):
            return self._graphql(_bare(hint), nested) | None
        if origin is tuple:
            inner, dots = get_args(hint)
            assert dots is Ellipsis, hint
            return list[self._graphql(inner, nested)]  # type: ignore[misc]
        if hint in PLAIN:
            return hint
        if isinstance(hint, type) and issubclass(hint, Enum):
            return self.enum(hint)
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            return nested(hint)
        raise TypeError(f"{hint!r} has no GraphQL counterpart")

    def _reader(self, cls: type) -> Callable[[Mapping[str, Any]], Any]:
        """The function from an input, as graphql-core has coerced it, to the engine's object."""
        fields = [
            (f.name, _public_name(f.name) or to_camel_case(f.name), _read(hint, self._reader))
            for f, hint, _ in _described(cls)
        ]

        absent = {
            f.name: None
            for f, hint, _ in _described(cls)
            if f.default is dataclasses.MISSING and _optional(hint)
        }

        def read(given: Mapping[str, Any]) -> Any:
            found = {name: convert(given[key]) for name, key, convert in fields if key in given}
            return cls(**(absent | found))

        return read


def describe(cls: type) -> str:
    """The description of an engine class: the first paragraph of its docstring."""
    doc = inspect.getdoc(cls) or ""
    return " ".join(doc.split("\n\n")[0].split())


def localise(text: Text, info: Info) -> str:
    """A text in the reader's language."""
    return info.context.say(text)


@cache
def _described(cls: type) -> tuple[tuple[dataclasses.Field[Any], Any, str], ...]:
    hints = get_type_hints(cls, include_extras=True)
    out = []
    for field in dataclasses.fields(cls):
        hint = hints[field.name]
        if get_origin(hint) is not Annotated:
            raise TypeError(f"{cls.__name__}.{field.name} has no description")
        out.append((field, get_args(hint)[0], str(hint.__metadata__[0])))
    return tuple(out)


def _sizes(cls: type) -> dict[str, dict[str, int]]:
    """The `list_size` of each field that tells how many items it holds at most."""
    return {
        name: {"list_size": mark.items}
        for name, hint in get_type_hints(cls, include_extras=True).items()
        for mark in getattr(hint, "__metadata__", ())
        if isinstance(mark, AtMost)
    }


def _public_name(name: str) -> str | None:
    return name.rstrip("_") if name.endswith("_") else None


def _optional(hint: Any) -> bool:
    return get_origin(hint) in (Union, types.UnionType) and type(None) in get_args(hint)


def _bare(hint: Any) -> Any:
    """`X` for `X | None`."""
    if _optional(hint):
        (hint,) = (a for a in get_args(hint) if a is not type(None))
    return hint


def _mentions_text(hint: Any) -> bool:
    return hint is Text or any(_mentions_text(a) for a in get_args(hint))


def _localised(name: str, hint: Any, doc: str) -> Any:
    read = attrgetter(name)
    if get_origin(hint) is tuple:

        def many(root: Any, info: Info) -> list[str]:
            return [localise(text, info) for text in read(root)]

        return strawberry.field(resolver=many, description=doc, metadata=READS)
    if _optional(hint):

        def maybe(root: Any, info: Info) -> str | None:
            text = read(root)
            return None if text is None else localise(text, info)

        return strawberry.field(resolver=maybe, description=doc, metadata=READS)

    def one(root: Any, info: Info) -> str:
        return localise(read(root), info)

    return strawberry.field(resolver=one, description=doc, metadata=READS)


def _read(hint: Any, reader: Callable[[type], Callable[[Any], Any]]) -> Callable[[Any], Any]:
    origin = get_origin(hint)
    if origin is Annotated:
        return _read(get_args(hint)[0], reader)
    if origin in (Union, types.UnionType):
        convert = _read(_bare(hint), reader)
        return lambda value: None if value is None else convert(value)
    if origin is tuple:
        convert = _read(get_args(hint)[0], reader)
        return lambda value: tuple(convert(item) for item in value)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return reader(hint)
    return lambda value: value
