"""§5.1 Moving the current player's pawn, and the salary."""

from engines.marble.board import CELL_COUNT, Pos
from engines.marble.events import Log, Moved, SalaryPaid
from engines.marble.reasons import MoveCause
from engines.marble.state import State


def advance(state: State, log: Log, steps: int, cause: MoveCause) -> State:
    """Move `steps` (1..39) cells clockwise; passing the start or ending on it pays once (R16)."""
    seat = state.current
    player = state.players[seat]
    path = tuple((player.pos + step) % CELL_COUNT for step in range(1, steps + 1))
    passed_start = player.pos + steps >= CELL_COUNT
    log.append(Moved(seat, player.pos, path[-1], path, passed_start, cause))
    if not passed_start:
        return state.with_player(seat, pos=path[-1])
    salary = state.options.salary
    log.append(SalaryPaid(seat, salary))
    return state.with_player(seat, pos=path[-1], cash=player.cash + salary)


def advance_to(state: State, log: Log, dest: Pos, cause: MoveCause) -> State:
    """Move clockwise to `dest`, any cell but the one stood on."""
    return advance(state, log, (dest - state.players[state.current].pos) % CELL_COUNT, cause)


def step_back(state: State, log: Log, steps: int) -> State:
    """Move `steps` cells against the clock: never a salary (R30)."""
    seat = state.current
    pos = state.players[seat].pos
    path = tuple((pos - step) % CELL_COUNT for step in range(1, steps + 1))
    log.append(Moved(seat, pos, path[-1], path, False, MoveCause.CARD))
    return state.with_player(seat, pos=path[-1])
