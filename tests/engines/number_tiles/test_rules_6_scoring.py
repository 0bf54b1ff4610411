"""§6 and §8.6: scores, ranks, and matches of several games."""

import pytest
from msgspec.structs import replace

from engines.number_tiles import ENGINE
from engines.number_tiles.actions import NextGame
from engines.number_tiles.events import (
    GameEnded,
    GameStarted,
    MatchEnded,
    StarterDrawn,
    TilesDealt,
    TurnStarted,
)
from engines.number_tiles.reasons import EndReason, Refusal
from engines.number_tiles.results import MatchPlacing, MatchResult, match_result, summary
from engines.number_tiles.rules.scoring import GameOutcome, GamePlacing, rack_value, score_game
from engines.number_tiles.state import Phase
from engines.number_tiles.tiles import ALL_TILES
from engines.protocol import SYSTEM, Deadline
from tests.engines.number_tiles.table import NOW, Table, table, tiles


def scores(reason: EndReason, *racks: str, **kw: object) -> list[int]:
    outcome = score(reason, *racks, **kw)
    return [row.score for row in sorted(outcome.ranking, key=lambda row: row.seat)]


def score(reason: EndReason, *racks: str, staying: tuple[int, ...] = (), joker: int = 30):
    packed = tuple(map(tiles, racks))
    return score_game(1, reason, packed, staying or tuple(range(len(racks))), joker)


def stalemate(*racks: str, **options: object) -> Table:
    """Everybody passes with an empty pool."""
    t = table(racks, pool="", **options)
    for _ in range(len(racks)):
        t.do(t.pass_)
    return t


def test_6_the_example_of_an_emptied_rack() -> None:
    """§10 점수: B -15, C joker -30, D -15, A +60."""
    t = table(["K5 K6 K7", "R3 R12", "JK1", "B1 O1 B13"])
    t.add("K5 K6 K7")
    t.do(t.commit)
    (told,) = t.told(GameEnded)
    assert told.totals == (60, -15, -30, -15)
    assert told.wins == (1, 0, 0, 0)
    assert (told.outcome.reason, told.last) == (EndReason.RACK_EMPTY, True)
    assert [(r.seat, r.rank, r.rack_value, r.tiles_left) for r in told.outcome.ranking] == [
        (0, 1, 0, 0),
        (1, 2, 15, 2),
        (3, 2, 15, 3),
        (2, 4, 30, 1),
    ]


def test_6_the_example_of_a_stalemate() -> None:
    """§10 점수: racks of 5, 12 and 30: A +32, B -7, C -25."""
    t = stalemate("K5", "R5 R7", "B10 O10 R10")
    assert t.told(GameEnded)[0].totals == (32, -7, -25)
    assert t.told(GameEnded)[0].outcome.winners == (0,)


def test_6_jokers_in_a_stalemate() -> None:
    """R-01: the penalty each, for the lowest rack and for the differences."""
    assert scores(EndReason.STALEMATE, "JK1", "R10 R11", "B10 O10 R9") == [-9, 17, -8]
    assert scores(EndReason.STALEMATE, "JK1", "JK2 K1", joker=50) == [1, -1]
    assert rack_value(tiles("JK1 JK2 K13"), 50) == 113


def test_6_fewer_tiles_win_alone() -> None:
    """R-02: the other lowest scores 0 and ranks below the winner."""
    outcome = score(EndReason.STALEMATE, "K5 R5", "B10", "O13")
    assert outcome.winners == (1,)
    assert [(r.seat, r.rank, r.score) for r in outcome.ranking] == [
        (1, 1, 3),
        (0, 2, 0),
        (2, 3, -3),
    ]


def test_6_joint_winners_share_rounded_down() -> None:
    """R-03: floor of the sum by their number; the game may sum to -1."""
    outcome = score(EndReason.STALEMATE, "K5", "B5", "O10", "O7 K3")
    assert outcome.winners == (0, 1)
    assert [r.score for r in outcome.ranking] == [5, 5, -5, -5]
    odd = score(EndReason.STALEMATE, "K5", "B5", "O5 K7")
    assert [(r.seat, r.score) for r in odd.ranking] == [(0, 3), (1, 3), (2, -7)]
    assert sum(r.score for r in odd.ranking) == -1


def test_6_ranks_skip_after_ties() -> None:
    """R-04: joint winners 1, equal scores share, 1-2-2-4 and 1-1-3-3; no loser shares the first."""
    assert [r.rank for r in score(EndReason.RACK_EMPTY, "", "K3", "R3", "B9").ranking] == [
        *(1, 2, 2, 4)
    ]
    assert [r.rank for r in score(EndReason.STALEMATE, "K5", "B5", "O9", "K9").ranking] == [
        *(1, 1, 3, 3)
    ]
    zero = score(EndReason.STALEMATE, "K6", "R3 B3")
    assert [(r.seat, r.rank, r.score) for r in zero.ranking] == [(0, 1, 0), (1, 2, 0)]


def test_6_a_joint_win_is_a_win() -> None:
    """R-05: one full win each."""
    t = stalemate("K5", "B5", "O9", games_per_match=2)
    assert t.told(GameEnded)[0].wins == (1, 1, 0)
    assert [seat.wins for seat in t.view().seats] == [1, 1, 0]


def match_of(*games: tuple[tuple[int, ...], tuple[int, ...]], left: tuple[int, ...] = ()):
    """The ranking of a match from winners and scores of its games."""
    t = table(["K1", "K2", "K3"], left=left)
    outcomes = tuple(
        GameOutcome(no, EndReason.RACK_EMPTY, winners, rows(points))
        for no, (winners, points) in enumerate(games, 1)
    )
    return match_result(replace(t.state, outcomes=outcomes, phase=Phase.FINISHED))


def rows(points: tuple[int, ...]):
    return tuple(GamePlacing(1, seat, score, 0, 0, False) for seat, score in enumerate(points))


def test_6_most_games_win_the_match() -> None:
    """R-06, F-09: wins before points."""
    result = match_of(((0,), (9, -4, -5)), ((1,), (-90, 99, -9)), ((0,), (9, -4, -5)))
    assert result.winners == (0,)
    assert [(p.seat, p.wins, p.total) for p in result.ranking] == [
        (0, 2, -72),
        (1, 1, 91),
        (2, 0, -19),
    ]


def test_6_then_the_higher_total() -> None:
    """R-06: of equal wins; still equal: joint winners of the match."""
    assert match_of(((0,), (9, -4, -5)), ((1,), (-5, 7, -2))).winners == (0,)
    equal = match_of(((0,), (9, -4, -5)), ((1,), (-4, 9, -5)))
    assert equal.winners == (0, 1)
    assert [p.rank for p in equal.ranking] == [1, 1, 3]


def test_6_who_left_cannot_win_the_match() -> None:
    """R-06: even with most wins."""
    result = match_of(((0,), (9, -4, -5)), ((0,), (9, -5, -4)), left=(0,))
    assert result.winners == (1, 2)
    assert [(p.seat, p.rank, p.left) for p in result.ranking] == [
        (1, 1, False),
        (2, 1, False),
        (0, 3, True),
    ]


def between() -> Table:
    """The pause after the first of two games."""
    return stalemate("K5", "B7", "O9", games_per_match=2)


def test_6_the_next_game() -> None:
    """R-07, §8.4: all begins anew from the same stream; wins and totals stay."""
    t = between()
    assert t.state.phase is Phase.BETWEEN_GAMES
    assert (t.view().current, t.view().thinking, t.view().turn) == (None, None, 9)
    t.system(NextGame(), at=NOW + 4_000)
    kinds = [type(event) for event in t.events]
    assert kinds == [StarterDrawn, GameStarted, *[TilesDealt] * 3, TurnStarted]
    state = t.state
    assert (state.game_no, state.phase, state.turn_no) == (2, Phase.PLAYING, 10)
    assert sorted((*b"".join(state.racks), *state.pool)) == list(ALL_TILES)
    assert (state.table, state.passes, state.melded) == ((), (), (False,) * 3)
    assert [(seat.wins, seat.total) for seat in t.view().seats] == [(1, 6), (0, -2), (0, -4)]
    assert state.rng.seed == bytes(32)
    assert state.rng.taken > 0
    assert ENGINE.deadline(state) == Deadline(NOW + 4_000, NOW + 64_000, state.current)


def test_6_or_after_ten_seconds() -> None:
    """R-07: the pause waits for nobody in particular, and then the next game is dealt."""
    t = between()
    assert ENGINE.deadline(t.state) == Deadline(NOW, NOW + 10_000, None)
    by_host = between()
    by_host.system(NextGame(), at=NOW + 10_000)
    t.time_out()
    assert (t.state, t.events) == (by_host.state, by_host.events)


def test_6_no_next_game_while_playing_or_after_the_last() -> None:
    """R-07: refused both times, each by its own code."""
    table(["K1", "O1"]).refuses(NextGame(), Refusal.GAME_RUNNING, seat=SYSTEM)
    stalemate("K5", "B7").refuses(NextGame(), Refusal.GAME_OVER, seat=SYSTEM)


def test_6_seats_stay_where_they_are() -> None:
    """R-08: only the starter is drawn anew."""
    t = between()
    t.system(NextGame())
    assert t.view().order == (0, 1, 2)
    assert t.told(StarterDrawn)[0].seat == t.state.current
    assert [event.seat for event in t.told(TilesDealt)] == [0, 1, 2]


def test_6_one_outcome_a_game_and_one_result() -> None:
    """R-09, R-15: each with its own values; the match's winners after the last one only."""
    t = between()
    assert ENGINE.result(t.state) is None
    assert (t.view().winners, len(t.view().outcomes)) == ((), 1)
    assert t.told(GameEnded)[0].last is False
    assert t.told(MatchEnded) == []
    t.system(NextGame())
    for _ in range(500):
        if t.state.phase is Phase.FINISHED:
            break
        t.time_out()
    result = ENGINE.result(t.state)
    assert [game.game_no for game in result.games] == [1, 2]
    assert t.told(MatchEnded) == [MatchEnded(result)]
    for place in result.ranking:
        assert place.total == sum(
            row.score for game in result.games for row in game.ranking if row.seat == place.seat
        )
        assert place.wins == sum(place.seat in game.winners for game in result.games)
    assert t.view().winners == result.winners


def test_6_the_match_is_always_part_of_the_result() -> None:
    """R-10: also of a single game."""
    t = stalemate("K5", "B7")
    assert ENGINE.result(t.state) == MatchResult(
        EndReason.STALEMATE,
        (0,),
        (MatchPlacing(1, 0, 1, 2, False), MatchPlacing(2, 1, 0, -2, False)),
        t.state.outcomes,
    )


def result_of(reason: EndReason, winners: tuple[int, ...], games: int, total: int, wins: int):
    ranking = tuple(MatchPlacing(1, seat, wins, total, False) for seat in winners)
    return MatchResult(reason, winners, ranking, (None,) * games)


@pytest.mark.parametrize(
    ("result", "ko", "en"),
    [
        (
            result_of(EndReason.RACK_EMPTY, (0,), 1, 60, 1),
            "영희 님이 타일을 모두 내려놓았어요! (+60점)",
            "영희 laid all tiles! (+60 points)",
        ),
        (
            result_of(EndReason.STALEMATE, (0, 1), 1, 3, 1),
            "더 낼 사람이 없어 끝났어요. 영희, {who} 님이 이겼어요! (+3점)",
            "Nobody could go on. 영희, {who} won! (+3 points)",
        ),
        (
            result_of(EndReason.STALEMATE, (1,), 3, -5, 2),
            "{who} 님이 3판 가운데 2판을 이겨 우승했어요! (모두 -5점)",
            "{who} won the match with 2 of 3 games! (-5 points in all)",
        ),
        (
            result_of(EndReason.FORFEIT, (1,), 1, 20, 1),
            "다른 사람이 모두 나가서 {who} 님이 이겼어요! (+20점)",
            "All others left, so {who} won! (+20 points)",
        ),
    ],
)
def test_8_6_the_summary_is_worded_when_read(result: MatchResult, ko: str, en: str) -> None:
    """R-11, §8.6: from names given by the reader; a name is never taken for a template."""
    text = summary(result, ("영희", "{who}"))
    assert (text.ko, text.en) == (ko, en)


def test_6_zero_is_zero() -> None:
    """R-12: whole numbers know no negative zero."""
    (_, second) = score(EndReason.STALEMATE, "K6", "R3 B3").ranking
    assert type(second.score) is int
    assert str(second.score) == "0"


@pytest.mark.parametrize("reason", [EndReason.RACK_EMPTY, EndReason.FORFEIT])
def test_6_points_only_change_hands(reason: EndReason) -> None:
    """R-13: the sum is 0, also of a stalemate with one winner."""
    staying = (0,) if reason is EndReason.FORFEIT else (0, 1, 2)
    assert sum(scores(reason, "", "K3 JK1", "R13", staying=staying)) == 0
    assert sum(scores(EndReason.STALEMATE, "K5", "R6", "B13 O13")) == 0


def test_6_never_registered_pays_in_full() -> None:
    """R-14: and may win a stalemate."""
    t = table(["K5 K6 K7", "R3 R12"], melded=[True, False])
    t.add("K5 K6 K7")
    t.do(t.commit)
    assert t.told(GameEnded)[0].totals == (15, -15)
    assert stalemate("K5", "B7", melded=False).state.outcomes[0].winners == (0,)
