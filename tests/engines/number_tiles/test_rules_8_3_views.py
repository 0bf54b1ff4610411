"""§8.3 and §9: who may see what."""

import msgspec
import pytest

from engines.number_tiles import ENGINE
from engines.number_tiles.actions import (
    ActionName,
    Commit,
    DraftSet,
    Draw,
    ResetDraft,
    SetDraft,
    UndoDraft,
)
from engines.number_tiles.events import (
    DraftChanged,
    DraftReverted,
    SetsCommitted,
    TilesDealt,
    TilesDrawn,
)
from engines.number_tiles.options import Options
from engines.number_tiles.public import ArrangedSet
from engines.number_tiles.reasons import CommitProblem, DrawReason, Refusal
from engines.number_tiles.tiles import TILE_IDS, SetKind
from engines.number_tiles.views import Thinking
from tests.engines.number_tiles.table import TURN, ids, table

RACKS = ["K1 K2 K3 K4", "O9 JK2", "B12"]
OTHERS = (1, 2, None)


def drafting(**options: object):
    t = table(RACKS, ["R4 R5 R6"], pool="O1 O2 O3 O4", **options)
    t.draft("R4 R5 R6", "K1 K2 K3")
    return t


def tiles_in(value: object) -> set[str]:
    """Every tile id that occurs anywhere in a value."""
    found: set[str] = set()
    stack = [msgspec.to_builtins(value)]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            stack += [*item.keys(), *item.values()]
        elif isinstance(item, list | tuple):
            stack += item
        elif item in TILE_IDS:
            found.add(item)
    return found


@pytest.mark.parametrize("viewer", OTHERS)
def test_8_3_no_foreign_tile_in_any_view(viewer: int | None) -> None:
    """§10 정보 유출, V-01: the own rack and the table, nothing else."""
    own = {1: ids("O9 JK2"), 2: ids("B12"), None: ()}[viewer]
    assert tiles_in(drafting().view(viewer)) == {*ids("R4 R5 R6"), *own}


def test_8_3_the_owner_sees_the_own_tiles() -> None:
    """V-01: and the draft made of them."""
    assert tiles_in(drafting().view(0)) == {*ids("R4 R5 R6"), *ids(RACKS[0])}


def test_8_3_what_everybody_sees() -> None:
    """V-01, §8.3: table, counts, registrations, pool, turn, passes, match."""
    t = drafting()
    view = t.view(None)
    assert view.table[0].reading.tile_ids == ids("R4 R5 R6")
    assert [(s.seat, s.rack_count, s.has_melded, s.left, s.away) for s in view.seats] == [
        (0, 4, True, False, False),
        (1, 2, True, False, False),
        (2, 1, True, False, False),
    ]
    assert (view.pool_count, view.current, view.turn, view.passes) == (4, 0, TURN, ())
    assert (view.game_no, view.games, view.outcomes, view.winners) == (1, 1, (), ())
    assert (view.your_seat, view.rack, view.draft, view.hint) == (None, None, None, None)


@pytest.mark.parametrize("shown", [False, True])
def test_8_3_the_rack_count_does_not_follow_the_draft(shown: bool) -> None:
    """V-02: it is the one of the turn's start, draft shown or not."""
    t = drafting(show_draft_to_others=shown)
    for viewer in (0, *OTHERS):
        assert t.view(viewer).seats[0].rack_count == 4


def test_8_3_others_see_a_count_of_changes() -> None:
    """V-03: accepted changes of any kind; refused and idle ones do not count."""
    t = table(RACKS, ["R4 R5 R6"])
    counts = []
    for action in (
        t.sets("R4 R5 R6", "K1"),
        t.sets("R4 R5 R6", "K1"),
        t.sets("R4 R5 R6", "K1 K2"),
        t.undo,
        t.reset,
        t.reset,
    ):
        t.do(action)
        counts.append([event.changes for event in t.redacted(1)])
    t.refuses(t.sets("R4 R5 R6", "O9"), Refusal.TILE_NOT_AVAILABLE)
    assert counts == [[1], [], [2], [3], [4], []]
    for viewer in OTHERS:
        assert t.view(viewer).thinking == Thinking(0, 4, None)


@pytest.mark.parametrize("viewer", OTHERS)
def test_8_3_a_hidden_change_is_a_bare_count(viewer: int | None) -> None:
    """§10 정보 유출, V-03: the event holds no tile."""
    assert drafting().redacted(viewer) == [DraftChanged(0, 1, None)]


@pytest.mark.parametrize("shown", [False, True])
def test_8_3_returned_and_drawn_tiles_are_the_owners(shown: bool) -> None:
    """V-04, §8.3: others get seat, number and reason, even if they saw the draft."""
    t = table(RACKS, ["R4 R5 R6"], pool="O1 O2 O3 O4", show_draft_to_others=shown)
    t.draft("R4 R5 R6", "K1 K2")
    t.time_out()
    assert t.redacted(0)[0].returned == ids("K1 K2")
    assert t.redacted(0)[1].tile_ids == ids("O1 O2 O3")
    for viewer in OTHERS:
        told = t.redacted(viewer)
        assert not any(isinstance(event, DraftReverted) for event in told)
        assert told[0] == TilesDrawn(0, 3, DrawReason.TIMEOUT_PENALTY, None, 1)


@pytest.mark.parametrize("viewer", OTHERS)
def test_8_3_a_drawn_tile_is_the_owners(viewer: int | None) -> None:
    """§10 정보 유출: "1개 뽑음" for everyone else."""
    t = table(RACKS, pool="O1 O2")
    t.do(t.draw)
    assert t.redacted(viewer)[0] == TilesDrawn(0, 1, DrawReason.CHOICE, None, 1)
    assert t.redacted(0)[0].tile_ids == ids("O1")
    assert t.view(0).rack == ids(RACKS[0] + " O1")


def test_8_3_racks_stay_hidden_after_the_end() -> None:
    """V-05: the outcome tells worth and number only."""
    t = table(["K1 K2 K3", "O9 JK2", "B12"])
    t.add("K1 K2 K3")
    t.do(t.commit)
    assert tiles_in(t.view(None)) == set(ids("K1 K2 K3"))
    assert tiles_in(t.redacted(None)) == set(ids("K1 K2 K3"))
    assert tiles_in(ENGINE.result(t.state)) == set()
    assert [(r.rack_value, r.tiles_left) for r in t.view().outcomes[0].ranking] == [
        (0, 0),
        (12, 1),
        (39, 2),
    ]


def test_8_3_the_own_draft() -> None:
    """V-06, §9: sets judged, points, changed, undo depth, what a commit would say."""
    t = table(["K1 K2 K3 K5", "O9"], ["R4 R5 R6"], melded=False)
    t.draft("R4 R5 R6", "K1 K2", "K3")
    t.draft("R4 R5 R6", "K1 K2 K3", "K5")
    draft = t.view(0).draft
    assert [each.valid for each in draft.sets] == [True, True, False]
    assert (draft.rev, draft.changed, draft.undo_depth) == (2, True, 2)
    assert (draft.meld_points, draft.meld_needed) == (6, 30)
    assert draft.problem is CommitProblem.INVALID_SET
    assert draft.message == Refusal.INVALID_SET.text
    t.draft("R4 R5 R6", "K1 K2 K3")
    assert t.view(0).draft.message.ko == "첫 등록은 30점 이상이어야 해요 (지금 6점)"
    sets = (ArrangedSet(ids("R4 R5 R6"), True), ArrangedSet(ids("K1 K2 K3"), True))
    assert t.redacted(0) == [DraftChanged(0, 3, sets)]


def test_8_3_a_draft_that_passes_has_no_problem() -> None:
    """V-06: nothing to say."""
    draft = drafting().view(0).draft
    assert (draft.problem, draft.message) == (None, None)


def test_8_3_every_problem_of_a_commit_has_its_code() -> None:
    """V-06: names as in the refusal codes."""
    assert [p.name for p in CommitProblem] == [
        "NO_RACK_TILE",
        "INVALID_SET",
        "MELD_POINTS",
        "MELD_NEEDS_NEW_SET",
    ]
    assert {p.name for p in CommitProblem} <= {r.name for r in Refusal}


def test_8_3_nothing_more_is_sent() -> None:
    """V-07: what others get of a penalised turn is seat, number and reason; D-03 closes probing."""
    t = table(RACKS, pool="O1 O2 O3 O4", invalid_commit_penalty="penalty3")
    t.add("K1 K2")
    t.do(t.commit)
    assert t.redacted(1)[0] == TilesDrawn(0, 3, DrawReason.COMMIT_PENALTY, None, 1)
    assert len(t.redacted(1)) == 2


@pytest.mark.parametrize("viewer", OTHERS)
def test_8_3_a_shown_draft(viewer: int | None) -> None:
    """V-08: ids and valid flags for all; not points, depth or code."""
    t = table(RACKS, ["R4 R5 R6"], show_draft_to_others=True)
    t.draft("R4 R5 R6", "K1 K2")
    sets = (ArrangedSet(ids("R4 R5 R6"), True), ArrangedSet(ids("K1 K2"), False))
    assert t.view(viewer).thinking == Thinking(0, 1, sets)
    assert t.view(viewer).draft is None
    assert t.redacted(viewer) == [DraftChanged(0, 1, sets)]
    assert set(ArrangedSet.__dataclass_fields__) == {"tile_ids", "valid"}


def test_8_3_the_option_warns() -> None:
    """§8.3: what was seen stays seen, says the description."""
    (spec,) = (s for s in ENGINE.option_specs if s.key == "showDraftToOthers")
    assert spec.description.ko.endswith("되돌려도 이미 본 타일은 기억에 남아요.")
    assert "Tiles once seen stay seen" in spec.description.en


def test_8_3_stored_events_are_filtered_for_each_viewer() -> None:
    """V-09: the stored event holds the private part, a viewer's version only what is theirs."""
    step = ENGINE.setup(Options(), 3, bytes(32), 0)
    dealt = [event for event in step.events if isinstance(event, TilesDealt)]
    assert [len(event.tile_ids) for event in dealt] == [14, 14, 14]
    for viewer in (0, *OTHERS):
        shown = [ENGINE.redact(Options(), event, viewer) for event in dealt]
        assert [event.tile_ids is not None for event in shown] == [s == viewer for s in range(3)]


def test_8_3_unknown_events_are_shown_to_nobody() -> None:
    """V-09: an allow-list, by class."""
    assert ENGINE.redact(Options(), object(), 0) is None
    assert ENGINE.redact_action(Options(), 0, object(), 1) is None


@pytest.mark.parametrize("viewer", OTHERS)
def test_8_3_logged_drafts_are_hidden(viewer: int | None) -> None:
    """V-03, V-09: changes of a draft are no news to others but by their count."""
    sent = SetDraft(TURN, (DraftSet(ids("K1 K2 K3"), SetKind.RUN),))
    for action in (sent, UndoDraft(TURN), ResetDraft(TURN)):
        assert ENGINE.redact_action(Options(), 0, action, viewer) is None
        assert ENGINE.redact_action(Options(), 0, action, 0) == action
    for action in (Commit(TURN, 2), Draw(TURN)):
        assert ENGINE.redact_action(Options(), 0, action, viewer) == action


@pytest.mark.parametrize("viewer", OTHERS)
def test_8_3_logged_drafts_where_drafts_are_shown(viewer: int | None) -> None:
    """V-08: the sets without their hints; an undo is not told apart."""
    shown = Options(show_draft_to_others=True)
    sent = SetDraft(TURN, (DraftSet(ids("K1 K2 K3"), SetKind.RUN),))
    assert ENGINE.redact_action(shown, 0, sent, viewer) == SetDraft(
        TURN, (DraftSet(ids("K1 K2 K3")),)
    )
    assert ENGINE.redact_action(shown, 0, UndoDraft(TURN), viewer) is None


def test_8_3_what_may_be_done_now() -> None:
    """§9: the buttons of the player in turn, and of the others."""
    a = ActionName
    t = table(RACKS, ["R4 R5 R6"], pool="O1")
    assert t.view(0).available == (a.SET_DRAFT, a.RESET_DRAFT, a.DRAW, a.CONCEDE)
    assert t.view(1).available == (a.CONCEDE,)
    assert t.view(None).available == ()
    t.add("K1 K2 K3")
    assert t.view(0).available == (
        *(a.SET_DRAFT, a.UNDO_DRAFT, a.RESET_DRAFT, a.COMMIT, a.DRAW, a.CONCEDE),
    )
    t.do(t.commit)
    assert t.told(SetsCommitted)[0].table == t.view(1).table
    t.do(t.draw)
    assert t.view(2).available == (a.SET_DRAFT, a.RESET_DRAFT, a.DRAW, a.PASS, a.CONCEDE)
