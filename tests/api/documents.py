"""Selections of everything a type has, so that tests see all that a client could ask for."""

from collections.abc import Callable

from graphql import (
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLSchema,
    build_client_schema,
    get_introspection_query,
    get_named_type,
    is_leaf_type,
    is_required_argument,
)

from tests.api.client import Client

Keep = Callable[[str, str], bool]
"""Whether to select a field, by the names of its type and itself."""


async def schema_of(client: Client) -> GraphQLSchema:
    """The schema as the server tells it."""
    return build_client_schema(await client.run(get_introspection_query()))


def selection(
    schema: GraphQLSchema, type_name: str, depth: int = 6, keep: Keep = lambda *_: True
) -> str:
    """Every field of a type that needs no argument, nested ones too; fragments for interfaces."""
    type_ = schema.type_map[type_name]
    if isinstance(type_, GraphQLInterfaceType):
        shared = _fields(schema, type_, depth, keep)
        parts = [
            f"... on {each.name} {{ {_fields(schema, each, depth, keep, set(type_.fields))} }}"
            for each in schema.get_possible_types(type_)
            if set(each.fields) - set(type_.fields)
        ]
        return " ".join(["__typename", shared, *parts])
    assert isinstance(type_, GraphQLObjectType)
    return _fields(schema, type_, depth, keep)


def _fields(
    schema: GraphQLSchema,
    type_: GraphQLObjectType | GraphQLInterfaceType,
    depth: int,
    keep: Keep,
    without: set[str] | None = None,
) -> str:
    out = []
    for name, field in type_.fields.items():
        if name in (without or ()) or not keep(type_.name, name):
            continue
        if any(is_required_argument(argument) for argument in field.args.values()):
            continue
        inner = get_named_type(field.type)
        if is_leaf_type(inner):
            out.append(name)
        elif depth > 0:
            out.append(f"{name} {{ {selection(schema, inner.name, depth - 1, keep)} }}")
    return " ".join(out)
