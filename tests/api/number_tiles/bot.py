"""Seats of a number-tile match that play by what their view shows."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from engines.number_tiles.actions import ActionName
from engines.number_tiles.public import OwnDraft
from engines.number_tiles.reasons import CommitProblem
from engines.number_tiles.rules.hint import hint_for
from engines.number_tiles.state import PackedSet, Phase
from engines.number_tiles.tiles import TILE_IDS, TILE_OF_ID, SetKind, ids_of
from engines.number_tiles.views import View
from tests.api.table import Bot, Move
from tests.engines.number_tiles.player import attach, packed, rearranged

Layout = tuple[PackedSet, ...]


def keen(view: View, rnd: Random) -> Move | None:
    """Lays whatever the rack can add to the table, rearranging it; else draws or passes."""
    if view.draft is None:
        return None
    if view.draft.changed:
        good = ActionName.COMMIT in view.available
        return commit(view) if good else turn_move("ResetDraft", view)
    better = improved(view)
    return draw(view) if better is None else set_draft(view, better)


def idle(view: View, rnd: Random) -> Move | None:
    """Never lays."""
    return None if view.draft is None else draw(view)


def improved(view: View) -> Layout | None:
    """The table with what the rack can add to it; None if that is nothing."""
    assert view.draft is not None
    assert view.rack is not None
    rack = sorted(TILE_OF_ID[tile_id] for tile_id in view.rack)
    start = table_of(view)
    if view.draft.meld_needed is None:
        return rearranged(list(start), rack)
    hint = view.hint or hint_for(bytes(rack), view.draft.meld_needed)
    if hint is None or not hint.enough:
        return None
    return start + tuple(packed(each.tile_ids) for each in hint.sets)


def table_of(view: View) -> Layout:
    """The table as a draft that changes nothing."""
    return tuple(
        PackedSet(packed(each.reading.tile_ids).tiles, each.reading.kind) for each in view.table
    )


def draft_of(draft: OwnDraft) -> Layout:
    """The draft as it is."""
    return tuple(PackedSet(packed(each.tile_ids).tiles, each.as_kind) for each in draft.sets)


def given(sets: Iterable[PackedSet]) -> list[dict[str, Any]]:
    """Sets as `NumberTilesDraftSetInput`."""
    return [
        {"tileIds": list(ids_of(each.tiles)), "asKind": each.kind and each.kind.name}
        for each in sets
    ]


def set_draft(view: View, sets: Iterable[PackedSet]) -> Move:
    """Make these sets the draft."""
    return Move("SetDraft", {"turn": view.turn, "sets": given(sets)})


def commit(view: View) -> Move:
    """Lay the draft as it is seen."""
    assert view.draft is not None
    return Move("Commit", {"turn": view.turn, "rev": view.draft.rev})


def turn_move(action: str, view: View) -> Move:
    """An action that names nothing but the turn."""
    return Move(action, {"turn": view.turn})


def draw(view: View) -> Move:
    """Draw, or pass where there is nothing to draw."""
    return turn_move("Draw" if view.pool_count else "Pass", view)


def hosting(bot: Bot) -> Bot:
    """The bot, and as host it deals the next game at once."""

    def play(view: View, rnd: Random) -> Move | None:
        if view.phase is Phase.BETWEEN_GAMES and view.your_seat == 0:
            return Move("NextGame", {})
        return bot(view, rnd)

    return play


def clumsy(bot: Bot) -> Bot:
    """The bot, but a draft that can't be laid lies about for a while, turned over."""

    def play(view: View, rnd: Random) -> Move | None:
        draft = view.draft
        bad = draft is not None and draft.changed and ActionName.COMMIT not in view.available
        if draft is not None and bad and rnd.random() < 0.7:
            return set_draft(view, draft_of(draft)[::-1])
        return bot(view, rnd)

    return play


def opening(view: View, rnd: Random) -> Move | None:
    """Plays keenly until everybody has registered, and then gives up."""
    if view.draft is not None and all(seat.has_melded for seat in view.seats):
        return Move("Concede", {})
    return keen(view, rnd)


def nuisance(view: View, rnd: Random) -> Move | None:
    """Something the rules do not allow, mostly where it is nearly allowed; never gives up."""
    if view.draft is not None and (near_miss := _near_miss(view, view.draft, rnd)):
        return near_miss
    if view.draft is not None and view.draft.problem is CommitProblem.INVALID_SET:
        return commit(view)
    if rnd.random() < 0.7:
        return None
    if view.draft is None:
        return rnd.choice([*_of_this_turn(view), Move("NextGame", {})])
    return rnd.choice([*_hostile_drafts(view, rnd), *_hostile_actions(view, rnd)])


def _near_miss(view: View, draft: OwnDraft, rnd: Random) -> Move | None:
    """A first registration that lacks something, and only that."""
    if draft.meld_needed is None or view.rack is None:
        return None
    if draft.problem in (CommitProblem.MELD_POINTS, CommitProblem.MELD_NEEDS_NEW_SET):
        return commit(view)
    if draft.changed or draft.rev > 6:
        return None
    start = list(table_of(view))
    if start and rnd.random() < 0.3:
        return set_draft(view, torn(start))
    if draft.meld_needed == 0:
        rack = [TILE_OF_ID[tile_id] for tile_id in view.rack]
        return set_draft(view, start) if attach(start, rack) else None
    if view.hint is not None and view.hint.sets[-1].points < draft.meld_needed:
        return set_draft(view, (*start, packed(view.hint.sets[-1].tile_ids)))
    return None


def _of_this_turn(view: View) -> list[Move]:
    return [
        set_draft(view, table_of(view)),
        Move("Commit", {"turn": view.turn, "rev": 0}),
        *(turn_move(name, view) for name in ("UndoDraft", "ResetDraft", "Draw", "Pass")),
    ]


def _hostile_actions(view: View, rnd: Random) -> list[Move]:
    assert view.draft is not None
    late = rnd.choice((-1, 1))
    return [
        *(
            Move(name, {"turn": view.turn + late})
            for name in ("UndoDraft", "ResetDraft", "Draw", "Pass")
        ),
        Move("Commit", {"turn": view.turn, "rev": view.draft.rev + late}),
        Move("NextGame", {}),
        *([turn_move("Pass", view)] if view.pool_count else []),
        *([] if ActionName.COMMIT in view.available else [commit(view)]),
        *([] if view.draft.undo_depth else [turn_move("UndoDraft", view)]),
    ]


def _hostile_drafts(view: View, rnd: Random) -> list[Move]:
    """Drafts of tiles that are elsewhere, twice there or gone, and drafts that can't be laid."""
    assert view.rack is not None
    start, tile = table_of(view), packed((rnd.choice(view.rack),))
    strange = {
        "tileIds": [rnd.choice((*TILE_IDS, "R0a", "JK3", ""))],
        "asKind": rnd.choice((None, *(kind.name for kind in SetKind))),
    }
    drafts = [
        [*given(start), strange],
        given((*start, tile, tile)),
        given((*start, tile)),
        [{"tileIds": []}] * 257,
        given(start[1:]),
        given(torn(start)),
    ]
    return [Move("SetDraft", {"turn": view.turn, "sets": sets}) for sets in drafts]


def torn(sets: Sequence[PackedSet]) -> list[PackedSet]:
    """The first of these sets in two."""
    parts = [part for each in sets[:1] for part in (each.tiles[:1], each.tiles[1:])]
    return [*map(PackedSet, parts), *sets[1:]]
