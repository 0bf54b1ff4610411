"""§9: the simple hint."""

from itertools import combinations
from random import Random

import pytest

from engines.number_tiles.rules.hint import hint_for
from engines.number_tiles.rules.sets import Reading, read_set
from engines.number_tiles.tiles import FIRST_JOKER, JOKERS, TILE_OF_ID
from tests.engines.number_tiles.table import table, tiles


def hint(rack: str, needed: int | None = None):
    return hint_for(bytes(sorted(tiles(rack))), needed)


def shown(rack: str, needed: int | None = None) -> list[tuple[str, ...]]:
    found = hint(rack, needed)
    return [] if found is None else [each.tile_ids for each in found.sets]


def test_9_one_set_after_the_registration() -> None:
    """U-01: the one with most points, jokers last."""
    assert shown("K1 K2 K3 R9 B9 O9 JK1") == [("R9a", "B9a", "O9a")]
    assert shown("K1 K2 R9 JK1") == [("K1a", "K2a", "JK1")]
    assert shown("K1 K3 R9 B12") == []
    assert shown("R12 R13 JK1") == [("JK1", "R12a", "R13a")]


def test_9_all_sets_before_it() -> None:
    """U-01: the combination with most points, and "21 / 30" if that does not suffice."""
    found = hint("B1 B2 B3 K5 R5 O5 K9", 30)
    assert sorted(each.points for each in found.sets) == [6, 15]
    assert (found.points, found.needed, found.enough) == (21, 30, False)
    enough = hint("R10 R11 R12 K1 K2 K3 K9", 30)
    assert (enough.points, enough.enough) == (39, True)


def test_9_jokers_only_where_they_are_needed() -> None:
    """U-01: not while the points suffice without them; else one, then two."""
    assert hint("R10 R11 R12 O7 B7 JK1 JK2", 30).points == 33
    one = hint("R10 R11 B1 B2 B3 JK1 JK2", 20)
    assert (one.points, sum("JK" in t for s in one.sets for t in s.tile_ids)) == (39, 1)
    two = hint("R10 R11 O13 B13 JK1 JK2", 50)
    assert (two.points, two.enough) == (72, True)


def test_9_a_joker_may_stand_in_for_a_tile_used_elsewhere() -> None:
    """U-01: black 7 ends the run, the joker completes the sevens."""
    found = hint("K5 K6 K7 R7 B7 JK1", 30)
    assert found.points == 18 + 21


def test_9_from_the_own_rack_alone() -> None:
    """U-02: the table is not looked at, so "no hint" is not "no move"."""
    t = table(["B7 K1", "O1"], ["B4 B5 B6"])
    assert t.view(0).hint is None


def test_9_only_in_turn_and_only_ones_own() -> None:
    """§9, V-01: nobody else gets it."""
    t = table(["K1 K2 K3", "O1 O2 O3"])
    assert t.view(0).hint.points == 6
    assert [t.view(viewer).hint for viewer in (1, None)] == [None, None]


def test_9_tiles_already_drafted_are_not_hinted_again() -> None:
    """U-01: after the registration the hint goes on with what is left."""
    t = table(["K1 K2 K3 R9 B9 O9 R1", "O1"])
    t.add("R9 B9 O9")
    assert [each.tile_ids for each in t.view(0).hint.sets] == [("K1a", "K2a", "K3a")]


def best_points(rack: tuple[int, ...], memo: dict[tuple[int, ...], int]) -> int:
    """Most points of disjoint sets, by trying everything."""
    if len(rack) < 3:
        return 0
    if rack not in memo:
        first, rest = rack[0], rack[1:]
        best = best_points(rest, memo)
        for size in (2, 3, 4):
            for others in combinations(rest, size):
                reading = read_set(bytes((first, *others)))
                if isinstance(reading, Reading):
                    left = tuple(tile for tile in rest if tile not in others)
                    best = max(best, reading.points + best_points(left, memo))
        memo[rack] = best
    return memo[rack]


@pytest.mark.parametrize("number", range(25))
def test_9_nothing_better_is_overlooked(number: int) -> None:
    """U-01: against an exhaustive search over racks with many sets."""
    rnd = Random(number)
    near = [tile for tile in range(FIRST_JOKER) if tile // 2 % 13 < 6]
    rack = tuple(sorted(rnd.sample(near, 13)))
    found = hint_for(bytes(rack), 999)
    assert (found.points if found else 0) == best_points(rack, {})


@pytest.mark.parametrize("number", range(30))
def test_9_every_hint_can_be_laid(number: int) -> None:
    """U-01: sets of tiles of the rack, each once, in an order that gives the points told."""
    rnd = Random(number)
    rack = bytes(sorted({*rnd.sample(range(FIRST_JOKER), 16), *JOKERS[: number % 3]}))
    for needed in (None, 30, 999):
        found = hint_for(rack, needed)
        if found is None:
            continue
        used = [TILE_OF_ID[t] for each in found.sets for t in each.tile_ids]
        assert len(set(used)) == len(used)
        assert set(used) <= set(rack)
        for each in found.sets:
            reading = read_set(bytes(TILE_OF_ID[t] for t in each.tile_ids))
            assert isinstance(reading, Reading)
            assert (reading.kind, reading.points) == (each.kind, each.points)
        assert found.points == sum(each.points for each in found.sets)


def test_9_a_hopeless_rack_costs_no_more_than_its_share() -> None:
    """U-01: the search for most points is cut short on racks nobody ever holds, and still helps."""
    found = hint_for(bytes(range(106)), 999)
    assert found.points > 400
