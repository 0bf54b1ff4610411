"""§5.6 and §8.2: the draft of the turn."""

from typing import Any

import pytest

from engines import codec
from engines.number_tiles import ENGINE
from engines.number_tiles.actions import DraftSet, SetDraft
from engines.number_tiles.events import DraftChanged
from engines.number_tiles.options import Options
from engines.number_tiles.reasons import CommitProblem, Refusal
from engines.number_tiles.tiles import SetKind
from engines.protocol import Away, Back
from tests.engines.number_tiles.table import NOW, TURN, Table, ids, table

RACK = "K1 K2 K3 K4 K5 K6"


def five_changes() -> Table:
    """Five setDraft, one tile more each time."""
    t = table([RACK, "O1"], ["B4 B5 B6"])
    for count in range(1, 6):
        t.draft("B4 B5 B6", " ".join(RACK.split()[:count]))
    return t


def test_5_6_two_steps_back() -> None:
    """§10 되돌리기: five changes less two is the third."""
    t = five_changes()
    t.do(t.undo)
    t.do(t.undo)
    assert t.draft_text == ["B4 B5 B6", "K1 K2 K3"]
    assert t.view(0).draft.undo_depth == 3


def test_5_6_back_to_the_start() -> None:
    """§10 되돌리기: reset is the table as the turn began."""
    t = five_changes()
    t.do(t.reset)
    assert t.draft_text == ["B4 B5 B6"]
    assert t.view(0).draft.changed is False


def test_5_6_the_draft_survives() -> None:
    """§10 되돌리기, §8.5: stored, read back, away and back: the draft and its history are there."""
    t = five_changes()
    t.state = codec.decode_state(ENGINE, codec.encode_state(t.state))
    t.system(Away(0))
    t.system(Back(0))
    assert t.draft_text == ["B4 B5 B6", "K1 K2 K3 K4 K5"]
    t.do(t.undo)
    assert t.draft_text == ["B4 B5 B6", "K1 K2 K3 K4"]


def test_5_6_a_draft_may_be_invalid() -> None:
    """§5.6: single tiles and pairs are fine until the commit."""
    t = table([RACK, "O1"], ["B4 B5 B6"])
    t.draft("B4", "B5 K1", "B6 K6")
    assert t.view(0).draft.problem is CommitProblem.INVALID_SET


def test_5_6_empty_sets_are_dropped() -> None:
    """D-01: before all checks; never stored."""
    t = table([RACK, "O1"], ["B4 B5 B6"])
    t.draft("", "B4 B5 B6", "", "K1 K2 K3", "")
    assert t.draft_text == ["B4 B5 B6", "K1 K2 K3"]
    t.do(t.commit)
    assert t.table_text == ["B4 B5 B6", "K1 K2 K3"]


@pytest.mark.parametrize("sets", [("B4 B5 B6", "K1 K1"), ("B4 B5 B6", "K1 K2", "K3 K1")])
def test_5_6_a_tile_lies_in_one_place(sets: tuple[str, ...]) -> None:
    """D-02, §8.2 C1: twice in one set or in two."""
    t = table([RACK, "O1"], ["B4 B5 B6"])
    t.refuses(t.sets(*sets), Refusal.DUPLICATE_TILE)


def test_5_6_one_answer_for_all_tiles_one_may_not_use() -> None:
    """D-03, §8.2 C1: unknown, somebody else's and pool tiles are told apart by nothing."""
    t = table([RACK, "O1"], ["B4 B5 B6"], pool="R9")
    answers = []
    for tile_id in ("X99", "R0a", "K01a", "r9a", "", "O1a", "R9a"):
        action = SetDraft(TURN, (DraftSet(ids("B4 B5 B6")), DraftSet((*ids("K1"), tile_id))))
        no = t.refuses(action, Refusal.TILE_NOT_AVAILABLE)
        answers.append((no.reason, no.rule, no.path, no.params, no.text))
    assert answers == [answers[0]] * 7


@pytest.mark.parametrize(
    ("sets", "reason"),
    [
        ((DraftSet(("X1", 5)),), Refusal.BAD_PAYLOAD),
        ((DraftSet(ids("O1 O1")),), Refusal.TILE_NOT_AVAILABLE),
        ((DraftSet(ids("K1 K1 O1")),), Refusal.DUPLICATE_TILE),
        ((DraftSet(ids("O1")), DraftSet(ids("B4 B5"))), Refusal.TILE_NOT_AVAILABLE),
        ((DraftSet(ids("B4 B5 K1")),), Refusal.TABLE_TILE_MISSING),
        ((DraftSet(ids("B4 B5 B6 K1")),), Refusal.TABLE_LOCKED),
    ],
)
def test_5_6_the_order_of_the_checks(sets: tuple[DraftSet, ...], reason: Refusal) -> None:
    """D-04: payload, C1, C2, C3; the first that fails."""
    t = table([RACK, "O1"], ["B4 B5 B6"], melded=False)
    t.refuses(SetDraft(TURN, sets), reason)


@pytest.mark.parametrize(
    "sets",
    [
        None,
        "B4a",
        {"sets": ()},
        (("B4a",),),
        (DraftSet("B4a"),),
        (DraftSet(None),),
        (DraftSet((4, 5, 6)),),
        (DraftSet((None,)),),
        (DraftSet((["B4a"],)),),
        (DraftSet(ids("K1"), "run"),),
        (DraftSet(ids("K1"), True),),
        (DraftSet(()),) * 257,
        (DraftSet(("K1a",) * 107),),
        (DraftSet(("K1a",) * 54), DraftSet(("K1a",) * 53)),
    ],
    ids=range(14),
)
def test_5_6_malformed_drafts(sets: Any) -> None:
    """N-07, D-13: wrong shapes, other hints, more than 256 sets or 106 tiles."""
    t = table([RACK, "O1"], ["B4 B5 B6"])
    t.refuses(SetDraft(TURN, sets), Refusal.BAD_PAYLOAD)


def test_5_6_the_largest_draft() -> None:
    """D-13: 256 sets are taken, the empty ones dropped."""
    t = table([RACK, "O1"], ["B4 B5 B6"])
    t.do(SetDraft(TURN, (DraftSet(ids("B4 B5 B6")), DraftSet(ids("K1")), *[DraftSet(())] * 254)))
    assert t.draft_text == ["B4 B5 B6", "K1"]


def test_5_6_unknown_fields_are_ignored() -> None:
    """N-07: extra fields of a stored or sent action do no harm."""
    sent = b'{"type":"SetDraft","turn":7,"x":1,"sets":[{"tile_ids":["K1a"],"as_kind":"run","y":2}]}'
    action = codec.decode_action(ENGINE, sent)
    assert action == SetDraft(7, (DraftSet(("K1a",), SetKind.RUN),))


def test_5_6_there_always_is_a_draft() -> None:
    """D-06: from the turn's start, with an empty history; none when the game is over."""
    t = table(["K1 K2 K3", "O1"], ["B4 B5 B6"])
    assert (t.draft_text, t.state.draft.history, t.state.draft.rev) == (["B4 B5 B6"], (), 0)
    t.add("K1 K2 K3")
    t.do(t.commit)
    assert t.state.draft is None


@pytest.mark.parametrize(
    ("sets", "changed"),
    [
        (("K7 K8 K9", "B4 B5 B6"), False),
        (("B6 B4 B5", "K8 K9 K7"), False),
        (("run: B4 B5 B6", "group: K7 K8 K9"), False),
        (("B4 B5", "B6 K7 K8 K9"), True),
        (("B4 B5 B6", "K7 K8 K9", "K1"), True),
        (("B4 B5 B6 K7 K8 K9",), True),
    ],
)
def test_5_6_unchanged_is_the_same_partition(sets: tuple[str, ...], changed: bool) -> None:
    """D-07: orders and hints do not matter; used by the view, the time-out and the commit."""
    t = table([RACK, "O1"], ["B4 B5 B6", "K7 K8 K9"])
    t.draft(*sets)
    assert t.view(0).draft.changed is changed
    if not changed:
        t.refuses(t.commit, Refusal.NO_RACK_TILE)


def test_5_6_the_same_draft_again_changes_nothing() -> None:
    """D-08, X-03: the very same lists and hints: no event, no step, the very state."""
    t = table([RACK, "O1"], ["B4 B5 B6"])
    t.draft("B4 B5 B6", "K1 K2")
    before = t.state
    t.draft("B4 B5 B6", "K1 K2")
    assert t.state is before
    assert t.events == ()


@pytest.mark.parametrize(
    "sets", [("K1 K2", "B4 B5 B6"), ("B4 B5 B6", "K2 K1"), ("B4 B5 B6", "run: K1 K2")]
)
def test_5_6_another_order_or_hint_is_a_change(sets: tuple[str, ...]) -> None:
    """D-08: only the exactly equal draft is none."""
    t = table([RACK, "O1"], ["B4 B5 B6"])
    t.draft("B4 B5 B6", "K1 K2")
    t.draft(*sets)
    assert (t.state.draft.rev, len(t.state.draft.history)) == (2, 2)


def test_5_6_a_hundred_steps_back() -> None:
    """D-09, §5.6: the 101st change drops the oldest; "처음으로" still reaches the start."""
    t = table([RACK, "O1"], ["B4 B5 B6"])
    for change in range(101):
        t.draft("B4 B5 B6", "K1", "K2" if change % 2 else "K3")
    assert t.view(0).draft.undo_depth == 100
    for _ in range(100):
        t.do(t.undo)
    assert t.draft_text == ["B4 B5 B6", "K1", "K3"]
    t.refuses(t.undo, Refusal.NOTHING_TO_UNDO)
    t.do(t.reset)
    assert t.draft_text == ["B4 B5 B6"]


def test_5_6_a_reset_can_be_undone() -> None:
    """D-10: it is a change like any other."""
    t = table([RACK, "O1"], ["B4 B5 B6"])
    t.draft("B4 B5", "B6 K1")
    t.do(t.reset)
    assert (t.state.draft.rev, len(t.state.draft.history)) == (2, 2)
    t.do(t.undo)
    assert t.draft_text == ["B4 B5", "B6 K1"]


def test_5_6_a_reset_of_the_start_changes_nothing() -> None:
    """D-10, X-03: accepted, without a step."""
    t = table([RACK, "O1"], ["B4 B5 B6"])
    before = t.state
    t.do(t.reset)
    assert t.state is before
    assert t.events == ()


def test_5_6_nothing_to_undo() -> None:
    """D-11: with an empty history, and there is no redo."""
    t = table([RACK, "O1"], ["B4 B5 B6"])
    no = t.refuses(t.undo, Refusal.NOTHING_TO_UNDO)
    assert no.text.ko == "되돌릴 것이 없어요"
    assert not any("redo" in cls.__name__.lower() for cls in ENGINE.actions)


def test_5_6_racks_change_at_commit_only() -> None:
    """D-14: tiles of a draft are still in the rack; a draft that is dropped puts nothing back."""
    t = table([RACK, "O1"], ["B4 B5 B6"], pool="O9")
    t.add("K1 K2 K3")
    assert t.rack(0) == RACK
    assert t.view(0).seats[0].rack_count == 6
    t.do(t.draw)
    assert t.rack(0) == RACK + " O9"


def test_5_6_many_tiles_at_once_are_one_step() -> None:
    """D-15: one setDraft, one undo."""
    t = table([RACK, "O1"], ["B4 B5 B6"])
    t.add("K1 K2 K3", "K4 K5 K6")
    assert t.view(0).draft.undo_depth == 1
    t.do(t.undo)
    assert t.draft_text == ["B4 B5 B6"]


def test_5_6_a_draft_lives_for_one_turn() -> None:
    """§5.6, P-01: the next turn begins with the table and no history."""
    t = five_changes()
    t.do(t.draw)
    assert (t.draft_text, t.state.draft.history) == (["B4 B5 B6"], ())


def test_5_6_the_engine_sets_no_pace() -> None:
    """§8.2: ten a second is the server's limit; the engine takes what it gets."""
    t = table([RACK, "O1"])
    for change in range(30):
        t.do(SetDraft(TURN, (DraftSet(("K1a", "K2a")[: 1 + change % 2]),)), at=NOW)
    assert t.state.draft.rev == 30
    assert t.told(DraftChanged)[0].changes == 30
    assert Options() == t.state.options
