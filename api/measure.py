"""What a GraphQL document asks for, measured in work that grows with its length only.

Every fragment is walked once and its sums are kept: twenty fragments that each spread the next one
twice are forty additions, not a million visits.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graphql import (
    ArgumentNode,
    DirectiveNode,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    ListValueNode,
    NamedTypeNode,
    Node,
    ObjectValueNode,
    OperationDefinitionNode,
    SchemaMetaFieldDef,
    SelectionSetNode,
    TypeMetaFieldDef,
    ValueNode,
    VariableNode,
    get_named_type,
    get_nullable_type,
    is_list_type,
)

LIST_SIZE = 10
PAGE_SIZE = 100
NESTING = 64
_HUGE = 10**9

# What a list of the introspection types holds on average over all types, rounded up: 1 unless it
# is named here. `types` is the schema's own number.
_INTROSPECTION_SIZES = {"fields": 4}


@dataclass(slots=True)
class Tally:
    """Sums over a selection set, spread fragments included.

    `values` counts those in the answer with lists in full, and `per_item` those in each item of
    the page around it, whose size only the field above knows; `by_type` holds the values that only
    one concrete type adds, of which an object has those of its own.
    """

    depth: int = 0
    fields: int = 0
    aliases: int = 0
    directives: int = 0
    values: int = 0
    per_item: int = 0
    introspection: int = 0
    by_type: dict[str, int] = field(default_factory=dict)

    def add(self, part: "Tally", only_type: str | None = None) -> None:
        """Add what a fragment selects; `only_type` when it applies to that concrete type only."""
        self.depth = max(self.depth, part.depth)
        self.fields += part.fields
        self.aliases += part.aliases
        self.directives += part.directives
        self.per_item += part.per_item
        self.introspection += part.introspection
        own = {only_type: part.values} if only_type and part.values else {}
        self.values += 0 if only_type else part.values
        for values in (own, part.by_type):
            for name, number in values.items():
                self.by_type[name] = self.by_type.get(name, 0) + number

    def object_values(self, page: int) -> int:
        """The values of one object, the dearest of the types it may have, with `page` items."""
        return self.values + max(self.by_type.values(), default=0) + page * self.per_item


class Walk:
    """One measurement of a document.

    `visits` counts the selections looked at; `sized` tells that a variable decides the size of a
    list; `too_deep` tells that fields and fragments are nested
    so deeply that the sums leave something out. Unknown names count as leaves.
    """

    def __init__(
        self, document: DocumentNode, schema: GraphQLSchema, variables: Mapping[str, Any]
    ) -> None:
        self.schema = schema
        self.variables = variables
        self.visits = 0
        self.sized = False
        self.too_deep = False
        self._level = 0
        self._tallies: dict[str, Tally] = {}
        self._fragments = {
            node.name.value: node
            for node in document.definitions
            if isinstance(node, FragmentDefinitionNode)
        }

    def operation(self, node: OperationDefinitionNode) -> Tally:
        """What one operation asks for."""
        total = self._selections(node.selection_set, self.schema.get_root_type(node.operation))
        total.values = total.object_values(PAGE_SIZE)
        total.directives += len(node.directives or ())
        total.directives += sum(
            len(item.directives or ()) for item in node.variable_definitions or ()
        )
        return total

    def fragment(self, name: str) -> Tally:
        """What a fragment asks for: nothing when it is unknown or spreads itself."""
        if name not in self._tallies and name in self._fragments:
            self._tallies[name] = Tally()
            node = self._fragments[name]
            tally = self._selections(node.selection_set, self._condition(node.type_condition))
            tally.directives += len(node.directives or ())
            self._tallies[name] = tally
        return self._tallies.get(name, Tally())

    def _selections(self, node: SelectionSetNode, parent: GraphQLNamedType | None) -> Tally:
        total = Tally()
        self._level += 1
        if self._level > NESTING:
            self.too_deep = True
        else:
            for selection in node.selections:
                self.visits += 1
                total.directives += len(_directives(selection))
                if isinstance(selection, FieldNode):
                    self._field(selection, parent, total)
                else:
                    self._spread(selection, parent, total)
        self._level -= 1
        return total

    def _spread(self, node: Any, parent: GraphQLNamedType | None, total: Tally) -> None:
        condition: GraphQLNamedType | None = None
        if isinstance(node, InlineFragmentNode):
            condition = self._condition(node.type_condition) or parent
            part = self._selections(node.selection_set, condition)
        else:
            assert isinstance(node, FragmentSpreadNode)
            part = self.fragment(node.name.value)
            if named := self._fragments.get(node.name.value):
                condition = self._condition(named.type_condition)
        narrows = condition is not parent and isinstance(condition, GraphQLObjectType)
        total.add(part, condition.name if condition and narrows else None)

    def _field(self, node: FieldNode, parent: GraphQLNamedType | None, total: Tally) -> None:
        definition = _definition(node.name.value, parent)
        kind = get_named_type(definition.type) if definition else None
        inner = self._selections(node.selection_set, kind) if node.selection_set else Tally()
        is_meta = definition in (SchemaMetaFieldDef, TypeMetaFieldDef)
        total.depth = max(total.depth, 1 if is_meta else 1 + inner.depth)
        total.fields += 1 + inner.fields
        total.aliases += inner.aliases + (node.alias is not None)
        total.directives += inner.directives
        total.introspection += inner.introspection
        number = self._size(node, definition, parent)
        if _is_connection(kind):
            values = 1 + inner.object_values(number)
        else:
            values = number * (_weight(definition) + inner.object_values(PAGE_SIZE))
        if is_meta:
            total.introspection += values
        elif _is_connection(parent) and definition and _is_list(definition):
            total.per_item += 1 + inner.object_values(PAGE_SIZE)
        else:
            total.values += values

    def _size(
        self, node: FieldNode, definition: GraphQLField | None, parent: GraphQLNamedType | None
    ) -> int:
        """How many items a list or page may hold; 1 for all other fields."""
        if definition is None:
            return 1
        paged = _is_connection(get_named_type(definition.type))
        if not paged and not _is_list(definition):
            return 1
        asked = [
            size
            for argument in node.arguments or ()
            if (size := self._argument_size(argument)) is not None
        ]
        if asked:
            return max(asked)
        if known := _known_size(definition):
            return known
        if paged:
            first = definition.args.get("first")
            default = first.default_value if first else None
            return default if isinstance(default, int) else PAGE_SIZE
        if parent and parent.name == "__Schema" and node.name.value == "types":
            return len(self.schema.type_map)
        if parent and parent.name.startswith("__"):
            return _INTROSPECTION_SIZES.get(node.name.value, 1)
        return LIST_SIZE

    def _argument_size(self, argument: ArgumentNode) -> int | None:
        name = argument.name.value
        if name not in ("first", "last", "ids"):
            return None
        value = self._value(argument.value)
        if name == "ids":
            return len(value) if isinstance(value, (list, tuple)) else None
        return max(int(min(value, _HUGE)), 0) if isinstance(value, (int, float)) else None

    def _value(self, node: ValueNode) -> Any:
        """The value of an argument as far as sizes go: a number, or a list of the right length."""
        if isinstance(node, VariableNode):
            self.sized = True
            value = self.variables.get(node.name.value)
            return literal_size(value) if isinstance(value, ValueNode) else value
        return literal_size(node)

    def _condition(self, node: NamedTypeNode | None) -> GraphQLNamedType | None:
        return self.schema.get_type(node.name.value) if node else None


def literal_members(document: DocumentNode) -> int:
    """How many items and fields the lists and objects written into a document have together."""
    members = 0
    left: list[Node] = [document]
    while left:
        node = left.pop()
        if isinstance(node, ListValueNode):
            members += len(node.values)
        elif isinstance(node, ObjectValueNode):
            members += len(node.fields)
        for key in node.keys:
            child = getattr(node, key, None)
            if isinstance(child, Node):
                left.append(child)
            elif isinstance(child, (tuple, list)):
                left.extend(child)
    return members


def literal_size(node: ValueNode) -> int | tuple[ValueNode, ...] | None:
    """A literal as far as sizes go: a number, or a list of the right length."""
    if isinstance(node, IntValueNode):
        return int(node.value) if len(node.value) < len(str(_HUGE)) else _HUGE
    return node.values if isinstance(node, ListValueNode) else None


def _definition(name: str, parent: GraphQLNamedType | None) -> GraphQLField | None:
    if name == "__schema":
        return SchemaMetaFieldDef
    if name == "__type":
        return TypeMetaFieldDef
    if isinstance(parent, (GraphQLObjectType, GraphQLInterfaceType)):
        found: GraphQLField | None = parent.fields.get(name)
        return found
    return None


def _is_connection(kind: GraphQLNamedType | None) -> bool:
    """Whether a type is one page of a list, as large as the field that gives it is asked for."""
    if not isinstance(kind, GraphQLObjectType):
        return False
    origin = getattr(kind.extensions.get("strawberry-definition"), "origin", None)
    return kind.name.endswith("Connection") or getattr(origin, "is_page", False)


def _is_list(definition: GraphQLField) -> bool:
    return is_list_type(get_nullable_type(definition.type))


def _known_size(definition: GraphQLField) -> int | None:
    size = _metadata(definition).get("list_size")
    return size if isinstance(size, int) else None


def _weight(definition: GraphQLField | None) -> int:
    """As how many values a field itself counts: 1 unless its metadata has a `weight`."""
    weight = _metadata(definition).get("weight") if definition else None
    return weight if isinstance(weight, int) else 1


def _metadata(definition: GraphQLField) -> Mapping[str, Any]:
    found: Mapping[str, Any] = getattr(
        definition.extensions.get("strawberry-definition"), "metadata", {}
    )
    return found


def _directives(node: Any) -> tuple[DirectiveNode, ...]:
    return tuple(node.directives or ())
