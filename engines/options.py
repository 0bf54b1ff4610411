"""What a host may choose, as data: labels, choices and defaults, and the one check of all."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from engines.texts import Text

Value = int | bool | str | None
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Choice:
    """One value an option may take, and how a room form names it."""

    value: Value
    label: Text


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game; `key` is its public camelCase name."""

    key: str
    label: Text
    description: Text
    choices: tuple[Choice, ...]
    default: Value

    @property
    def field(self) -> str:
        """The name of the same option in the engine's options object."""
        return re.sub(r"(?<=[a-z0-9])[A-Z]", lambda m: "_" + m.group().lower(), self.key)


class BadOption(ValueError):
    """An unknown option key, or a value that is not literally among the choices."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def read_options(cls: type[T], specs: tuple[Option, ...], given: Mapping[str, object]) -> T:
    """Check `given` against `specs` and build `cls`; missing keys take their default.

    No coercion: `1` is not `true`, `20.0` is not `20`. Raises `BadOption` for the first fault.
    """
    known = {spec.key for spec in specs}
    for key in given:
        if key not in known:
            raise BadOption(key)
    chosen: dict[str, object] = {}
    for spec in specs:
        value = given.get(spec.key, spec.default)
        if not any(type(value) is type(c.value) and value == c.value for c in spec.choices):
            raise BadOption(spec.key)
        chosen[spec.field] = value
    return cls(**chosen)


def write_options(specs: tuple[Option, ...], options: object) -> dict[str, Value]:
    """The inverse of `read_options`: every key with its chosen value, in the order of `specs`."""
    return {spec.key: getattr(options, spec.field) for spec in specs}
