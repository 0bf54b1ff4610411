"""Places of a finished race."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from engines.texts import Text
from tests.extra_games.engines.coin_race.reasons import EndReason
from tests.extra_games.engines.coin_race.state import State


@dataclass(frozen=True, slots=True)
class CoinRacePlacing:
    """One racer's place."""

    rank: Annotated[int, "Place, 1 is best; equal racers share it and the next place skips."]
    seat: Annotated[int, "The racer."]
    field: Annotated[int, "The field reached."]


@dataclass(frozen=True, slots=True)
class CoinRaceResult:
    """The end of a race."""

    reason: Annotated[EndReason, "Why it ended."]
    ranking: Annotated[tuple[CoinRacePlacing, ...], "Every racer, best first."]
    winners: Annotated[tuple[int, ...], "The racers in the first place."]


def result(state: State) -> CoinRaceResult | None:
    """§4: further ahead is better; equals share a place; seats given up come last."""
    if state.reason is None:
        return None
    keys = [(racer.alive, racer.field) for racer in state.racers]
    ranking = tuple(
        CoinRacePlacing(1 + sum(other > keys[seat] for other in keys), seat, keys[seat][1])
        for seat in sorted(range(len(keys)), key=lambda s: keys[s], reverse=True)
    )
    winners = tuple(place.seat for place in ranking if place.rank == 1)
    return CoinRaceResult(state.reason, ranking, winners)


def summary(done: CoinRaceResult, names: Sequence[str]) -> Text:
    """One sentence on the end of a race."""
    who = "·".join(names[seat] for seat in done.winners)
    return Text(f"{who} 승리!", f"{who} won!")
