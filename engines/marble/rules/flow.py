"""§8.2 The chain of forced consequences, up to the next decision."""

from collections.abc import Callable
from typing import Any, Final

from engines.marble.events import Log
from engines.marble.rules.arrival import arrive, offer_villa
from engines.marble.rules.ending import judge_monopoly
from engines.marble.rules.payment import settle
from engines.marble.rules.space import fly
from engines.marble.rules.takeover import offer_takeover
from engines.marble.rules.turn import end_visit
from engines.marble.state import (
    Arrive,
    EndVisit,
    Fly,
    JudgeMonopoly,
    OfferTakeover,
    OfferVilla,
    Payment,
    State,
)
from engines.protocol import Step

_HANDLERS: Final[dict[type, Callable[[State, Any, Log], State]]] = {
    Arrive: arrive,
    Payment: settle,
    Fly: fly,
    OfferTakeover: offer_takeover,
    OfferVilla: offer_villa,
    JudgeMonopoly: judge_monopoly,
    EndVisit: end_visit,
}


def proceed(step: Step[State]) -> Step[State]:
    """Work off what is pending until a player must decide or nothing is left."""
    state, log = step.state, list(step.events)
    while state.pending and state.debt is None and state.decision is None:
        first, rest = state.pending[0], state.pending[1:]
        state = _HANDLERS[type(first)](state.but(pending=rest), first, log)
    return Step(state, tuple(log))
