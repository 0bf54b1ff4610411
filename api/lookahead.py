"""What lies below the field that is being resolved: to read no more than is asked for."""

from collections.abc import Collection

from graphql import FieldNode, FragmentSpreadNode, InlineFragmentNode, SelectionSetNode

from api.context import Info


def asks_for(info: Info, names: Collection[str]) -> bool:
    """Whether a field of one of these names is selected anywhere below the present one.

    Says yes too often, as for fields that are skipped, but never no where there is one.
    """
    raw = info._raw_info
    left: list[SelectionSetNode] = [
        each.selection_set for each in raw.field_nodes if each.selection_set
    ]
    spread: set[str] = set()
    while left:
        for node in left.pop().selections:
            if isinstance(node, FieldNode):
                if node.name.value in names:
                    return True
                inner = node.selection_set
            elif isinstance(node, FragmentSpreadNode):
                name = node.name.value
                inner = None if name in spread else raw.fragments[name].selection_set
                spread.add(name)
            else:
                assert isinstance(node, InlineFragmentNode)
                inner = node.selection_set
            if inner is not None:
                left.append(inner)
    return False
