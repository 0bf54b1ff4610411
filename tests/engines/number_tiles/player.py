"""Players for whole matches: one that lays what it easily can, and one that fumbles as well."""

from random import Random
from typing import Any

from engines.number_tiles.actions import (
    Commit,
    DraftSet,
    Draw,
    Pass,
    ResetDraft,
    SetDraft,
    UndoDraft,
)
from engines.number_tiles.rules.hint import hint_for
from engines.number_tiles.rules.judging import is_unchanged, judge_draft
from engines.number_tiles.rules.sets import Reading, read_set
from engines.number_tiles.state import PackedSet, State
from engines.number_tiles.tiles import TILE_OF_ID, SetKind, ids_of


def sensible_action(state: State) -> Any:
    """What a plain player does in turn: lay what fits, else draw or pass."""
    draft = state.turn_draft
    if not is_unchanged(state) and judge_draft(state).refusal is None:
        return Commit(state.turn_no, draft.rev)
    better = good_layout(state)
    if better is not None:
        return set_draft(state, better)
    return Draw(state.turn_no) if state.pool else Pass(state.turn_no)


def fumbling_action(state: State, rnd: Random) -> Any:
    """Much the same with second thoughts, useless drafts and tiles drawn for no reason."""
    turn, draft = state.turn_no, state.turn_draft
    chance = rnd.random()
    if chance < 0.14:
        return set_draft(state, scrambled(state, rnd))
    if chance < 0.20 and draft.history:
        return UndoDraft(turn)
    if chance < 0.24:
        return ResetDraft(turn)
    if chance < 0.26:
        return Draw(turn) if state.pool or rnd.random() < 0.5 else Pass(turn)
    if chance < 0.28 and state.options.invalid_commit_penalty == "penalty3":
        return Commit(turn, draft.rev) if not is_unchanged(state) else Draw(turn)
    return sensible_action(state)


def set_draft(state: State, layout: tuple[PackedSet, ...]) -> SetDraft:
    """The action that makes `layout` the draft."""
    return SetDraft(
        state.turn_no, tuple(DraftSet(ids_of(each.tiles), each.kind) for each in layout)
    )


def start_layout(state: State) -> tuple[PackedSet, ...]:
    """The draft every turn begins with."""
    return tuple(PackedSet(laid.tiles, laid.kind) for laid in state.table)


def good_layout(state: State) -> tuple[PackedSet, ...] | None:
    """The table with what the rack can add to it; None if that is nothing."""
    rack = state.racks[state.current]
    if not state.melded[state.current]:
        hint = hint_for(bytes(sorted(rack)), state.options.initial_meld_points)
        if hint is None or not hint.enough:
            return None
        return start_layout(state) + tuple(packed(each.tile_ids) for each in hint.sets)
    return rearranged(list(start_layout(state)), sorted(rack))


def rearranged(layout: list[PackedSet], left: list[int]) -> tuple[PackedSet, ...] | None:
    """New sets, tiles borrowed from long sets, long runs split, tiles put to sets; None if none."""
    moves = (new_set, borrow, split, attach)
    before = len(left)
    while any(move(layout, left) for move in moves):
        pass
    return tuple(layout) if len(left) < before else None


def new_set(layout: list[PackedSet], left: list[int]) -> bool:
    """Lay a set of rack tiles alone."""
    hint = hint_for(bytes(left), None)
    if hint is None:
        return False
    layout.append(packed(hint.sets[0].tile_ids))
    left[:] = [tile for tile in left if tile not in layout[-1].tiles]
    return True


def borrow(layout: list[PackedSet], left: list[int]) -> bool:
    """Make a set with one tile that another set can spare; the rack alone has none."""
    for place, each in enumerate(layout):
        for tile in each.tiles:
            rest = PackedSet(bytes(t for t in each.tiles if t != tile), each.kind)
            if not isinstance(read_set(rest.tiles, rest.kind), Reading):
                continue
            hint = hint_for(bytes(sorted([*left, tile])), None)
            if hint is not None:
                layout[place] = rest
                layout.append(packed(hint.sets[0].tile_ids))
                left[:] = [t for t in left if t not in layout[-1].tiles]
                return True
    return False


def split(layout: list[PackedSet], left: list[int]) -> bool:
    """Cut a run in two with a tile it already holds."""
    for tile in left:
        for place, each in enumerate(layout):
            for cut in range(2, len(each.tiles) - 2):
                low, high = each.tiles[: cut + 1], bytes((tile,)) + each.tiles[cut + 1 :]
                if all(isinstance(read_set(part, SetKind.RUN), Reading) for part in (low, high)):
                    layout[place : place + 1] = [PackedSet(low), PackedSet(high)]
                    left.remove(tile)
                    return True
    return False


def attach(layout: list[PackedSet], left: list[int]) -> bool:
    """Put a single tile to a set."""
    for tile in left:
        for place, each in enumerate(layout):
            reading = read_set(each.tiles + bytes((tile,)), each.kind)
            if isinstance(reading, Reading):
                layout[place] = PackedSet(reading.tiles, reading.kind)
                left.remove(tile)
                return True
    return False


def packed(tile_ids: tuple[str, ...]) -> PackedSet:
    """A set of a draft from public ids."""
    return PackedSet(bytes(TILE_OF_ID[tile_id] for tile_id in tile_ids))


def scrambled(state: State, rnd: Random) -> tuple[PackedSet, ...]:
    """A random change of the draft that the conservation checks let pass."""
    sets = [bytearray(each.tiles) for each in state.turn_draft.sets]
    used = {tile for each in sets for tile in each}
    free = [tile for tile in state.racks[state.current] if tile not in used]
    locked = not (state.melded[state.current] or state.options.initial_meld_allow_extend)
    whole = {bytes(sorted(laid.tiles)) for laid in state.table} if locked else set()
    movable = [each for each in sets if bytes(sorted(each)) not in whole]
    if free and rnd.random() < 0.7:
        tile = rnd.choice(free)
    elif movable:
        source = rnd.choice(movable)
        tile = source.pop(rnd.randrange(len(source)))
    else:
        return state.turn_draft.sets
    target: bytearray | None = rnd.choice([*movable, None])
    if target is None:
        sets.append(bytearray((tile,)))
    else:
        target.insert(rnd.randint(0, len(target)), tile)
    hints = {bytes(each.tiles): each.kind for each in state.turn_draft.sets}
    return tuple(PackedSet(bytes(each), hints.get(bytes(each))) for each in sets if each)
