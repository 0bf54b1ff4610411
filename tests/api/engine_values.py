"""What GraphQL answered, as the engine's own dataclasses: for judging answers by engine rules."""

import dataclasses
import types
from enum import Enum
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from api.refusals import public_name
from engines.texts import Text


def read(cls: Any, given: Any) -> Any:
    """A JSON value as a value of an engine type, by its public field names; texts stay strings."""
    origin = get_origin(cls)
    if origin is Annotated:
        return read(get_args(cls)[0], given)
    if origin in (Union, types.UnionType):
        (inner,) = (a for a in get_args(cls) if a is not type(None))
        return None if given is None else read(inner, given)
    if origin is tuple:
        return tuple(read(get_args(cls)[0], item) for item in given)
    if cls is Text:
        return read(str, given)
    if dataclasses.is_dataclass(cls):
        hints = get_type_hints(cls, include_extras=True)
        return cls(
            **{
                field.name: read(hints[field.name], given[public_name(field.name)])
                for field in dataclasses.fields(cls)
            }
        )
    if isinstance(cls, type) and issubclass(cls, Enum):
        return cls[given]
    assert type(given) is cls, (cls, given)
    return given


def spoken(value: Any, locale: str) -> Any:
    """An engine value with its texts in one language, as `read` gives it."""
    if isinstance(value, Text):
        return getattr(value, locale)
    if isinstance(value, tuple):
        return tuple(spoken(item, locale) for item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = {f.name: spoken(getattr(value, f.name), locale) for f in dataclasses.fields(value)}
        return dataclasses.replace(value, **parts)
    return value
