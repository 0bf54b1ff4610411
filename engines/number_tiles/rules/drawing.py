"""§5.2, §5.7 and §5.8: turns that lay nothing: drawing, passing, and what is drawn as penalty."""

from msgspec.structs import replace

from engines.number_tiles.actions import Draw, Pass
from engines.number_tiles.events import DraftReverted, Passed, TilesDrawn
from engines.number_tiles.reasons import CommitProblem, DrawReason, EndReason, Refusal
from engines.number_tiles.rules.judging import Verdict
from engines.number_tiles.rules.turns import after, check_turn, end_game, is_stalemate, next_turn
from engines.number_tiles.state import State
from engines.number_tiles.tiles import ids_of
from engines.protocol import Step, refuse


def check_draw(state: State, seat: int, action: Draw) -> None:
    """Always possible in turn, also with tiles in the draft (P-01)."""
    check_turn(state, seat, action.turn)


def do_draw(state: State, seat: int, found: None, at: int) -> Step[State]:
    """Drop the draft and draw one tile; with an empty pool this is a pass."""
    return end_without_laying(state, 1, DrawReason.CHOICE, at)


def check_pass(state: State, seat: int, action: Pass) -> None:
    """Only while the pool is empty (P-07)."""
    check_turn(state, seat, action.turn)
    if state.pool:
        refuse(Refusal.POOL_NOT_EMPTY, "5.2")


def do_pass(state: State, seat: int, found: None, at: int) -> Step[State]:
    """Drop the draft and let the next player go on."""
    return end_without_laying(state, 0, DrawReason.CHOICE, at)


def end_without_laying(state: State, count: int, reason: DrawReason, at: int) -> Step[State]:
    """Draw up to `count` tiles and end the turn; with an empty pool it counts as a pass.

    The draft is dropped, which leaves rack and table as they were (D-14). P-02 to P-05.
    """
    seat, drawn, pool = state.current, state.pool[:count], state.pool[count:]
    if drawn:
        racks = tuple(
            rack + drawn if owner == seat else rack for owner, rack in enumerate(state.racks)
        )
        fact = TilesDrawn(seat, len(drawn), reason, ids_of(drawn), len(pool))
        return after((fact,), next_turn(replace(state, pool=pool, racks=racks), at))
    passed = replace(state, passes=(*state.passes, seat))
    facts = (Passed(seat, reason, passed.passes),)
    if is_stalemate(passed):
        return after(facts, end_game(passed, EndReason.STALEMATE, at))
    return after(facts, next_turn(passed, at))


def revert(state: State, verdict: Verdict, count: int, reason: DrawReason, at: int) -> Step[State]:
    """Take the draft back, draw up to `count` tiles and end the turn (§5.7, C-05, V-04)."""
    refusal = verdict.refusal
    fact = DraftReverted(
        state.current,
        ids_of(verdict.laid),
        None if refusal is None else CommitProblem[refusal.name],
        None if refusal is None else refusal.text.format(**verdict.params),
    )
    return after((fact,), end_without_laying(state, count, reason, at))
