"""§0 and §2: how many play, and what a host may choose."""

import pytest

from engines.marble import ENGINE
from engines.marble.actions import PayIslandFee, ProposeTrade, TradeSide
from engines.marble.options import Options
from engines.marble.reasons import EndReason
from engines.options import BadOption
from tests.engines.marble.table import START, table

CHOICES: dict[str, tuple[tuple[object, ...], object]] = {
    "startMoney": ((200, 300, 500), 300),
    "salary": ((10, 20, 30), 20),
    "maxRounds": ((0, 15, 20, 30), 20),
    "buildOnPurchase": ((True, False), False),
    "islandTurns": ((1, 2, 3), 3),
    "islandFee": ((0, 10, 20), 0),
    "takeover": ((True, False), False),
    "landmark": ((True, False), False),
    "monopolyWin": ((True, False), False),
    "trade": ((True, False), False),
    "turnSeconds": ((15, 30, 60, None), 30),
}


def test_0_what_a_lobby_says() -> None:
    """R01: two to four players, 30 to 50 minutes (the tildes were lost in print)."""
    assert ENGINE.about.seats == (2, 4)
    assert ENGINE.about.minutes == (30, 50)


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_0_two_to_four_seats(seats: int) -> None:
    """R02: nobody else is dealt in."""
    with pytest.raises(ValueError, match="played by 2 to 4"):
        ENGINE.setup(ENGINE.options({}), seats, bytes(32), START)


def test_2_the_options_are_those_of_the_table() -> None:
    """§2: keys, choices and defaults as printed."""
    printed = {
        spec.key: (tuple(choice.value for choice in spec.choices), spec.default)
        for spec in ENGINE.option_specs
    }
    assert printed == CHOICES


def test_2_missing_keys_take_the_default() -> None:
    """R03: nothing given is the printed default of everything."""
    assert ENGINE.options({}) == Options(
        start_money=300,
        salary=20,
        max_rounds=20,
        build_on_purchase=False,
        island_turns=3,
        island_fee=0,
        takeover=False,
        landmark=False,
        monopoly_win=False,
        trade=False,
        turn_seconds=30,
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("startMoney", 400),
        ("startMoney", 300.0),
        ("salary", 0),
        ("maxRounds", 25),
        ("buildOnPurchase", 1),
        ("islandTurns", True),
        ("islandFee", 5),
        ("takeover", "true"),
        ("landmark", None),
        ("trade", 0),
        ("turnSeconds", 45),
        ("turnSeconds", 0),
        ("auction", True),
        ("start_money", 300),
    ],
)
def test_2_nothing_but_the_choices(key: str, value: object) -> None:
    """R03: an unknown key, another value or another type is refused."""
    with pytest.raises(BadOption) as refused:
        ENGINE.options({key: value})
    assert refused.value.key == key


def test_2_no_round_limit_means_no_end_by_rounds() -> None:
    """R04: with 0 the rounds go on; the engine has no hidden cap."""
    t = table(pos=13, round=5000, current=1, max_rounds=0)
    t.roll(3, 4)
    assert t.result is None
    assert t.state.round == 5001


def test_2_no_round_limit_still_ends_by_the_last_survivor() -> None:
    """R04: bankruptcy ends such a match."""
    t = table(cash=(0, 300), pos=(31, 0), max_rounds=0)
    t.roll(3, 4)
    assert t.result.reason is EndReason.LAST_SURVIVOR


def test_2_null_switches_the_turn_timer_off() -> None:
    """R05: no limit in turnStart and decide; the game still says whom it waits for."""
    t = table(turn_seconds=None)
    t.roll(1, 3)
    due = ENGINE.deadline(t.state)
    assert due is not None
    assert (due.since, due.until, due.seat) == (t.now, None, 0)


def test_2_null_leaves_the_trade_response_at_twenty_seconds() -> None:
    """R05, R109: a closed phone must not freeze the room."""
    t = table(lands={1: 0}, trade=True, turn_seconds=None)
    t.do(0, ProposeTrade(1, TradeSide((1,), 0), TradeSide((), 5)))
    due = ENGINE.deadline(t.state)
    assert due is not None
    assert (due.since, due.until, due.seat) == (t.now, t.now + 20_000, 1)


@pytest.mark.parametrize("seconds", [15, 30, 60])
def test_2_turn_seconds_is_the_time_for_one_decision(seconds: int) -> None:
    """§2, §8.5: each prompt gets the whole of it."""
    t = table(pos=10, island={0: 3}, island_fee=10, turn_seconds=seconds)
    t.do(0, PayIslandFee())
    due = ENGINE.deadline(t.state)
    assert due is not None
    assert (due.since, due.until) == (t.now, t.now + 1_000 * seconds)
