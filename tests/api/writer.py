"""Documents written at random, in every way a selection can be spelled."""

from collections.abc import Collection
from random import Random
from typing import Any

from graphql import (
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLSchema,
    get_named_type,
    is_leaf_type,
)

LOADED = {("Player", "statistics")}
"""Fields without arguments that are read from a database."""


class Writer:
    """Writes documents that are valid for the schema, in every way a selection can be spelled."""

    def __init__(
        self, rnd: Random, schema: GraphQLSchema, possible: Collection[str] | None = None
    ) -> None:
        """Of an interface's types only those `possible` are asked for, if given."""
        self.rnd = rnd
        self.fragments: list[str] = []
        self.graphql = schema
        self._possible = possible

    def selection(self, type_: Any, depth: int) -> str:
        assert isinstance(type_, GraphQLInterfaceType | GraphQLObjectType)
        names = [
            name
            for name, field in type_.fields.items()
            if not field.args and (type_.name, name) not in LOADED and self.rnd.random() < 0.5
        ]
        parts = [self.field(type_, name, depth) for name in names]
        if self.rnd.random() < 0.4 or not parts:
            parts.append(self.rnd.choice(["__typename", "typeName: __typename"]))
        if isinstance(type_, GraphQLInterfaceType) and depth > 0:
            types = self.graphql.get_possible_types(type_)
            if self._possible is not None:
                types = [each for each in types if each.name in self._possible]
            possible = self.rnd.choice(types)
            inner = self.selection(possible, depth - 1)
            parts.append(f"... on {possible.name} {self.directive()} {{ {inner} }}")
        elif self.rnd.random() < 0.3 and parts:
            name = f"F{len(self.fragments)}"
            self.fragments.append("")
            self.fragments[int(name[1:])] = (
                f"fragment {name} on {type_.name} {{ {' '.join(parts)} }}"
            )
            parts = [f"...{name} {self.directive()}", "__typename"]
        self.rnd.shuffle(parts)
        return " ".join(parts)

    def field(self, type_: Any, name: str, depth: int) -> str:
        inner = get_named_type(type_.fields[name].type)
        alias = f"{name}_{depth}: " if self.rnd.random() < 0.2 else ""
        if is_leaf_type(inner):
            return f"{alias}{name} {self.directive()}"
        if depth == 0:
            return "__typename"
        # Aliased by depth, so that two selections of one field always merge.
        return f"{alias}{name} {self.directive()} {{ {self.selection(inner, depth - 1)} }}"

    def directive(self) -> str:
        return self.rnd.choice(
            ["", "", "", "@include(if: $yes)", "@skip(if: $yes)", "@skip(if: $no)"]
        )
