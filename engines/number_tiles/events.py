"""The facts of a match, one class each; redaction.py says who may see which field."""

from dataclasses import dataclass
from typing import Annotated

from engines.number_tiles.public import ArrangedSet, TableSet
from engines.number_tiles.reasons import CommitProblem, Departure, DrawReason
from engines.number_tiles.results import MatchResult
from engines.number_tiles.rules.scoring import GameOutcome
from engines.protocol import AtMost
from engines.texts import Text


@dataclass(frozen=True, slots=True)
class StarterDraw:
    """One tile drawn to find out who begins; it went back before the deal."""

    round: Annotated[int, "Round of the draw, from 1; a new round is among the tied only."]
    seat: Annotated[int, "Seat that drew."]
    tile_id: Annotated[str, "The tile; whoever draws a joker draws again in the same round."]


@dataclass(frozen=True, slots=True)
class StarterDrawn:
    """Who begins was drawn; the highest number does."""

    draws: Annotated[tuple[StarterDraw, ...], "All draws in their order."]
    seat: Annotated[int, "Seat that begins."]


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game of the match was dealt; the table is empty and nobody is registered."""

    game_no: Annotated[int, "Number of the game within the match, from 1."]
    games: Annotated[int, "Number of games in the match."]
    pool_count: Annotated[int, "Tiles left to draw after the deal."]


@dataclass(frozen=True, slots=True)
class TilesDealt:
    """A player got the tiles for a new game."""

    seat: Annotated[int, "The player's seat."]
    count: Annotated[int, "Number of tiles."]
    tile_ids: Annotated[tuple[str, ...] | None, "The tiles; null for everyone else."]


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A turn began; the draft is the table as it is."""

    turn: Annotated[int, "Number of the turn; never used twice in a match."]
    seat: Annotated[int, "Seat in turn."]


@dataclass(frozen=True, slots=True)
class DraftChanged:
    """The player in turn changed the draft, took a change back or reset it."""

    seat: Annotated[int, "Seat in turn."]
    changes: Annotated[int, "Changes of the draft in this turn."]
    sets: Annotated[
        tuple[ArrangedSet, ...] | None,
        "The draft: for its player, and for everyone where the room shows drafts; else null.",
    ]


@dataclass(frozen=True, slots=True)
class SetsCommitted:
    """Tiles were laid: the draft is the table now."""

    seat: Annotated[int, "Seat that laid them."]
    laid: Annotated[tuple[str, ...], "Tiles that came from the rack."]
    auto: Annotated[bool, "Whether the time-out laid a valid draft by itself."]
    first_registration: Annotated[bool, "Whether it was this player's first registration."]
    changed_set_ids: Annotated[
        tuple[int, ...], "Sets that are new or hold other tiles than before; to be highlighted."
    ]
    table: Annotated[tuple[TableSet, ...], "The whole table now."]


@dataclass(frozen=True, slots=True)
class DraftReverted:
    """An invalid draft, or one the room's rules drop, was taken back; only its player sees this."""

    seat: Annotated[int, "Seat whose draft it was."]
    returned: Annotated[tuple[str, ...], "Tiles that are back in the rack."]
    problem: Annotated[CommitProblem | None, "What was wrong; null if the draft was valid."]
    message: Annotated[Text | None, "The same in words; null if the draft was valid."]


@dataclass(frozen=True, slots=True)
class TilesDrawn:
    """Tiles were drawn from the pool, which ended the turn."""

    seat: Annotated[int, "Seat that drew."]
    count: Annotated[int, "Number of tiles; a penalty takes fewer when the pool has fewer."]
    reason: Annotated[DrawReason, "Why they were drawn."]
    tile_ids: Annotated[tuple[str, ...] | None, "The tiles; null for everyone else."]
    pool_count: Annotated[int, "Tiles left in the pool."]


@dataclass(frozen=True, slots=True)
class Passed:
    """A turn ended without laying or drawing, as the pool was empty; counts for a stalemate."""

    seat: Annotated[int, "Seat that passed."]
    reason: Annotated[DrawReason, "Why nothing was laid."]
    passes: Annotated[tuple[int, ...], "Seats that have passed in a row.", AtMost(4)]


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game ended; unless the match is over the next one is dealt after ten seconds."""

    outcome: Annotated[GameOutcome, "Winners, scores and ranking of the game."]
    wins: Annotated[tuple[int, ...], "Games won so far, by seat.", AtMost(4)]
    totals: Annotated[tuple[int, ...], "Points so far, by seat.", AtMost(4)]
    last: Annotated[bool, "Whether the match is over with it."]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over."""

    result: Annotated[MatchResult, "Its winners, ranking and games."]


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A player is out of the match for good; the rack stays face down and out of play."""

    seat: Annotated[int, "Seat that is out."]
    cause: Annotated[Departure, "Why the seat was given up."]


@dataclass(frozen=True, slots=True)
class SeatAway:
    """A player does not answer; until the return each turn ends at once."""

    seat: Annotated[int, "The player's seat."]


@dataclass(frozen=True, slots=True)
class SeatBack:
    """A player who had been away is back."""

    seat: Annotated[int, "The player's seat."]


EVENTS = (
    StarterDrawn,
    GameStarted,
    TilesDealt,
    TurnStarted,
    DraftChanged,
    SetsCommitted,
    DraftReverted,
    TilesDrawn,
    Passed,
    GameEnded,
    MatchEnded,
    SeatLeft,
    SeatAway,
    SeatBack,
)
