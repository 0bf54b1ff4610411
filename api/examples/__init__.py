"""Operations to begin with, as the explorer's tabs: one file a tab, and one for each game."""

import json
from collections.abc import Mapping
from pathlib import Path

from graphql import NonNullTypeNode, OperationDefinitionNode, parse

from api.games.binding import Binding
from api.transport import Tab

HERE = Path(__file__).parent


def tabs(games: Mapping[str, Binding]) -> list[Tab]:
    """The tabs in the order to go through them. `$game` is the first of the games."""
    common = [path.read_text("utf-8") for path in sorted(HERE.glob("*.graphql"))]
    own = [binding.game.examples for binding in games.values() if binding.game.examples]
    known = {"game": next(iter(games), "")}
    return [_tab(document, known) for document in (*common, *own)]


def _tab(document: str, known: Mapping[str, str]) -> Tab:
    """A tab with a place for each variable that its operations need."""
    needed = {
        each.variable.name.value: known.get(each.variable.name.value, "")
        for node in parse(document).definitions
        if isinstance(node, OperationDefinitionNode)
        for each in node.variable_definitions or ()
        if isinstance(each.type, NonNullTypeNode)
    }
    return Tab(document, json.dumps(needed, indent=2) if needed else "")
