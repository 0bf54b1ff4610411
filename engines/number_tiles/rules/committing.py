"""§8.2: laying the draft on the table: when it may be done, and what the new sets are called."""

from collections import Counter
from typing import Final, NamedTuple

from msgspec.structs import replace

from engines.number_tiles.actions import Commit
from engines.number_tiles.events import SetsCommitted
from engines.number_tiles.public import table_sets
from engines.number_tiles.reasons import DrawReason, EndReason, Refusal
from engines.number_tiles.rules.drawing import revert
from engines.number_tiles.rules.judging import Verdict, is_unchanged, judge_draft
from engines.number_tiles.rules.sets import Reading
from engines.number_tiles.rules.turns import after, check_turn, end_game, next_turn
from engines.number_tiles.state import LaidSet, State
from engines.number_tiles.tiles import ids_of
from engines.protocol import Step, refuse

COMMIT_PENALTY: Final = 3
"""Whatever the penalty of a time-out is (O-03)."""


def check_commit(state: State, seat: int, action: Commit) -> Verdict:
    """The judgement of the draft; refused if it fails, unless the room punishes that instead.

    An unchanged draft is refused in every room and never punished (C-04).
    """
    check_turn(state, seat, action.turn)
    if type(action.rev) is not int:
        refuse(Refusal.BAD_PAYLOAD, "8.2", path=("rev",))
    if action.rev != state.turn_draft.rev:
        refuse(Refusal.STALE_DRAFT, "8.2", path=("rev",))
    if is_unchanged(state):
        refuse(Refusal.NO_RACK_TILE, "5.2")
    verdict = judge_draft(state)
    if verdict.refusal is not None and state.options.invalid_commit_penalty == "reject":
        refuse(verdict.refusal, "8.2", **verdict.params)
    return verdict


def do_commit(state: State, seat: int, verdict: Verdict, at: int) -> Step[State]:
    """Lay the draft; where it fails and the room says so, take it back and draw three tiles."""
    if verdict.refusal is not None:
        return revert(state, verdict, COMMIT_PENALTY, DrawReason.COMMIT_PENALTY, at)
    return lay(state, verdict, at)


def lay(state: State, verdict: Verdict, at: int, auto: bool = False) -> Step[State]:
    """Make a draft that passed the table; an empty rack wins, else the next turn begins."""
    seat = state.current
    named = name_sets(state.table, verdict.readings, state.next_set_id)
    rack = bytes(tile for tile in state.racks[seat] if tile not in verdict.laid)
    laid = replace(
        state,
        table=named.table,
        next_set_id=named.next_id,
        racks=tuple(rack if owner == seat else old for owner, old in enumerate(state.racks)),
        melded=tuple(done or owner == seat for owner, done in enumerate(state.melded)),
        passes=(),  # P-05
    )
    fact = SetsCommitted(
        seat=seat,
        laid=ids_of(verdict.laid),
        auto=auto,
        first_registration=not state.melded[seat],
        changed_set_ids=named.changed,
        table=table_sets(named.table),
    )
    then = next_turn(laid, at) if rack else end_game(laid, EndReason.RACK_EMPTY, at)
    return after((fact,), then)


class Named(NamedTuple):
    """A new table, the next free id, and the ids of sets that are new or changed (U-07)."""

    table: tuple[LaidSet, ...]
    next_id: int
    changed: tuple[int, ...]


def name_sets(old: tuple[LaidSet, ...], readings: tuple[object, ...], next_id: int) -> Named:
    """Give every new set the id of the old set it shares most tiles with, or a fresh one (C-06)."""
    home = {tile: index for index, laid in enumerate(old) for tile in laid.tiles}
    new = [reading for reading in readings if isinstance(reading, Reading)]
    shared = Counter(
        [
            (home[tile], place)
            for place, reading in enumerate(new)
            for tile in reading.tiles
            if tile in home
        ]
    )
    overlaps = [(-count, index, place) for (index, place), count in shared.items()]
    heir: dict[int, int] = {}  # place among the new sets by index of the old one
    for _, index, place in sorted(overlaps):
        if index not in heir and place not in heir.values():
            heir[index] = place
    ancestor = {place: old[index] for index, place in heir.items()}
    table, changed = [], []
    for place, reading in enumerate(new):
        before = ancestor.get(place)
        set_id = next_id if before is None else before.id
        next_id += before is None
        table.append(LaidSet(set_id, reading.kind, reading.tiles))
        if before is None or sorted(before.tiles) != sorted(reading.tiles):
            changed.append(set_id)
    return Named(tuple(table), next_id, tuple(changed))
