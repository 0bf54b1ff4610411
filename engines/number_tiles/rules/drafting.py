"""§5.6: the draft of the turn: change it, take a change back, start over."""

from typing import Any, Final

from msgspec.structs import replace

from engines.number_tiles.actions import DraftSet, ResetDraft, SetDraft, UndoDraft
from engines.number_tiles.events import DraftChanged
from engines.number_tiles.public import arranged_sets
from engines.number_tiles.reasons import Refusal
from engines.number_tiles.rules.judging import judge_draft, partition
from engines.number_tiles.rules.turns import check_turn
from engines.number_tiles.rules.undo import DEPTH, difference, restore
from engines.number_tiles.state import Draft, Layout, PackedSet, State
from engines.number_tiles.tiles import ALL_TILES, TILE_OF_ID, SetKind
from engines.protocol import Step, refuse

MOST_SETS: Final = 256


def check_set_draft(state: State, seat: int, action: SetDraft) -> Layout:
    """The layout that is sent, if it keeps C1 to C3; checked in the order of D-04."""
    check_turn(state, seat, action.turn)
    _check_payload(action.sets)
    layout = _pack(state, seat, action.sets)
    _check_table_kept(state, seat, layout)
    return layout


def do_set_draft(state: State, seat: int, layout: Layout, at: int) -> Step[State]:
    """Make `layout` the draft; the very draft that is there already changes nothing (D-08)."""
    return _change(state, layout)


def check_undo_draft(state: State, seat: int, action: UndoDraft) -> None:
    """There must be a change to take back (D-11)."""
    check_turn(state, seat, action.turn)
    if not state.turn_draft.history:
        refuse(Refusal.NOTHING_TO_UNDO, "5.6")


def do_undo_draft(state: State, seat: int, found: None, at: int) -> Step[State]:
    """Go back to the layout before the latest change; there is no way forward again."""
    draft = state.turn_draft
    earlier = restore(draft.sets, draft.history[-1])
    return _changed(state, Draft(earlier, draft.history[:-1], draft.rev + 1))


def check_reset_draft(state: State, seat: int, action: ResetDraft) -> None:
    """Always possible in turn."""
    check_turn(state, seat, action.turn)


def do_reset_draft(state: State, seat: int, found: None, at: int) -> Step[State]:
    """Put the draft back to the table; that is a change like any other (D-10)."""
    return _change(state, tuple([PackedSet(laid.tiles, laid.kind) for laid in state.table]))


def _check_payload(sets: Any) -> None:
    """N-07, D-13: the right shapes and no more than the limits, before anything costs time."""
    if not isinstance(sets, tuple | list) or len(sets) > MOST_SETS:
        refuse(Refusal.BAD_PAYLOAD, "8.2", path=("sets",))
    tiles = 0
    for each in sets:
        if not isinstance(each, DraftSet) or not isinstance(each.tile_ids, tuple | list):
            refuse(Refusal.BAD_PAYLOAD, "8.2", path=("sets",))
        tiles += len(each.tile_ids)
        if tiles > len(ALL_TILES):
            refuse(Refusal.BAD_PAYLOAD, "8.2", path=("sets",))
        if each.as_kind is not None and type(each.as_kind) is not SetKind:
            refuse(Refusal.BAD_PAYLOAD, "8.2", path=("sets",))
        if not all(type(tile_id) is str for tile_id in each.tile_ids):
            refuse(Refusal.BAD_PAYLOAD, "8.2", path=("sets",))


def _pack(state: State, seat: int, sets: tuple[DraftSet, ...]) -> Layout:
    """C1: only tiles of table and own rack, each once; C2: all of the table (§8.2, D-01)."""
    on_table = frozenset(b"".join([laid.tiles for laid in state.table]))
    free = on_table | frozenset(state.racks[seat])
    used: set[int] = set()
    layout = []
    for each in sets:
        if not each.tile_ids:
            continue
        tiles = bytearray()
        for tile_id in each.tile_ids:
            tile = TILE_OF_ID.get(tile_id, -1)
            if tile not in free:  # D-03: unknown, in another rack or in the pool, all the same
                refuse(Refusal.TILE_NOT_AVAILABLE, "8.2 C1", path=("sets",))
            if tile in used:
                refuse(Refusal.DUPLICATE_TILE, "8.2 C1", path=("sets",))
            used.add(tile)
            tiles.append(tile)
        layout.append(PackedSet(bytes(tiles), each.as_kind))
    if not used >= on_table:
        refuse(Refusal.TABLE_TILE_MISSING, "8.2 C2", path=("sets",))
    return tuple(layout)


def _check_table_kept(state: State, seat: int, layout: Layout) -> None:
    """C3: before the first registration every set of the table stays whole (M-05, M-06)."""
    if state.melded[seat] or state.options.initial_meld_allow_extend:
        return
    if not partition(state.table) <= partition(layout):
        refuse(Refusal.TABLE_LOCKED, "8.2 C3", path=("sets",))


def _change(state: State, layout: Layout) -> Step[State]:
    draft = state.turn_draft
    if layout == draft.sets:
        return Step(state)
    history = (*draft.history, difference(layout, draft.sets))[-DEPTH:]
    return _changed(state, Draft(layout, history, draft.rev + 1))


def _changed(state: State, draft: Draft) -> Step[State]:
    changed = replace(state, draft=draft)
    sets = arranged_sets(draft, judge_draft(changed))
    return Step(changed, (DraftChanged(state.current, draft.rev, sets),))
