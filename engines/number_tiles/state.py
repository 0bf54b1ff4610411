"""The whole truth of a match, secrets included, small enough to be stored at every step."""

import msgspec

from engines.number_tiles.options import Options
from engines.number_tiles.rules.scoring import GameOutcome
from engines.number_tiles.tiles import SetKind
from engines.protocol import Described
from engines.rng import Stream


class Phase(Described):
    """What the match is doing."""

    PLAYING = "playing", "A game is running and a player is in turn."
    BETWEEN_GAMES = "betweenGames", "A game has ended and the next one is about to be dealt."
    FINISHED = "finished", "The match has ended."


class LaidSet(msgspec.Struct, frozen=True, array_like=True):
    """A valid set on the table: tiles in normalised order (N-10), its id stable for animation.

    Where jokers stand in a run tells what they stand for, so nothing else is stored.
    """

    id: int
    kind: SetKind
    tiles: bytes


class PackedSet(msgspec.Struct, frozen=True, array_like=True):
    """A set of a draft as its player arranged it, with the player's hint."""

    tiles: bytes
    kind: SetKind | None = None


Layout = tuple[PackedSet, ...]


class Draft(msgspec.Struct, frozen=True):
    """The draft of the turn (§5.6).

    `history` holds, oldest first, how to get from each layout back to the one before it (see
    rules/undo.py); `rev` counts the accepted changes of the turn (V-03, C-08).
    """

    sets: Layout
    history: tuple[bytes, ...] = ()
    rev: int = 0


class State(msgspec.Struct, frozen=True):
    """A match. Seats are indexes; `pool[0]` is drawn next (S-05).

    `since` is the game time, in ms, from which the present wait is measured. `turn_no` and
    `next_set_id` never repeat within the match. `passes` are the seats of the present streak of
    passes (L-05). `left` and `away` are seats out for good and seats that do not answer.
    """

    options: Options
    rng: Stream
    games: int
    racks: tuple[bytes, ...]
    melded: tuple[bool, ...]
    phase: Phase = Phase.BETWEEN_GAMES
    game_no: int = 0
    pool: bytes = b""
    table: tuple[LaidSet, ...] = ()
    next_set_id: int = 1
    current: int = 0
    turn_no: int = 0
    since: int = 0
    draft: Draft | None = None
    passes: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    away: tuple[int, ...] = ()
    outcomes: tuple[GameOutcome, ...] = ()

    @property
    def seats(self) -> range:
        """All seats of the match, also of those who left."""
        return range(len(self.racks))

    @property
    def staying(self) -> tuple[int, ...]:
        """The seats still in the match, in the order of turns (S-07)."""
        return tuple(seat for seat in self.seats if seat not in self.left)

    @property
    def turn_draft(self) -> Draft:
        """The draft of the running turn; there always is one while playing (D-06)."""
        assert self.draft is not None
        return self.draft
