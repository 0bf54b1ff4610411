"""Folding a log: the deal first, then a step for each row, whatever the process's hash seed."""

import os
import subprocess
import sys

from engines.protocol import SYSTEM, Away, TimeOut
from engines.replay import Entry, perform, replay
from tests.engines.laws.matches import START
from tests.extra_games.engines.coin_race import ENGINE
from tests.extra_games.engines.coin_race.actions import Flip
from tests.extra_games.engines.coin_race.events import CoinFlipped, PresenceChanged, TurnStarted

SEED = bytes(range(32))
OPTIONS = ENGINE.options({})
LOG = [
    Entry(0, Flip(), START + 1_000),
    Entry(SYSTEM, Away(1), START + 2_000),
    Entry(SYSTEM, TimeOut(), START + 16_000),
]


def test_every_row_makes_one_step() -> None:
    steps = list(replay(ENGINE, OPTIONS, 2, SEED, START, LOG))
    assert [step.events for step in steps] == [
        (TurnStarted(0, 1),),
        (CoinFlipped(0, False), TurnStarted(1, 1)),
        (PresenceChanged(1, True),),
        (CoinFlipped(1, False), TurnStarted(0, 2)),
    ]
    assert steps[-1].state.since == START + 16_000


def test_an_empty_log_is_the_deal() -> None:
    assert list(replay(ENGINE, OPTIONS, 2, SEED, START, [])) == [
        ENGINE.setup(OPTIONS, 2, SEED, START)
    ]


def test_a_time_out_row_is_given_to_on_timeout() -> None:
    state = ENGINE.setup(OPTIONS, 2, SEED, START).state
    assert perform(ENGINE, state, Entry(SYSTEM, TimeOut(), 7)) == ENGINE.on_timeout(state, 7)


def digest_under(hash_seed: str) -> str:
    """The digest of every game's matches, played in a process of its own."""
    code = "from tests.engines.laws.matches import digest; print(digest())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout.strip()


def test_hash_seeds_make_no_difference() -> None:
    first, second = digest_under("1"), digest_under("2")
    assert len(first) == 64
    assert first == second
