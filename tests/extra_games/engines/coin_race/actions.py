"""What a racer can do."""

from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

from engines.protocol import Actor, Viewer
from tests.extra_games.engines.coin_race.options import CoinRaceOptions


@dataclass(frozen=True, slots=True)
class Flip:
    """Flip the coin for the turn."""


@dataclass(frozen=True, slots=True)
class Choose:
    """Set one of the own cards aside, in secret."""

    card: Annotated[int | None, "The card, 1 to 9; null for others in the log."]


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play the card set aside."""


ACTIONS: Final = (Flip, Choose, PlayCard)


def redact_action(options: CoinRaceOptions, actor: Actor, action: Any, viewer: Viewer) -> Any:
    """§2: which card is set aside is known to its owner alone."""
    if isinstance(action, Choose) and viewer != actor:
        return replace(action, card=None)
    return action
