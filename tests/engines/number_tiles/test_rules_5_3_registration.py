"""§5.3: the first registration."""

import pytest

from engines.number_tiles.events import SetsCommitted
from engines.number_tiles.reasons import EndReason, Refusal
from engines.number_tiles.state import Phase
from engines.number_tiles.tiles import SetKind
from tests.engines.number_tiles.table import Table, ids, table


def fresh(rack: str, *on_table: str, **options: object) -> Table:
    """A player who is not registered yet, and one more tile than is laid."""
    return table([rack + " O1b", "K1b"], on_table, melded=False, **options)


def test_5_3_thirty_three_points_will_do() -> None:
    """§5.3: red 10, 11, 12."""
    t = fresh("R10 R11 R12")
    t.add("R10 R11 R12")
    t.do(t.commit)
    assert t.state.melded == (True, False)
    assert t.told(SetsCommitted)[0].first_registration is True


def test_5_3_twenty_one_points_will_not() -> None:
    """§5.3, M-01: 6 + 15, over two new sets, with the message of §8.2."""
    t = fresh("B1 B2 B3 K5 R5 O5")
    t.add("B1 B2 B3", "K5 R5 O5")
    refused = t.refuses(t.commit, Refusal.MELD_POINTS, need=30, have=21)
    assert refused.text.ko == "첫 등록은 30점 이상이어야 해요 (지금 21점)"
    assert refused.text.en == "The first registration takes 30 points or more (now 21)."


def test_5_3_a_joker_counts_where_it_stands() -> None:
    """§10 조커 해석, §5.3: 8-9-10 is refused, 9-10-11 is not."""
    t = fresh("JK1 K9 K10")
    t.draft("JK1 K9 K10")
    t.refuses(t.commit, Refusal.MELD_POINTS, need=30, have=27)
    t.draft("K9 K10 JK1")
    t.do(t.commit)
    assert t.table_text == ["K9 K10 JK1"]


def test_5_3_exactly_enough_over_several_sets() -> None:
    """M-01: thirty is enough, and more sets than needed are fine."""
    t = fresh("K1 K2 K3 R8 B8 O8 O2 O3 O4")
    t.add("K1 K2 K3", "R8 B8 O8")
    t.do(t.commit)
    assert t.state.melded[0] is True


def test_5_3_points_are_not_saved_up() -> None:
    """M-01: one commit, not several turns."""
    t = fresh("K1 K2 K3 R8 B8 O8")
    t.add("R8 B8 O8")
    t.refuses(t.commit, Refusal.MELD_POINTS, need=30, have=24)
    t.do(t.draw)
    t.do(t.draw)
    t.add("K1 K2 K3")
    t.refuses(t.commit, Refusal.MELD_POINTS, need=30, have=6)


def test_5_3_attaching_is_refused_at_once() -> None:
    """§10 첫 등록, M-06: a rack tile at a table set; the message of §8.2."""
    t = fresh("B7 R10 R11 R12", "B4 B5 B6")
    refused = t.refuses(t.sets("B4 B5 B6 B7", "R10 R11 R12"), Refusal.TABLE_LOCKED)
    assert refused.text.ko == "첫 등록 전에는 테이블의 타일을 옮길 수 없어요"
    assert refused.rule == "8.2 C3"


def test_5_3_splitting_is_refused_at_once() -> None:
    """§10 첫 등록, M-06: C3 at setDraft, whatever is in the rack."""
    t = fresh("R6b R10 R11 R12", "R4 R5 R6 R7 R8", "K1 K2 K3")
    t.refuses(t.sets("R4 R5 R6", "R6b R7 R8", "K1 K2 K3"), Refusal.TABLE_LOCKED)
    t.refuses(t.sets("R4 R5 R6 R7 R8 K1 K2 K3"), Refusal.TABLE_LOCKED)


def test_5_3_the_order_of_sets_and_tiles_is_free() -> None:
    """M-06: the same ids together are the same set."""
    t = fresh("R10 R11 R12", "B4 B5 B6", "K1 K2 K3")
    t.draft("K3 K1 K2", "R10 R11 R12", "B6 B5 B4")
    t.do(t.commit)
    assert t.table_text == ["K1 K2 K3", "R10 R11 R12", "B4 B5 B6"]


@pytest.mark.parametrize("extend", [False, True])
def test_5_3_table_sets_are_not_reinterpreted(extend: bool) -> None:
    """M-07, F-03: neither by their order nor by a hint, before the registration."""
    t = fresh(
        "R10 R11 R12",
        "K8 K9 JK1",
        "group: R5 B5 JK2",
        initial_meld_allow_extend=extend,
    )
    t.draft("JK1 K8 K9", "run: JK2 B5 R5", "R10 R11 R12")
    shown = t.view(0).draft.sets
    assert shown[0].reading.jokers[0].number == 10
    t.do(t.commit)
    assert t.table_text[:2] == ["K8 K9 JK1", "R5 B5 JK2"]
    assert t.state.table[1].kind is SetKind.GROUP


def test_5_3_a_joker_group_keeps_its_kind_before_registration() -> None:
    """M-07: the hint "run" is without effect on one number with two jokers."""
    t = fresh("R10 R11 R12", "group: R5 JK1 JK2")
    t.draft("run: R5 JK1 JK2", "R10 R11 R12")
    t.do(t.commit)
    assert t.state.table[0].kind is SetKind.GROUP


def test_5_3_with_extend_the_table_may_move_after_the_points() -> None:
    """M-05, §5.3: attaching and rearranging in the very turn of the registration."""
    t = fresh("B7 R6b R10 R11 R12", "B4 B5 B6", "R4 R5 R6 R7 R8", initial_meld_allow_extend=True)
    t.draft("B4 B5 B6 B7", "R4 R5 R6", "R6b R7 R8")
    t.refuses(t.commit, Refusal.MELD_POINTS, need=30, have=0)
    t.add("R10 R11 R12")
    t.do(t.commit)
    assert t.table_text == ["B4 B5 B6 B7", "R4 R5 R6", "R6b R7 R8", "R10 R11 R12"]


def test_5_3_with_extend_only_whole_new_sets_count() -> None:
    """M-02: a rack set that got a table tile counts nothing, nor do tiles attached."""
    t = fresh("R11 R12 R13 O13", "R7 R8 R9 R10", "K13 R13b B13", initial_meld_allow_extend=True)
    t.draft("R7 R8 R9", "R10 R11 R12 R13", "K13 R13b B13 O13")
    t.refuses(t.commit, Refusal.MELD_POINTS, need=30, have=0)
    t.draft("R7 R8 R9 R10", "R11 R12 R13", "K13 R13b B13 O13")
    t.do(t.commit)
    assert t.rack(0) == "O1b"


def test_5_3_with_extend_table_jokers_may_move_but_count_nothing() -> None:
    """J-02: in the turn whose final layout holds enough points of rack tiles alone."""
    t = fresh("K8 R10 R11 R12 O9 O10", "K6 K7 JK1", initial_meld_allow_extend=True)
    t.draft("K6 K7 K8", "O9 O10 JK1")
    t.refuses(t.commit, Refusal.MELD_POINTS, need=30, have=0)
    t.add("R10 R11 R12")
    t.do(t.commit)
    assert t.table_text == ["K6 K7 K8", "O9 O10 JK1", "R10 R11 R12"]


def test_5_3_without_extend_table_jokers_stay() -> None:
    """J-02, §5.5: no joker is taken before the registration."""
    t = fresh("K8 R10 R11 R12 O9 O10", "K6 K7 JK1")
    t.refuses(t.sets("K6 K7 K8", "O9 O10 JK1", "R10 R11 R12"), Refusal.TABLE_LOCKED)


def test_5_3_none_still_asks_for_a_new_set() -> None:
    """M-03: 0 points lift the minimum, not the registration; the table is locked before it."""
    t = fresh("K1 K2 K3 B7", "B4 B5 B6", initial_meld_points=0)
    t.refuses(t.sets("B4 B5 B6 B7"), Refusal.TABLE_LOCKED)
    t.add("K1 K2 K3")
    t.do(t.commit)
    assert t.state.melded[0] is True


def test_5_3_none_with_extend_asks_for_a_new_set_too() -> None:
    """M-04, F-07: attaching alone is refused although 0 points are reached."""
    t = fresh("K1 K2 K3 B7", "B4 B5 B6", initial_meld_points=0, initial_meld_allow_extend=True)
    t.draft("B4 B5 B6 B7")
    refused = t.refuses(t.commit, Refusal.MELD_NEEDS_NEW_SET)
    assert refused.text.ko == "첫 등록에는 내 타일만으로 만든 새 조합이 있어야 해요"
    t.add("K1 K2 K3")
    t.do(t.commit)
    assert t.table_text == ["B4 B5 B6 B7", "K1 K2 K3"]


@pytest.mark.parametrize("need", [20, 50])
def test_5_3_other_minimums(need: int) -> None:
    """M-01, §7: the option is the minimum."""
    t = fresh("K1 K2 K3 O6 O7", initial_meld_points=need)
    t.add("K1 K2 K3")
    t.refuses(t.commit, Refusal.MELD_POINTS, need=need, have=6)
    assert t.view(0).draft.meld_needed == need


def test_5_3_registered_for_the_rest_of_the_game() -> None:
    """M-08: by an automatic commit as well; everybody begins anew in the next game."""
    t = fresh("R10 R11 R12", games_per_match=2)
    t.add("R10 R11 R12")
    t.time_out()
    assert t.told(SetsCommitted)[0].auto is True
    assert t.state.melded == (True, False)
    for _ in range(200):
        if t.state.phase is Phase.BETWEEN_GAMES:
            break
        t.time_out()
    assert t.state.melded == (True, False)
    t.time_out()
    assert t.state.melded == (False, False)


def test_5_3_the_bar_counts_valid_new_sets() -> None:
    """M-09, §9: "21 / 30"; invalid sets count nothing; only the owner gets it."""
    t = fresh("B1 B2 B3 K5 R5 O5 R9 R10")
    t.add("B1 B2 B3", "K5 R5 O5", "R9 R10")
    draft = t.view(0).draft
    assert (draft.meld_points, draft.meld_needed) == (21, 30)
    assert [t.view(1).draft, t.view(None).draft] == [None, None]


def test_5_3_the_bar_is_gone_once_registered() -> None:
    """M-09: nothing is asked any more."""
    draft = table(["K1 K2", "K3"]).view(0).draft
    assert (draft.meld_points, draft.meld_needed) == (None, None)


def test_5_3_winning_with_the_registration() -> None:
    """M-10: a win like any other."""
    t = table(["R10 R11 R12", "K1 K2"], melded=False)
    t.add("R10 R11 R12")
    t.do(t.commit)
    assert t.state.outcomes[0].reason is EndReason.RACK_EMPTY
    assert t.state.outcomes[0].winners == (0,)
    assert t.told(SetsCommitted)[0].laid == ids("R10 R11 R12")
