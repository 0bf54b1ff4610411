"""§5.7 and §8.5: the clock, and what happens when it runs out."""

import pytest

from engines.number_tiles import ENGINE
from engines.number_tiles.events import (
    DraftReverted,
    GameEnded,
    Passed,
    SeatAway,
    SeatBack,
    SetsCommitted,
    TilesDrawn,
    TurnStarted,
)
from engines.number_tiles.reasons import CommitProblem, DrawReason, Refusal
from engines.number_tiles.state import Phase
from engines.protocol import (
    SYSTEM,
    AbsenceRemedy,
    Away,
    Back,
    Deadline,
    DeadlineShifted,
    ShiftDeadline,
)
from tests.engines.number_tiles.table import NOW, TURN, ids, table


@pytest.mark.parametrize("seconds", [60, 90, 120, 180])
def test_8_5_the_deadline(seconds: int) -> None:
    """§8.5: the start of the turn plus turnSeconds."""
    t = table(["K1", "O1"], turn_seconds=seconds)
    assert ENGINE.deadline(t.state) == Deadline(NOW, NOW + 1000 * seconds, 0)


@pytest.mark.parametrize("tried", [False, True])
def test_5_7_unchanged_draws_one(tried: bool) -> None:
    """§10 시간 초과, W-01: no penalty, also after trying and undoing."""
    t = table(["K1", "O1"], ["B4 B5 B6"], pool="R1 R2")
    if tried:
        t.draft("B4 B5", "B6 K1")
        t.do(t.undo)
        t.draft("B6 B5 B4")
    t.time_out()
    assert t.told(TilesDrawn) == [TilesDrawn(0, 1, DrawReason.TIMEOUT, ids("R1"), 1)]
    assert t.told(DraftReverted) == []


def test_5_7_unchanged_with_an_empty_pool_is_a_pass() -> None:
    """§5.7: nothing to draw."""
    t = table(["K1", "O1"], pool="")
    t.time_out()
    assert t.told(Passed) == [Passed(0, DrawReason.TIMEOUT, (0,))]


def test_5_7_an_invalid_draft_costs_three() -> None:
    """§10 시간 초과: table and rack as at the start of the turn, then three tiles."""
    t = table(["K1 K2", "O1"], ["B4 B5 B6"], pool="R1 R2 R3 R4")
    t.draft("B4 B5", "B6 K1")
    t.time_out()
    assert t.table_text == ["B4 B5 B6"]
    assert t.rack(0) == "K1 K2 R1 R2 R3"
    assert t.told(DraftReverted) == [
        DraftReverted(0, ids("K1"), CommitProblem.INVALID_SET, Refusal.INVALID_SET.text)
    ]
    assert t.told(TilesDrawn)[0].reason is DrawReason.TIMEOUT_PENALTY
    assert t.state.current == 1


def test_5_7_of_two_tiles_two_are_drawn() -> None:
    """§10 시간 초과: the pool holds only two."""
    t = table(["K1 K2", "O1"], pool="R1 R2")
    t.add("K1")
    t.time_out()
    assert t.rack(0) == "K1 K2 R1 R2"


def test_5_7_the_penalty_may_be_one() -> None:
    """§2: invalidTimeoutPenalty = 1."""
    t = table(["K1 K2", "O1"], pool="R1 R2", invalid_timeout_penalty=1)
    t.add("K1")
    t.time_out()
    assert t.rack(0) == "K1 K2 R1"


@pytest.mark.parametrize(
    ("melded", "sets"),
    [(True, ("B4 B5 B6", "B7 B8 B9")), (False, ("B4 B5 B6 B7 B8 B9", "K1 K2 K3"))],
)
def test_5_7_whatever_a_commit_refuses_is_invalid(melded: bool, sets: tuple[str, ...]) -> None:
    """W-02: a pure rearrangement, and too few points for the registration."""
    t = table(["K1 K2 K3", "O1"], ["B4 B5 B6 B7 B8 B9"], pool=3, melded=melded)
    t.draft(*sets)
    t.time_out()
    assert len(t.state.racks[0]) == 6
    assert t.table_text == ["B4 B5 B6 B7 B8 B9"]


def test_5_7_a_valid_draft_is_laid() -> None:
    """§10 시간 초과: timeoutValidDraft = commit."""
    t = table(["K1 K2 K3 K4", "O1"], pool="R1")
    t.add("K1 K2 K3")
    t.time_out()
    (told,) = t.told(SetsCommitted)
    assert (told.auto, told.laid) == (True, ids("K1 K2 K3"))
    assert (t.rack(0), t.table_text) == ("K4", ["K1 K2 K3"])


@pytest.mark.parametrize(("pool", "rack"), [("R1 R2", "K1 K2 K3 R1"), ("", "K1 K2 K3")])
def test_5_7_or_taken_back_for_one_tile(pool: str, rack: str) -> None:
    """W-03, F-01: revert draws one, not the penalty; with an empty pool it is a pass."""
    t = table(["K1 K2 K3", "O1"], pool=pool, timeout_valid_draft="revert")
    t.add("K1 K2 K3")
    t.time_out()
    assert (t.rack(0), t.table_text) == (rack, [])
    assert t.told(DraftReverted) == [DraftReverted(0, ids("K1 K2 K3"), None, None)]
    reasons = [event.reason for event in t.told(TilesDrawn, Passed)]
    assert reasons == [DrawReason.TIMEOUT]


def test_5_7_an_automatic_win() -> None:
    """W-05: laid by the time-out, won like any other."""
    t = table(["K1 K2 K3", "O1"])
    t.add("K1 K2 K3")
    t.time_out()
    assert t.told(SetsCommitted)[0].auto is True
    assert t.told(GameEnded)[0].outcome.winners == (0,)


def test_8_5_a_late_timer_does_nothing() -> None:
    """W-06: one that was set for an earlier turn finds the new deadline ahead."""
    t = table(["K1", "O1"])
    late = ENGINE.deadline(t.state).until
    t.do(t.draw, at=NOW + 30_000)
    before = t.state
    t.time_out(at=late)
    assert t.state is before
    assert t.events == ()


def test_8_5_refusals_and_drafts_leave_the_clock() -> None:
    """W-09: a draft, an undo, a reset and a refused commit neither stop nor extend it."""
    t = table(["K1 K2", "O1"])
    due = ENGINE.deadline(t.state)
    t.do(t.sets("K1"), at=NOW + 50_000)
    t.refuses(t.commit, Refusal.INVALID_SET, sets=(0,))
    t.do(t.undo, at=NOW + 55_000)
    t.do(t.reset, at=NOW + 59_000)
    assert ENGINE.deadline(t.state) == due


def test_8_5_the_clock_of_the_next_turn_starts_with_it() -> None:
    """§8.5: at the time of the action, or of the time-out."""
    t = table(["K1", "O1"])
    t.do(t.draw, at=NOW + 12_345)
    assert ENGINE.deadline(t.state) == Deadline(NOW + 12_345, NOW + 72_345, 1)
    t.time_out(at=NOW + 99_999)
    assert ENGINE.deadline(t.state) == Deadline(NOW + 99_999, NOW + 159_999, 0)


def test_8_5_an_absent_player_is_played_at_once() -> None:
    """W-08: the deadline is the start of the turn; one tile is drawn, or it is a pass."""
    t = table(["K1", "O1"], pool="R1 R2")
    t.system(Away(1))
    assert t.events == (SeatAway(1),)
    t.do(t.draw, at=NOW + 500)
    assert ENGINE.deadline(t.state) == Deadline(NOW + 500, NOW + 500, 1)
    t.time_out()
    assert t.events == (
        TilesDrawn(1, 1, DrawReason.TIMEOUT, ids("R2"), 0),
        TurnStarted(TURN + 2, 0),
    )
    t.do(t.draw)
    t.time_out()
    assert t.told(Passed) == [Passed(1, DrawReason.TIMEOUT, (0, 1))]


def test_8_5_when_a_player_counts_as_absent() -> None:
    """W-08, §8.5: three turns in a row timed out while disconnected; the server counts."""
    absence = ENGINE.absence
    assert (absence.grace, absence.units, absence.only_if_away) == (None, 3, True)
    assert absence.remedy is AbsenceRemedy.PLAY_ON
    t = table(["K1", "O1"])
    assert absence.unit(t.state) == TURN
    t.do(t.draw)
    assert absence.unit(t.state) == TURN + 1


def test_8_5_away_in_the_middle_of_a_turn() -> None:
    """W-08: the time is up at once, and the draft is treated as at any time-out."""
    t = table(["K1 K2 K3 K4", "O1"])
    t.add("K1 K2 K3")
    t.system(Away(0), at=NOW + 5_000)
    assert ENGINE.deadline(t.state).until == NOW
    t.time_out(at=NOW + 5_000)
    assert t.table_text == ["K1 K2 K3"]


def test_8_5_a_return_gives_the_time_back() -> None:
    """W-08: of the running turn, not of those that are over."""
    t = table(["K1", "O1"])
    t.system(Away(0))
    t.system(Back(0))
    assert t.events == (SeatBack(0),)
    assert ENGINE.deadline(t.state) == Deadline(NOW, NOW + 60_000, 0)
    assert t.view().seats[0].away is False


@pytest.mark.parametrize("action", [Away(0), Back(1)])
def test_8_5_saying_it_twice_changes_nothing(action: Away | Back) -> None:
    """W-08: already away, not away at all."""
    t = table(["K1", "O1"])
    t.system(Away(0))
    before = t.state
    t.system(action)
    assert t.state is before


def test_8_5_all_away_play_to_a_stalemate() -> None:
    """W-10: instant draws and passes, every time-out at once."""
    t = table(["K1", "O1", "B1"], pool=20)
    for seat in range(3):
        t.system(Away(seat))
    for _ in range(23):
        assert t.state.phase is Phase.PLAYING
        t.time_out(at=NOW)
    assert t.told(GameEnded)[0].outcome.reason.value == "stalemate"


def test_8_5_an_outage_costs_nobody_time() -> None:
    """W-12: the wait moves by its length; the draft is kept."""
    t = table(["K1 K2", "O1"])
    t.add("K1")
    draft = t.state.draft
    t.system(ShiftDeadline(300_000))
    assert t.events == (DeadlineShifted(300_000),)
    assert ENGINE.deadline(t.state) == Deadline(NOW + 300_000, NOW + 360_000, 0)
    assert t.state.draft == draft
    before = t.state
    t.system(ShiftDeadline(0))
    assert t.state is before


@pytest.mark.parametrize("by", [-1, True, "5", 1.5, None])
def test_8_5_only_forward_in_whole_milliseconds(by: object) -> None:
    """W-12: anything else is malformed."""
    table(["K1", "O1"]).refuses(ShiftDeadline(by), Refusal.BAD_PAYLOAD, seat=SYSTEM)
