"""§6: what a rack is worth, who won a game and how many points everyone gets."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from engines.number_tiles.reasons import EndReason
from engines.number_tiles.tiles import FIRST_JOKER, NUMBER_OF
from engines.protocol import AtMost


@dataclass(frozen=True, slots=True)
class GamePlacing:
    """One row of a game's ranking."""

    rank: Annotated[int, "Place, from 1; equal scores share a place and the next one skips."]
    seat: Annotated[int, "The seat."]
    score: Annotated[int, "Points of this game: positive for winners, else zero or negative."]
    rack_value: Annotated[int, "Worth of the tiles left in the rack."]
    tiles_left: Annotated[int, "Number of tiles left in the rack."]
    left: Annotated[bool, "Whether the player left; such rows come after all who stayed."]


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """How one game of the match ended. Racks stay hidden; only their worth is told."""

    game_no: Annotated[int, "Number of the game within the match, from 1."]
    reason: Annotated[EndReason, "How it ended."]
    winners: Annotated[tuple[int, ...], "Seats of the winner, or of the joint winners.", AtMost(4)]
    ranking: Annotated[tuple[GamePlacing, ...], "All seats, best first.", AtMost(4)]


def rack_value(rack: bytes, joker_penalty: int) -> int:
    """The sum of a rack's numbers; each joker counts `joker_penalty` (O-05, R-01)."""
    return sum(NUMBER_OF[tile] if tile < FIRST_JOKER else joker_penalty for tile in rack)


def score_game(
    game_no: int,
    reason: EndReason,
    racks: tuple[bytes, ...],
    staying: tuple[int, ...],
    joker_penalty: int,
) -> GameOutcome:
    """Winners, scores and ranking of a game that ended with these racks.

    `staying` are the seats still in the game; only they can win (L-02, L-04).
    """
    values = [rack_value(rack, joker_penalty) for rack in racks]
    winners = _winners(reason, racks, values, staying)
    base = values[winners[0]] if reason is EndReason.STALEMATE else 0
    losses = [-max(0, value - base) for value in values]
    prize = -sum(loss for seat, loss in enumerate(losses) if seat not in winners)
    scores = [
        prize // len(winners) if seat in winners else loss  # rounded down, never negative
        for seat, loss in enumerate(losses)
    ]
    ranking = tuple(
        GamePlacing(rank, seat, scores[seat], values[seat], len(racks[seat]), seat not in staying)
        for rank, seat in rank_seats(
            {seat: (seat in staying, seat in winners, scores[seat]) for seat in range(len(racks))}
        )
    )
    return GameOutcome(game_no, reason, winners, ranking)


def rank_seats(merits: Mapping[int, tuple[int, ...]]) -> list[tuple[int, int]]:
    """(rank, seat), highest merit first; equal merits share a rank, the next one skips (R-04)."""
    order = sorted(merits, key=lambda seat: (*(-part for part in merits[seat]), seat))
    return [(1 + sum(other > merits[seat] for other in merits.values()), seat) for seat in order]


def _winners(
    reason: EndReason, racks: tuple[bytes, ...], values: list[int], staying: tuple[int, ...]
) -> tuple[int, ...]:
    if reason is EndReason.FORFEIT:
        return staying
    if reason is EndReason.RACK_EMPTY:
        return tuple(seat for seat in staying if not racks[seat])
    # §6 and R-02: the lowest sum, then the fewest tiles, then joint winners
    best = min((values[seat], len(racks[seat])) for seat in staying)
    return tuple(seat for seat in staying if (values[seat], len(racks[seat])) == best)
