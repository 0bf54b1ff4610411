"""States that differ from one another only in what a viewer may not know."""

from random import Random
from typing import Any

from msgspec.structs import replace

from engines.number_tiles import actions as a
from engines.number_tiles import events as e
from engines.number_tiles.rules.judging import is_unchanged, judge_draft
from engines.number_tiles.rules.undo import difference
from engines.number_tiles.state import Draft, Layout, PackedSet, Phase, State
from engines.number_tiles.tiles import TILE_OF_ID
from engines.protocol import TimeOut, Viewer
from engines.replay import Entry
from engines.rng import Stream
from tests.engines.number_tiles.player import scrambled, set_draft, start_layout


def other_world(
    state: State, viewer: Viewer, rnd: Random, entry: Entry | None, events: tuple[Any, ...]
) -> tuple[State, Entry | None]:
    """Change whatever `viewer` neither sees nor is about to see; see the laws' adapter."""
    playing = state.phase is Phase.PLAYING
    keep_draft = not playing or viewer == state.current or _draft_shows(state, entry, events)
    pinned = {tile for event in events for tile in _shown_tiles(event, viewer)}
    if keep_draft:
        pinned |= {tile for event in events for tile in _drafted_tiles(event)}
    if keep_draft and state.draft is not None:
        pinned |= {tile for each in state.draft.sets for tile in each.tiles}
    other = state
    if not any(isinstance(event, e.GameEnded) for event in events):
        other = _other_tiles(other, viewer, pinned, rnd)
    if not any(isinstance(event, e.StarterDrawn) for event in events):
        other = replace(other, rng=Stream(rnd.randbytes(32)))
    if keep_draft:
        return other, entry
    other = replace(other, draft=_other_draft(state, other, entry, rnd))
    return other, _translated(state, other, entry, rnd)


def _draft_shows(state: State, entry: Entry | None, events: tuple[Any, ...]) -> bool:
    """Whether somebody else's draft is, or is about to be, seen by all, or decides as it is."""
    if state.options.show_draft_to_others:
        return True
    if (
        entry is not None
        and isinstance(entry.action, TimeOut)
        and judge_draft(state).refusal is None
    ):
        return True
    return any(isinstance(event, e.SetsCommitted | e.GameEnded) for event in events)


def _shown_tiles(event: Any, viewer: Viewer) -> list[int]:
    """Tiles an event of this step lets the viewer see, and tiles that must be in their place."""
    if isinstance(event, e.SetsCommitted):
        return [TILE_OF_ID[tile_id] for tile_id in event.laid]
    if isinstance(event, e.TilesDrawn) and event.seat == viewer:
        return [TILE_OF_ID[tile_id] for tile_id in event.tile_ids or ()]
    return []


def _drafted_tiles(event: Any) -> list[int]:
    """Tiles of the draft this event tells of."""
    if not isinstance(event, e.DraftChanged):
        return []
    return [TILE_OF_ID[t] for each in event.sets or () for t in each.tile_ids]


def _other_tiles(state: State, viewer: Viewer, pinned: set[int], rnd: Random) -> State:
    """Deal all hidden tiles anew into the same places, save the pinned ones."""
    places = [state.pool if seat is None else state.racks[seat] for seat in _hidden(state, viewer)]
    loose = [tile for place in places for tile in place if tile not in pinned]
    rnd.shuffle(loose)
    dealt = [bytes(tile if tile in pinned else loose.pop() for tile in place) for place in places]
    racks = list(state.racks)
    for seat, place in zip(_hidden(state, viewer), dealt, strict=True):
        if seat is not None:
            racks[seat] = place
    return replace(state, racks=tuple(racks), pool=dealt[-1])


def _hidden(state: State, viewer: Viewer) -> list[int | None]:
    """The racks of others, and the pool (None) last."""
    return [*(seat for seat in state.seats if seat != viewer), None]


def _other_draft(state: State, other: State, entry: Entry | None, rnd: Random) -> Draft:
    """A draft that leads to the same public outcome as the real one, from other tiles."""
    draft, start = state.turn_draft, start_layout(state)
    if isinstance(entry and entry.action, TimeOut | a.Commit):
        layout = _same_fate(state, other, rnd)
    elif draft.sets == start:
        layout = start
    else:
        layout = _changed_layout(other, start, rnd)
    if not draft.history:
        return Draft(layout, (), draft.rev)
    earlier = _changed_layout(other, layout, rnd)
    return Draft(layout, (difference(layout, earlier),), draft.rev)


def _same_fate(state: State, other: State, rnd: Random) -> Layout:
    """Unchanged where the real draft is, else one that a commit would refuse as well."""
    start = start_layout(state)
    if is_unchanged(state):
        return start
    return (*start, PackedSet(bytes((rnd.choice(other.racks[other.current]),))))


def _changed_layout(other: State, present: Layout, rnd: Random) -> Layout:
    """Some layout that comes from `present` by one move."""
    base = replace(other, draft=Draft(present))
    for _ in range(50):
        layout = scrambled(base, rnd)
        if layout != present:
            return layout
    raise AssertionError("no other draft was found")


def _translated(state: State, other: State, entry: Entry | None, rnd: Random) -> Entry | None:
    """A hidden change of the draft becomes another hidden change."""
    if entry is None or not isinstance(entry.action, a.SetDraft):
        return entry
    sent = tuple(
        PackedSet(bytes(TILE_OF_ID[t] for t in each.tile_ids), each.as_kind)
        for each in entry.action.sets
    )
    if sent == state.turn_draft.sets:
        return entry._replace(action=set_draft(other, other.turn_draft.sets))
    return entry._replace(
        action=set_draft(other, _changed_layout(other, other.turn_draft.sets, rnd))
    )
