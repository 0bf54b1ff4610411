"""§8.2 and §10 동시성: packets that come twice, late, or from the wrong one."""

import pytest

from engines.number_tiles import ENGINE
from engines.number_tiles.actions import (
    Commit,
    Concede,
    Draw,
    NextGame,
    Pass,
    ResetDraft,
    SetDraft,
    UndoDraft,
)
from engines.number_tiles.reasons import Refusal
from engines.protocol import SYSTEM, Away, Back, Leave, ShiftDeadline, TimeOut
from tests.engines.number_tiles.table import TURN, table

RACKS = ["K1 K2 K3 K4", "O1 O2"]


def turn_actions(turn: object) -> list[object]:
    return [
        SetDraft(turn, ()),
        UndoDraft(turn),
        ResetDraft(turn),
        Commit(turn, 0),
        Draw(turn),
        Pass(turn),
    ]


def test_8_2_the_same_commit_twice() -> None:
    """§10 동시성, X-01, F-05: the second is not the sender's turn any more."""
    t = table(RACKS)
    t.add("K1 K2 K3")
    commit = t.commit
    t.do(commit)
    no = t.refuses(commit, Refusal.NOT_YOUR_TURN, seat=0)
    assert no.text.ko == "차례가 아니에요"


def test_8_2_the_same_winning_commit_twice() -> None:
    """X-01: after the end it is GAME_OVER."""
    t = table(["K1 K2 K3", "O1"])
    t.add("K1 K2 K3")
    commit = t.commit
    t.do(commit)
    t.refuses(commit, Refusal.GAME_OVER, seat=0)


def test_8_2_a_failing_commit_twice() -> None:
    """X-01: refused twice by the same code."""
    t = table(RACKS)
    t.add("K1 K2")
    for _ in range(2):
        t.refuses(t.commit, Refusal.INVALID_SET, sets=(0,))


def test_8_2_a_draft_after_the_turn() -> None:
    """§10 동시성: setDraft of the turn before."""
    t = table(RACKS)
    late = t.sets("K1 K2 K3")
    t.do(t.draw)
    t.refuses(late, Refusal.NOT_YOUR_TURN, seat=0)


@pytest.mark.parametrize("action", turn_actions(TURN))
def test_8_2_a_packet_one_round_late(action: object) -> None:
    """X-02, §10 동시성: of two players the sender may be in turn again: STALE_TURN."""
    t = table(RACKS)
    t.do(t.draw)
    t.do(t.draw)
    assert t.state.current == 0
    t.refuses(action, Refusal.STALE_TURN)


@pytest.mark.parametrize("turn", [None, "7", True, 7.0])
@pytest.mark.parametrize("place", range(6))
def test_8_2_a_turn_is_a_whole_number(turn: object, place: int) -> None:
    """X-02, N-07: no coercion."""
    table(RACKS, pool="").refuses(turn_actions(turn)[place], Refusal.BAD_PAYLOAD)


def test_8_2_a_no_op_moves_nothing() -> None:
    """X-03: versions are counted by the server, which is handed the very same state."""
    t = table(RACKS)
    before = t.state
    for action in (t.sets(), t.reset):
        t.do(action)
        assert t.state is before


def test_8_2_the_last_write_wins() -> None:
    """X-04: two tabs of one player are not merged; the undo covers accidents."""
    t = table(RACKS)
    one, two = t.sets("K1 K2"), t.sets("K3 K4")
    t.do(one)
    t.do(two)
    assert t.draft_text == ["K3 K4"]
    t.do(t.undo)
    assert t.draft_text == ["K1 K2"]


@pytest.mark.parametrize("action", turn_actions(TURN))
def test_8_2_only_in_turn(action: object) -> None:
    """E-02: whoever is not in turn, and whoever holds no seat."""
    t = table(RACKS)
    for seat in (1, 2, -1, "0", True):
        t.refuses(action, Refusal.NOT_YOUR_TURN, seat=seat)


@pytest.mark.parametrize(
    "action",
    [TimeOut(), Leave(1), Away(1), Back(1), ShiftDeadline(5), NextGame(), None, "draw", object()],
)
def test_8_2_players_send_no_internal_actions(action: object) -> None:
    """E-02: BAD_ACTION for the time-out, the next game, presence, and what is no action."""
    table(RACKS).refuses(action, Refusal.BAD_ACTION)


@pytest.mark.parametrize("action", [Draw(TURN), Concede(), SetDraft(TURN, ())])
def test_8_2_the_system_plays_no_turn(action: object) -> None:
    """E-02: the other way round."""
    table(RACKS).refuses(action, Refusal.BAD_ACTION, seat=SYSTEM)


@pytest.mark.parametrize("action", [*turn_actions(TURN), Concede()])
def test_8_2_after_the_end_all_is_refused(action: object) -> None:
    """E-01, §8.6: GAME_OVER, nothing changes."""
    t = table(RACKS)
    t.do(Concede(), seat=1)
    t.refuses(action, Refusal.GAME_OVER, seat=0)


def test_8_2_a_refused_action_changes_nothing() -> None:
    """E-01: no state, no event, no step, no timer."""
    t = table(RACKS, ["B4 B5 B6"])
    t.draft("B4 B5 B6", "K1")
    due = ENGINE.deadline(t.state)
    t.refuses(t.sets("B4 B5"), Refusal.TABLE_TILE_MISSING)
    t.refuses(t.commit, Refusal.INVALID_SET, sets=(1,))
    assert t.draft_text == ["B4 B5 B6", "K1"]
    assert ENGINE.deadline(t.state) == due


def test_8_2_the_time_out_of_the_system_is_the_clocks() -> None:
    """W-06: as an action it is the same as on_timeout."""
    t, other = table(RACKS), table(RACKS)
    due = ENGINE.deadline(t.state).until
    t.time_out()
    other.system(TimeOut(), at=due)
    assert (t.state, t.events) == (other.state, other.events)
