"""Setup and apply: the one table from action to rule, and the order of all checks."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from engines.marble.actions import (
    Build,
    Buy,
    Concede,
    Pass,
    PayIslandFee,
    ProposeTrade,
    RespondToTrade,
    Roll,
    Sell,
    SpaceTravel,
    Takeover,
    UseEscapeCard,
)
from engines.marble.cards import CardId
from engines.marble.events import GameStarted, TurnStarted
from engines.marble.options import Options
from engines.marble.payloads import fault_of
from engines.marble.reasons import CONCEDE_CAUSES, Refusal
from engines.marble.rules import arrival, bankruptcy, island, payment, space, takeover, trade, turn
from engines.marble.rules.flow import proceed
from engines.marble.state import Phase, Player, State
from engines.marble.timeouts import accepted, on_timeout, open_prompt, prompt
from engines.protocol import (
    SYSTEM,
    SYSTEM_ACTIONS,
    Actor,
    DeadlineShifted,
    Leave,
    Seat,
    ShiftDeadline,
    Step,
    TimeOut,
    refuse,
)
from engines.rng import Stream

MIN_SEATS: Final = 2
MAX_SEATS: Final = 4


class Rule(NamedTuple):
    """How one action is judged and performed."""

    section: str
    """Where the rule book has it; cited by the refusals common to all actions."""
    phase: Phase | None
    """When it may be done by the awaited player; None: by anybody at any time."""
    check: Callable[[State, Seat, Any], None]
    do: Callable[[State, Seat, Any], Step[State]]
    option: Callable[[Options], object] | None = None
    """What must hold of the options; None: always in play."""


RULES: Final[dict[type, Rule]] = {
    Roll: Rule("5.1", Phase.TURN_START, turn.check_roll, turn.do_roll),
    PayIslandFee: Rule(
        "5.4",
        Phase.TURN_START,
        island.check_pay_island_fee,
        island.do_pay_island_fee,
        lambda options: options.island_fee,
    ),
    UseEscapeCard: Rule(
        "5.4", Phase.TURN_START, island.check_use_escape_card, island.do_use_escape_card
    ),
    SpaceTravel: Rule("5.5", Phase.TURN_START, space.check_space_travel, space.do_space_travel),
    Buy: Rule("5.2", Phase.DECIDE, arrival.check_buy, arrival.do_buy),
    Build: Rule("5.2", Phase.DECIDE, arrival.check_build, arrival.do_build),
    Takeover: Rule(
        "5.7",
        Phase.DECIDE,
        takeover.check_takeover,
        takeover.do_takeover,
        lambda options: options.takeover,
    ),
    Pass: Rule("5.2", Phase.DECIDE, arrival.check_pass, arrival.do_pass),
    Sell: Rule("5.3", Phase.DEBT, payment.check_sell, payment.do_sell),
    ProposeTrade: Rule(
        "5.8",
        Phase.TURN_START,
        trade.check_propose_trade,
        trade.do_propose_trade,
        lambda options: options.trade,
    ),
    RespondToTrade: Rule(
        "5.8", Phase.TRADE_RESPONSE, trade.check_respond_to_trade, trade.do_respond_to_trade
    ),
    Concede: Rule("8.2", None, bankruptcy.check_concede, bankruptcy.do_concede),
}


def setup(options: Options, seats: int, seed: bytes, at: int) -> Step[State]:
    """Deal for 2..4 seats: first the order of turns is drawn, then the deck (§4, R36).

    Raises ValueError for any other number of seats.
    """
    if type(seats) is not int or not MIN_SEATS <= seats <= MAX_SEATS:
        raise ValueError(f"marble is played by 2 to 4, not by {seats!r}")
    order, rng = Stream(seed).shuffle(range(seats))
    deck, rng = rng.shuffle(tuple(CardId))
    players = (Player(cash=options.start_money),) * seats
    state = State(options, rng, order, order[0], players, deck, prompted_at=at, deadline_at=None)
    started = GameStarted(order, options.start_money, len(deck))
    return Step(open_prompt(state, at), (started, TurnStarted(order[0], state.round)))


def apply(state: State, actor: Actor, action: Any, at: int) -> Step[State]:
    """Judge one action in the order of R120, perform it and all that it entails.

    A concession of a bystander leaves the running deadline alone (R124, R152); every other
    action opens a prompt of its own.
    """
    if state.ending is not None:
        refuse(Refusal.GAME_OVER, "5.6")
    if actor is SYSTEM:
        return _apply_system(state, action, at)
    rule = _judge(state, actor, action)
    step = proceed(rule.do(state, actor, action))
    renew = rule.phase is not None or prompt(step.state) != prompt(state)
    return accepted(step, at, renew=renew)


def _judge(state: State, actor: Seat, action: Any) -> Rule:
    _check_seat(state, actor)
    rule = RULES.get(type(action))
    if rule is None:
        refuse(Refusal.UNKNOWN_ACTION, "8.2")
    if rule.option is not None and not rule.option(state.options):
        refuse(Refusal.OPTION_OFF, rule.section)  # R97: before turn and phase
    fault = fault_of(action)
    if fault is not None:
        refuse(Refusal.BAD_PAYLOAD, rule.section, path=fault)
    if rule.phase is not None:
        if actor != state.awaited:
            refuse(Refusal.NOT_YOUR_TURN, "5.1")
        if state.phase is not rule.phase:
            refuse(Refusal.WRONG_PHASE, rule.section)
    rule.check(state, actor, action)
    return rule


def _check_seat(state: State, seat: object) -> None:
    if type(seat) is not int or not 0 <= seat < len(state.players):
        refuse(Refusal.UNKNOWN_PLAYER, "8.2")
    if not state.players[seat].alive:
        refuse(Refusal.ELIMINATED, "5.3")


def _apply_system(state: State, action: Any, at: int) -> Step[State]:
    match action:
        case TimeOut():
            return on_timeout(state, at)
        case Leave(seat, cause):
            _check_seat(state, seat)
            step = proceed(bankruptcy.give_up(state, seat, CONCEDE_CAUSES[cause]))  # R139
            return accepted(step, at, renew=prompt(step.state) != prompt(state))
        case ShiftDeadline(by):
            return _shift_deadline(state, by)
    if not isinstance(action, SYSTEM_ACTIONS):
        refuse(Refusal.UNKNOWN_ACTION, "8.2")
    return Step(state)  # away and back: an absent seat is played by its time-outs (§8.5)


def _shift_deadline(state: State, by: int) -> Step[State]:
    if state.deadline_at is None or by == 0:
        return Step(state)
    shifted = state.but(prompted_at=state.prompted_at + by, deadline_at=state.deadline_at + by)
    return Step(shifted, (DeadlineShifted(by),))
