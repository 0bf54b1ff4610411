"""§5.2 and S-07: whose turn it is, what a turn starts with, and how a game comes to its end."""

from typing import Any

from msgspec.structs import replace

from engines.number_tiles.events import GameEnded, MatchEnded, TurnStarted
from engines.number_tiles.reasons import EndReason, Refusal
from engines.number_tiles.results import match_result, total_of, wins_of
from engines.number_tiles.rules.scoring import score_game
from engines.number_tiles.state import Draft, PackedSet, Phase, State
from engines.protocol import Step, refuse


def check_turn(state: State, seat: int, turn: object) -> None:
    """That a game is running, the seat is in turn, and the action is meant for this very turn.

    Refused with GAME_OVER, NOT_YOUR_TURN, BAD_PAYLOAD or STALE_TURN (X-01, X-02, E-02).
    """
    if state.phase is not Phase.PLAYING:
        refuse(Refusal.GAME_OVER, "8.6")
    if seat != state.current:
        refuse(Refusal.NOT_YOUR_TURN, "5.2")
    if type(turn) is not int:
        refuse(Refusal.BAD_PAYLOAD, "8.2", path=("turn",))
    if turn != state.turn_no:
        refuse(Refusal.STALE_TURN, "8.2", path=("turn",))


def begin_turn(state: State, seat: int, at: int) -> Step[State]:
    """The turn of `seat` from now on; its draft is the table as it was laid (N-11)."""
    draft = Draft(tuple([PackedSet(laid.tiles, laid.kind) for laid in state.table]))
    turn_no = state.turn_no + 1
    begun = replace(
        state, phase=Phase.PLAYING, current=seat, turn_no=turn_no, since=at, draft=draft
    )
    return Step(begun, (TurnStarted(turn_no, seat),))


def next_turn(state: State, at: int) -> Step[State]:
    """The turn of the next seat that is still in the game (S-07, L-03)."""
    later = [seat for seat in state.staying if seat > state.current]
    return begin_turn(state, (later or state.staying)[0], at)


def is_stalemate(state: State) -> bool:
    """Whether all who are still in the game have passed in a row (§5.8, L-05)."""
    return all(seat in state.passes for seat in state.staying)


def end_game(state: State, reason: EndReason, at: int) -> Step[State]:
    """Score the game; the match goes on after a pause unless this was its last one (R-07, L-02)."""
    outcome = score_game(
        state.game_no, reason, state.racks, state.staying, state.options.joker_penalty
    )
    outcomes = (*state.outcomes, outcome)
    last = state.game_no == state.games or reason is EndReason.FORFEIT
    ended = replace(
        state,
        phase=Phase.FINISHED if last else Phase.BETWEEN_GAMES,
        outcomes=outcomes,
        draft=None,
        since=at,
    )
    wins = tuple(wins_of(outcomes, seat) for seat in state.seats)
    totals = tuple(total_of(outcomes, seat) for seat in state.seats)
    events: tuple[Any, ...] = (GameEnded(outcome, wins, totals, last),)
    if last:
        events += (MatchEnded(match_result(ended)),)
    return Step(ended, events)


def after(first: tuple[Any, ...], then: Step[State]) -> Step[State]:
    """The step `then` with the facts that led to it in front."""
    return Step(then.state, first + then.events)
