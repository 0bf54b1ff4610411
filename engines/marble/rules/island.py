"""§5.4 The deserted island: getting stuck, and the three ways off."""

from engines.marble.actions import PayIslandFee, UseEscapeCard
from engines.marble.board import ISLAND
from engines.marble.cards import CardId
from engines.marble.events import Escaped, IslandRolled, Log, SentToIsland
from engines.marble.reasons import EscapeMeans, IslandReason, MoveCause, Refusal
from engines.marble.rules.deck import use_card
from engines.marble.rules.movement import advance
from engines.marble.state import BOTTOM, Arrive, State
from engines.protocol import Seat, Step, refuse


def send_to_island(state: State, log: Log, reason: IslandReason) -> State:
    """Put the current player on the island; no salary, and the run of doubles is cut (R26, R42)."""
    turns = state.options.island_turns
    log.append(SentToIsland(state.current, reason, turns))
    state = state.with_player(state.current, pos=ISLAND, island_left=turns)
    return state.but(extra_roll=False, doubles_this_turn=0)


def roll_on_island(state: State, log: Log, dice: tuple[int, ...]) -> State:
    """A double leaves at once without an extra roll (R71); a miss ends the turn (R70)."""
    seat = state.current
    double = dice[0] == dice[1]
    left = 0 if double else state.players[seat].island_left - 1
    log.append(IslandRolled(seat, dice, double, left))
    state = state.with_player(seat, island_left=left)
    if not double:
        return state.then(BOTTOM)
    log.append(Escaped(seat, EscapeMeans.DOUBLE, 0))
    return advance(state, log, sum(dice), MoveCause.DICE).then(Arrive(), BOTTOM)


def check_pay_island_fee(state: State, seat: Seat, _: PayIslandFee) -> None:
    """Only while stuck, and only out of cash in hand: no debt is made for it (R73)."""
    if state.players[seat].island_left == 0:
        refuse(Refusal.NOT_ON_ISLAND, "5.4")
    if state.players[seat].cash < state.options.island_fee:
        refuse(Refusal.NOT_ENOUGH_MONEY, "5.4")


def do_pay_island_fee(state: State, seat: Seat, _: PayIslandFee) -> Step[State]:
    """Leave for the fee, paid to the bank (R15); a normal roll follows in the same turn."""
    fee = state.options.island_fee
    state = state.with_player(seat, island_left=0, cash=state.players[seat].cash - fee)
    return Step(state, (Escaped(seat, EscapeMeans.FEE, fee),))


def check_use_escape_card(state: State, seat: Seat, _: UseEscapeCard) -> None:
    """Only while stuck, and only with the card in hand (R33)."""
    if state.players[seat].island_left == 0:
        refuse(Refusal.NOT_ON_ISLAND, "5.4")
    if CardId.L11 not in state.players[seat].held:
        refuse(Refusal.NO_CARD, "5.4")


def do_use_escape_card(state: State, seat: Seat, _: UseEscapeCard) -> Step[State]:
    """Leave by the card; a normal roll follows in the same turn."""
    log: Log = []
    state = use_card(state, log, seat, CardId.L11).with_player(seat, island_left=0)
    log.append(Escaped(seat, EscapeMeans.CARD, 0))
    return Step(state, tuple(log))
