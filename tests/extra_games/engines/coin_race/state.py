"""The whole truth of a race, hidden cards included."""

import msgspec

from engines.rng import Stream
from tests.extra_games.engines.coin_race.options import CoinRaceOptions
from tests.extra_games.engines.coin_race.reasons import EndReason

ROUNDS = 8
CARDS = tuple(range(1, 10))
HAND = 3


class Racer(msgspec.Struct, frozen=True):
    """One seat: its field, its cards in hand and the one set aside."""

    field: int = 0
    hand: tuple[int, ...] = ()
    chosen: int | None = None
    alive: bool = True
    away: bool = False


class State(msgspec.Struct, frozen=True):
    """A race; `stock` is out of play and unseen, `since` and `until` are milliseconds."""

    options: CoinRaceOptions
    rng: Stream
    racers: tuple[Racer, ...]
    stock: tuple[int, ...]
    played: tuple[int, ...]
    current: int
    round: int
    since: int
    until: int | None
    reason: EndReason | None = None


def with_racer(state: State, seat: int, **changes: object) -> State:
    """The state with one seat changed."""
    racers = list(state.racers)
    racers[seat] = msgspec.structs.replace(racers[seat], **changes)
    return msgspec.structs.replace(state, racers=tuple(racers))
