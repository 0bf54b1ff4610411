"""Setup and apply: the one table from action to its rule."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from engines.number_tiles.actions import (
    Commit,
    Concede,
    Draw,
    NextGame,
    Pass,
    ResetDraft,
    SetDraft,
    UndoDraft,
)
from engines.number_tiles.options import Options, games_of
from engines.number_tiles.reasons import Refusal
from engines.number_tiles.rules import committing, dealing, drafting, drawing, leaving
from engines.number_tiles.state import State
from engines.number_tiles.timeouts import on_timeout
from engines.protocol import (
    SYSTEM,
    Actor,
    Away,
    Back,
    Leave,
    ShiftDeadline,
    Step,
    TimeOut,
    refuse,
)
from engines.rng import Stream

FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 4


class Rule(NamedTuple):
    """How an action is judged and performed; `do` is handed what `check` found."""

    check: Callable[[State, Any, Any], Any]
    do: Callable[[State, Any, Any, int], Step[State]]


PLAYER_RULES: Final[dict[type, Rule]] = {
    SetDraft: Rule(drafting.check_set_draft, drafting.do_set_draft),
    UndoDraft: Rule(drafting.check_undo_draft, drafting.do_undo_draft),
    ResetDraft: Rule(drafting.check_reset_draft, drafting.do_reset_draft),
    Commit: Rule(committing.check_commit, committing.do_commit),
    Draw: Rule(drawing.check_draw, drawing.do_draw),
    Pass: Rule(drawing.check_pass, drawing.do_pass),
    Concede: Rule(leaving.check_concede, leaving.do_concede),
}
SYSTEM_RULES: Final[dict[type, Rule]] = {
    NextGame: Rule(dealing.check_next_game, dealing.do_next_game),
    Leave: Rule(leaving.check_seat, leaving.do_leave),
    Away: Rule(leaving.check_seat, leaving.do_away),
    Back: Rule(leaving.check_seat, leaving.do_back),
    ShiftDeadline: Rule(leaving.check_shift, leaving.do_shift),
}


def setup(options: Options, seats: int, seed: bytes, at: int) -> Step[State]:
    """Deal the first game of a match for 2 to 4 seats (§4).

    Raises ValueError for any other number of seats (T-03).
    """
    if type(seats) is not int or not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise ValueError(f"number_tiles is played by 2 to 4, not by {seats!r}")
    empty = State(
        options=options,
        rng=Stream(seed),
        games=games_of(options, seats),
        racks=(b"",) * seats,
        melded=(False,) * seats,
    )
    return dealing.deal_game(empty, at)


def apply(state: State, actor: Actor, action: Any, at: int) -> Step[State]:
    """Judge one action and perform it; raises `Illegal` and then nothing has changed (E-01).

    The system's actions are none of a player's and the other way round (E-02).
    """
    if actor is SYSTEM and isinstance(action, TimeOut):
        return on_timeout(state, at)
    rules = SYSTEM_RULES if actor is SYSTEM else PLAYER_RULES
    rule = rules.get(type(action))
    if rule is None:
        refuse(Refusal.BAD_ACTION, "8.2")
    if actor is not SYSTEM and (type(actor) is not int or actor not in state.seats):
        refuse(Refusal.NOT_YOUR_TURN, "5.2")
    return rule.do(state, actor, rule.check(state, actor, action), at)
