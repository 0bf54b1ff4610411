"""Properties of whole matches under random options and random play."""

from collections import Counter
from itertools import groupby
from random import Random

import pytest

from engines.marble import ENGINE
from engines.marble import events as e
from engines.marble.actions import (
    ActionName,
    Build,
    Buy,
    Pass,
    PayIslandFee,
    ProposeTrade,
    RespondToTrade,
    Roll,
    SaleKind,
    Sell,
    SpaceTravel,
    Takeover,
    TradeSide,
    UseEscapeCard,
)
from engines.marble.reasons import EndReason, TradeReason
from engines.marble.state import State, lands_of, others_after
from engines.protocol import Illegal
from tests.engines.laws.matches import Match, Table, any_move, play, sample_of, time_out
from tests.engines.marble.adapter import ADAPTER


@pytest.fixture(scope="module")
def matches() -> list[Match]:
    """The matches the laws look at."""
    return sample_of("marble")


def turns_of(match: Match) -> list[list[object]]:
    """The events of a match, cut where a turn begins."""
    turns: list[list[object]] = [[]]
    for step in match.steps:
        for event in step.events:
            if isinstance(event, e.TurnStarted):
                turns.append([])
            turns[-1].append(event)
    return turns


def test_at_most_three_cards_in_a_turn(matches: list[Match]) -> None:
    """R17: cards never chain on this board, so the limit of five is out of reach."""
    most = max(
        sum(isinstance(event, e.CardDrawn) for event in turn)
        for match in matches
        for turn in turns_of(match)
    )
    assert most <= 3


def test_no_accepted_trade_fails(matches: list[Match]) -> None:
    """R108: nothing can change while an offer is open."""
    ends = Counter(
        event.trade_reason
        for match in matches
        for step in match.steps
        for event in step.events
        if isinstance(event, e.TradeResolved)
    )
    assert ends[TradeReason.ACCEPTED] > 20
    assert ends[TradeReason.IMPOSSIBLE] == 0


def test_a_round_limit_ends_the_match(matches: list[Match]) -> None:
    """R04, R90: not later than its last round; without one there is no such end."""
    for match in matches:
        result = ENGINE.result(match.last)
        limit = match.options.max_rounds
        if limit:
            assert match.over
            assert result.round <= limit
            assert (result.reason is EndReason.ROUND_LIMIT) <= (result.round == limit)
        elif result is not None:
            assert result.reason in (EndReason.LAST_SURVIVOR, EndReason.MONOPOLY)


def test_rounds_are_counted_one_by_one(matches: list[Match]) -> None:
    """§5.6: no round is skipped, and nobody has two turns in one or comes out of order."""
    for match in matches:
        started = [
            event
            for step in match.steps
            for event in step.events
            if isinstance(event, e.TurnStarted)
        ]
        rounds = [
            (number, [t.seat for t in turns])
            for number, turns in groupby(started, key=lambda turn: turn.round)
        ]
        assert [number for number, _ in rounds] == list(range(1, len(rounds) + 1))
        order = match.first.state.order
        for _, seats in rounds:
            assert seats == sorted(seats, key=order.index)
            assert len(set(seats)) == len(seats)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_idle_matches_end_by_the_round_limit(seats: int) -> None:
    """§8.5, R04: nobody ever acts, cash only moves by dice and cards, and round 15 is the last."""
    options = ENGINE.options({"maxRounds": 15})
    for number in range(5):
        state = ENGINE.setup(options, seats, Random(number).randbytes(32), 0).state
        table, now, steps = Table(ENGINE, ADAPTER, seats, Random(number)), 0, 0
        while ENGINE.deadline(state) is not None:
            now = time_out(table, state, now).at
            step = ENGINE.on_timeout(state, now)
            assert not any(isinstance(event, e.Bought | e.Built) for event in step.events)
            state, steps = step.state, steps + 1
            assert steps < 15 * seats * 8
        assert ENGINE.result(state).reason is EndReason.ROUND_LIMIT
        assert lands_of(state, 0) == []


def candidates(state: State, seat: int) -> dict[ActionName, object]:
    """For every name an action that is legal if any action of that name is."""
    lands = lands_of(state, seat)
    level = state.decision.can_build if state.decision else None
    others = others_after(state, seat)
    return {
        ActionName.ROLL: Roll(),
        ActionName.PAY_ISLAND_FEE: PayIslandFee(),
        ActionName.USE_ESCAPE_CARD: UseEscapeCard(),
        ActionName.SPACE_TRAVEL: SpaceTravel(0),
        ActionName.BUY: Buy(),
        ActionName.BUILD: Build(level or 1),
        ActionName.TAKEOVER: Takeover(),
        ActionName.PASS: Pass(),
        ActionName.SELL: Sell(lands[0][0] if lands else 0, SaleKind.ALL),
        ActionName.PROPOSE_TRADE: smallest_offer(state, seat, others),
        ActionName.RESPOND_TO_TRADE: RespondToTrade(accept=False),
    }


def smallest_offer(state: State, seat: int, others: list[int]) -> ProposeTrade:
    """One land or one coin of anybody who has it; an offer of nothing if nobody has any."""
    nothing, to = TradeSide((), 0), others[0] if others else seat
    if some := something_of(state, seat):
        return ProposeTrade(to, some, nothing)
    for other in others:
        if some := something_of(state, other):
            return ProposeTrade(other, nothing, some)
    return ProposeTrade(to, nothing, nothing)


def something_of(state: State, seat: int) -> TradeSide | None:
    """A seat's first land, or one coin."""
    lands = lands_of(state, seat)
    if lands:
        return TradeSide((lands[0][0],), 0)
    return TradeSide((), 1) if state.players[seat].cash else None


def accepted(state: State, seat: int, action: object) -> bool:
    """Whether the engine takes the action."""
    try:
        ENGINE.apply(state, seat, action, state.prompted_at + 1)
    except Illegal:
        return False
    return True


def test_what_is_called_available_is_exactly_what_is_accepted(matches: list[Match]) -> None:
    """R44, R130: affordable choices are listed, and nothing else is possible."""
    seen: Counter[ActionName] = Counter()
    for match in matches[::2]:
        for step in match.steps[::2]:
            for seat in range(match.seats):
                names = {*ENGINE.view(step.state, seat).available} - {ActionName.CONCEDE}
                tried = candidates(step.state, seat)
                assert names == {
                    n for n, action in tried.items() if accepted(step.state, seat, action)
                }
                seen.update(names)
    assert set(seen) == {*ActionName} - {ActionName.CONCEDE}


def test_a_living_seat_can_always_give_up(matches: list[Match]) -> None:
    """R124: in every phase and turn."""
    for match in matches[::3]:
        for step in match.steps[::3]:
            over = ENGINE.result(step.state) is not None
            for seat, player in enumerate(step.state.players):
                may = ActionName.CONCEDE in ENGINE.view(step.state, seat).available
                assert may == (player.alive and not over)


def test_same_seed_and_actions_same_assets() -> None:
    """§10 리플레이 결정성, R146: full equality of the state, not only of the assets."""
    for number in range(3):
        first, second = (play(ENGINE, ADAPTER, Random(number), any_move) for _ in range(2))
        assert first.log == second.log
        assert first.last == second.last
        assert ENGINE.result(first.last) == ENGINE.result(second.last)
