"""Deadlines (§8.5): how long a prompt lasts, and what happens by itself when it is over."""

from typing import Final

from engines.marble.actions import Pass, Roll, SaleKind, Sell, SpaceTravel
from engines.marble.board import PRICES, START
from engines.marble.events import Log
from engines.marble.reasons import TradeReason
from engines.marble.rules.arrival import do_pass
from engines.marble.rules.flow import proceed
from engines.marble.rules.payment import do_sell, sale_value
from engines.marble.rules.space import do_space_travel
from engines.marble.rules.trade import close_offer
from engines.marble.rules.turn import do_roll
from engines.marble.state import Phase, State, lands_of
from engines.protocol import Absence, AbsenceRemedy, Deadline, Seat, Step

TRADE_RESPONSE_MS: Final = 20_000

ABSENCE: Final[Absence[State]] = Absence(
    grace=5_000,  # R137
    unit=lambda state: state.round,
    units=2,  # R138: two rounds in a row in which only the timer answered
    only_if_away=False,
    remedy=AbsenceRemedy.ASK_HOST,
)


def deadline(state: State) -> Deadline | None:
    """Since when, until when and for whom the match waits; None once it is over."""
    if state.awaited is None:
        return None
    return Deadline(state.prompted_at, state.deadline_at, state.awaited)


def prompt(state: State) -> tuple[Phase, Seat | None]:
    """What is asked of whom; a running deadline belongs to it."""
    return state.phase, state.awaited


def accepted(step: Step[State], at: int, *, renew: bool = True) -> Step[State]:
    """Count an accepted action (R119) and, if `renew`, open a fresh deadline at `at` (R152)."""
    state = step.state.but(turn_seq=step.state.turn_seq + 1)
    return Step(open_prompt(state, at) if renew else state, step.events)


def open_prompt(state: State, at: int) -> State:
    """Start the time of the present prompt: 20 s for an answer to an offer whatever the options,
    turnSeconds otherwise (R05, R109)."""
    seconds = state.options.turn_seconds
    until: int | None = None
    if state.phase is Phase.TRADE_RESPONSE:
        until = at + TRADE_RESPONSE_MS
    elif state.phase is not Phase.FINISHED and seconds is not None:
        until = at + 1000 * seconds
    return state.but(prompted_at=at, deadline_at=until)


def on_timeout(state: State, at: int) -> Step[State]:
    """The automatic action: it rolls, flies to the start, passes, declines, or sells (§8.5).

    It never spends anybody's money by choice. A finished match stays as it is.
    """
    if state.awaited is None:
        return Step(state)
    return accepted(proceed(_automatic(state, state.awaited)), at)


def _automatic(state: State, seat: Seat) -> Step[State]:
    match state.phase:
        case Phase.DECIDE:
            return do_pass(state, seat, Pass())
        case Phase.DEBT:
            return _sell_until_paid(state, seat)
        case Phase.TRADE_RESPONSE:
            log: Log = []
            return Step(close_offer(state, log, TradeReason.TIMED_OUT), tuple(log))
    if state.players[seat].space_pending:
        return do_space_travel(state, seat, SpaceTravel(START))  # R135
    return do_roll(state, seat, Roll())  # R134, R136


def _sell_until_paid(state: State, seat: Seat) -> Step[State]:
    log: Log = []
    while state.debt is not None:  # R132: one expiry closes the open debt
        step = do_sell(state, seat, _next_sale(state, seat))
        state = step.state
        log.extend(step.events)
    return Step(state, tuple(log))


def _next_sale(state: State, seat: Seat) -> Sell:
    """The cheapest topmost stage; without buildings the cheapest land; ties by cell (R133)."""
    lands = lands_of(state, seat)
    tops = [(sale_value(pos, land.level, SaleKind.TOP), pos) for pos, land in lands if land.level]
    if tops:
        return Sell(min(tops)[1], SaleKind.TOP)
    return Sell(min((PRICES[pos], pos) for pos, _ in lands)[1], SaleKind.ALL)
