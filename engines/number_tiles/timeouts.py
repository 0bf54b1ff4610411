"""§5.7 and §8.5: how long a turn may take and what happens when its time is up."""

from typing import Final

from engines.number_tiles.reasons import DrawReason
from engines.number_tiles.rules.committing import lay
from engines.number_tiles.rules.dealing import deal_game
from engines.number_tiles.rules.drawing import end_without_laying, revert
from engines.number_tiles.rules.judging import is_unchanged, judge_draft
from engines.number_tiles.state import Phase, State
from engines.protocol import Absence, AbsenceRemedy, Deadline, Step

PAUSE: Final = 10_000
"""Milliseconds between two games of a match (R-07)."""

ABSENCE: Final[Absence[State]] = Absence(
    grace=None,  # §8.5: the clock does not stop
    unit=lambda state: state.turn_no,
    units=3,  # W-08: three turns in a row that ended by time-out while disconnected
    only_if_away=True,
    remedy=AbsenceRemedy.PLAY_ON,
)


def deadline(state: State) -> Deadline | None:
    """Until when the seat in turn may think; for a seat that is away the time is up at once."""
    if state.phase is Phase.FINISHED:
        return None
    if state.phase is Phase.BETWEEN_GAMES:
        return Deadline(state.since, state.since + PAUSE, None)
    allowed = 0 if state.current in state.away else 1000 * state.options.turn_seconds
    return Deadline(state.since, state.since + allowed, state.current)


def on_timeout(state: State, at: int) -> Step[State]:
    """What the rules do at the deadline; before it nothing happens (a late timer, W-06)."""
    due = deadline(state)
    if due is None or due.until is None or at < due.until:
        return Step(state)
    if state.phase is Phase.BETWEEN_GAMES:
        return deal_game(state, at)
    if is_unchanged(state):  # W-01: also if the player tried and undid
        return end_without_laying(state, 1, DrawReason.TIMEOUT, at)
    verdict = judge_draft(state)
    if verdict.refusal is not None:  # W-02: whatever a commit would be refused for
        penalty = state.options.invalid_timeout_penalty
        return revert(state, verdict, penalty, DrawReason.TIMEOUT_PENALTY, at)
    if state.options.timeout_valid_draft == "commit":
        return lay(state, verdict, at, auto=True)
    return revert(state, verdict, 1, DrawReason.TIMEOUT, at)
