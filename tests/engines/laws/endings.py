"""Laws of time and of the end: a match never hangs, and once over it stays over."""

from random import Random
from typing import Any

from engines.protocol import (
    SYSTEM,
    Away,
    Back,
    Described,
    Engine,
    Illegal,
    Leave,
    ShiftDeadline,
)
from engines.replay import Entry, perform
from tests.engines.laws.adapter import Adapter
from tests.engines.laws.matches import (
    START,
    Match,
    Table,
    play,
    time_out,
)
from tests.engines.laws.shape import FOREIGN, HANGUL

PLAYS = 6
LATER = START + 10**9


def law_random_play_ends(engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]) -> None:
    """A match that must end does so within the steps its adapter promises."""
    for match in matches:
        longest = adapter.longest(match.options, match.seats)
        if longest is not None:
            assert match.over
            assert len(match.turns) <= longest
    assert any(match.over for match in matches)


def law_waiting_alone_ends_a_match(
    engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]
) -> None:
    """Where nobody ever does anything, time-outs carry the match to its result."""
    ended = 0
    for number in range(PLAYS):
        match = play(engine, adapter, Random(number), time_out)
        longest = adapter.longest(match.options, match.seats)
        if longest is not None:
            assert match.over
            assert len(match.turns) <= longest
            assert engine.result(match.last) is not None
            ended += 1
    assert ended, "no match of the sample had to end"


def law_a_time_out_moves_on(
    engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]
) -> None:
    """At every state the automatic action is accepted and the clock starts anew, or all is over.

    A seat that is away may be given no time at all.
    """
    for match in matches:
        table = Table(engine, adapter, match.seats, Random(0))
        for turn in match.turns:
            entry = time_out(table, turn.before, turn.entry.at)
            old, step = engine.deadline(turn.before), perform(engine, turn.before, entry)
            new = engine.deadline(step.state)
            assert step.state is not turn.before
            assert old is not None
            if new is None:
                assert engine.result(step.state) is not None
            else:
                at_once = new.since == new.until
                assert new.since > old.since or new.since == entry.at
                assert new.until is None or new.until > entry.at or at_once


def law_somebody_is_waited_for_until_the_end(
    engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]
) -> None:
    """There is a deadline exactly as long as there is no result."""
    for match in matches:
        for step in match.steps:
            due = engine.deadline(step.state)
            assert (due is None) == (engine.result(step.state) is not None)
            if due is not None:
                assert due.until is None or due.since <= due.until
                assert due.seat is None or due.seat in range(match.seats)


def law_over_is_over(engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]) -> None:
    """After the result every move is refused; what the system says is refused or a no-op."""
    ended = [match for match in matches if match.over]
    assert ended
    for number, match in enumerate(ended):
        state, rnd = match.last, Random(number)
        for actor in (*range(match.seats), SYSTEM):
            for _ in range(20):
                action = adapter.hostile_action(state, actor, rnd)
                assert not unmoved(engine, state, Entry(actor, action, LATER))
        for seat in range(match.seats):
            for action in (Leave(seat), Away(seat), Back(seat), ShiftDeadline(1_000)):
                unmoved(engine, state, Entry(SYSTEM, action, LATER))


def unmoved(engine: Engine[Any], state: Any, entry: Entry) -> bool:
    """True for a no-op, False for a refusal; anything else breaks the law."""
    try:
        step = perform(engine, state, entry)
    except Illegal:
        return False
    assert step.state is state
    assert step.events == ()
    return True


def law_results_rank_every_seat(
    engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]
) -> None:
    """Best first, every seat once, equal places together, winners are the first place."""
    for match in matches:
        result = engine.result(match.last)
        if result is None:
            continue
        ranks = [place.rank for place in result.ranking]
        assert sorted(place.seat for place in result.ranking) == list(range(match.seats))
        assert ranks == sorted(ranks)
        assert ranks == [1 + sum(other < rank for other in ranks) for rank in ranks]
        assert result.winners == tuple(p.seat for p in result.ranking if p.rank == 1)
        assert isinstance(result.reason, Described)


def law_results_are_worded_in_both_languages(
    engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]
) -> None:
    """The summary names every winner, in Korean and in English."""
    names = [f"Seat{number}" for number in range(engine.about.seats[1])]
    for match in matches:
        result = engine.result(match.last)
        if result is None:
            continue
        text = engine.summary(result, names[: match.seats])
        for seat in result.winners:
            assert names[seat] in text.ko
            assert names[seat] in text.en
        assert HANGUL.search(text.ko)
        assert not FOREIGN.search(text.en)
        assert "{" not in text.ko + text.en
