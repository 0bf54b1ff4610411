"""The secrecy laws find leaks of this game: each one planted here must be caught."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engines.number_tiles import ENGINE
from engines.number_tiles.events import DraftChanged, DraftReverted, TilesDrawn
from engines.number_tiles.reasons import Refusal
from engines.number_tiles.tiles import ids_of
from engines.protocol import Engine, Illegal, refuse
from tests.engines.laws import secrecy
from tests.engines.laws.matches import sample
from tests.engines.number_tiles.adapter import ADAPTER

MATCHES = sample(ENGINE, ADAPTER, 1_500)


def view_shows_the_pool(state: Any, viewer: Any) -> Any:
    return replace(ENGINE.view(state, viewer), passes=tuple(state.pool[:1]))


def view_shows_a_rack(state: Any, viewer: Any) -> Any:
    rack = ids_of(state.racks[0])
    return replace(ENGINE.view(state, viewer), rack=rack)


def view_shows_the_draft(state: Any, viewer: Any) -> Any:
    view = ENGINE.view(state, viewer)
    if view.thinking is None:
        return view
    sets = len(state.draft.sets)
    return replace(view, thinking=replace(view.thinking, changes=sets))


def view_shows_the_undo_depth(state: Any, viewer: Any) -> Any:
    depth = len(state.draft.history) if state.draft else 0
    return replace(ENGINE.view(state, viewer), turn=depth)


def view_shows_the_stream(state: Any, viewer: Any) -> Any:
    return replace(ENGINE.view(state, viewer), turn=state.rng.draw(100)[0])


def view_counts_the_draft_out_of_the_rack(state: Any, viewer: Any) -> Any:
    view = ENGINE.view(state, viewer)
    if state.draft is None:
        return view
    rack = frozenset(state.racks[state.current])
    out = sum(tile in rack for each in state.draft.sets for tile in each.tiles)
    seats = [
        replace(s, rack_count=s.rack_count - out) if s.seat == state.current else s
        for s in view.seats
    ]
    return replace(view, seats=tuple(seats))


def redact_passes(*kinds: type) -> Callable[[Any, Any, Any], Any]:
    """Events of these kinds reach everyone as stored."""

    def redact(options: Any, event: Any, viewer: Any) -> Any:
        return event if isinstance(event, kinds) else ENGINE.redact(options, event, viewer)

    return redact


def row_as_stored(options: Any, actor: Any, action: Any, viewer: Any) -> Any:
    return action


def refusal_tells_whose_tile(state: Any, actor: Any, action: Any, at: int) -> Any:
    try:
        return ENGINE.apply(state, actor, action, at)
    except Illegal as no:
        if no.reason is not Refusal.TILE_NOT_AVAILABLE:
            raise
        own = ids_of(state.racks[actor] + b"".join(laid.tiles for laid in state.table))
        culprit = next(t for each in action.sets for t in each.tile_ids if t not in own)
        refuse(no.reason, "pool" if culprit in ids_of(state.pool) else "rack")


@pytest.mark.parametrize(
    "view",
    [
        view_shows_the_pool,
        view_shows_a_rack,
        view_shows_the_draft,
        view_shows_the_undo_depth,
        view_shows_the_stream,
        view_counts_the_draft_out_of_the_rack,
    ],
)
def test_a_leaking_view_is_found(view: Any) -> None:
    with pytest.raises(AssertionError):
        secrecy.law_views_hide(replace(ENGINE, view=view), ADAPTER, MATCHES)


@pytest.mark.parametrize("kind", [TilesDrawn, DraftChanged, DraftReverted])
def test_a_leaking_event_is_found(kind: type) -> None:
    leaky: Engine[Any] = replace(ENGINE, redact=redact_passes(kind))
    with pytest.raises(AssertionError):
        secrecy.law_events_hide(leaky, ADAPTER, MATCHES)


def test_a_leaking_row_is_found() -> None:
    leaky: Engine[Any] = replace(ENGINE, redact_action=row_as_stored)
    with pytest.raises(AssertionError):
        secrecy.law_events_hide(leaky, ADAPTER, MATCHES)


def test_a_leaking_refusal_is_found() -> None:
    leaky: Engine[Any] = replace(ENGINE, apply=refusal_tells_whose_tile)
    with pytest.raises(AssertionError):
        secrecy.law_refusals_hide(leaky, ADAPTER, MATCHES)


def test_the_game_itself_leaks_nothing() -> None:
    for law in (secrecy.law_views_hide, secrecy.law_events_hide, secrecy.law_refusals_hide):
        law(ENGINE, ADAPTER, MATCHES)
