"""§8.2: the commit."""

import pytest

from engines.number_tiles.actions import Commit
from engines.number_tiles.events import (
    DraftReverted,
    GameEnded,
    SetsCommitted,
    TilesDrawn,
    TurnStarted,
)
from engines.number_tiles.reasons import CommitProblem, DrawReason, Refusal
from engines.number_tiles.rules.judging import judge_draft
from tests.engines.number_tiles.table import TURN, ids, table


def test_8_2_the_draft_of_the_server_is_laid() -> None:
    """C-01: the commit names no layout."""
    t = table(["K1 K2 K3 K4", "O1"])
    assert set(Commit.__dataclass_fields__) == {"turn", "rev"}
    t.add("K1 K2 K3")
    t.do(t.commit)
    assert t.table_text == ["K1 K2 K3"]
    assert t.told(TurnStarted) == [TurnStarted(TURN + 1, 1)]


@pytest.mark.parametrize(
    ("sets", "reason", "params"),
    [
        (("B4 B5 B6 B7", "B8"), Refusal.NO_RACK_TILE, {}),
        (("B4 B5 B6 B7 B8", "K1 K2"), Refusal.INVALID_SET, {"sets": (1,)}),
        (("B4 B5 B6 B7 B8 B9",), Refusal.MELD_POINTS, {"need": 20, "have": 0}),
        (("B4 B5 B6 B7 B8", "K1 K2 K3"), Refusal.MELD_POINTS, {"need": 20, "have": 6}),
    ],
)
def test_8_2_the_order_of_the_checks(
    sets: tuple[str, ...], reason: Refusal, params: dict[str, object]
) -> None:
    """C-02: rack tile, sets, points (a new set last, see M-04)."""
    t = table(
        ["K1 K2 K3 B9", "O1"],
        ["B4 B5 B6 B7 B8"],
        melded=False,
        initial_meld_points=20,
        initial_meld_allow_extend=True,
    )
    t.draft(*sets)
    t.refuses(t.commit, reason, **params)
    assert t.view(0).draft.problem is CommitProblem[reason.name]


def test_8_2_all_invalid_sets_are_named() -> None:
    """C-03, F-08: indexes from 0 into the stored draft, empty sets not counted."""
    t = table(["K1 K2 R5 R9", "O1"], ["B4 B5 B6"])
    t.draft("", "K1 K2", "", "B4 B5 B6", "R5 R9")
    t.refuses(t.commit, Refusal.INVALID_SET, sets=(0, 2))
    assert [each.valid for each in t.view(0).draft.sets] == [False, True, False]


def test_8_2_one_message_for_invalid_sets() -> None:
    """C-09: the second text of the document."""
    assert Refusal.INVALID_SET.text.ko == "빨간 표시된 조합을 고쳐 주세요"


@pytest.mark.parametrize("mode", ["reject", "penalty3"])
def test_8_2_an_unchanged_draft_is_never_punished(mode: str) -> None:
    """C-04: NO_RACK_TILE in both modes, also with orders or hints changed."""
    t = table(["K1", "O1"], ["B4 B5 B6"], invalid_commit_penalty=mode)
    t.refuses(t.commit, Refusal.NO_RACK_TILE)
    t.draft("B6 B4 B5")
    t.refuses(t.commit, Refusal.NO_RACK_TILE)


@pytest.mark.parametrize(
    ("melded", "sets", "problem"),
    [
        (True, ("B4 B5 B6", "B7 B8 B9"), CommitProblem.NO_RACK_TILE),
        (True, ("B4 B5 B6 B7 B8 B9", "K1 K2"), CommitProblem.INVALID_SET),
        (False, ("B4 B5 B6 B7 B8 B9", "K1 K2 K3"), CommitProblem.MELD_POINTS),
    ],
)
def test_8_2_every_other_failure_costs_three(
    melded: bool, sets: tuple[str, ...], problem: CommitProblem
) -> None:
    """C-04, C-05: draft dropped, three tiles from the front, the turn is over."""
    t = table(
        ["K1 K2 K3", "O1"],
        ["B4 B5 B6 B7 B8 B9"],
        pool="R1 R2 R3 R4",
        melded=melded,
        invalid_commit_penalty="penalty3",
    )
    t.draft(*sets)
    t.do(t.commit)
    assert t.rack(0) == "K1 K2 K3 R1 R2 R3"
    assert t.table_text == ["B4 B5 B6 B7 B8 B9"]
    assert (t.state.current, t.state.turn_no) == (1, TURN + 1)
    (own,) = [e for e in t.redacted(0) if isinstance(e, DraftReverted)]
    assert own.problem is problem
    assert t.redacted(1) == [
        TilesDrawn(0, 3, DrawReason.COMMIT_PENALTY, None, 1),
        TurnStarted(TURN + 1, 1),
    ]


def test_8_2_reject_lets_the_turn_go_on() -> None:
    """§5.7, W-09: refused, nothing drawn, the clock where it was."""
    t = table(["K1 K2 K3", "O1"])
    t.add("K1 K2")
    since = t.state.since
    t.refuses(t.commit, Refusal.INVALID_SET, sets=(0,))
    assert (t.state.current, t.state.since) == (0, since)


def test_8_2_ids_go_with_the_larger_overlap() -> None:
    """C-06: one to one, by overlap, then old place, then new place; others are fresh."""
    t = table(["R6b K1", "O1"], ["R4 R5 R6 R7 R8", "B1 B2 B3"])
    t.draft("B1 B2 B3", "R4 R5 R6", "R6b R7 R8")
    t.do(t.commit)
    assert [each.id for each in t.state.table] == [2, 1, 3]
    assert t.state.next_set_id == 4


def test_8_2_ids_of_merged_and_split_sets() -> None:
    """C-06: the larger part keeps the id; an id that is gone never comes back."""
    t = table(["K7 B10 B11 B12 O13", "O1"], ["K4 K5 K6", "K8 K9 K10 K11"])
    t.draft("K4 K5 K6 K7 K8 K9 K10 K11")
    t.do(t.commit)
    assert [each.id for each in t.state.table] == [2]
    t.do(t.draw)
    t.add("B10 B11 B12")
    t.do(t.commit)
    assert [each.id for each in t.state.table] == [2, 3]


def test_8_2_equal_overlaps_go_by_place() -> None:
    """C-06: three tiles each of sets 1 and 2 meet in a set that is number 1's."""
    t = table(["K7 O13", "O1"], ["K4 K5 K6", "K8 K9 K10"])
    t.draft("K4 K5 K6 K7 K8 K9 K10")
    t.do(t.commit)
    assert [each.id for each in t.state.table] == [1]
    halves = table(["R9b O13", "O1"], ["R7 R8 R9 R10 R11"])
    halves.draft("R9b R10 R11", "R7 R8 R9")
    halves.do(halves.commit)
    assert [each.id for each in halves.state.table] == [2, 1]


def test_8_2_the_table_is_in_the_order_of_the_draft() -> None:
    """C-07: positions on a screen are the client's business."""
    t = table(["K1 K2 K3 K4", "O1"], ["B4 B5 B6", "O4 O5 O6"])
    t.draft("O4 O5 O6", "K1 K2 K3", "B4 B5 B6")
    t.do(t.commit)
    assert t.table_text == ["O4 O5 O6", "K1 K2 K3", "B4 B5 B6"]
    assert [each.set_id for each in t.view().table] == [2, 3, 1]


@pytest.mark.parametrize("mode", ["reject", "penalty3"])
def test_8_2_a_commit_of_another_draft_is_refused(mode: str) -> None:
    """C-08: the revision counts accepted changes; another one costs nothing."""
    t = table(["K1 K2 K3 K4", "O1"], invalid_commit_penalty=mode)
    t.add("K1 K2 K3 K4")
    t.draft("K1 K2")
    assert t.view(0).draft.rev == 2
    for rev in (1, 3, 0, -1):
        t.refuses(Commit(TURN, rev), Refusal.STALE_DRAFT)
    for rev in (None, "2", True, 2.0):
        t.refuses(Commit(TURN, rev), Refusal.BAD_PAYLOAD)


def test_8_2_what_all_see_of_a_commit() -> None:
    """C-10, U-07: the tiles laid, whether automatic, whether first, which sets changed."""
    t = table(["R6b K1 K2 K3 K4", "O1"], ["R4 R5 R6 R7 R8", "B4 B5 B6"])
    t.draft("R4 R5 R6", "R6b R7 R8", "B4 B5 B6", "K1 K2 K3")
    t.do(t.commit)
    for viewer in (0, 1, None):
        (told,) = [e for e in t.redacted(viewer) if isinstance(e, SetsCommitted)]
        assert told.laid == ids("K1 K2 K3 R6b")
        assert (told.auto, told.first_registration) == (False, False)
        assert told.changed_set_ids == (1, 3, 4)
        assert told.table == t.view(viewer).table


def test_8_2_a_reordered_set_is_not_changed() -> None:
    """U-07: the same tiles under the same id are not highlighted."""
    t = table(["K1 K2 K3 K4", "O1"], ["R4 R5 JK1"])
    t.draft("JK1 R4 R5", "K1 K2 K3")
    t.do(t.commit)
    assert t.table_text == ["JK1 R4 R5", "K1 K2 K3"]
    assert t.told(SetsCommitted)[0].changed_set_ids == (2,)


def test_8_2_an_empty_rack_ends_the_game() -> None:
    """§8.2: no next turn."""
    t = table(["K1 K2 K3", "O1"])
    t.add("K1 K2 K3")
    t.do(t.commit)
    assert len(t.told(GameEnded)) == 1
    assert t.told(TurnStarted) == []


def test_8_2_judging_changes_nothing() -> None:
    """§8.2: one function for commit, time-out and view."""
    t = table(["K1 K2 K3", "O1"], ["B4 B5 B6"])
    t.add("K1 K2 K3")
    verdict = judge_draft(t.state)
    assert (verdict.refusal, verdict.meld_points, len(verdict.readings)) == (None, 6, 2)
