"""What views and events show of sets and drafts: tiles by id, jokers with what they stand for."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from engines.number_tiles.reasons import SET_PROBLEM_TEXTS, CommitProblem, SetProblem
from engines.number_tiles.rules.judging import Verdict, is_unchanged, reading_of
from engines.number_tiles.rules.sets import Reading
from engines.number_tiles.state import Draft, LaidSet, PackedSet, State
from engines.number_tiles.tiles import (
    COLOR_OF,
    COLORS,
    FIRST_JOKER,
    TILE_IDS,
    Color,
    SetKind,
    ids_of,
)
from engines.protocol import AtMost
from engines.texts import Text


@dataclass(frozen=True, slots=True)
class JokerReading:
    """What a joker in a valid set stands for."""

    tile_id: Annotated[str, "Id of the joker."]
    color: Annotated[Color | None, "The colour; null in a group: any colour that is missing."]
    number: Annotated[int, "The number, 1 to 13; it counts as points."]


@dataclass(frozen=True, slots=True)
class SetReading:
    """How a valid set is read, with its tiles in normal order."""

    kind: Annotated[SetKind, "Whether it is a run or a group."]
    tile_ids: Annotated[
        tuple[str, ...], "Ids of its tiles: runs ascending, groups by colour, jokers last."
    ]
    jokers: Annotated[tuple[JokerReading, ...], "What its jokers stand for.", AtMost(2)]
    points: Annotated[int, "The sum of the numbers its tiles stand for."]


@dataclass(frozen=True, slots=True)
class TableSet:
    """A set on the table; everyone sees it."""

    set_id: Annotated[int, "Stays the same while the set is changed; never used twice in a match."]
    reading: Annotated[SetReading, "Its tiles and what they stand for."]


@dataclass(frozen=True, slots=True)
class OwnDraftSet:
    """A set of one's own draft, judged as a commit would judge it."""

    tile_ids: Annotated[tuple[str, ...], "Ids of its tiles in the order sent."]
    as_kind: Annotated[SetKind | None, "The hint sent with it."]
    valid: Annotated[bool, "Whether it is valid as it stands."]
    problem: Annotated[SetProblem | None, "Why it is not valid; null if it is."]
    message: Annotated[Text | None, "The same in short words; null if it is valid."]
    reading: Annotated[SetReading | None, "How it would be laid; null if it is not valid."]


@dataclass(frozen=True, slots=True)
class OwnDraft:
    """The draft of the turn as its player sees it; nobody else gets any of this."""

    sets: Annotated[tuple[OwnDraftSet, ...], "All sets, those of the table included."]
    rev: Annotated[int, "Changes of the draft in this turn; to be sent with the commit."]
    changed: Annotated[bool, "Whether tiles lie otherwise than when the turn began."]
    undo_depth: Annotated[int, "How many changes can be taken back, at most 100."]
    meld_points: Annotated[
        int | None,
        "Points of the valid sets made of rack tiles only; null once registered.",
    ]
    meld_needed: Annotated[int | None, "Points the first registration takes; null once registered."]
    problem: Annotated[CommitProblem | None, "Why a commit would fail now; null if it would not."]
    message: Annotated[Text | None, "The same in words; null if a commit would pass."]


@dataclass(frozen=True, slots=True)
class ArrangedSet:
    """A set of a draft in brief."""

    tile_ids: Annotated[tuple[str, ...], "Ids of its tiles in the order sent."]
    valid: Annotated[bool, "Whether it is valid as it stands."]


@lru_cache(maxsize=4096)
def set_reading(reading: Reading) -> SetReading:
    """A reading for clients; the colour of a joker in a group is left open (N-10)."""
    color = None
    if reading.kind is SetKind.RUN:
        color = COLORS[next(COLOR_OF[tile] for tile in reading.tiles if tile < FIRST_JOKER)]
    jokers = tuple(
        JokerReading(TILE_IDS[tile], color, reading.number_at(place))
        for place, tile in enumerate(reading.tiles)
        if tile >= FIRST_JOKER
    )
    return SetReading(reading.kind, ids_of(reading.tiles), jokers, reading.points)


@lru_cache(maxsize=4096)
def table_set(laid: LaidSet) -> TableSet:
    """A set on the table for clients."""
    return TableSet(laid.id, set_reading(reading_of(laid)))


def table_sets(table: tuple[LaidSet, ...]) -> tuple[TableSet, ...]:
    """The whole table for clients, in its order (C-07)."""
    return tuple([table_set(laid) for laid in table])


def own_draft(state: State, verdict: Verdict) -> OwnDraft:
    """The draft of the seat in turn, for that seat alone (V-06)."""
    draft = state.turn_draft
    melded = state.melded[state.current]
    refusal = verdict.refusal
    return OwnDraft(
        sets=tuple(map(_own_draft_set, draft.sets, verdict.readings)),
        rev=draft.rev,
        changed=not is_unchanged(state),
        undo_depth=len(draft.history),
        meld_points=None if melded else verdict.meld_points,
        meld_needed=None if melded else state.options.initial_meld_points,
        problem=None if refusal is None else CommitProblem[refusal.name],
        message=None if refusal is None else refusal.text.format(**verdict.params),
    )


def arranged_sets(draft: Draft, verdict: Verdict) -> tuple[ArrangedSet, ...]:
    """The draft in brief: all that others see of it where drafts are shown (V-08)."""
    return tuple(
        [
            ArrangedSet(ids_of(packed.tiles), isinstance(reading, Reading))
            for packed, reading in zip(draft.sets, verdict.readings, strict=True)
        ]
    )


@lru_cache(maxsize=4096)
def _own_draft_set(packed: PackedSet, reading: Reading | SetProblem) -> OwnDraftSet:
    tile_ids = ids_of(packed.tiles)
    if isinstance(reading, SetProblem):
        text = SET_PROBLEM_TEXTS[reading]
        return OwnDraftSet(tile_ids, packed.kind, False, reading, text, None)
    return OwnDraftSet(tile_ids, packed.kind, True, None, None, set_reading(reading))
