"""§4: how a match begins."""

import pytest

from engines.marble import ENGINE
from engines.marble.actions import Roll
from engines.marble.cards import CardId
from engines.marble.events import GameStarted, Rolled, TurnStarted
from engines.marble.state import Phase
from engines.rng import Stream
from tests.engines.marble.table import START

SEED = bytes(range(32))


def test_4_the_order_is_drawn_first_and_then_the_deck() -> None:
    """R36: as in the longer example of docs/chance.md, then two draws for each roll."""
    state = ENGINE.setup(ENGINE.options({}), 3, SEED, START).state
    assert state.order == (2, 1, 0)
    assert [int(card.value[1:]) for card in state.deck] == [
        *(16, 9, 6, 5, 4, 19, 17, 8, 3, 7),
        *(10, 15, 13, 11, 1, 18, 14, 12, 2, 20),
    ]
    assert state.rng == Stream(SEED, 21)
    step = ENGINE.apply(state, 2, Roll(), START + 1)
    assert step.events[0] == Rolled(2, (5, 6), double=False, doubles=0)
    assert step.state.rng == Stream(SEED, 23)


@pytest.mark.parametrize("money", [200, 300, 500])
def test_4_everybody_starts_alike(money: int) -> None:
    """§4: on the start with the start money, nothing owned, nothing in the fund, round 1."""
    options = ENGINE.options({"startMoney": money})
    state = ENGINE.setup(options, 4, SEED, START).state
    assert [(p.pos, p.cash, p.alive, p.held) for p in state.players] == [(0, money, True, ())] * 4
    assert [(p.island_left, p.space_pending) for p in state.players] == [(0, False)] * 4
    assert set(state.lands) == {None}
    assert (state.fund, state.round, state.phase) == (0, 1, Phase.TURN_START)
    assert sorted(state.deck) == sorted(CardId)
    assert (state.current, state.last_roll, state.doubles_this_turn) == (state.order[0], None, 0)


def test_4_the_first_of_the_order_begins() -> None:
    """R36, R38: no opening dice; the beginning is told."""
    step = ENGINE.setup(ENGINE.options({}), 3, SEED, START)
    assert step.events == (GameStarted((2, 1, 0), 300, 20), TurnStarted(2, 1))
    assert step.state.turn_seq == 0


def test_4_turns_follow_the_order_and_not_the_room() -> None:
    """R37: a seat's number means nothing for the order of turns."""
    step = ENGINE.setup(ENGINE.options({}), 3, SEED, START)
    state, seen = step.state, [step.state.current]
    for _ in range(9):
        state = ENGINE.on_timeout(state, START).state
        if state.current != seen[-1]:
            seen.append(state.current)
    assert seen[:4] == [2, 1, 0, 2]
