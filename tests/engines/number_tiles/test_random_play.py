"""What the matches of the laws and of the plain player come to, so that nothing goes unseen."""

from collections import Counter
from typing import Any

import pytest

from engines.number_tiles import ENGINE
from engines.number_tiles import actions as a
from engines.number_tiles import events as e
from engines.number_tiles.reasons import DrawReason, EndReason
from engines.number_tiles.state import State
from engines.number_tiles.tiles import ALL_TILES
from engines.protocol import Away, Back, Leave, ShiftDeadline, TimeOut
from tests.engines.laws.matches import sample_of
from tests.engines.number_tiles.player import sensible_action


def test_random_matches_end_in_every_way() -> None:
    """§8.6, L-02: by an empty rack, by a stalemate, by forfeit; some have several games."""
    matches = sample_of("number_tiles")
    ends = Counter(outcome.reason for match in matches for outcome in match.last.outcomes)
    assert set(ends) == set(EndReason)
    assert max(len(match.last.outcomes) for match in matches) >= 3
    assert {match.seats for match in matches} == {2, 3, 4}


def test_random_matches_know_every_step() -> None:
    """§8.2, §8.5: all actions, all reasons to draw or pass, automatic and first commits."""
    turns = [turn for match in sample_of("number_tiles") for turn in match.turns]
    facts = [event for turn in turns for event in turn.step.events]
    actions = {type(turn.entry.action) for turn in turns}
    assert actions == {*a.ACTIONS, *a.HOST_ACTIONS, TimeOut, Leave, Away, Back, ShiftDeadline}
    assert {f.reason for f in facts if isinstance(f, e.TilesDrawn)} == set(DrawReason)
    assert {f.reason for f in facts if isinstance(f, e.Passed)} >= {
        DrawReason.CHOICE,
        DrawReason.TIMEOUT,
    }
    laid = [f for f in facts if isinstance(f, e.SetsCommitted)]
    assert {(f.auto, f.first_registration) for f in laid} == {
        (False, False),
        (False, True),
        (True, False),
        (True, True),
    }


def idle_action(state: State) -> a.Draw | a.Pass:
    """What somebody does who never lays."""
    return a.Draw(state.turn_no) if state.pool else a.Pass(state.turn_no)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    ("player", "reason"),
    [(sensible_action, EndReason.RACK_EMPTY), (idle_action, EndReason.STALEMATE)],
)
def test_players_come_to_both_ends(player: Any, reason: EndReason, seats: int) -> None:
    """§5.8, §6: no tile is lost on the way, and points only change hands."""
    for number in range(8):
        state = ENGINE.setup(ENGINE.options({}), seats, bytes([number]) * 32, 0).state
        while ENGINE.result(state) is None:
            state = ENGINE.apply(state, state.current, player(state), 0).state
            on_table = b"".join(laid.tiles for laid in state.table)
            assert sorted((*b"".join(state.racks), *on_table, *state.pool)) == list(ALL_TILES)
        (outcome,) = state.outcomes
        assert outcome.reason is reason
        assert len(outcome.winners) == 1
        assert sum(row.score for row in outcome.ranking) == 0
