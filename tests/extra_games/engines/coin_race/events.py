"""What happened in a race, and who may know it."""

from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

from engines.protocol import Viewer
from tests.extra_games.engines.coin_race.options import CoinRaceOptions
from tests.extra_games.engines.coin_race.results import CoinRaceResult


@dataclass(frozen=True, slots=True)
class CoinFlipped:
    """A coin fell; heads moves its racer one field forward."""

    seat: Annotated[int, "The racer."]
    heads: Annotated[bool, "True for heads."]


@dataclass(frozen=True, slots=True)
class CardChosen:
    """A racer set a card aside."""

    seat: Annotated[int, "The racer."]
    card: Annotated[int | None, "The card; null for everybody but its owner."]


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A racer showed its card and moved by it."""

    seat: Annotated[int, "The racer."]
    value: Annotated[int, "The card, 1 to 9."]
    steps: Annotated[int, "Fields forward."]


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The next racer's turn began."""

    seat: Annotated[int, "The racer."]
    round: Annotated[int, "The round, from 1 on."]


@dataclass(frozen=True, slots=True)
class RacerLeft:
    """A seat was given up for good."""

    seat: Annotated[int, "The racer."]
    cards: Annotated[tuple[int, ...], "The cards it had in hand, shown as it leaves."]


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """A racer went away or came back."""

    seat: Annotated[int, "The racer."]
    away: Annotated[bool, "True while away."]


@dataclass(frozen=True, slots=True)
class GameOver:
    """The race ended."""

    result: Annotated[CoinRaceResult, "Places and reason."]


EVENTS: Final = (
    CoinFlipped,
    CardChosen,
    CardPlayed,
    TurnStarted,
    RacerLeft,
    PresenceChanged,
    GameOver,
)


def redact(options: CoinRaceOptions, event: Any, viewer: Viewer) -> Any:
    """§2: the card set aside is shown to its owner alone; the rest is public."""
    if isinstance(event, CardChosen) and event.seat != viewer:
        return replace(event, card=None)
    return event
