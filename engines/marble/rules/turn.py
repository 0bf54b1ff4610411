"""§5.1 and §5.6 Rolling, doubles, the change of turns and rounds."""

from engines.marble.actions import Roll
from engines.marble.events import ExtraRollStarted, Log, Rolled, RoundEnded, TurnStarted
from engines.marble.reasons import EndReason, IslandReason, MoveCause, Refusal
from engines.marble.rules.ending import finish
from engines.marble.rules.island import roll_on_island, send_to_island
from engines.marble.rules.movement import advance
from engines.marble.state import BOTTOM, Arrive, Ending, EndVisit, State
from engines.protocol import Seat, Step, refuse

DOUBLES_TO_ISLAND = 3


def check_roll(state: State, seat: Seat, _: Roll) -> None:
    """Any turn but that of a space flight starts with a roll (R83)."""
    if state.players[seat].space_pending:
        refuse(Refusal.MUST_SPACE_TRAVEL, "5.5")


def do_roll(state: State, seat: Seat, _: Roll) -> Step[State]:
    """Roll two dice and move; the third double of a turn leads to the island instead (R40)."""
    log: Log = []
    dice, rng = state.rng.dice(2)
    state = state.but(rng=rng, last_roll=dice)
    if state.players[seat].island_left > 0:
        return Step(roll_on_island(state, log, dice), tuple(log))
    double = dice[0] == dice[1]
    doubles = state.doubles_this_turn + double
    log.append(Rolled(seat, dice, double, doubles))
    if double and doubles == DOUBLES_TO_ISLAND:
        state = send_to_island(state, log, IslandReason.DOUBLES).then(BOTTOM)
    else:
        state = state.but(doubles_this_turn=doubles, extra_roll=double)
        state = advance(state, log, sum(dice), MoveCause.DICE).then(Arrive(), BOTTOM)
    return Step(state, tuple(log))


def end_visit(state: State, _: EndVisit, log: Log) -> State:
    """The extra roll of a double, or else the next player's turn."""
    if not state.extra_roll:
        return end_turn(state, log)
    log.append(ExtraRollStarted(state.current))
    return state.but(extra_roll=False)  # R149: true only until the extra roll is due


def end_turn(state: State, log: Log) -> State:
    """Pass the turn on; a round ends when the next living place in `order` is not later (R86)."""
    order, place = state.order, state.order.index(state.current)
    seat = next(s for s in order[place + 1 :] + order if state.players[s].alive)
    if order.index(seat) <= place:
        log.append(RoundEnded(state.round))
        if state.round == state.options.max_rounds:
            return finish(state, log, Ending(EndReason.ROUND_LIMIT))
        state = state.but(round=state.round + 1)
    log.append(TurnStarted(seat, state.round))
    return state.but(current=seat, doubles_this_turn=0, cards_this_turn=0, trades_this_turn=0)
