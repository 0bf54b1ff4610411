"""§8.2: what the draft of the turn is worth; commit, time-out and view share this judgement."""

from functools import lru_cache
from typing import Any, NamedTuple

from engines.number_tiles.reasons import Refusal, SetProblem
from engines.number_tiles.rules.sets import Reading, read_set
from engines.number_tiles.state import LaidSet, Layout, State
from engines.number_tiles.tiles import FIRST_JOKER, NUMBER_OF, SetKind


class Verdict(NamedTuple):
    """The judgement of a draft.

    `readings` answer set by set; `laid` are the rack tiles in it, in canonical order;
    `meld_points` counts the valid sets made of rack tiles only (M-01, M-09); `refusal` is what a
    commit would be refused with (None: it would pass), `params` fill its text (C-02, C-03).
    """

    readings: tuple[Reading | SetProblem, ...]
    laid: bytes
    meld_points: int
    refusal: Refusal | None
    params: dict[str, Any]


def judge_draft(state: State) -> Verdict:
    """Judge the draft of the seat in turn; C1 to C3 hold already since they guard every change."""
    draft, rack = state.turn_draft, frozenset(state.racks[state.current])
    melded = state.melded[state.current]
    keep = _kept_readings(state.table, exact=melded)
    readings: list[Reading | SetProblem] = []
    new_sets = points = 0
    laid = bytearray()
    for packed in draft.sets:
        kept = keep.get(packed.tiles if melded else bytes(sorted(packed.tiles)))
        if kept is not None and not (melded and packed.kind not in (None, kept.kind)):
            readings.append(kept)  # N-11: untouched sets keep their meaning
            continue
        reading = read_set(packed.tiles, packed.kind)
        readings.append(reading)
        from_rack = [tile for tile in packed.tiles if tile in rack]
        laid += bytes(from_rack)
        if isinstance(reading, Reading) and len(from_rack) == len(packed.tiles):
            new_sets += 1
            points += reading.points
    verdict = Verdict(tuple(readings), bytes(sorted(laid)), points, None, {})
    refusal, params = _refusal(state, verdict, new_sets)
    return verdict._replace(refusal=refusal, params=params)


def is_unchanged(state: State) -> bool:
    """Whether the draft splits the very tiles of the table into the very same sets (D-07)."""
    if len(state.turn_draft.sets) != len(state.table):
        return False
    return partition(state.turn_draft.sets) == partition(state.table)


def partition(sets: Layout | tuple[LaidSet, ...]) -> frozenset[bytes]:
    """Which tiles lie together, whatever the order and the hints."""
    return frozenset(bytes(sorted(each.tiles)) for each in sets)


@lru_cache(maxsize=4096)
def reading_of(laid: LaidSet) -> Reading:
    """The reading a set on the table was laid with."""
    place = next(i for i, tile in enumerate(laid.tiles) if tile < FIRST_JOKER)
    number = NUMBER_OF[laid.tiles[place]]
    return Reading(laid.kind, laid.tiles, number - place * (laid.kind is SetKind.RUN))


def _kept_readings(table: tuple[LaidSet, ...], exact: bool) -> dict[bytes, Reading]:
    """The sets of the table by what must be equal for them to be kept as they are.

    For a registered player that is the order too (N-11); before it, the tiles alone (M-07).
    """
    if exact:
        return {laid.tiles: reading_of(laid) for laid in table}
    return {bytes(sorted(laid.tiles)): reading_of(laid) for laid in table}


def _refusal(
    state: State, verdict: Verdict, new_sets: int
) -> tuple[Refusal | None, dict[str, Any]]:
    """§8.2 in the order of C-02."""
    if not verdict.laid:
        return Refusal.NO_RACK_TILE, {}
    invalid = tuple(i for i, r in enumerate(verdict.readings) if not isinstance(r, Reading))
    if invalid:
        return Refusal.INVALID_SET, {"sets": invalid}
    if not state.melded[state.current]:
        need = state.options.initial_meld_points
        if verdict.meld_points < need:
            return Refusal.MELD_POINTS, {"need": need, "have": verdict.meld_points}
        if not new_sets:  # M-03, M-04: whatever the points
            return Refusal.MELD_NEEDS_NEW_SET, {}
    return None, {}
