"""What GraphQL adds to the coin race: its catalogue, and a pace for choosing."""

from dataclasses import dataclass
from typing import Annotated

from api.games.registry import Game, Pace
from tests.extra_games.engines.coin_race import ENGINE
from tests.extra_games.engines.coin_race.actions import Choose


@dataclass(frozen=True, slots=True)
class Catalogue:
    """A race by coin and hidden cards."""

    cards: Annotated[tuple[int, ...], "The values on the cards."]


GAME = Game(
    engine=ENGINE,
    catalogue=Catalogue(cards=tuple(range(1, 10))),
    paces=(Pace(actions=(Choose,), per_second=10),),
)
