"""§6 and §8.6: places, ties and the wording of the end."""

import pytest

from engines.marble.actions import Buy, Concede
from engines.marble.events import GameOver
from engines.marble.reasons import EndReason, MonopolyType
from engines.marble.results import Place
from engines.marble.state import total_assets
from tests.engines.marble.table import ENGINE, Table, table

NAMES = ("수진", "민호", "지우", "하늘")


def last_turn(seats: int, **changes: object) -> Table:
    """The last turn of round 20 has just been played, without anything happening in it."""
    t = table(seats, **{"pos": 13, "current": seats - 1, "round": 20, **changes})
    t.roll(3, 4)
    return t


def ranks(t: Table) -> list[tuple[int, int]]:
    """Rank and seat of every row."""
    return [(place.rank, place.seat) for place in t.result.ranking]


def test_6_total_assets_of_the_example() -> None:
    """§6 예, R115: 120 + Seoul with building 100 + Jeju 20 = 240."""
    t = table(cash=(120, 300), lands={39: (0, 2), 5: 0}, fund=99, held={0: ("L12",)})
    assert total_assets(t.state, 0) == 240
    assert ENGINE.view(t.state, 1).players[0].total_assets == 240


def test_6_at_the_round_limit_assets_decide() -> None:
    """§10 라운드 제한, R115: list prices, tours counted among the lands."""
    t = last_turn(3, cash=(120, 200, 250), lands={39: (0, 2), 5: 0, 1: 1})
    assert t.result.ranking == (
        Place(1, 2, 250, 250, 0, None),
        Place(2, 0, 240, 120, 2, None),
        Place(3, 1, 206, 200, 1, None),
    )
    assert t.result.winners == (2,)
    assert t.result.monopoly_type is None


def test_6_equal_assets_are_decided_by_cash() -> None:
    """§10 라운드 제한, §6: 240 and 240, but more of it in cash."""
    t = last_turn(2, cash=(220, 200), lands={5: 0, 39: 1})
    assert ranks(t) == [(1, 0), (2, 1)]


@pytest.mark.parametrize(
    ("cash", "places", "winners"),
    [
        ((300, 200, 300), [(1, 2), (1, 0), (3, 1)], (2, 0)),
        ((300, 200, 200), [(1, 0), (2, 2), (2, 1)], (0,)),
        ((250, 250, 250), [(1, 2), (1, 0), (1, 1)], (2, 0, 1)),
    ],
)
def test_6_what_is_still_equal_shares_a_rank(
    cash: tuple[int, ...], places: list[tuple[int, int]], winners: tuple[int, ...]
) -> None:
    """R114: with gaps (1, 1, 3; 1, 2, 2), equals in the order of turns; all of rank 1 win."""
    t = last_turn(3, cash=cash, order=(2, 0, 1), current=1)
    assert ranks(t) == places
    assert t.result.winners == winners


def test_6_the_eliminated_come_last_in_reverse_order() -> None:
    """R113: at the round limit; with nothing in hand (R115)."""
    t = last_turn(4, out=(3, 1), current=2)
    assert ranks(t) == [(1, 0), (1, 2), (3, 1), (4, 3)]
    assert t.result.ranking[2:] == (Place(3, 1, 0, 0, 0, 20), Place(4, 3, 0, 0, 0, 20))


def test_6_last_survivor_ranks_by_elimination_alone() -> None:
    """R117, R84: first out is last; assets are shown, not compared."""
    t = table(3, cash=(10, 300, 500))
    t.do(2, Concede())
    t.do(1, Concede())
    assert ranks(t) == [(1, 0), (2, 1), (3, 2)]
    assert t.result.reason is EndReason.LAST_SURVIVOR
    assert t.result.ranking[0] == Place(1, 0, 10, 10, 0, None)


def test_6_two_bankruptcies_of_one_round_are_told_apart() -> None:
    """R84: by a running number, not by the round."""
    t = table(4)
    t.do(3, Concede())
    t.do(1, Concede())
    assert [player.bankrupt_at_round for player in t.state.players] == [None, 1, None, 1]
    assert [player.out_seq for player in t.state.players] == [None, 2, None, 1]


def test_6_the_achiever_of_a_monopoly_is_first() -> None:
    """R116, R113: even with less; other survivors by assets, then the eliminated."""
    t = table(
        4,
        cash=(30, 200, 0, 400),
        pos=30,
        lands={5: 0, 15: 0, 25: 0},
        out=(2,),
        monopoly_win=True,
    )
    t.roll(2, 3)
    t.do(0, Buy())
    assert ranks(t) == [(1, 0), (2, 3), (3, 1), (4, 2)]
    assert t.result.winners == (0,)
    assert t.result.monopoly_type is MonopolyType.TOUR


def test_6_a_monopoly_names_its_kind_and_nothing_else_does() -> None:
    """R140: present only with reason monopoly."""
    assert last_turn(2).result.monopoly_type is None
    t = table(2)
    t.do(1, Concede())
    assert t.result.monopoly_type is None


def test_6_the_end_is_told_with_its_result() -> None:
    """§8.2 gameOver, R122."""
    t = last_turn(2)
    assert t.events[-1] == GameOver(t.result)


def test_8_6_the_summary_of_a_round_limit() -> None:
    """R118: as the rule book words it, from seats and display names."""
    t = last_turn(2, cash=(812, 300))
    text = ENGINE.summary(t.result, NAMES)
    assert text.ko == "20라운드 종료! 수진 총자산 812만으로 승리"
    assert text.en == "Round 20 is over! 수진 wins with total assets of 812만"


def test_8_6_joint_winners_are_named_together() -> None:
    """R118: "A·B 공동 승리", in the order of turns."""
    t = last_turn(2, order=(1, 0), current=0)
    text = ENGINE.summary(t.result, NAMES)
    assert text.ko == "20라운드 종료! 민호·수진 총자산 300만으로 공동 승리"


def test_8_6_the_other_endings_name_the_winner() -> None:
    """R118: the last survivor, and the monopoly by its kind."""
    t = table(2, round=7)
    t.do(0, Concede())
    assert ENGINE.summary(t.result, NAMES).ko == "7라운드에서 민호 마지막까지 살아남아 승리"
    t = table(pos=30, lands={5: 0, 15: 0, 25: 0}, monopoly_win=True)
    t.roll(2, 3)
    t.do(0, Buy())
    assert ENGINE.summary(t.result, NAMES).ko == "관광지 독점! 수진 승리"
