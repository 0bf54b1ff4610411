"""The stored state stays small, in real play and against a hostile client (§5.6, D-09, D-13)."""

from random import Random

import pytest
from msgspec.structs import replace

from engines import codec
from engines.number_tiles import ENGINE
from engines.number_tiles.actions import DraftSet, SetDraft
from engines.number_tiles.reasons import EndReason
from engines.number_tiles.rules.scoring import score_game
from engines.number_tiles.rules.undo import difference, restore
from engines.number_tiles.state import Layout, PackedSet
from engines.number_tiles.tiles import ALL_TILES, TILE_IDS, SetKind, ids_of
from tests.engines.number_tiles.player import scrambled, sensible_action, set_draft
from tests.engines.number_tiles.table import Table, table

IN_PLAY = 16 * 1024
BOUND = 36 * 1024
"""What no client can push a stored state past: 100 whole layouts, and all the rest."""
LONGEST_STEP = 2 * 106

FULL_TABLE = [
    *(
        " ".join(f"{c}{n}{copy}" for n in range(low, high))
        for c in "KRBO"
        for copy in "ab"
        for low, high in ((1, 4), (4, 7), (7, 10), (10, 14))
    ),
]


def size(t: Table) -> int:
    return len(codec.encode_state(t.state))


def late(rack: str = "JK1 JK2") -> Table:
    """All but the jokers on the table, in thirty-two sets."""
    return table([rack, "", "", ""], FULL_TABLE, pool="")


def test_a_whole_match_stays_small() -> None:
    """Four players, four games, played out."""
    state = ENGINE.setup(ENGINE.options({"gamesPerMatch": 4}), 4, bytes(32), 0).state
    largest = 0
    while ENGINE.result(state) is None:
        due = ENGINE.deadline(state)
        if due.seat is None:
            state = ENGINE.on_timeout(state, due.until).state
        else:
            state = ENGINE.apply(state, state.current, sensible_action(state), due.since).state
        largest = max(largest, len(codec.encode_state(state)))
    assert len(state.outcomes) == 4
    assert largest < 4 * 1024


@pytest.mark.parametrize("number", range(3))
def test_a_hundred_changes_of_a_full_table(number: int) -> None:
    """One tile moved at a time, on the largest table there can be."""
    t, rnd = late(), Random(number)
    while len(t.state.draft.history) < 100:
        t.do(set_draft(t.state, scrambled(t.state, rnd)))
    assert size(t) < IN_PLAY
    assert sum(map(len, t.state.draft.history)) < 100 * 60


def hostile(rnd: Random) -> SetDraft:
    """All 106 tiles in any order, most of them alone, each with a hint."""
    order = rnd.sample(ALL_TILES, len(ALL_TILES))
    hints = (SetKind.RUN, SetKind.GROUP)
    sets = tuple(DraftSet((TILE_IDS[tile],), rnd.choice(hints)) for tile in order)
    return SetDraft(7, sets + (DraftSet(()),) * (256 - len(sets)))


def test_a_hostile_client_meets_the_bound() -> None:
    """256 sets, 106 tiles, a hundred pathological changes, the outcomes of three games behind."""
    t, rnd = late(), Random(1)
    racks = tuple(ALL_TILES[n : n + 26] for n in (0, 26, 52, 78))
    outcome = score_game(3, EndReason.STALEMATE, racks, (0, 1, 2, 3), 50)
    t.state = replace(t.state, outcomes=(outcome,) * 3, away=(0, 1, 2, 3), passes=(1, 2, 3))
    for _ in range(110):
        t.do(hostile(rnd))
    assert len(t.state.draft.history) == 100
    assert all(len(step) <= LONGEST_STEP for step in t.state.draft.history)
    assert 31 * 1024 < size(t) < BOUND


def layouts(rnd: Random) -> Layout:
    """Any division of any tiles into sets."""
    order = rnd.sample(ALL_TILES, rnd.randint(1, len(ALL_TILES)))
    sets = []
    while order:
        count = rnd.choice((1, 1, 2, 3, 5, 13))
        hint = rnd.choice((None, SetKind.RUN, SetKind.GROUP))
        sets.append(PackedSet(bytes(order[:count]), hint))
        order = order[count:]
    return tuple(sets)


@pytest.mark.parametrize("number", range(200))
def test_a_difference_leads_back(number: int) -> None:
    """From any layout to any other, and to a neighbour; never longer than written out."""
    rnd = Random(number)
    newer, older = layouts(rnd), layouts(rnd)
    near = list(newer)
    near.insert(rnd.randint(0, len(near)), near.pop(rnd.randrange(len(near))))
    for target in (older, tuple(near), newer, ()):
        step = difference(newer, target)
        assert restore(newer, step) == target
        assert len(step) <= sum(1 + len(each.tiles) for each in target)


def test_a_difference_copies_what_stays() -> None:
    """Three sets of five in a row are three bytes; a lone tile is written out in two."""
    sets = tuple(PackedSet(bytes(range(5 * n, 5 * n + 5))) for n in range(4))
    newer = (*sets[:3], PackedSet(b"\x60"))
    assert difference(newer, (*sets[:3], sets[3])) == b"\xff\x00\x03\x80\x0f\x10\x11\x12\x13"
    assert difference(newer, (PackedSet(b"\x60"),)) == b"\x80\x60"
    assert ids_of(b"\x60") == ("O10a",)
