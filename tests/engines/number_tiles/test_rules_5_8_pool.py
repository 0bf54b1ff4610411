"""§5.2 and §5.8: drawing, passing, and the empty pool."""

import pytest

from engines.number_tiles.actions import Draw, Pass
from engines.number_tiles.events import DraftReverted, GameEnded, Passed, TilesDrawn, TurnStarted
from engines.number_tiles.reasons import DrawReason, EndReason, Refusal
from engines.number_tiles.state import Phase
from tests.engines.number_tiles.table import TURN, ids, table


def test_5_2_drawing_ends_the_turn() -> None:
    """§5.2: one tile, though something could be laid."""
    t = table(["K1 K2 K3 K4", "O1"], pool="R5 R6")
    t.do(t.draw)
    assert t.events == (
        TilesDrawn(0, 1, DrawReason.CHOICE, ids("R5"), 1),
        TurnStarted(TURN + 1, 1),
    )
    assert t.rack(0) == "K1 K2 K3 K4 R5"


@pytest.mark.parametrize(
    ("pool", "action"), [("R5", Draw(TURN)), ("", Draw(TURN)), ("", Pass(TURN))]
)
def test_5_2_a_changed_draft_is_dropped(pool: str, action: object) -> None:
    """P-01: as if nothing had been drafted, without penalty or question."""
    t, plain = (table(["K1 K2", "O1"], ["B4 B5 B6"], pool=pool) for _ in range(2))
    t.draft("B4 B5", "B6 K1")
    t.do(action)
    plain.do(action)
    assert t.state == plain.state
    assert t.events == plain.events


@pytest.mark.parametrize(
    ("pool", "drawn"), [("", 0), ("R1", 1), ("R1 R2", 2), ("R1 R2 R3", 3), ("R1 R2 R3 R4", 3)]
)
@pytest.mark.parametrize("by", ["time-out", "commit"])
def test_5_8_a_penalty_takes_what_is_there(pool: str, drawn: int, by: str) -> None:
    """P-02, W-04, §10 시간 초과: of two tiles two; also for penalty3."""
    t = table(["K1 K2", "O1"], pool=pool, invalid_commit_penalty="penalty3")
    t.add("K1")
    if by == "time-out":
        t.time_out()
    else:
        t.do(t.commit)
    assert len(t.state.racks[0]) == 2 + drawn
    assert [event.count for event in t.told(TilesDrawn)] == ([drawn] if drawn else [])
    assert len(t.told(Passed)) == (drawn == 0)


def test_5_8_emptying_the_pool_is_no_pass() -> None:
    """P-03: only a turn that drew nothing counts."""
    t = table(["K1", "O1"], pool="R5")
    t.do(t.draw)
    assert t.state.passes == ()
    t.do(t.draw)
    assert t.state.passes == (1,)


@pytest.mark.parametrize("how", ["pass", "draw", "unchanged", "invalid", "revert", "commit"])
def test_5_8_every_turn_that_lays_nothing_counts(how: str) -> None:
    """P-04, W-03: with the pool empty already."""
    t = table(
        ["K1 K2 K3", "O1"],
        pool="",
        timeout_valid_draft="revert",
        invalid_commit_penalty="penalty3",
    )
    reasons = {
        "pass": DrawReason.CHOICE,
        "draw": DrawReason.CHOICE,
        "unchanged": DrawReason.TIMEOUT,
        "invalid": DrawReason.TIMEOUT_PENALTY,
        "revert": DrawReason.TIMEOUT,
        "commit": DrawReason.COMMIT_PENALTY,
    }
    if how == "invalid":
        t.add("K1")
    if how == "revert":
        t.add("K1 K2 K3")
    if how == "commit":
        t.add("K1 K2")
        t.do(t.commit)
    elif how in ("pass", "draw"):
        t.do(t.pass_ if how == "pass" else t.draw)
    else:
        t.time_out()
    assert t.told(Passed) == [Passed(0, reasons[how], (0,))]
    assert t.state.passes == (0,)
    assert len(t.told(DraftReverted)) == (how in ("invalid", "revert", "commit"))


def test_5_8_three_passes_in_a_row_end_the_game() -> None:
    """§10 교착 종료: three players, an empty pool."""
    t = table(["K1", "O1 O2", "B9"], pool="")
    t.do(t.pass_)
    t.do(t.pass_)
    assert t.state.phase is Phase.PLAYING
    t.do(t.pass_)
    assert t.told(GameEnded)[0].outcome.reason is EndReason.STALEMATE
    assert t.state.phase is Phase.FINISHED


@pytest.mark.parametrize("auto", [False, True])
def test_5_8_laying_begins_the_count_anew(auto: bool) -> None:
    """§10 교착 종료, P-05: the one who laid last has to pass too before it ends."""
    t = table(["K1", "O1 O2 O3 O4", "B9"], pool="")
    t.do(t.pass_)
    t.add("O1 O2 O3")
    if auto:
        t.time_out()
    else:
        t.do(t.commit)
    assert t.state.passes == ()
    t.do(t.pass_)
    t.do(t.pass_)
    assert t.state.phase is Phase.PLAYING
    t.do(t.pass_)
    assert t.state.phase is Phase.FINISHED


def test_5_8_only_passes_count() -> None:
    """P-06: whoever could lay may still pass; the engine looks for no moves."""
    t = table(["K1 K2 K3", "O1 O2 O3"], pool="")
    t.do(t.pass_)
    t.do(t.pass_)
    assert t.state.outcomes[0].reason is EndReason.STALEMATE


def test_5_8_no_pass_with_tiles_in_the_pool() -> None:
    """P-07: refused, without effect."""
    t = table(["K1", "O1"], pool="R5")
    t.refuses(t.pass_, Refusal.POOL_NOT_EMPTY)
    t.do(t.draw)
    t.do(t.pass_)
    assert t.told(Passed) == [Passed(1, DrawReason.CHOICE, (1,))]


def test_5_8_each_game_counts_for_itself() -> None:
    """P-08: the streak is empty when the next game is dealt."""
    t = table(["K1", "O1"], pool="", games_per_match=2)
    t.do(t.pass_)
    t.do(t.pass_)
    assert t.state.passes == (0, 1)
    t.time_out()
    assert (t.state.passes, len(t.state.pool)) == ((), 78)
