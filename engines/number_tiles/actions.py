"""What a player in turn can decide (§8.2), and the one thing the host can."""

from dataclasses import dataclass
from typing import Annotated

from engines.number_tiles.tiles import SetKind
from engines.protocol import Described


class ActionName(Described):
    """The actions of players, as a view lists what may be done now."""

    SET_DRAFT = "setDraft", "Change the draft."
    UNDO_DRAFT = "undoDraft", "Take back the latest change of the draft."
    RESET_DRAFT = "resetDraft", "Put the draft back to the table."
    COMMIT = "commit", "Lay the draft; listed when it would pass."
    DRAW = "draw", "Draw a tile, or pass when the pool is empty."
    PASS = "pass", "Pass, as the pool is empty."
    CONCEDE = "concede", "Give up the match."


@dataclass(frozen=True, slots=True)
class DraftSet:
    """One set of a draft as the player arranged it; it may still be invalid."""

    tile_ids: Annotated[
        tuple[str, ...], "Ids of its tiles in order; the order tells what a joker stands for."
    ]
    as_kind: Annotated[
        SetKind | None,
        "How to read a set that fits as run and as group; without it such a set is a run.",
    ] = None


@dataclass(frozen=True, slots=True)
class SetDraft:
    """Replace the draft of the turn by a whole new arrangement of the table.

    It must hold every tile of the table and may add tiles of the own rack. Sets may be invalid
    until the commit. Empty sets are dropped; sending the present draft again changes nothing.
    """

    turn: Annotated[int, "Number of the turn it is meant for."]
    sets: Annotated[tuple[DraftSet, ...], "All sets of the table, at most 256."]


@dataclass(frozen=True, slots=True)
class UndoDraft:
    """Take back the latest change of the draft; at most 100 changes can be taken back."""

    turn: Annotated[int, "Number of the turn it is meant for."]


@dataclass(frozen=True, slots=True)
class ResetDraft:
    """Put the draft back to the table as it was when the turn began; this can be undone."""

    turn: Annotated[int, "Number of the turn it is meant for."]


@dataclass(frozen=True, slots=True)
class Commit:
    """Lay the draft on the table and end the turn."""

    turn: Annotated[int, "Number of the turn it is meant for."]
    rev: Annotated[int, "Revision of the draft the player saw; another one is refused."]


@dataclass(frozen=True, slots=True)
class Draw:
    """Drop the draft, draw one tile and end the turn; with an empty pool it is a pass."""

    turn: Annotated[int, "Number of the turn it is meant for."]


@dataclass(frozen=True, slots=True)
class Pass:
    """Drop the draft and end the turn; only while the pool is empty."""

    turn: Annotated[int, "Number of the turn it is meant for."]


@dataclass(frozen=True, slots=True)
class Concede:
    """Give up the match for good, in or out of turn; the rack stays face down."""


@dataclass(frozen=True, slots=True)
class NextGame:
    """Deal the next game of the match at once instead of after ten seconds (host)."""


ACTIONS = (SetDraft, UndoDraft, ResetDraft, Commit, Draw, Pass, Concede)
HOST_ACTIONS = (NextGame,)
