"""Global ids, and the objects they name, as the Relay specification asks for them."""

from collections.abc import Sequence
from typing import Annotated, Self
from uuid import UUID

import strawberry
from strawberry.types.base import StrawberryObjectDefinition

from api import opaque
from api.context import Info
from api.pages import bad_input

NODES_MAX = 100


def global_id(type_name: str, key: UUID | str) -> strawberry.ID:
    """The opaque id of an object of a type."""
    text = key.hex if isinstance(key, UUID) else key
    return strawberry.ID(opaque.encode(f"{type_name}:{text}".encode()))


def split_id(value: str) -> tuple[str, str] | None:
    """The type and the key in a global id; None for anything that `global_id` never gave."""
    try:
        type_name, mark, key = (opaque.decode(value) or b"").decode().partition(":")
    except UnicodeDecodeError:
        return None
    return (type_name, key) if mark else None


def read_id(type_name: str, value: str) -> UUID | None:
    """The key of an object of this type; None, as for an unknown one, if it is no such id."""
    found = split_id(value)
    return _read_uuid(found[1]) if found and found[0] == type_name else None


@strawberry.interface(description="An object that `node` and `nodes` find again by its id.")
class Node:
    id: strawberry.ID = strawberry.field(
        description="Opaque, unique among the objects of all types, and never reused."
    )

    @classmethod
    async def resolve_nodes(cls, info: Info, keys: Sequence[str]) -> Sequence[Self | None]:
        """The objects with these keys, in their order; None for unknown and forbidden ones."""
        raise NotImplementedError(cls.__name__)

    @classmethod
    def read_keys(cls, keys: Sequence[str]) -> list[UUID | None]:
        """The keys as UUIDs; None for each that is none."""
        return [_read_uuid(key) for key in keys]


async def resolve_nodes(info: Info, ids: Sequence[str]) -> list[Node | None]:
    """The objects with these global ids, in their order, in one call for each type."""
    wanted: dict[type[Node], dict[str, None]] = {}
    places: list[tuple[type[Node], str] | None] = []
    for value in ids:
        type_name, key = split_id(value) or ("", "")
        node_type = _node_type(info, type_name)
        places.append((node_type, key) if node_type else None)
        if node_type:
            wanted.setdefault(node_type, {})[key] = None
    found: dict[tuple[type[Node], str], Node | None] = {}
    for node_type, keys in wanted.items():
        nodes = await node_type.resolve_nodes(info, list(keys))
        found.update(((node_type, key), node) for key, node in zip(keys, nodes, strict=True))
    return [found[place] if place else None for place in places]


@strawberry.type
class NodeQuery:
    @strawberry.field(description="The object with this id; null if unknown, or not yours to see.")
    async def node(
        self,
        info: Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="The id of the object.")],
    ) -> Node | None:
        return (await resolve_nodes(info, [id]))[0]

    @strawberry.field(
        description=f"At most {NODES_MAX} objects by id, in the order asked for; null in place of "
        "each that is unknown or not yours to see."
    )
    async def nodes(
        self,
        info: Info,
        ids: Annotated[
            list[strawberry.ID], strawberry.argument(description="The ids of the objects.")
        ],
    ) -> list[Node | None]:
        if len(ids) > NODES_MAX:
            raise bad_input(
                f"한 번에 {NODES_MAX}개까지 조회할 수 있어요.",
                f"At most {NODES_MAX} ids can be asked for at once.",
            )
        return await resolve_nodes(info, ids)


def _node_type(info: Info, type_name: str) -> type[Node] | None:
    definition = info.schema.get_type_by_name(type_name) if type_name else None
    if not isinstance(definition, StrawberryObjectDefinition):
        return None
    origin = definition.origin
    return origin if issubclass(origin, Node) and origin is not Node else None


def _read_uuid(key: str) -> UUID | None:
    try:
        found = UUID(hex=key)
    except ValueError:
        return None
    return found if found.hex == key else None
