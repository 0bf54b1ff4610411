"""All that one viewer may know, field by field."""

from dataclasses import dataclass
from typing import Annotated

from engines.protocol import Viewer
from tests.extra_games.engines.coin_race.results import CoinRaceResult, result
from tests.extra_games.engines.coin_race.state import State


@dataclass(frozen=True, slots=True)
class RacerView:
    """What everybody sees of one racer."""

    seat: Annotated[int, "The seat."]
    field: Annotated[int, "The field it stands on."]
    cards: Annotated[int, "How many cards it holds."]
    ready: Annotated[bool, "Whether it has set a card aside."]
    alive: Annotated[bool, "False once the seat was given up."]
    away: Annotated[bool, "True while away."]


@dataclass(frozen=True, slots=True)
class OwnCards:
    """What a racer sees of its own cards."""

    hand: Annotated[tuple[int, ...], "The cards in hand."]
    chosen: Annotated[int | None, "The card set aside."]


@dataclass(frozen=True, slots=True)
class CoinRaceView:
    """A race as one viewer sees it."""

    goal: Annotated[int, "The field that wins."]
    racers: Annotated[tuple[RacerView, ...], "The racers by seat."]
    played: Annotated[tuple[int, ...], "Cards shown so far, in order."]
    current: Annotated[int, "Whose turn it is."]
    round: Annotated[int, "The round, 1 to 8."]
    own: Annotated[OwnCards | None, "The viewer's own cards; null for spectators."]
    result: Annotated[CoinRaceResult | None, "The end; null while the race is on."]


def view(state: State, viewer: Viewer) -> CoinRaceView:
    """The race for a seat, or for a spectator."""
    own = None
    if viewer is not None:
        racer = state.racers[viewer]
        own = OwnCards(racer.hand, racer.chosen)
    return CoinRaceView(
        goal=state.options.goal,
        racers=tuple(
            RacerView(seat, r.field, len(r.hand), r.chosen is not None, r.alive, r.away)
            for seat, r in enumerate(state.racers)
        ),
        played=state.played,
        current=state.current,
        round=state.round,
        own=own,
        result=result(state),
    )
