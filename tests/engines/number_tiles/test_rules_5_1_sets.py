"""§5.1 and §5.5: runs, groups, and what jokers stand for."""

from itertools import combinations

import pytest

from engines.number_tiles.reasons import SetProblem
from engines.number_tiles.rules.sets import Reading, read_set
from engines.number_tiles.tiles import ALL_TILES, FIRST_JOKER, SetKind, ids_of
from tests.engines.number_tiles.table import ids, paper, table, tiles

RUN, GROUP = SetKind.RUN, SetKind.GROUP


def read(text: str) -> Reading | SetProblem:
    hint, _, rest = text.rpartition(":")
    return read_set(tiles(rest), SetKind(hint) if hint else None)


def as_read(text: str) -> tuple[SetKind, str, int]:
    reading = read(text)
    assert isinstance(reading, Reading), reading
    return reading.kind, paper(reading.tiles), reading.points


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("R12 R13 R1", SetProblem.NOT_CONSECUTIVE),
        ("B5 R5 B5b", SetProblem.DUPLICATE_COLOR),
        ("K7 R7 B7 O7 K7b", SetProblem.DUPLICATE_COLOR),
        ("K7 R7 B7 O7 JK1", SetProblem.TOO_MANY),
        ("R1 R2", SetProblem.TOO_FEW),
    ],
)
def test_5_1_invalid_sets_of_the_checklist(text: str, problem: SetProblem) -> None:
    """§10 세트 판정: 12-13-1, a colour twice, five in a group, two tiles."""
    assert read(text) is problem


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("R7 B7 K7", (GROUP, "K7 R7 B7", 21)),
        ("B3 B4 B5 B6", (RUN, "B3 B4 B5 B6", 18)),
        ("K1 K2 K3", (RUN, "K1 K2 K3", 6)),
        ("O11 O12 O13", (RUN, "O11 O12 O13", 36)),
    ],
)
def test_5_1_valid_sets_of_the_text(text: str, reading: tuple[SetKind, str, int]) -> None:
    """§5.1: the examples of the document."""
    assert as_read(text) == reading


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("JK1 K9 K10", (RUN, "JK1 K9 K10", 27)),
        ("K9 K10 JK1", (RUN, "K9 K10 JK1", 30)),
        ("K8 JK1 K10", (RUN, "K8 JK1 K10", 27)),
    ],
)
def test_5_5_the_order_as_sent_comes_first(text: str, reading: tuple[SetKind, str, int]) -> None:
    """§10 조커 해석, N-01: never read otherwise to help the player."""
    assert as_read(text) == reading


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("R12 R13 JK1", (RUN, "JK1 R12 R13", 36)),
        ("K9 JK1 K10", (RUN, "K9 K10 JK1", 30)),
        ("JK1 K1 K2", (RUN, "K1 K2 JK1", 6)),
        ("K10 K8 JK1", (RUN, "K8 JK1 K10", 27)),
        ("K11 JK1 K12 JK2", (RUN, "JK1 K11 K12 JK2", 46)),
    ],
)
def test_5_5_other_orders_are_sorted(text: str, reading: tuple[SetKind, str, int]) -> None:
    """§10 조커 해석, N-02: gaps first, spare jokers above up to 13, the rest below."""
    assert as_read(text) == reading


def test_5_5_descending_is_not_an_order() -> None:
    """N-03: 7-6-joker becomes 6-7-8, and the draft's view says so at once."""
    assert as_read("R7 R6 JK1") == (RUN, "R6 R7 JK1", 21)
    t = table(["R7 R6 JK1 K1", "K2"])
    t.add("R7 R6 JK1")
    (shown,) = t.view(0).draft.sets
    assert shown.tile_ids == ids("R7 R6 JK1")
    assert shown.reading.tile_ids == ids("R6 R7 JK1")
    assert [(j.tile_id, j.color.name, j.number) for j in shown.reading.jokers] == [
        ("JK1", "RED", 8)
    ]


def test_5_5_spare_jokers_always_find_room() -> None:
    """N-04, F-08: every choice of up to 13 numbers of one colour with jokers that fill its gaps."""
    spare = [
        (numbers, jokers)
        for count in range(1, 14)
        for numbers in combinations(range(13), count)
        for jokers in range(3)
        if numbers[-1] - numbers[0] + 1 - count <= jokers and 3 <= count + jokers <= 13
    ]
    assert ((0, 1, 2), 0) in spare
    assert (tuple(range(11)), 2) in spare
    for numbers, jokers in spare:
        backwards = bytes(2 * n for n in reversed(numbers))
        reading = read_set(backwards + ALL_TILES[FIRST_JOKER:][:jokers], RUN)
        assert isinstance(reading, Reading)
        assert reading.kind is RUN
        assert 1 <= reading.first <= 14 - len(reading.tiles)
        assert sorted(reading.tiles[place - reading.first + 1] for place in numbers) == [
            2 * n for n in numbers
        ]


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("R5 JK1 JK2", (RUN, "R5 JK1 JK2", 18)),
        ("JK1 R5 JK2", (RUN, "JK1 R5 JK2", 15)),
        ("JK1 JK2 K1", (RUN, "K1 JK1 JK2", 6)),
        ("K13 JK1 JK2", (RUN, "JK1 JK2 K13", 36)),
        ("R12 JK1 JK2", (RUN, "JK1 R12 JK2", 36)),
        ("run: R5 JK1 JK2", (RUN, "R5 JK1 JK2", 18)),
        ("group: R5 JK1 JK2", (GROUP, "R5 JK1 JK2", 15)),
        ("group: K13 JK1 JK2", (GROUP, "K13 JK1 JK2", 39)),
    ],
)
def test_5_5_run_unless_hinted(text: str, reading: tuple[SetKind, str, int]) -> None:
    """N-05: one number tile and two jokers fit both; only the hint makes it a group."""
    assert as_read(text) == reading


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("group: R5 R6 R7", (RUN, "R5 R6 R7", 18)),
        ("run: R5 B5 K5", (GROUP, "K5 R5 B5", 15)),
        ("run: R5 B5 JK1", (GROUP, "R5 B5 JK1", 15)),
    ],
)
def test_5_5_a_hint_that_does_not_fit_is_ignored(
    text: str, reading: tuple[SetKind, str, int]
) -> None:
    """N-06: the set is valid as what it is."""
    assert as_read(text) == reading


def run(first: int, last: int) -> str:
    return " ".join(f"R{n}" for n in range(first, last + 1))


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        (run(1, 13), (RUN, run(1, 13), 91)),
        (run(2, 13) + " JK1", (RUN, "JK1 " + run(2, 13), 91)),
        (run(2, 12) + " JK1 JK2", (RUN, "JK2 " + run(2, 12) + " JK1", 91)),
    ],
)
def test_5_1_thirteen_is_the_longest_run(text: str, reading: tuple[SetKind, str, int]) -> None:
    """N-08: real tiles or jokers, thirteen in all; which joker goes where is N-09's."""
    kind, order, points = as_read(text)
    assert (kind, points) == (reading[0], reading[2])
    assert sorted(order.split()) == sorted(reading[1].split())
    assert read(run(1, 13) + " JK1") is SetProblem.TOO_MANY


def test_5_5_which_joker_is_which() -> None:
    """N-09: by position as sent; else in the order sent over the free numbers, ascending."""
    assert as_read("K5 JK2 JK1 K8")[1] == "K5 JK2 JK1 K8"
    assert as_read("JK2 K8 K5 JK1")[1] == "K5 JK2 JK1 K8"
    assert as_read("K8 JK2 K6 JK1")[1] == "K6 JK2 K8 JK1"
    assert as_read("K13 JK2 K11 JK1")[1] == "JK2 K11 JK1 K13"


def test_5_5_groups_in_order_of_colour() -> None:
    """N-10: K, R, B, O, then the jokers; the colour of a joker stays open, also of the last one."""
    assert as_read("JK2 O9 K9 JK1")[1] == "K9 O9 JK1 JK2"
    t = table(["O9 R9 K9 JK1", "K2"])
    t.add("O9 R9 K9 JK1")
    (shown,) = t.view(0).draft.sets
    assert shown.reading.tile_ids == ids("K9 R9 O9 JK1")
    assert [(j.color, j.number) for j in shown.reading.jokers] == [(None, 9)]


def test_5_5_a_turn_begins_with_the_table_as_laid() -> None:
    """N-11 i: the tiles in normal order, the kind as hint."""
    t = table(["K1", "K2"], ["group: R5 JK1 JK2", "B3 B4 B5"])
    assert [(each.tile_ids, each.as_kind) for each in t.view(0).draft.sets] == [
        (ids("R5 JK1 JK2"), GROUP),
        (ids("B3 B4 B5"), RUN),
    ]


def test_5_5_untouched_sets_keep_their_meaning() -> None:
    """N-11 ii, F-04: a joker group stays one when the next player lays elsewhere without hints."""
    t = table(["K1 K2 K3 K9", "K2b"], ["group: R5 JK1 JK2"])
    t.draft("R5 JK1 JK2", "K1 K2 K3")
    t.do(t.commit)
    assert t.state.table[0].kind is GROUP
    assert t.view().table[0].reading.points == 15


@pytest.mark.parametrize(
    ("arranged", "kind", "points"),
    [("run: R5 JK1 JK2", RUN, 18), ("JK1 R5 JK2", RUN, 15), ("group: JK2 R5 JK1", GROUP, 15)],
)
def test_5_5_touching_a_set_reads_it_anew(arranged: str, kind: SetKind, points: int) -> None:
    """N-11 iii: another hint or another order is rearranging."""
    t = table(["K1 K2 K3 K9", "K2b"], ["group: R5 JK1 JK2"])
    t.draft(arranged, "K1 K2 K3")
    t.do(t.commit)
    assert t.state.table[0].kind is kind
    assert t.view().table[0].reading.points == points


def test_5_1_jokers_alone_are_no_set() -> None:
    """N-12: checked by itself, though two jokers never make three tiles."""
    assert read("JK1 JK2") is SetProblem.TOO_FEW
    assert read_set(bytes((FIRST_JOKER, FIRST_JOKER + 1, FIRST_JOKER))) is SetProblem.NOT_A_SET


@pytest.mark.parametrize(
    ("text", "problem", "message"),
    [
        ("K7 JK1", SetProblem.TOO_FEW, "타일이 3개 이상이어야 해요"),
        ("B5 R5 B5b", SetProblem.DUPLICATE_COLOR, "같은 색이 두 개예요"),
        ("R5 R5b JK1", SetProblem.DUPLICATE_COLOR, "같은 색이 두 개예요"),
        ("R5 R5b R6", SetProblem.DUPLICATE_NUMBER, "같은 숫자가 두 개예요"),
        ("R5 R6 R8", SetProblem.NOT_CONSECUTIVE, "숫자가 이어지지 않아요"),
        ("R5 JK1 R9", SetProblem.NOT_CONSECUTIVE, "숫자가 이어지지 않아요"),
        ("K7 R7 B7 JK1 JK2", SetProblem.TOO_MANY, "타일이 너무 많아요"),
        ("R5 B6 K7", SetProblem.NOT_A_SET, "조합이 아니에요"),
        ("R5 B5 R6", SetProblem.NOT_A_SET, "조합이 아니에요"),
    ],
)
def test_5_1_the_short_reason(text: str, problem: SetProblem, message: str) -> None:
    """N-13, §9: the first that fits, the number looked at first."""
    t = table([text + " K13", "K2"])
    t.add(text)
    (shown,) = t.view(0).draft.sets
    assert (shown.valid, shown.problem, shown.message.ko) == (False, problem, message)
    assert shown.reading is None


def test_5_1_the_draft_is_judged_as_at_commit() -> None:
    """N-14: an untouched joker group is green as the group it is, hint or not."""
    t = table(["K1 K2 K3 K9", "K2b"], ["group: R5 JK1 JK2"])
    t.draft("R5 JK1 JK2", "K1 K2 K3")
    shown = t.view(0).draft
    assert [(each.valid, each.reading.kind) for each in shown.sets] == [(True, GROUP), (True, RUN)]
    t.do(t.commit)
    assert tuple(each.reading for each in t.view().table) == tuple(s.reading for s in shown.sets)


@pytest.mark.parametrize(("text", "points"), [("B13 O13 JK1", 39), ("K7 O7 JK1 JK2", 28)])
def test_5_5_a_joker_in_a_group_counts_its_number(text: str, points: int) -> None:
    """N-15, §3: the number of the group."""
    assert as_read(text)[2] == points


def test_5_1_runs_of_thirteen_hold_all_number_tiles() -> None:
    """§5.1, §8.2: eight of them would be a whole table."""
    for color in "KRBO":
        for copy in "ab":
            whole = tiles(" ".join(f"{color}{n}{copy}" for n in range(1, 14)))
            assert read_set(whole) == Reading(RUN, whole, 1)
            assert ids_of(whole)[0] == f"{color}1{copy}"
