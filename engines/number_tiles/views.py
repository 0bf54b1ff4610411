"""What a viewer may know of a match (§8.3, §9), built field by field."""

from dataclasses import dataclass
from typing import Annotated

from engines.number_tiles.actions import ActionName
from engines.number_tiles.public import (
    ArrangedSet,
    OwnDraft,
    TableSet,
    arranged_sets,
    own_draft,
    table_sets,
)
from engines.number_tiles.results import match_result, total_of, wins_of
from engines.number_tiles.rules.hint import Hint, hint_for
from engines.number_tiles.rules.judging import Verdict, judge_draft
from engines.number_tiles.rules.scoring import GameOutcome
from engines.number_tiles.state import Phase, State
from engines.number_tiles.tiles import ids_of
from engines.protocol import AtMost, Viewer


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat as everyone sees it."""

    seat: Annotated[int, "Number of the seat, from 0."]
    rack_count: Annotated[int, "Tiles in the rack; tiles in a draft still count."]
    has_melded: Annotated[bool, "Whether the first registration of this game is done."]
    left: Annotated[bool, "Whether the player is out of the match for good."]
    away: Annotated[bool, "Whether the player does not answer, so that turns end at once."]
    wins: Annotated[int, "Games of the match won so far."]
    total: Annotated[int, "Points of the games so far together."]


@dataclass(frozen=True, slots=True)
class Thinking:
    """What everyone sees of the draft of the player in turn."""

    seat: Annotated[int, "Seat in turn."]
    changes: Annotated[int, "Changes of the draft in this turn."]
    sets: Annotated[
        tuple[ArrangedSet, ...] | None,
        "The draft once it was changed, where the room shows drafts; tiles once seen stay seen. "
        "Null otherwise, and for its player, who sees `draft`.",
    ]


@dataclass(frozen=True, slots=True)
class View:
    """A match as one viewer sees it."""

    phase: Annotated[Phase, "What the match is doing."]
    game_no: Annotated[int, "Number of the running or last game, from 1."]
    games: Annotated[int, "Number of games in the match."]
    seats: Annotated[tuple[SeatView, ...], "All seats by number.", AtMost(4)]
    order: Annotated[tuple[int, ...], "Seats still in the match, in the order of turns.", AtMost(4)]
    table: Annotated[tuple[TableSet, ...], "The sets on the table; drafts are not part of it."]
    pool_count: Annotated[int, "Tiles left to draw."]
    current: Annotated[int | None, "Seat in turn; null between games and at the end."]
    turn: Annotated[int, "Number of the running or last turn; to be sent with each action."]
    passes: Annotated[
        tuple[int, ...], "Seats that have passed in a row with an empty pool.", AtMost(4)
    ]
    thinking: Annotated[Thinking | None, "The draft of the turn; null while nobody is in turn."]
    outcomes: Annotated[
        tuple[GameOutcome, ...], "The games of the match that have ended.", AtMost(4)
    ]
    winners: Annotated[tuple[int, ...], "Winners of the match; empty until it ends.", AtMost(4)]
    your_seat: Annotated[int | None, "The viewer's seat; null for spectators."]
    rack: Annotated[
        tuple[str, ...] | None, "Ids of the viewer's own tiles, latest last; null for spectators."
    ]
    draft: Annotated[OwnDraft | None, "The viewer's own draft; null out of turn."]
    hint: Annotated[
        Hint | None, "New sets the viewer could lay, in turn and with hints on; null if none."
    ]
    available: Annotated[
        tuple[ActionName, ...], "What the viewer may do now; empty for spectators."
    ]


def view(state: State, viewer: Viewer) -> View:
    """All that a seat, or a spectator, may know; whoever left still sees the own rack (V-10)."""
    seated = viewer is not None and viewer in state.seats
    playing = state.phase is Phase.PLAYING
    verdict = judge_draft(state) if playing and (_shown(state) or viewer == state.current) else None
    in_turn = playing and viewer == state.current
    return View(
        phase=state.phase,
        game_no=state.game_no,
        games=state.games,
        seats=tuple([_seat_view(state, seat) for seat in state.seats]),
        order=state.staying,
        table=table_sets(state.table),
        pool_count=len(state.pool),
        current=state.current if playing else None,
        turn=state.turn_no,
        passes=state.passes,
        thinking=_thinking(state, viewer, verdict) if playing else None,
        outcomes=state.outcomes,
        winners=match_result(state).winners if state.phase is Phase.FINISHED else (),
        your_seat=viewer if seated else None,
        rack=ids_of(state.racks[viewer]) if seated and viewer is not None else None,
        draft=own_draft(state, verdict) if in_turn and verdict else None,
        hint=_hint(state, verdict) if in_turn and verdict and state.options.hints else None,
        available=_available(state, viewer, verdict),
    )


def _shown(state: State) -> bool:
    return state.options.show_draft_to_others


def _seat_view(state: State, seat: int) -> SeatView:
    return SeatView(
        seat=seat,
        rack_count=len(state.racks[seat]),  # V-02: as at the start of the turn
        has_melded=state.melded[seat],
        left=seat in state.left,
        away=seat in state.away,
        wins=wins_of(state.outcomes, seat),
        total=total_of(state.outcomes, seat),
    )


def _thinking(state: State, viewer: Viewer, verdict: Verdict | None) -> Thinking:
    draft = state.turn_draft
    told = verdict is not None and draft.rev > 0 and viewer != state.current
    sets = arranged_sets(draft, verdict) if told and verdict is not None else None
    return Thinking(state.current, draft.rev, sets)


def _hint(state: State, verdict: Verdict) -> Hint | None:
    """Before the first registration from the whole rack, after it from what is not laid yet."""
    rack = state.racks[state.current]
    if not state.melded[state.current]:
        return hint_for(bytes(sorted(rack)), state.options.initial_meld_points)
    return hint_for(bytes(sorted(tile for tile in rack if tile not in verdict.laid)), None)


def _available(state: State, viewer: Viewer, verdict: Verdict | None) -> tuple[ActionName, ...]:
    if viewer not in state.staying or state.phase is Phase.FINISHED:
        return ()
    if state.phase is not Phase.PLAYING or viewer != state.current or verdict is None:
        return (ActionName.CONCEDE,)
    possible = (
        (ActionName.SET_DRAFT, True),
        (ActionName.UNDO_DRAFT, bool(state.turn_draft.history)),
        (ActionName.RESET_DRAFT, True),
        (ActionName.COMMIT, verdict.refusal is None),
        (ActionName.DRAW, True),
        (ActionName.PASS, not state.pool),
        (ActionName.CONCEDE, True),
    )
    return tuple(name for name, may in possible if may)
