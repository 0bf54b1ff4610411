"""Number tiles whose views, events, log and refusals show what they must hide."""

from dataclasses import replace
from typing import Any

from api.games.registry import Game
from engines.number_tiles import ENGINE as SOUND
from engines.number_tiles.reasons import Refusal
from engines.number_tiles.tiles import CATALOGUE, ids_of
from engines.protocol import Illegal, refuse


def view(state: Any, viewer: Any) -> Any:
    """The rack of seat 0 for everybody."""
    return replace(SOUND.view(state, viewer), rack=ids_of(state.racks[0]))


def apply(state: Any, actor: Any, action: Any, at: int) -> Any:
    """Whoever asks for a tile of others hears which one is drawn next."""
    try:
        return SOUND.apply(state, actor, action, at)
    except Illegal as no:
        if no.reason is not Refusal.TILE_NOT_AVAILABLE:
            raise
        refuse(no.reason, no.rule, path=ids_of(state.pool[:1]))


ENGINE = replace(
    SOUND,
    id="leaky_tiles",
    view=view,
    apply=apply,
    redact=lambda options, event, viewer: event,
    redact_action=lambda options, actor, action, viewer: action,
)
GAME = Game(engine=ENGINE, catalogue=CATALOGUE)
