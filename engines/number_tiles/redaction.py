"""Who may know what of an event or a logged action: an allow-list by class (§8.3, V-01 to V-10)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from engines.number_tiles import actions, events
from engines.number_tiles.options import Options
from engines.protocol import (
    SYSTEM_ACTIONS,
    Actor,
    DeadlineShifted,
    Viewer,
)

PUBLIC_EVENTS: Final = frozenset(
    (
        events.StarterDrawn,
        events.GameStarted,
        events.TurnStarted,
        events.SetsCommitted,
        events.Passed,
        events.GameEnded,
        events.MatchEnded,
        events.SeatLeft,
        events.SeatAway,
        events.SeatBack,
        DeadlineShifted,
    )
)
PUBLIC_ACTIONS: Final = frozenset(
    (
        actions.Commit,
        actions.Draw,
        actions.Pass,
        actions.Concede,
        actions.NextGame,
        *SYSTEM_ACTIONS,
    )
)


def redact(options: Options, event: Any, viewer: Viewer) -> Any:
    """The part of an event that this viewer may know, None if that is nothing."""
    if type(event) in PUBLIC_EVENTS:
        return event
    hide = _PRIVATE.get(type(event))
    return None if hide is None else hide(options, event, viewer)


def redact_action(options: Options, actor: Actor, action: Any, viewer: Viewer) -> Any:
    """The part of a logged action that this viewer may know, None if that is nothing.

    Of changes to a draft others learn by `DraftChanged` only: their count, or where drafts are
    shown their outcome, but neither the hints nor what was an undo (V-03, V-08).
    """
    if type(action) in PUBLIC_ACTIONS or actor == viewer:
        return action
    if isinstance(action, actions.SetDraft) and options.show_draft_to_others:
        shown = tuple(actions.DraftSet(tuple(each.tile_ids)) for each in action.sets)
        return actions.SetDraft(action.turn, shown)
    return None


def _only_count(
    options: Options, event: events.TilesDealt | events.TilesDrawn, viewer: Viewer
) -> object:
    return event if viewer == event.seat else replace(event, tile_ids=None)


def _draft_changed(options: Options, event: events.DraftChanged, viewer: Viewer) -> object:
    if viewer == event.seat or options.show_draft_to_others:
        return event
    return events.DraftChanged(event.seat, event.changes, None)


def _owner_alone(options: Options, event: events.DraftReverted, viewer: Viewer) -> object:
    return event if viewer == event.seat else None


_PRIVATE: Final[dict[type, Callable[[Options, Any, Viewer], object]]] = {
    events.TilesDealt: _only_count,
    events.TilesDrawn: _only_count,
    events.DraftChanged: _draft_changed,
    events.DraftReverted: _owner_alone,
}
