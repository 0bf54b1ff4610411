"""§5.6: rounds and the three ways a match ends."""

from engines.marble import ENGINE
from engines.marble.actions import Buy, Concede, Pass, Roll
from engines.marble.events import (
    GameOver,
    MonopolyWon,
    RoundEnded,
    SalaryPaid,
    TurnStarted,
    WentBankrupt,
)
from engines.marble.reasons import EndReason, Refusal
from engines.marble.state import Phase
from tests.engines.marble.table import table

QUIET = 13
"""From here a roll of 3-4 leads to the empty fund on 20: a turn in which nothing happens."""


def test_5_6_a_round_is_a_turn_of_everybody() -> None:
    """§5.6: it ends behind the last of the order."""
    t = table(3, pos=QUIET, order=(2, 0, 1))
    t.roll(3, 4)
    assert t.told(RoundEnded) == []
    t.roll(3, 4)
    assert t.told(RoundEnded) == []
    t.roll(3, 4)
    assert t.told(RoundEnded, TurnStarted) == [RoundEnded(1), TurnStarted(2, 2)]
    assert t.state.round == 2


def test_5_6_the_next_survivor_becomes_the_first() -> None:
    """R86: with the first one out, a round ends before the second one's turn."""
    t = table(3, pos=QUIET, out=(0,), current=1, round=4)
    t.roll(3, 4)
    assert t.told(RoundEnded, TurnStarted) == [TurnStarted(2, 4)]
    t.roll(3, 4)
    assert t.told(RoundEnded, TurnStarted) == [RoundEnded(4), TurnStarted(1, 5)]


def test_5_6_the_first_falls_in_the_own_turn() -> None:
    """R86: the round goes on with the next."""
    t = table(3, cash=(1, 300, 300), pos=(31, QUIET, QUIET), round=4)
    t.roll(3, 4)
    assert t.told(WentBankrupt)[0].seat == 0
    assert t.told(RoundEnded, TurnStarted) == [TurnStarted(1, 4)]


def test_5_6_the_last_falls_in_the_own_turn() -> None:
    """R86: the round ends with that turn."""
    t = table(3, cash=(300, 300, 1), pos=31, current=2, round=4)
    t.roll(3, 4)
    assert t.told(RoundEnded, TurnStarted) == [RoundEnded(4), TurnStarted(0, 5)]


def test_5_6_the_last_falls_out_of_turn() -> None:
    """R86: then the one before closes the round."""
    t = table(3, pos=QUIET, current=1, round=4)
    t.do(2, Concede())
    t.roll(3, 4)
    assert t.told(RoundEnded, TurnStarted) == [RoundEnded(4), TurnStarted(0, 5)]


def test_5_6_the_first_falls_out_of_turn() -> None:
    """R86: the round still ends behind the last."""
    t = table(3, pos=QUIET, current=1, round=4)
    t.do(0, Concede())
    t.roll(3, 4)
    assert t.told(RoundEnded, TurnStarted) == [TurnStarted(2, 4)]
    t.roll(3, 4)
    assert t.told(RoundEnded, TurnStarted) == [RoundEnded(4), TurnStarted(1, 5)]


def test_5_6_the_round_limit_ends_the_match() -> None:
    """§10 라운드 제한, R90: roundEnd, then gameOver; the round stays, there is no deadline."""
    t = table(pos=QUIET, current=1, round=20)
    t.roll(3, 4)
    assert [type(event) for event in t.events[-2:]] == [RoundEnded, GameOver]
    assert t.told(RoundEnded) == [RoundEnded(20)]
    assert t.told(TurnStarted) == []
    assert (t.state.round, t.phase) == (20, Phase.FINISHED)
    assert ENGINE.deadline(t.state) is None
    assert (t.result.reason, t.result.round) == (EndReason.ROUND_LIMIT, 20)
    assert t.told(GameOver) == [GameOver(t.result)]


def test_5_6_not_before_the_last_player_has_played() -> None:
    """R88: the first one's turn of round 20 is not the end."""
    t = table(pos=QUIET, current=0, round=20)
    t.roll(3, 4)
    assert t.result is None


def test_5_6_the_whole_turn_belongs_to_the_round() -> None:
    """R88: extra rolls and decisions first."""
    t = table(pos=16, current=1, round=20)
    t.roll(2, 2)
    assert t.result is None
    t.roll(3, 4)
    assert (t.phase, t.result) == (Phase.DECIDE, None)
    t.do(1, Pass())
    assert t.result.reason is EndReason.ROUND_LIMIT


def test_5_6_the_last_of_the_last_round_goes_bankrupt() -> None:
    """R87: two or more alive: the round limit; only one: the last survivor, no roundEnd."""
    t = table(3, cash=(300, 300, 1), pos=31, current=2, round=20)
    t.roll(3, 4)
    assert t.told(RoundEnded) == [RoundEnded(20)]
    assert t.result.reason is EndReason.ROUND_LIMIT
    t = table(2, cash=(300, 1), pos=31, current=1, round=20)
    t.roll(3, 4)
    assert t.told(RoundEnded) == []
    assert t.result.reason is EndReason.LAST_SURVIVOR


def test_5_6_a_monopoly_comes_before_the_round_limit() -> None:
    """R89: it is immediate, the limit comes only at the end of the turn."""
    t = table(pos=30, lands={5: 1, 15: 1, 25: 1}, current=1, round=20, monopoly_win=True)
    t.roll(2, 3)
    t.do(1, Buy())
    assert t.told(RoundEnded) == []
    assert len(t.told(MonopolyWon)) == 1
    assert t.result.reason is EndReason.MONOPOLY


def test_5_6_finished_is_finished() -> None:
    """R142: every action, giving up included."""
    t = table(pos=QUIET, current=1, round=20)
    t.roll(3, 4)
    for seat in (0, 1):
        for action in (Roll(), Pass(), Concede()):
            t.refuses(seat, action, Refusal.GAME_OVER)


def test_5_6_the_salary_of_the_last_turn_counts() -> None:
    """R88, R115: assets are read when all is done."""
    t = table(pos=(0, 33), current=1, round=20)
    t.roll(3, 4)
    assert t.told(SalaryPaid) == [SalaryPaid(1, 20)]
    assert [(p.seat, p.total_assets) for p in t.result.ranking] == [(1, 320), (0, 300)]
