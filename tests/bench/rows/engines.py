"""The pure engines: one action and its view, and play at random."""

import time
from collections.abc import Callable
from random import Random

from engines.marble import ENGINE as MARBLE
from engines.marble.previews import available
from engines.number_tiles import ENGINE as TILES
from engines.number_tiles.actions import SetDraft
from engines.number_tiles.rules.judging import judge_draft
from engines.number_tiles.rules.sets import Reading
from engines.number_tiles.state import State
from tests.bench.meters import Figure
from tests.bench.report import Row
from tests.bench.rig import Rig
from tests.bench.scripts import CHOSEN, START, Move, script
from tests.engines.marble.adapter import action_of, wanted
from tests.engines.number_tiles.table import table

GROUP = "engines"
REPEATS = 7
COLORS = "KRBO"


async def rows(rig: Rig) -> list[Row]:
    moves = [move for seed in range(6) for move in script(4, bytes([seed] * 32), 150)]
    both = [_best(lambda move=move: _apply_and_view(move)) for move in moves]  # type: ignore[misc]
    full, draft = _full_table()
    seat = full.current
    drafted = TILES.apply(full, seat, draft, START).state
    assert judge_draft(drafted).refusal is not None  # nothing of the rack is in it: no commit
    assert all(isinstance(each, Reading) for each in judge_draft(drafted).readings)
    return [
        Row(GROUP, "marble: apply and view of one action", "µs", _quartiles(both), limit=50),
        Row(
            GROUP,
            "marble: actions of random play, one core",
            "1/s",
            Figure.of([_random_play(round_) for round_ in range(5)]),
            limit=20_000,
            higher_is_better=True,
        ),
        Row(
            GROUP,
            "tiles: judge a draft of 106 tiles",
            "µs",
            Figure.of([_best(lambda: judge_draft(drafted)) for _ in range(5)]),
            limit=1_000,
        ),
        Row(
            GROUP,
            "tiles: setDraft of 106 tiles",
            "µs",
            Figure.of([_best(lambda: TILES.apply(full, seat, draft, START)) for _ in range(5)]),
            limit=200,
        ),
    ]


def _best(work: Callable[[], object]) -> float:
    """The least of several runs, in µs: what it takes when nothing else does."""
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter_ns()
        work()
        times.append(time.perf_counter_ns() - began)
    return min(times) / 1000


def _quartiles(values: list[float]) -> Figure:
    """The median of different actions, and the range that the middle half of them lies in."""
    ordered = sorted(values)
    return Figure(*(ordered[len(ordered) * part // 4] for part in (2, 1, 3)))


def _apply_and_view(move: Move) -> object:
    step = MARBLE.apply(move.before, move.seat, move.action, START)
    return MARBLE.view(step.state, move.seat)


def _random_play(seed: int) -> float:
    """Whole matches by somebody who looks at what is available and takes any of it."""
    rnd = Random(seed)
    count = 0
    began = time.process_time()
    for number in range(10):
        state = MARBLE.setup(MARBLE.options(CHOSEN), 4, bytes([seed, number] * 16), START).state
        while (seat := state.awaited) is not None:
            names = [name for name in available(state, seat) if wanted(name, state, rnd)]
            if not names:
                continue
            action = action_of(rnd.choice(names), state, seat, rnd)
            state = MARBLE.apply(state, seat, action, START).state
            count += 1
    return count / (time.process_time() - began)


def _full_table() -> tuple[State, SetDraft]:
    """All 106 tiles on the table in ten runs, and a draft that makes groups of all of them."""
    runs = [
        " ".join(f"{color}{number}{copy}" for number in range(1, 14))
        for color in COLORS
        for copy in "ab"
        if color + copy not in ("Ra", "Bb")
    ]
    short = [" ".join(f"{each[0]}{n}{each[1]}" for n in range(1, 12)) for each in ("Ra", "Bb")]
    jokers = ["JK1 R12a R13a", "JK2 B12b B13b"]
    full = table(["", ""], [*runs, *short, *jokers])
    groups = [
        " ".join(
            f"{color}{number}{copy}"
            for color in COLORS
            if not (number > 11 and color + copy in ("Ra", "Bb"))
        )
        for number in range(1, 14)
        for copy in "ab"
    ]
    return full.state, full.sets(*groups, *jokers)
